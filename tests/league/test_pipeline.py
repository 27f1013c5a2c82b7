"""The whole path in this process: an upload is checked, a table is played, results are rated."""

import io
import threading
import zipfile
from datetime import timedelta

import pytest
from django.db import OperationalError, connection
from django.test import override_settings
from django.utils import timezone

from arena.audit import audit
from arena.errors import PlatformFailure
from arena.record import Record
from league.bots import store
from league.bots.models import Version
from league.matches.models import Match
from league.pipeline import backend as backends
from league.pipeline import check, play, queue, rate
from league.pipeline.backend import backend
from league.pipeline.heartbeat import Heartbeat
from league.pipeline.patience import insist
from league.pipeline.reconcile import reconcile
from league.pipeline.start import start_tournament
from league.pipeline.submit import submit_bot
from league.ratings.models import Pool
from league.ratings.selectors import behind, current_of, lines
from league.tournaments.models import Table, TableSeat, Tournament
from league.tournaments.queue import claim_next
from league.tournaments.tables import claim_table
from sandbox.check import Stage
from sandbox.languages import languages
from sandbox.package import Package
from tests.league import kit

pytestmark = pytest.mark.django_db(transaction=True)
CRASHES = Package(
    {"main.py": b"import sys\nsys.stderr.write('secret plan')\nsys.exit(3)\n"}, "python", "main.py"
)


CALL = (queue.PLAY, None)


@pytest.fixture(autouse=True)
def sent(monkeypatch):
    """The messages that would be sent, as (task, id), a call for a table without: there's no broker here."""
    messages = []

    def note(task, args, **_):
        messages.append((task, *args) if args else (task, None))

    monkeypatch.setattr(queue.current_app, "send_task", note)
    monkeypatch.setattr(queue, "calls", lambda: messages.count(CALL))
    monkeypatch.setattr(backends, "_doubts", [])
    return messages


def deliver(messages):
    """Handle messages in order, with those that follow from them, as a worker does."""
    handlers = {queue.CHECK: check.check_version, queue.RATE: rate.rate_sheet}
    while messages:
        task, row = messages.pop(0)
        play.play_next() if (task, row) == CALL else handlers[task](row)


def later(minutes=5.0):
    return timezone.now() + timedelta(minutes=minutes)


# -- with real sandboxes ---------------------------------------------------------------------------------


@pytest.mark.bubblewrap
@pytest.mark.compilers
@pytest.mark.node
def test_the_starters_of_all_languages_play_rated_matches_and_the_compiled_are_built_once(ann, sent):
    cup = kit.open_tournament(ann, players=6)
    # A seventh has no seat at a table of six: Python's plays elsewhere.
    for number, name in enumerate(each for each in languages() if each != "python"):
        owner = kit.author(number)
        starter = io.BytesIO()
        with zipfile.ZipFile(starter, "w") as archive:
            for path, content in languages()[name].starter.items():
                archive.writestr(path, content)
        bot = kit.bots.create_bot(owner, f"Starter in {name}")
        version, _ = submit_bot(bot, starter.getvalue(), "bot.zip")
        deliver(sent)
        version = Version.objects.get(pk=version.pk)
        assert [(found.stage, found.code) for found in version.checks.all()] == [(s, "ok") for s in Stage]
        if languages()[name].build:
            assert version.program == version.artefact != version.archive
            assert Package.from_zip(store.get(version.artefact)).built
        kit.tournaments.enter(cup, version, owner)
    start_tournament(cup, ann)
    deliver(sent)
    assert Tournament.objects.get().status == "finished"
    assert Match.objects.count() == 6
    assert all(Record.from_bytes(bytes(match.record)).faults == () for match in Match.objects.all())
    assert lines(current_of(Pool.objects.get())).count() == 6


@pytest.mark.bubblewrap
@pytest.mark.compilers
def test_a_bot_that_does_not_compile_is_rejected_with_the_compilers_words(ann, sent):
    version, _ = submit_bot(kit.bots.create_bot(ann, "Typo"), b"int main(void) { retrun 0; }", "bot.c")
    deliver(sent)
    version = Version.objects.get(pk=version.pk)
    assert (version.status, version.reason_code) == ("rejected", "build_error")
    assert "retrun" in version.checks.get(stage="build").log
    assert version.artefact == ""


@pytest.mark.bubblewrap
def test_from_uploads_to_ratings(ann, sent):
    cup = kit.open_tournament(ann, boards=2)
    for number, player in enumerate(("dodger", "lowest", "random", "highest")):
        owner = kit.author(number)
        bot = kit.bots.create_bot(owner, f"Bot {number}")
        version, _ = submit_bot(bot, kit.reference_package(player).to_zip(), "bot.zip")
        assert sent == [(queue.CHECK, version.pk)]
        deliver(sent)
        version = Version.objects.get(pk=version.pk)
        stages = [(found.stage, found.outcome) for found in version.checks.all()]
        assert stages == [(stage, "passed") for stage in Stage]
        kit.tournaments.enter(cup, version, owner)
    start_tournament(cup, ann)
    assert len(sent) == 12
    deliver(sent)
    cup = Tournament.objects.get()
    assert cup.status == "finished"
    assert Match.objects.count() == 24
    for match in Match.objects.all():
        record = Record.from_bytes(bytes(match.record))
        audit(record)
        assert match.backend == backend().name
        assert record.match == match.name
        assert [seat.faults for seat in match.seats.all()] == [0, 0, 0]
    assert lines(current_of(cup.pool)).count() == 4


