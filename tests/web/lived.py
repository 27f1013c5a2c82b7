"""A league that has been lived in: rows in each state, and strangers' text that would be markup anywhere.

For walks in a browser and for pictures; `tests.web.lived_site` serves it.
"""

import dataclasses
import random
from contextlib import suppress
from types import SimpleNamespace

from django.utils import timezone

from arena.protocol import PlayQuestion
from arena.seat import Failure, FaultKind, InProcessSeat, Reply
from league.accounts.scopes import USUAL
from league.accounts.tokens import issue
from league.bots import services as bots
from league.matches.models import Match
from league.matches.services import store_table
from league.pipeline import person, queue, sit
from league.pipeline.rate import table_done
from league.tournaments import leaving, models, planning, tables, workers
from league.tournaments.models import Table
from league.webhooks import services as webhooks
from league.webhooks.models import Delivery, Webhook
from sandbox.reference import reference_package
from sandbox.stages import Stage
from tests.api.world import make_duel
from tests.league import filled, kit, sitters

# What strangers write, each as hostile as a name may be (40 characters).
IMAGE = "<img src=x onerror=alert(1)>"
QUOTED = "\"'><svg onload=alert(1)>"
ENDED = "</script><script>alert(1)</script>"
LINK = "javascript:alert(1)"
TEMPLATE = "{{7*7}}{% load x %}${7*7}"
RIGHT_TO_LEFT = "פוליניאק מלך העלים"
MARKED = "Z̢̛͓͠a̧̨͙͡l̢̛͓͠g̨̛͓͠o̢̨͙͡"
LONG = "Wolfeschlegelsteinhausenbergerdorffwelch"
HOSTILE = (IMAGE, QUOTED, ENDED, LINK, TEMPLATE, RIGHT_TO_LEFT, MARKED, LONG)
#: And where more than a name is taken: logs, faults, reasons.
SPEECH = "\n".join((*HOSTILE, "<a href='javascript:alert(1)'>x</a>\x1b[31mred\x1b[0m\u202eRTL", "x" * 300))

#: The game as it is usually played, and one deal of it.
USUAL_GAME = {"players": 4, "deals": None, "tiebreak": "playoff"}
ONE_DEAL = {"players": 3}


class Sloppy(InProcessSeat):
    """A seat that now and then plays a card that there isn't, or nothing, or ends."""

    def __init__(self, new_player):
        super().__init__(new_player)
        self._asked = 0

    def ask(self, question, budget_ms):
        self._asked += 1
        if isinstance(question, PlayQuestion) and self._asked % 13 == 0:
            return Reply({"card": IMAGE})
        if isinstance(question, PlayQuestion) and self._asked % 29 == 0:
            return Failure(FaultKind.GARBAGE, SPEECH[:200])
        if self._asked % 61 == 0:
            self.stop()
            return Failure(FaultKind.CRASH, QUOTED)
        return super().ask(question, budget_ms)


@dataclasses.dataclass(frozen=True)
class League:
    """What was made: users and rows by short names."""

    users: dict[str, kit.User]
    rows: dict[str, int]


def live():
    """Make it, in an empty database; the cards are the same each time."""
    chance = random.Random("lived in")
    seeded = SimpleNamespace(
        token_bytes=chance.randbytes, token_hex=lambda size: chance.randbytes(size).hex()
    )
    models.secrets = planning.secrets = seeded
    queue._send = lambda *_: None  # nobody listens
    workers.seen()
    users = {
        "organiser": kit.user("ann"),
        "author": kit.user("bob"),
        "staff": kit.user("root", is_staff=True, is_superuser=True),
    }
    fleet = make_fleet(users)
    rows = make_cups(users["organiser"], fleet)
    rows |= make_versions(users["author"], fleet)
    rows |= make_account(users["author"])
    rows |= make_sittings(users, fleet)
    rows |= {"bot": fleet[1].bot_id, "hostile bot": fleet[2].bot_id}
    return League(users, rows)


