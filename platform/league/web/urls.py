"""The pages' map; each module of views has its own part."""

from django.urls import URLPattern

from league.web.views import (
    account,
    boards,
    bots,
    doors,
    guide,
    ladder,
    matches,
    seat,
    submit,
    tournaments,
    tournaments_new,
    tournaments_steer,
    version,
    webhooks,
)

urlpatterns: list[URLPattern] = [
    *ladder.urls,
    *doors.urls,
    *account.urls,
    *webhooks.urls,
    *matches.urls,
    *bots.urls,
    *boards.urls,
    *seat.urls,
    *submit.urls,
    *version.urls,
    *tournaments.urls,
    *tournaments_steer.urls,
    *tournaments_new.urls,
    *guide.urls,
]