@pytest.mark.bubblewrap
def test_a_bot_that_crashes_is_rejected_and_its_owner_is_told(ann, sent):
    bot = kit.bots.create_bot(ann, "Crasher")
    version, _ = submit_bot(bot, CRASHES.to_zip(), "bot.zip")
    deliver(sent)
    version = Version.objects.get(pk=version.pk)
    assert (version.status, version.reason_code) == ("rejected", "crash")
    assert version.checks.get(outcome="failed").log == "secret plan"


@pytest.mark.bubblewrap
def test_a_bot_that_crashes_in_a_match_is_ranked_last_and_only_its_owner_sees_its_log(ann, sent):
    cup = kit.open_tournament(ann, boards=2)
    crasher, _ = kit.bots.add_version(kit.bots.create_bot(ann, "Crasher"), CRASHES)
    kit.tournaments.enter(cup, kit.bots.finish_check(kit.bots.claim_version(crasher.pk)), ann)
    for number, player in ((1, "lowest"), (2, "highest")):
        kit.tournaments.enter(cup, kit.active(kit.author(number), player, player), kit.author(number))
    start_tournament(cup, ann)
    deliver(sent)
    for match in Match.objects.all():
        seat = match.seats.get(version=crasher)
        assert (seat.rank, seat.faults, seat.vacated, seat.log) == (3, 1, True, "secret plan")
        assert b"secret plan" not in bytes(match.record)
        assert not match.seats.exclude(version=crasher).filter(faults__gt=0).exists()


#: Writes to its log the `luck` that it is given.
TELLS_ITS_LUCK = b"""
import json, sys

for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "deal":
        sys.stderr.write(message["luck"])
    answer = {"hello": {"ready": True}, "bid": {"bid": "pass"}}.get(message["type"])
    if message["type"] == "play":
        answer = {"card": message["legal"][0]}
    if answer:
        print(json.dumps({"id": message["id"], **answer}), flush=True)
"""


@pytest.mark.bubblewrap
@pytest.mark.parametrize(("luck", "different"), [(True, 3), (False, 9)])
def test_a_hand_has_the_same_luck_at_every_table_unless_the_tournament_wants_chance(
    ann, sent, luck, different
):
    cup = kit.open_tournament(ann, more={"luck": luck})
    for number in range(3):
        program = Package({"main.py": TELLS_ITS_LUCK + b"#" * number}, "python", "main.py")
        owner = kit.author(number)
        version, _ = kit.bots.add_version(kit.bots.create_bot(owner, f"Bot {number}"), program)
        version = kit.bots.finish_check(kit.bots.claim_version(version.pk))
        kit.tournaments.enter(cup, version, owner)
    start_tournament(cup, ann)
    deliver(sent)
    told = [seat.log for match in Match.objects.all() for seat in match.seats.all()]
    assert {len(each) for each in told} == {32}
    assert (len(told), len(set(told))) == (9, different)


# -- claims and messages ---------------------------------------------------------------------------------


