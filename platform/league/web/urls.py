"""The pages' map; each module of views has its own part."""

from django.urls import URLPattern

from league.web.views import ladder

urlpatterns: list[URLPattern] = [*ladder.urls]
