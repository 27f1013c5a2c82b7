"""The site's map."""

from django.contrib import admin
from django.urls import include, path
from django.views.generic import RedirectView

from league.api import admin_door

handler400 = "league.web.errors.bad_request"
handler403 = "league.web.errors.forbidden"
handler404 = "league.web.errors.not_found"
handler500 = "league.web.errors.crashed"

urlpatterns = [
    path("", include("league.web.urls")),
    path("admin/login/", admin_door.login),  # before the admin's own
    # There is one form for one's own password, and its attempts are counted.
    path("admin/password_change/", RedirectView.as_view(pattern_name="password")),
    path("admin/", admin.site.urls),
    path("api/v1/", include("league.api.urls")),
]
