"""A database that does not answer when results are to be stored."""

import sqlite3
import time

import psycopg
import pytest
from django.db import OperationalError, connection

from league.matches.models import Match
from league.pipeline.patience import insist
from league.pipeline.reconcile import reconcile
from league.pipeline.start import start_tournament
from league.tournaments.models import Table
from tests.faults.test_workers import all_is_well, finished, playing, prepared
from tests.league import kit

pytestmark = pytest.mark.django_db(transaction=True)
OUTAGE_S = 20


def test_a_commit_that_the_database_did_not_take_is_repeated_and_the_match_is_not(ann_table):
    claim, versions, played = kit.played(ann_table)
    failures = []

    def store():
        with Outage() if not failures else Fair():
            try:
                kit.store_table(claim, versions, played)
            except OperationalError as error:
                failures.append(error)
                raise

    insist(store)
    assert len(failures) == 1
    assert [bytes(match.record) for match in Match.objects.all()] == [one.record.to_bytes() for one in played]


@pytest.mark.slow
@pytest.mark.postgres
@pytest.mark.redis
@pytest.mark.bubblewrap
def test_results_wait_for_a_database_that_is_away_for_20_s_and_no_bot_runs_again(
    start_worker, gate, wait, settings, seats
):
    settings.RESEND_AFTER_S = 1
    cup, ann = prepared(boards=1, pause_s=0.1)
    told = {"DATABASE_URL": gate.url, "LEASE_S": "300", "SANDBOX": "bubblewrap", "TMPDIR": str(seats)}
    worker = start_worker(**told)
    start_tournament(cup, ann)
    wait(lambda: len(list(seats.glob("polignac-seat-*"))) >= 6, "the bots of two tables are seated")
    gate.shut()
    cut_off_at = time.monotonic()
    wait(lambda: worker.log.read_text().count("trying again in") >= 2, "both have results to store")
    while time.monotonic() - cut_off_at < OUTAGE_S:
        reconcile()
        assert playing() == 2
        time.sleep(0.5)
    assert not Match.objects.exists()
    gate.open()
    wait(lambda: reconcile() or finished(cup), "the tournament is finished")
    all_is_well(cup)
    assert set(Table.objects.values_list("attempt", "token")) == {(1, 1)}


@pytest.fixture
def ann_table(db):
    """A table that waits to be played."""
    return kit.running(kit.user("ann"))[1][0]


class Fair:
    """A database that works."""

    def __enter__(self):
        pass

    def __exit__(self, *_):
        pass


class Outage(Fair):
    """On SQLite somebody holds the lock for longer than we wait; on PostgreSQL our connection is cut."""

    def __enter__(self):
        of = connection.settings_dict
        connection.ensure_connection()
        if connection.vendor == "sqlite":
            connection.cursor().execute("PRAGMA busy_timeout = 10")
            self.other = sqlite3.connect(of["NAME"], isolation_level=None)
            self.other.execute("BEGIN IMMEDIATE")
        else:
            names = {"user": of["USER"], "password": of["PASSWORD"], "host": of["HOST"], "port": of["PORT"]}
            self.other = psycopg.connect(dbname=of["NAME"], **{k: v for k, v in names.items() if v})
            self.other.execute("SELECT pg_terminate_backend(%s)", [connection.connection.info.backend_pid])

    def __exit__(self, *_):
        self.other.rollback()
        self.other.close()
