"""The OpenAPI document, and the page that shows it."""

from typing import Any, ClassVar

from django.http import HttpResponse
from drf_spectacular.utils import extend_schema
from drf_spectacular.views import SpectacularAPIView, SpectacularSwaggerSplitView
from rest_framework.permissions import AllowAny
from rest_framework.renderers import TemplateHTMLRenderer
from rest_framework.request import Request

from league.api.views.common import METHODS


class Document(SpectacularAPIView):
    """The document, as YAML or JSON. It takes seconds to make and is the same for all, so a process makes it
    once."""

    permission_classes = (AllowAny,)
    authentication_classes = ()
    http_method_names = METHODS
    _made: ClassVar[dict[str, HttpResponse]] = {}

    @extend_schema(exclude=True)
    def get(self, request: Request, *args: Any, **kwargs: Any) -> HttpResponse:
        kind = request.accepted_renderer.media_type
        if kind not in self._made:
            self.headers = self.default_response_headers
            made = self.finalize_response(request, super().get(request, *args, **kwargs)).render()
            names = ("Content-Type", "Content-Disposition")
            headers = {name: made.headers[name] for name in names if name in made.headers}
            self._made[kind] = HttpResponse(made.content, headers=headers)
        kept = self._made[kind]
        return HttpResponse(kept.content, headers=dict(kept.items()))


class Docs(SpectacularSwaggerSplitView):
    """Swagger UI, from files of ours."""

    url_name = "schema"
    http_method_names = METHODS
    permission_classes = (AllowAny,)
    authentication_classes = ()
    renderer_classes = [TemplateHTMLRenderer]  # noqa: RUF012 - as its class has it