def make_fleet(users):
    """Eight bots that may play, of seven owners."""
    author = users["author"]
    named = [
        (users["organiser"], "Heron", "dodger"),
        (author, "Magpie", "counter"),
        (author, IMAGE, "random"),
        (kit.user(QUOTED), ENDED, "lowest"),
        (kit.user(LONG), LONG[::-1], "highest"),
        (kit.user(RIGHT_TO_LEFT), RIGHT_TO_LEFT[::-1], "dodger"),
        (kit.user("cora"), "Owl", "lowest"),
        (kit.user("Dan the Second"), LINK, "random"),
    ]
    return [kit.active(owner, name, player) for owner, name, player in named]


def again(version, player):
    """The next version of its bot, active."""
    made, _ = bots.add_version(version.bot, reference_package(player))
    return bots.finish_check(bots.claim_version(made.pk))


def enter(cup, versions):
    for version in versions:
        kit.tournaments.enter(cup, version, version.bot.owner)


def play(table_id, fleet):
    """Play a table: the third bot is sloppy, the eighth is dead, and all of them write what they like."""
    odd = {fleet[2].pk: Sloppy, fleet[7].pk: kit.Dead}
    claim, versions, results = kit.played(table_id, odd=odd)
    logged = [dataclasses.replace(result, logs=[SPEECH] * len(result.logs)) for result in results]
    store_table(claim, versions, logged)
    table_done(Table.objects.select_related("group", "tournament").get(pk=table_id))


def play_some(cup, fleet, most=10_000):
    for table in cup.tables.filter(status="queued").order_by("pk")[:most]:
        play(table.pk, fleet)
    kit.recompute(cup)


def make_cups(ann, fleet):
    """Tournaments from the draft to the end."""
    league, cup = make_league(ann, fleet), make_cup(ann, fleet)
    duel = make_duel(ann, kit.play_all(bids(ann)))
    kit.recompute(duel)
    swiss, _ = kit.running(ann, entrants=6, name=IMAGE, more={"format": "swiss", "options": {"rounds": 3}})
    for table in swiss.tables.order_by("pk")[:4]:
        kit.play(table.pk)
    kit.tournaments.cancel(swiss, ann, SPEECH[:400])
    opened = kit.open_tournament(ann, QUOTED, boards=2, **ONE_DEAL)
    enter(opened, fleet[:4])
    draft = kit.tournaments.create_tournament(ann, ENDED, kit.QUICK, 1)
    matches = Match.objects.filter(tournament=league)
    first = next(each for each in matches if b'"playoff":true' in bytes(each.record))
    return {
        "league": league.pk,
        "cup": cup.pk,
        "duel": duel.pk,
        "cancelled": swiss.pk,
        "open": opened.pk,
        "draft": draft.pk,
        "entered": fleet[1].pk,
        "match": first.pk,
        "match with a crash": matches.filter(seats__version=fleet[7]).first().pk,
        "match of a running one": Match.objects.filter(tournament=cup).first().pk,
        "board": first.board_id,
    }


def make_league(ann, fleet):
    """One that was played to its end, rated now and then."""
    balanced = {"options": {"kind": "balanced", "groups_each": 6}, "disqualify_after": 0}
    league = kit.open_tournament(ann, "Spring league", more=balanced, **USUAL_GAME)
    enter(league, fleet)
    league, _ = kit.tournaments.start(league, ann)
    kit.recompute(league.pool)
    for _ in range(4):
        play_some(league, fleet, 12)
        kit.recompute(league.pool)
    return finished(league)


def make_cup(ann, fleet):
    """One under way, with newer versions: a bot has left, and of its tables some are done, two are played,
    one is parked and one waits for its second attempt."""
    newer = [again(fleet[0], "counter"), again(fleet[6], "dodger")]
    cup = kit.open_tournament(ann, "Summer cup", boards=2, more={"disqualify_after": 0}, **USUAL_GAME)
    enter(cup, [*newer, *fleet[1:6]])
    cup, _ = kit.tournaments.start(cup, ann)
    play_some(cup, fleet, 8)
    kit.tournaments.withdraw(cup.entrants.get(version=fleet[5]), fleet[5].bot.owner, SPEECH[:400])
    waiting = list(cup.tables.filter(status="queued").order_by("pk").values_list("pk", flat=True))
    for table in waiting[:2]:
        tables.claim_table(table)
    for _ in range(3):
        Table.objects.filter(pk=waiting[2]).update(not_before=None)
        tables.give_back_table(tables.claim_table(waiting[2]), f"image_missing: {IMAGE}")
    tables.give_back_table(tables.claim_table(waiting[3]), "worker_lost: the lease ran out")
    return cup


