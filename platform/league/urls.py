"""The site's map."""

from django.contrib import admin
from django.urls import include, path
from django.views.generic import TemplateView

from league.api import admin_door

urlpatterns = [
    path("", TemplateView.as_view(template_name="home.html"), name="home"),
    path("admin/login/", admin_door.login),  # before the admin's own
    path("admin/", admin.site.urls),
    path("api/v1/", include("league.api.urls")),
]
