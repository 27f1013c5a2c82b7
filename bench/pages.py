"""Every page of the site, asked in a filled league: server time, and what a browser loads.

A page that is in the site's map must be in `cases`, or in `LEFT_OUT` with the reason.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from django.urls import reverse

from arena.schedule.plan import Format
from bench.league_measure import leading, newest
from league.accounts.models import Token, User
from league.bots.models import Version
from league.matches.models import Match, MatchSeat
from league.sittings.models import Sitting
from league.tournaments.models import Board, Tournament
from league.web import guide
from league.web.tournament_words import DEEDS, KINDS
from league.web.urls import urlpatterns
from league.webhooks.models import Delivery, Webhook

LEFT_OUT = {
    "sitting-answer": "takes a form; who only reads is led to the table",
    "session-end": "as token-end; the sessions of a bench begin with it",
    "version-program": "hands on a file of the store, which is empty here",
}
#: So many of a kind are asked in turn.
SOME = 10


@dataclass(frozen=True)
class Case:
    """A page as somebody reads it: the name of its address, what is special, the addresses that are asked one
    after another, and who asks; None: a reader who is not logged in."""

    page: str
    what: str
    addresses: tuple[str, ...]
    user: User | None = None

    def __str__(self) -> str:
        return ", ".join(filter(None, (self.page, self.what, "known" if self.user else "")))


def unnamed(found: Iterable[Case]) -> set[str]:
    """The pages of the site that are neither among these nor left out."""
    names = {pattern.name for pattern in urlpatterns if pattern.name}
    return names - {case.page for case in found} - set(LEFT_OUT)


def cases() -> Iterator[Case]:
    """All that is measured."""
    leaders = leading()
    owner = leaders[0].version.bot.owner
    yield from _lists(owner, leaders[0].version.bot.name)
    yield from _bots(owner, [row.version for row in leaders])
    yield from _played(owner, leaders[0].version)
    yield from _tournaments(owner)
    yield from _account(owner)
    yield from _seat(owner)
    for page in ("login", "sign-up", "guide"):
        yield _case(page)
    yield _case("guide-page", *((name,) for name in guide.names()))


def _case(
    page: str, *args: tuple[object, ...], what: str = "", query: str = "", user: User | None = None
) -> Case:
    return Case(page, what, tuple(reverse(page, args=each) + query for each in args or ((),)), user)


def _lists(owner: User, bot: str) -> Iterator[Case]:
    for page in ("home", "bots", "matches", "tournaments"):
        for user in (None, owner):
            yield _case(page, user=user)
    yield _case("home", what="searched", query="?search=1")
    yield _case("home", what="by Elo", query="?ordering=-elo")
    yield _case("bots", what="searched", query="?search=1")
    yield _case("matches", what="of a tournament", query=f"?tournament={newest().pk}")
    yield _case("matches", what="of a bot", query=f"?bot={Version.objects.get(bot__name=bot).bot_id}")
    yield _case("tournaments", what="of an organiser", query=f"?organiser={owner.username}")


def _bots(owner: User, versions: list[Version]) -> Iterator[Case]:
    ids = [(version.bot_id,) for version in versions]
    yield _case("bot", *ids, what="the best")
    yield _case("bot", ids[-1], what="20,000 matches in a duel")
    yield _case("bot", ids[0], user=owner)
    yield _case("version", *((version.pk,) for version in versions))
    for page in ("version", "version-check"):
        yield _case(page, (versions[0].pk,), user=owner)
    yield _case("submit")
    yield _case("submit", user=owner)
    yield _case("starter", ("python",))


def _played(owner: User, own: Version) -> Iterator[Case]:
    cup = newest()
    matches = Match.objects.filter(tournament=cup).order_by("pk")
    mine = MatchSeat.objects.filter(version=own).order_by("-match_id")
    boards = Board.objects.filter(group__tournament=cup).order_by("pk")
    closed = Match.objects.filter(tournament__status="running").order_by("pk")[:1]
    yield _case("match", *_ids(matches))
    yield _case("match", *_ids(closed), what="not over")
    yield _case("match", *((pk,) for pk in mine.values_list("match_id", flat=True)[:SOME]), user=owner)
    yield _case("board", *_ids(boards))
    yield _case("board", *_ids(boards), what="its last deal", query="?deal=4")


def _ids(rows: Iterable[object]) -> list[tuple[int]]:
    return [(pk,) for pk in rows.values_list("pk", flat=True)[:SOME]]  # type: ignore[attr-defined]


def _tournaments(owner: User) -> Iterator[Case]:
    cup, organiser = newest(), newest().organiser
    by_format = {kind: Tournament.objects.get(format=kind) for kind in (Format.SWISS, Format.DUEL)}
    today, tomorrow, draft = (
        Tournament.objects.get(name=f"Cup of {day}") for day in ("today", "tomorrow", "some day")
    )
    running = Tournament.objects.filter(status="running").order_by("pk")[0]
    for what, each, user in (
        ("finished", cup, None), ("finished", cup, organiser), ("under way", running, None),
        ("just begun", today, None), ("just begun", today, owner), ("open", tomorrow, None),
        ("a draft", draft, owner), ("a swiss", by_format[Format.SWISS], None),
        ("a duel", by_format[Format.DUEL], None),
    ):  # fmt: skip
        yield _case("tournament", (each.pk,), what=what, user=user)
    for part in ("crosstable", "boards", "tables", "entrants"):
        yield _case(f"tournament-{part}-page", (cup.pk,))
    one = leading()[0].version_id
    yield _case("tournament-crosstable-page", (cup.pk,), what="of a version", query=f"?version={one}")
    yield _case("tournament-tables-page", (today.pk,), what="queued", query="?status=queued")
    yield _case("tournament-entrants-page", (tomorrow.pk,), what="open")
    yield _case("tournament-partners-page", (cup.pk,), user=organiser)
    yield _case("tournament-enter", (tomorrow.pk,), user=owner)
    entered = tomorrow.entrants.filter(version__bot__owner=owner).values_list("version_id", flat=True)[0]
    yield _case("entrant-withdraw", (tomorrow.pk, entered), user=owner)
    for each, deeds in ((draft, ("open",)), (tomorrow, ("start", "cancel")), (today, ("pause", "cancel"))):
        for deed in deeds:
            assert deed in DEEDS
            yield _case("tournament-act", (each.pk, deed), what=deed, user=owner)
    yield _case("tournament-new", user=owner)
    for kind in KINDS:
        yield _case("tournament-new", what=str(kind), query=f"?format={kind}", user=owner)


def _account(owner: User) -> Iterator[Case]:
    for page in ("account", "token-new", "password", "sessions-end", "webhook-new", "logout"):
        yield _case(page, user=owner)
    token = Token.objects.filter(user=owner).values_list("pk", flat=True)[0]
    yield _case("token-end", (token,), user=owner)
    hook = Webhook.objects.filter(owner=owner).values_list("pk", flat=True)[0]
    for page in ("webhook-page", "webhook-delete", "webhook-secret-page"):
        yield _case(page, (hook,), user=owner)
    delivery = Delivery.objects.filter(webhook=hook).values_list("pk", flat=True)[0]
    yield _case("webhook-delivery-page", (hook, delivery), user=owner)


def _seat(owner: User) -> Iterator[Case]:
    yield _case("seat")
    yield _case("seat", user=owner)
    over = Sitting.objects.filter(user=owner, status="over").values_list("pk", flat=True)[0]
    playing = Sitting.objects.filter(user=owner, status="playing").values_list("pk", flat=True)[0]
    yield _case("sitting", (over,), what="over", user=owner)
    yield _case("sitting", (playing,), what="playing", user=owner)
    for page in ("sitting-state", "sitting-leave"):
        yield _case(page, (playing,), user=owner)
    yield _case("sitting-file", (over,), user=owner)
