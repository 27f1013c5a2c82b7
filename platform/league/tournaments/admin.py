"""Tournaments for operators; seeds are not shown, of finished ones neither: the API has those."""

from django.contrib import admin

from league.common.admin import ReadOnlyAdmin
from league.common.deeds import Deed
from league.pipeline import start
from league.tournaments import services, steering
from league.tournaments.models import (
    Board,
    Bye,
    Entrant,
    Group,
    PlayWorker,
    Table,
    TableSeat,
    Tournament,
    Turn,
)

PAUSE = Deed(
    "pause",
    "Pause",
    "No more tables are begun; those in hand are played to their end. “Resume” undoes it.",
    steering.pause,
)
RESUME = Deed(
    "resume",
    "Resume",
    "A paused tournament goes on. “Pause” undoes it.",
    start.resume_tournament,
)
REPLAY = Deed(
    "replay",
    "Play all parked tables again",
    "The tables that the platform failed at wait again, with fresh attempts. Those that fail again are "
    "parked again.",
    start.replay_tables,
)
CANCEL = Deed(
    "cancel",
    "Cancel",
    "The tournament is over: tables that aren't done are cancelled, completed blocks count, seeds and "
    "records are public. This can't be undone.",
    services.cancel,
)
WITHDRAW = Deed(
    "withdraw",
    "Withdraw",
    "From an open tournament the entry vanishes, and may be made again. In one that runs, the bot plays no "
    "more: blocks that it has not completed never count, what is completed stays. That can't be undone, but "
    "a ladder takes it again when its owner enters it.",
    start.withdraw,
)
DISQUALIFY = Deed(
    "disqualify",
    "Disqualify here",
    "As “Withdraw”, but no way leads back into a tournament that runs. Other tournaments are not touched: "
    "for all at once, disqualify the version.",
    start.disqualify,
)
RETRY = Deed(
    "retry",
    "Play parked tables again",
    "A table that the platform failed at waits again, with fresh attempts. If it fails again, it is parked "
    "again.",
    start.retry,
)


@admin.register(Tournament)
class TournamentAdmin(ReadOnlyAdmin):
    """Every tournament, and where it is."""

    secret = ("seed",)
    list_display = (
        "name",
        "organiser",
        "status",
        "format",
        "round",
        "players",
        "boards",
        "rated",
        "created_at",
    )
    list_filter = ("status", "format", "rated", "players")
    list_select_related = ("organiser",)
    search_fields = ("name", "organiser__username")
    date_hierarchy = "created_at"
    ordering = ("-id",)
    deeds = (PAUSE, RESUME, REPLAY, CANCEL)


@admin.register(Entrant)
class EntrantAdmin(ReadOnlyAdmin):
    """Who takes part."""

    list_display = ("version", "tournament", "status", "seeded", "entered_at")
    list_filter = ("status", "entered_at")
    list_select_related = ("tournament", "version__bot")
    search_fields = ("tournament__name", "bot__name", "bot__owner__username")
    ordering = ("-id",)
    deeds = (WITHDRAW, DISQUALIFY)


@admin.register(Group)
class GroupAdmin(ReadOnlyAdmin):
    """Who plays the same boards."""

    list_display = ("__str__", "round", "seatings")
    list_select_related = ("tournament",)
    search_fields = ("tournament__name",)
    ordering = ("-id",)


@admin.register(Board)
class BoardAdmin(ReadOnlyAdmin):
    """The boards' commitments."""

    huge = True
    secret = ("seed",)
    list_display = ("__str__", "batch", "complete", "commitment")
    list_filter = ("complete",)
    list_select_related = ("group__tournament",)
    search_fields = ("commitment__exact", "group__tournament__name__exact")
    search_help_text = "An id, a whole commitment, or a tournament's whole name"
    ordering = ("-id",)


@admin.register(Table)
class TableAdmin(ReadOnlyAdmin):
    """The queue: what waits, is played, is done or parked."""

    huge = True
    list_display = ("__str__", "id", "status", "attempt", "lease_until", "not_before", "failure")
    list_filter = ("status", "status_at")
    list_select_related = ("group__tournament",)
    search_fields = ("tournament__name__exact", "failure")
    search_help_text = "An id, a tournament's whole name, or a part of the failure"
    ordering = ("-id",)
    deeds = (RETRY,)


@admin.register(TableSeat)
class TableSeatAdmin(ReadOnlyAdmin):
    """Who sits where."""

    huge = True
    list_display = ("id", "table", "seat", "entrant")
    list_select_related = ("table__group__tournament", "entrant__version__bot")
    search_fields = ("entrant__bot__name__exact",)
    search_help_text = "An id, or a bot's whole name"
    ordering = ("-id",)


@admin.register(Bye)
class ByeAdmin(ReadOnlyAdmin):
    """Who has no group in a round."""

    list_display = ("entrant", "tournament", "round")
    list_select_related = ("entrant__version__bot", "entrant__tournament")
    search_fields = ("entrant__bot__name", "entrant__tournament__name")
    ordering = ("-id",)

    @admin.display(description="tournament")
    def tournament(self, bye: Bye) -> Tournament:
        """Which one."""
        return bye.entrant.tournament


@admin.register(Turn)
class TurnAdmin(ReadOnlyAdmin):
    """When whose table was last begun."""

    list_display = ("organiser", "served_at")
    list_select_related = ("organiser",)
    search_fields = ("organiser__username",)


@admin.register(PlayWorker)
class PlayWorkerAdmin(ReadOnlyAdmin):
    """The processes that play tables, and the machines where a worker refuses to, with the cause."""

    list_display = ("name", "seen_at", "refused")
    search_fields = ("name",)
    date_hierarchy = "seen_at"
