"""A league with rows of every kind, for the tests of the admin."""

import secrets

from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import Group as StaffGroup
from django.contrib.contenttypes.models import ContentType
from django.utils import timezone

from league.accounts.models import Token, User
from league.api.models import Answer
from league.bots.models import Bot, Check, Version
from league.matches.models import FaultCount, Match
from league.ratings.models import Pool, Rating, Sheet, Snapshot
from league.sittings.models import Sitting
from league.tournaments import workers
from league.tournaments.models import Bye, Entrant, PlayWorker, Tournament, Turn
from league.webhooks.models import Delivery, Webhook
from tests.league import kit

UNTIL = "2100-01-01T00:00Z"


def some(ann, entrants=3, boards=1):
    """At least one row of every model; gives the tournament, which is not over yet."""
    tournament, tables = kit.running(ann, entrants=entrants, boards=boards)
    for table in tables:
        kit.play(table)
    kit.recompute(tournament.pool)
    version = Version.objects.order_by("id").first()
    Check.objects.create(version=version, position=1, stage="start", outcome="passed", duration_ms=1)
    Bye.objects.create(entrant=tournament.entrants.first(), round=1)
    FaultCount.objects.create(match=Match.objects.first(), version=version, kind="crash", count=1)
    Answer.objects.create(user=ann, key="k", fingerprint="f", status=201, body="{}", at=timezone.now())
    Token.objects.bulk_create(
        [Token(user=ann, digest=hexed(64), expiry=UNTIL, name="laptop", granted="read")]
    )
    hook = Webhook.objects.create(owner=ann, url="https://example.org/x", events=["*"], salt=hexed(16))
    Delivery.objects.create(webhook=hook, event_id="e", type="ping", body="{}")
    Sitting.objects.create(user=ann, seat=0, **sitting_with(tournament))
    StaffGroup.objects.create(name="referees")
    LogEntry.objects.create(user=ann, object_repr="x", action_flag=2, change_message="why", **of_users(ann))
    workers.seen()
    return tournament


def thirty(ann):
    """Thirty of everything, the later ones written without more ado. Takes as long as playing ten tables."""
    tournament = some(ann, entrants=5)
    version, count = Version.objects.order_by("id").first(), range(2, 32)
    users = [User(username=f"u{i}", username_key=f"u{i}") for i in count]
    users = User.objects.bulk_create(users)
    Turn.objects.bulk_create([Turn(organiser=user, served_at=timezone.now()) for user in users])
    bots = Bot.objects.bulk_create([Bot(owner=user, name=f"b{user}", name_key=f"b{user}") for user in users])
    like = {"archive": version.archive, "digest": version.digest, "language": "python", "size_bytes": 1}
    Version.objects.bulk_create([Version(bot=bot, number=1, same_as=version, **like) for bot in bots])
    Check.objects.bulk_create(
        [Check(version=version, position=i, stage="start", outcome="passed", duration_ms=1) for i in count]
    )
    rules = {"rules": tournament.rules, "players": 3}
    cups = [
        Tournament(organiser=user, name=f"c{user}", name_key=f"c{user}", boards=1, **rules) for user in users
    ]
    cups = Tournament.objects.bulk_create(cups)
    Entrant.objects.bulk_create([Entrant(tournament=cup, bot=version.bot, version=version) for cup in cups])
    Pool.objects.bulk_create([Pool(key=hexed(32), variant="short", **rules) for _ in count])
    Sheet.objects.bulk_create([Sheet(tournament=cup) for cup in cups])
    first = Snapshot.objects.order_by("id").first()
    for number in range(100, 130):
        twin = Snapshot.objects.get(pk=first.pk)
        twin.pk, twin.number = None, number
        twin.save()
        line = Rating.objects.filter(snapshot=first).first()
        line.pk, line.snapshot = None, twin
        line.save()
    entrant = tournament.entrants.first()
    Bye.objects.bulk_create([Bye(entrant=entrant, round=i) for i in count])
    PlayWorker.objects.bulk_create([PlayWorker(name=f"w{i}", seen_at=timezone.now()) for i in count])
    Answer.objects.bulk_create(
        [Answer(user=ann, key=f"k{i}", fingerprint="f", at=timezone.now()) for i in count]
    )
    Token.objects.bulk_create(
        [Token(user=ann, digest=hexed(64), expiry=UNTIL, name=f"t{i}", granted="read") for i in count]
    )
    Webhook.objects.bulk_create(
        [Webhook(owner=user, url="https://example.org", events=[], salt=hexed(16)) for user in users]
    )
    hook = Webhook.objects.first()
    Delivery.objects.bulk_create(
        [Delivery(webhook=hook, event_id=f"e{i}", type="ping", body="{}") for i in count]
    )
    Sitting.objects.bulk_create([Sitting(user=user, seat=1, **sitting_with(tournament)) for user in users])
    LogEntry.objects.bulk_create(
        [
            LogEntry(user=ann, object_repr="x", action_flag=2, change_message="w", **of_users(ann))
            for _ in count
        ]
    )
    played = Match.objects.exclude(fault_counts__version=version)[:30]
    FaultCount.objects.bulk_create(
        [FaultCount(match=match, version=version, kind="crash", count=1) for match in played]
    )
    StaffGroup.objects.bulk_create([StaffGroup(name=f"g{i}") for i in count])
    assert Match.objects.count() >= 30
    return tournament


def hexed(size):
    """So many random bytes, as hex."""
    return secrets.token_hex(size)


def sitting_with(tournament):
    """A sitting with bots of the tournament's, by its rules."""
    versions = list(tournament.entrants.values_list("version_id", flat=True)[:2])
    return {"rules": tournament.rules, "players": 3, "versions": [None, *versions]}


def of_users(user):
    """What a log entry about a user is about."""
    return {"content_type": ContentType.objects.get_for_model(User), "object_id": str(user.pk)}
