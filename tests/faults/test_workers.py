"""Workers that are killed, messages that come twice or never: nothing is lost, nothing is doubled."""

import os
import signal
from collections import Counter
from datetime import timedelta

import pytest
from celery import current_app
from django.utils import timezone

from league.accounts.models import User
from league.bots import services as bots
from league.bots.models import Version
from league.matches.models import Match
from league.pipeline import queue
from league.pipeline.reconcile import reconcile
from league.pipeline.start import start_tournament
from league.pipeline.submit import submit_bot
from league.ratings.models import Pool, Rating
from league.ratings.selectors import behind, differences
from league.tournaments.models import Board, Table, Tournament
from league.tournaments.services import enter
from sandbox.check import Stage
from sandbox.package import Package
from tests.faults.machinery import LEASE_S, alive
from tests.league import kit

pytestmark = [
    pytest.mark.slow,
    pytest.mark.redis,
    pytest.mark.bubblewrap,
    pytest.mark.django_db(transaction=True),
]

#: Plays its first legal card, after some thought.
SLOW = b"""
import json, sys, time

for line in sys.stdin:
    message = json.loads(line)
    if "id" not in message:
        continue
    reply = {"id": message["id"]}
    if message["type"] == "hello":
        reply["ready"] = True
    elif message["type"] == "bid":
        reply["bid"] = "pass"
    else:
        time.sleep(PAUSE)
        reply["card"] = message["legal"][0]
    print(json.dumps(reply), flush=True)
"""


def prepared(boards=2, pause_s=0.02, entrants=3):
    """A tournament that is ready to start, with bots that take some time."""
    ann = kit.user("ann")
    cup = kit.open_tournament(ann, boards=boards)
    for number in range(entrants):
        program = SLOW.replace(b"PAUSE", str(pause_s).encode()) + b"#" * number
        owner = kit.author(number)
        bot = bots.create_bot(owner, f"Bot {number}")
        version, _ = bots.add_version(bot, Package({"main.py": program}, "python", "main.py"))
        enter(cup, bots.finish_check(bots.claim_version(version.pk)), owner)
    return cup, ann


def finished(tournament):
    return Tournament.objects.get(pk=tournament.pk).status == "finished"


def rated():
    return Rating.objects.exists() and not behind().exists() and not any(map(differences, Pool.objects.all()))


def all_is_well(tournament):
    """Every table met every board of its group once, and the ratings are what that gives."""
    met = Counter(Match.objects.values_list("table_id", "board_id"))
    tables = Table.objects.filter(group__tournament=tournament)
    planned = {
        (table.pk, board)
        for table in tables
        for board in Board.objects.filter(group=table.group_id).values_list("pk", flat=True)
    }
    assert set(met) == planned
    assert set(met.values()) == {1}
    assert set(tables.values_list("status", flat=True)) == {"done"}
    assert not Match.objects.filter(seats__faults__gt=0).exists()


def done(tables):
    """Whether those tables are."""
    return not Table.objects.filter(pk__in=[table.pk for table in tables]).exclude(status="done").exists()


def playing():
    return Table.objects.filter(status="playing").count()


def test_a_worker_killed_in_mid_table_loses_and_doubles_nothing(start_worker, wait):
    cup, ann = prepared(boards=3)
    doomed = start_worker()
    start_tournament(cup, ann)
    wait(lambda: playing() == 2, "two tables are being played")
    processes, lost = doomed.below(), list(Table.objects.filter(status="playing"))
    doomed.kill()
    wait(lambda: not alive(processes), "none of its processes is left, its bots' neither")
    assert playing() == 2
    assert not Match.objects.exists()
    start_worker()
    wait(lambda: reconcile() or done(lost), "what was lost is played again", LEASE_S + 60)
    wait(lambda: reconcile() or finished(cup), "the tournament is finished")
    wait(rated, "its pool is rated")
    all_is_well(cup)
    assert sorted(Table.objects.values_list("attempt", flat=True)) == [1, 2, 2]


def test_a_pool_process_killed_in_mid_table_loses_and_doubles_nothing(start_worker, wait):
    cup, ann = prepared(boards=3)
    worker = start_worker()
    start_tournament(cup, ann)
    wait(lambda: playing() == 2, "two tables are being played")
    for child in worker.pool():
        os.kill(child, signal.SIGKILL)
    wait(lambda: reconcile() or finished(cup), "the tournament is finished")
    wait(rated, "its pool is rated")
    all_is_well(cup)