def bids(ann):
    """One with bids, of quick bots."""
    cup, _ = kit.running(ann, entrants=3, name=TEMPLATE, boards=4, bids=["capot", "general"], deals=2)
    return cup


def finished(cup):
    """As it is now: it must be over."""
    cup.refresh_from_db()
    assert cup.status == "finished", cup.status
    return cup


def make_versions(author, fleet):
    """Versions in each state that they may be in, of one author's."""
    bot = fleet[1].bot
    for player in ("lowest", "highest"):
        again(fleet[1], player)
    checked, _ = bots.add_version(bot, reference_package("dodger"))
    claim = bots.claim_version(checked.pk)
    for position, stage in enumerate(Stage):
        bots.record_stage(claim, position, kit.stage(stage))
    bots.finish_check(claim)
    rejected, _ = bots.add_version(bot, reference_package("random"))
    claim = bots.claim_version(rejected.pk)
    bots.record_stage(claim, 0, kit.stage("archive"))
    bots.record_stage(claim, 1, kit.stage("manifest"))
    bots.record_stage(claim, 2, kit.stage("build", "failed", code="build_failed", message=IMAGE, log=SPEECH))
    bots.finish_check(claim)
    checking, _ = bots.add_version(fleet[2].bot, reference_package("montecarlo"))
    claim = bots.claim_version(checking.pk)
    for position, stage in enumerate(("archive", "manifest", "build", "start")):
        bots.record_stage(claim, position, kit.stage(stage, log=SPEECH if stage == "start" else ""))
    waiting = kit.received(author, MARKED, "dodger")
    put_out = kit.active(author, TEMPLATE, "highest")
    leaving.disqualify_version(put_out, kit.User.objects.get(username="root"), SPEECH[:400])
    return {
        "version": checked.pk,
        "rejected": rejected.pk,
        "checking": checking.pk,
        "waiting": waiting.pk,
        "disqualified": put_out.pk,
        "bot without a rating": waiting.bot_id,
    }


def make_account(author):
    """Tokens and webhooks."""
    token, _ = issue(author, scopes=USUAL)
    type(token).objects.filter(pk=token.pk).update(name=IMAGE)
    hook = Webhook.objects.create(
        owner=author, url=f"https://hooks.example/?{QUOTED}", events=["*"], salt=filled.hexed(16)
    )
    webhooks.ping(hook)
    now = timezone.now()
    told = {
        "response_code": 500,
        "response": SPEECH[:400],
        "took_ms": 12,
        "failure": f"answered 500: {IMAGE}",
    }
    Delivery.objects.filter(webhook=hook).update(status="failed", status_at=now, **told)
    webhooks.ping(hook)
    failed = Delivery.objects.filter(webhook=hook, status="failed").get()
    return {"token": token.pk, "hook": hook.pk, "delivery": failed.pk}


class Enough(BaseException):
    """The person goes away in the middle, and the table waits for the next card."""


def make_sittings(users, fleet):
    """A match that the author played to its end, and one in which the organiser is asked."""
    sit.seat_of = lambda version, *_: InProcessSeat(kit.reference_player(version))
    made = {}
    for name, most in (("author", 1000), ("organiser", 6)):
        user = users[name]
        sitting = sitters.begun(user, versions=[fleet[2], fleet[3]], deals=2)
        answers = iter(range(most))

        client = kit.client(user)

        def act(client=client, sitting=sitting, answers=answers):
            if next(answers, None) is None:
                raise Enough
            sitters.answer(client, sitting)

        person.time = SimpleNamespace(monotonic=person.time.monotonic, sleep=lambda _, act=act: act())
        with suppress(Enough):
            sit.sit(sitting.pk)
        made[f"{name}'s sitting"] = sitting.pk
    return made
