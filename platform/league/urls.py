"""The site's map."""

from django.contrib import admin
from django.urls import include, path

from league.api import admin_door

urlpatterns = [
    path("", include("league.web.urls")),
    path("admin/login/", admin_door.login),  # before the admin's own
    path("admin/", admin.site.urls),
    path("api/v1/", include("league.api.urls")),
]