def test_a_worker_told_to_stop_finishes_its_tables_first_and_leaves_nothing(start_worker, wait, seats):
    cup, ann = prepared(boards=2)
    worker = start_worker(SANDBOX="bubblewrap", TMPDIR=str(seats))
    start_tournament(cup, ann)
    wait(lambda: playing() == 2 and len(list(seats.glob("polignac-seat-*"))) >= 3, "bots are seated")
    processes = worker.below()
    assert worker.stop() == 0
    wait(lambda: not alive(processes), "none of its processes is left, its bots' neither")
    assert [str(path) for path in seats.rglob("polignac-seat-*/**")] == []
    assert playing() == 0
    assert Table.objects.filter(status="done").count() >= 2
    start_worker()
    wait(lambda: finished(cup), "the rest is played by the next worker")
    all_is_well(cup)
    assert set(Table.objects.values_list("attempt", flat=True)) == {1}


def test_bots_retire_and_accounts_close_in_mid_match_and_it_ends_and_counts(start_worker, wait):
    cup, ann = prepared(boards=2)
    start_worker()
    start_tournament(cup, ann)
    wait(playing, "a table is being played")
    for version in Version.objects.all():
        bots.retire_version(version)
    User.objects.update(is_active=False)
    assert Table.objects.exclude(status="done").exists()
    wait(lambda: reconcile() or finished(cup), "the tournament is finished")
    wait(rated, "its pool is rated")
    all_is_well(cup)


def test_the_same_message_to_two_workers_is_one_run(start_worker, wait):
    cup, ann = prepared(boards=1)
    start_worker(), start_worker()
    start_tournament(cup, ann)
    for table in Table.objects.all():
        for _ in range(5):
            current_app.send_task(queue.PLAY, args=[table.pk])
    wait(lambda: finished(cup), "the tournament is finished")
    wait(rated, "its pool is rated")
    all_is_well(cup)
    assert set(Table.objects.values_list("token", flat=True)) == {1}


def test_tables_whose_messages_were_lost_with_redis_are_all_played(start_worker, broker, wait):
    cup, ann = prepared(boards=1, pause_s=0.0, entrants=4)
    start_tournament(cup, ann)
    assert broker.queued() == 12
    broker.kill()
    broker.start()
    assert broker.queued() == 0
    start_worker()
    reconcile()
    assert broker.queued() == 0, "their messages are young: reconcile doesn't know yet that they are lost"
    reconcile(timezone.now() + timedelta(minutes=5))
    wait(lambda: finished(cup), "the tournament is finished")
    wait(rated, "its pool is rated")
    all_is_well(cup)
    assert set(Table.objects.values_list("token", flat=True)) == {1}


def test_sixty_tables_are_all_played_though_redis_is_wiped_with_fifty_of_them_queued(
    start_worker, broker, wait, settings
):
    settings.RESEND_AFTER_S = 2
    cup, ann = prepared(boards=1, pause_s=0.0, entrants=6)
    start_worker()
    start_tournament(cup, ann)
    wait(playing, "a table is being played")
    broker.kill()
    broker.start()
    assert (Table.objects.count(), broker.queued()) == (60, 0)
    assert Table.objects.filter(status="queued").count() >= 50
    wait(lambda: reconcile() or finished(cup), "the tournament is finished")
    wait(rated, "its pool is rated")
    all_is_well(cup)
    assert set(Table.objects.values_list("token", flat=True)) == {1}


def test_an_upload_is_checked_by_a_worker_and_a_lost_check_is_done_again(start_worker, wait):
    ann = kit.user("ann")
    program = Package({"main.py": SLOW.replace(b"PAUSE", b"0.02")}, "python", "main.py")
    submit_bot(bots.create_bot(ann, "Slow"), program.to_zip(), "bot.zip")
    doomed = start_worker()
    wait(lambda: Version.objects.get().checks.count() >= 3, "its check is under way")
    doomed.kill()
    start_worker()
    wait(lambda: reconcile() or Version.objects.get().status == "active", "the version is active")
    checks = Version.objects.get().checks.all()
    assert [check.stage for check in checks] == list(Stage)
    assert Version.objects.get().attempt == 2


def test_a_message_that_nobody_understands_harms_nobody(start_worker, wait):
    start_worker()
    for args in (["no id"], [None], [[]], [10**30], []):
        current_app.send_task(queue.PLAY, args=args)
    current_app.send_task("league.no_such_task", args=[1], queue="play")
    cup, ann = prepared(boards=1, pause_s=0.0)
    start_tournament(cup, ann)
    wait(lambda: finished(cup), "the tournament is finished")
    all_is_well(cup)
