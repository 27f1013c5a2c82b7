"""The site's map."""

from django.contrib import admin
from django.urls import include, path

from league.api import admin_door

handler400 = "league.web.errors.bad_request"
handler403 = "league.web.errors.forbidden"
handler404 = "league.web.errors.not_found"
handler500 = "league.web.errors.crashed"

urlpatterns = [
    path("", include("league.web.urls")),
    path("admin/login/", admin_door.login),  # before the admin's own
    path("admin/", admin.site.urls),
    path("api/v1/", include("league.api.urls")),
]
