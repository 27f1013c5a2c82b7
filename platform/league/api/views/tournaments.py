"""Tournaments: from the draft to the standings. What is planned and how far it is: `plan`; steering: here."""

from typing import Any

from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import mixins, status
from rest_framework.decorators import action
from rest_framework.permissions import IsAuthenticated, IsAuthenticatedOrReadOnly
from rest_framework.request import Request
from rest_framework.response import Response

from league.accounts.scopes import Scope
from league.api import filters
from league.api.failures import DRAFTS, FIELDS, UNFIT, may
from league.api.idempotency import Kind
from league.api.permissions import Scopes, demand
from league.api.serializers.tournaments import (
    EntrantOut,
    Extension,
    NewEntry,
    NewTournament,
    PreviewIn,
    PreviewOut,
    TournamentOut,
)
from league.api.views.common import ID, found, known_user, user_of
from league.api.views.plan import Planned
from league.api.views.results_tournaments import TournamentResults
from league.bots.selectors import versions_for
from league.pipeline import start
from league.tournaments import selectors, services, steering
from league.tournaments.drafts import draft
from league.tournaments.models import Tournament
from league.tournaments.previewing import preview

#: Entering is an author's: an organiser's token needs another scope.
SCOPES: Scopes = {
    **dict.fromkeys(("create", "open", "start", "pause", "resume", "finish", "extend"), Scope.ORGANISE),
    **dict.fromkeys(("replay", "cancel"), Scope.ORGANISE),
    "preview_draft": Scope.READ,
    "enter": Scope.SUBMIT,
    "withdraw": frozenset({Scope.SUBMIT, Scope.ORGANISE}),
}


