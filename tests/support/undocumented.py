"""A map with a view of which the OpenAPI document can tell nothing: it must not pass."""

from django.urls import path
from rest_framework.views import APIView


class Silent(APIView):
    """Says neither what it takes nor what it answers."""

    schema = APIView.schema

    def get(self, request):
        """Nothing."""


urlpatterns = [path("api/v1/silent/", Silent.as_view())]