@pytest.mark.bubblewrap
def test_two_workers_at_once_take_two_tables_and_calls_too_many_are_harmless(ann, sent):
    _, tables = kit.running(ann)
    workers = [threading.Thread(target=_in_a_worker) for _ in range(2)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert list(Table.objects.order_by("pk").values_list("status", "token")) == [
        ("done", 1),
        ("done", 1),
        ("queued", 0),
    ]
    for _ in range(3):
        play.play_next()
    assert Match.objects.count() == len(tables) == 3


def _in_a_worker():
    try:
        play.play_next()
    finally:
        connection.close()


def test_a_message_about_a_row_that_is_not_there_is_harmless(db):
    for handler in (check.check_version, rate.rate_sheet):
        handler(10**9)
    play.play_next()


def test_without_a_broker_the_rows_are_stored_and_wait(ann, sent, monkeypatch):
    def nobody(*_, **__):
        raise queue.BrokerError("no broker")

    monkeypatch.setattr(queue.current_app, "send_task", nobody)
    cup = kit.open_tournament(ann)
    kit.entered(cup, 3)
    assert start_tournament(cup, ann).status == "running"
    assert Table.objects.filter(status="queued").count() == 3


def test_reconcile_sends_what_was_lost_and_only_that(ann, sent):
    version = kit.received(ann)
    _, tables = kit.running(ann)
    reconcile()
    assert sent == []
    reconcile(later())
    everything = [(queue.CHECK, version.pk), *[CALL] * len(tables)]
    assert sent == everything
    reconcile(later())
    assert sent == everything, "they still wait for a worker"


def test_reconcile_gives_expired_leases_back_and_parks_after_the_third(ann, sent):
    _, tables = kit.running(ann)
    version = kit.received(ann)
    for attempt in (1, 2, 3):
        claim_table(tables[0])
        kit.bots.claim_version(version.pk)
        reconcile(timezone.now())
        assert Table.objects.get(pk=tables[0]).status == "playing"
        sent.clear()
        reconcile(timezone.now() + timedelta(seconds=91))
        again = attempt < 3
        assert (Table.objects.get(pk=tables[0]).status == "queued", (queue.CHECK, version.pk) in sent) == (
            again,
            again,
        )
        assert CALL in sent
    for row in (Table.objects.get(pk=tables[0]), Version.objects.get(pk=version.pk)):
        assert (row.status, row.lease_until) == ("parked", None)
        assert "worker_lost" in row.failure


def test_reconcile_finishes_what_is_done_and_rates_what_is_stale(ann, sent):
    _, tables = kit.running(ann)
    for table in tables:
        kit.play(table)
    reconcile()
    assert Tournament.objects.get().status == "finished"
    assert sent == [(queue.RATE, sheet.pk) for sheet in behind()]
    assert len(sent) == 2  # the tournament's, and the pool's
    deliver(sent)
    reconcile(later())
    assert sent == []
    assert lines(current_of(Pool.objects.get())).count() == 3


def test_a_tournament_that_can_not_go_on_holds_up_no_other(ann, sent):
    broken, tables = kit.running(ann, entrants=6, more={"format": "swiss", "options": {"rounds": 2}})
    other, more = kit.running(ann, name="Other")
    for table in (*tables, *more):
        kit.play(table)
    Tournament.objects.filter(pk=broken.pk).update(options={"rounds": "many"})
    reconcile()
    assert Tournament.objects.get(pk=broken.pk).status == "running"
    assert Tournament.objects.get(pk=other.pk).status == "finished"


# -- the platform's failures -----------------------------------------------------------------------------


def test_a_missing_archive_blames_nobody_and_parks_the_table_after_three_attempts(ann, sent, settings):
    _, tables = kit.running(ann)
    archive = TableSeat.objects.filter(table=tables[0]).first().entrant.version.archive
    (settings.DATA_DIR / "archives" / archive[:2] / f"{archive}.zip").unlink()
    for expected in ("queued", "queued", "parked"):
        Table.objects.exclude(pk=tables[0]).update(not_before=later())
        play.play_next()
        assert Table.objects.get(pk=tables[0]).status == expected
        assert claim_next() is None, "it is left alone for a while"
        Table.objects.update(not_before=None)
    assert "archive_lost" in Table.objects.get(pk=tables[0]).failure
    assert sent == [CALL] * 2
    assert not Match.objects.exists()


def test_a_failure_of_the_sandbox_voids_the_whole_table(ann, sent, monkeypatch):
    def lost(*_, **__):
        raise PlatformFailure("sandbox_lost", "the engine was restarted")

    monkeypatch.setattr(play, "ProcessSeat", lost)
    _, tables = kit.running(ann)
    play.play_next()
    table = Table.objects.get(pk=tables[0])
    assert (table.status, table.attempt) == ("queued", 1)
    assert table.failure == "sandbox_lost: the engine was restarted"


def test_a_heartbeat_keeps_the_lease_and_notices_when_it_is_lost(ann):
    _, tables = kit.running(ann)
    with override_settings(LEASE_S=0.3):
        claim = claim_table(tables[0])
        given = Table.objects.get(pk=tables[0]).lease_until
        with Heartbeat(Table, claim) as heart:
            until(lambda: Table.objects.get(pk=tables[0]).lease_until > given)
            heart.check()
            Table.objects.filter(pk=tables[0]).update(token=claim.token + 1)
            until(lambda: heart.lost)
            with pytest.raises(play.Lost):
                heart.check()


def until(condition, seconds=20.0):
    """Wait until something holds."""
    waited = threading.Event()
    for _ in range(int(seconds / 0.02)):
        if condition():
            return
        waited.wait(0.02)
    pytest.fail("it did not come to that in time")


def test_a_commit_is_repeated_while_the_database_is_away_and_the_match_is_not_played_again(ann):
    _, tables = kit.running(ann)
    stored = kit.played(tables[0])
    tries = []

    def store():
        tries.append(1)
        if len(tries) < 3:
            raise OperationalError("server closed the connection unexpectedly")
        kit.store_table(*stored)

    insist(store)
    assert len(tries) == 3
    assert Match.objects.count() == 1


def test_patience_has_an_end():
    def never():
        raise OperationalError("no")

    with pytest.raises(OperationalError):
        insist(never, patience_s=0.3)