class Tournaments(mixins.ListModelMixin, mixins.RetrieveModelMixin, Planned, TournamentResults):
    """Tournaments. Every action is safe to repeat: the answer is the same, or 409 with the present state."""

    queryset = Tournament.objects.none()
    serializer_class = TournamentOut
    permission_classes = (IsAuthenticatedOrReadOnly,)
    scopes = SCOPES
    repeatable = {"preview_draft": Kind.PLAIN}  # noqa: RUF012 - never changed
    filterset_class = filters.TournamentFilter
    ordering_fields = ("name", "created_at", "started_at", "ended_at")

    def get_queryset(self) -> Any:
        return selectors.visible_to(known_user(self.request))

    @may(*FIELDS, "bad_name", *DRAFTS, "name_taken", "quota")
    @extend_schema(request=NewTournament, responses={201: TournamentOut})
    def create(self, request: Request) -> Response:
        """Make a draft, which only you can see."""
        given = NewTournament(data=request.data)
        given.is_valid(raise_exception=True)
        made = services.create_tournament(user_of(request), **given.validated_data)
        return self._answer(made, status.HTTP_201_CREATED)

    @may(*FIELDS, *DRAFTS, *UNFIT, "too_many_entrants")
    @extend_schema(request=PreviewIn, responses=PreviewOut)
    @action(detail=False, methods=["post"], url_path="preview", permission_classes=[IsAuthenticated])
    def preview_draft(self, request: Request) -> Response:
        """What a tournament would be, before there is one: the same body, with a number of entrants."""
        given = PreviewIn(data=request.data)
        given.is_valid(raise_exception=True)
        data = dict(given.validated_data)
        entrants = data.pop("entrants")
        return Response(PreviewOut(preview(draft(**data), entrants)).data)

    @may(*UNFIT)
    @extend_schema(responses=PreviewOut)
    @action(detail=True)
    def preview(self, request: Request, pk: str) -> Response:
        """What it is, or will be, with the entrants that it has now."""
        return Response(PreviewOut(preview(self._one())).data)

    # -- steering ------------------------------------------------------------------------------------------

    @may("not_yours", "wrong_state")
    @extend_schema(request=None, responses=TournamentOut)
    @action(detail=True, methods=["post"])
    def open(self, request: Request, pk: str) -> Response:
        """Let bots enter."""
        return self._answer(services.open_tournament(self._one(), user_of(request)))

    @may("not_yours", "wrong_state", "not_active", "too_many_tables", *UNFIT, "quota")
    @extend_schema(request=None, responses=TournamentOut)
    @action(detail=True, methods=["post"])
    def start(self, request: Request, pk: str) -> Response:
        """Plan its first round and have it played."""
        return self._answer(start.start_tournament(self._one(), user_of(request)))

    @may("not_yours", "wrong_state")
    @extend_schema(request=None, responses=TournamentOut)
    @action(detail=True, methods=["post"])
    def pause(self, request: Request, pk: str) -> Response:
        """Begin no more tables; those being played are played to their end."""
        return self._answer(steering.pause(self._one(), user_of(request)))

    @may("not_yours", "wrong_state")
    @extend_schema(request=None, responses=TournamentOut)
    @action(detail=True, methods=["post"])
    def resume(self, request: Request, pk: str) -> Response:
        """Go on after a pause."""
        return self._answer(start.resume_tournament(self._one(), user_of(request)))

    @may("not_yours", "wrong_state", "not_a_ladder")
    @extend_schema(request=None, responses=TournamentOut)
    @action(detail=True, methods=["post"])
    def finish(self, request: Request, pk: str) -> Response:
        """Tell a ladder to end: what is planned is played, no more is planned."""
        return self._answer(start.finish_tournament(self._one(), user_of(request)))

    @may(
        *FIELDS,
        "bad_boards",
        "not_yours",
        "wrong_state",
        "not_extendable",
        "nothing_to_extend",
        "too_many_tables",
        "quota",
    )
    @extend_schema(request=Extension, responses=TournamentOut)
    @action(detail=True, methods=["post"])
    def extend(self, request: Request, pk: str) -> Response:
        """Have every group play more boards, while it is under way or finished."""
        tournament = self._one()
        given = Extension(data=request.data)
        given.is_valid(raise_exception=True)
        boards = given.validated_data["boards"]
        return self._answer(start.extend_tournament(tournament, boards, user_of(request)))

    @may("not_yours", "wrong_state")
    @extend_schema(request=None, responses=TournamentOut)
    @action(detail=True, methods=["post"])
    def replay(self, request: Request, pk: str) -> Response:
        """Have the tables played again that the platform failed at."""
        return self._answer(start.replay_tables(self._one(), user_of(request)))

    @may("not_yours", "wrong_state")
    @extend_schema(request=None, responses=TournamentOut)
    @action(detail=True, methods=["post"])
    def cancel(self, request: Request, pk: str) -> Response:
        """Stop it for good; complete blocks still count."""
        return self._answer(services.cancel(self._one(), user_of(request)))

    # -- who takes part, and how they stand ----------------------------------------------------------------

    @extend_schema(responses=EntrantOut(many=True))
    @action(detail=True, lists=True, filterset_class=filters.EntrantFilter, ordering_fields=())
    def entrants(self, request: Request, pk: str) -> Response:
        """Who takes part."""
        return self._page(self.filter_queryset(self._entrants()), EntrantOut)

    @may(*FIELDS, "not_yours", "wrong_state", "not_active", "disqualified", "bot_entered")
    @extend_schema(request=NewEntry, responses={201: EntrantOut, 200: EntrantOut})
    @entrants.mapping.post
    def enter(self, request: Request, pk: str) -> Response:
        """Enter an active version of a bot of yours: while it is open, a ladder until it is to end."""
        tournament = self._one()
        given = NewEntry(data=request.data)
        given.is_valid(raise_exception=True)
        user = user_of(request)
        version = found(versions_for(user), pk=given.validated_data["version"])
        entrant, new = start.enter(tournament, version, user)
        return Response(EntrantOut(entrant).data, status.HTTP_201_CREATED if new else status.HTTP_200_OK)

    @may("not_yours", "wrong_state")
    @extend_schema(
        responses={204: None}, parameters=[OpenApiParameter("entrant", int, OpenApiParameter.PATH)]
    )
    @action(detail=True, methods=["delete"], url_path=f"entrants/(?P<entrant>{ID})")
    def withdraw(self, request: Request, pk: str, entrant: str) -> Response:
        """Take an entry back. Once it runs, what is complete still counts and the rest is broken off."""
        entry, user = found(self._entrants(), pk=int(entrant)), user_of(request)
        if entry.bot.owner_id != user.pk:
            demand(request, Scope.ORGANISE)
        start.withdraw(entry, user)
        return Response(status=status.HTTP_204_NO_CONTENT)

    def _answer(self, tournament: Tournament, code: int = status.HTTP_200_OK) -> Response:
        return Response(TournamentOut(tournament).data, status=code)
