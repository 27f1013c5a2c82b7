"""Live events from the site as production serves it: two processes, a Redis of their own, real listeners."""

import os
import signal
import socket
import struct
import time
from pathlib import Path

import pytest
from django.db import connection

from client.api import Api
from client.server.live import states
from league.bots import services as bots
from league.bots.models import Version
from league.ratings.services import recompute
from league.tournaments import services as tournaments
from tests.faults.machinery import PATIENCE_S, Redis, Site, wait_until
from tests.league import kit

pytestmark = [pytest.mark.redis, pytest.mark.django_db(transaction=True)]
CROWD = 520


@pytest.fixture(scope="module")
def processes(django_db_setup, tmp_path_factory):
    """(site, Redis), for all tests here."""
    folder = tmp_path_factory.mktemp("live")
    broker = Redis(folder)
    much = {"LIVE_PER_CLIENT": "2000", "ANONYMOUS_RATE": "9999/sec"}  # a crowd has one address here
    chosen = {"REDIS_URL": broker.url, "LIVE_POLL_S": "1", **much}
    site = Site(folder, folder / "site.log", **chosen)
    yield site, broker
    site.kill()
    broker.kill()


@pytest.fixture
def site(processes, settings):
    """The site, and this process telling it of changes."""
    found, broker = processes
    settings.REDIS_URL = broker.url
    wait_until(lambda: len(found.workers()) >= 2, "the site has workers")
    return found


@pytest.fixture
def listen(site):
    """`listen(path, token="", last="")`: an ear; all are closed at the end."""
    ears = []

    def open_ear(path, **told):
        ears.append(Ear(site, path, **told))
        return ears[-1]

    yield open_ear
    for ear in ears:
        ear.killed()


class Ear:
    """Somebody who listens: a socket, and the events that came on it."""

    def __init__(self, site, path, token="", last=""):
        self.wire = socket.create_connection(("127.0.0.1", site.port), 60)
        lines = [f"GET /api/v1/{path}/events/ HTTP/1.0", "Host: localhost", "Accept: text/event-stream"]
        lines += [f"Authorization: {token}"] * bool(token) + [f"Last-Event-ID: {last}"] * bool(last)
        self.wire.sendall("\r\n".join([*lines, "", ""]).encode())
        self.lines = self.wire.makefile("rb")

    def status(self):
        """The answer's status; reads its head."""
        status = int(self.lines.readline().split()[1])
        while self.lines.readline().strip():
            pass
        return status

    def next(self):
        """The next event as a dictionary; None at the end of the stream."""
        event, until = {}, time.monotonic() + PATIENCE_S
        while line := self.lines.readline():
            if time.monotonic() > until:  # comments come for ever
                pytest.fail(f"no event within {PATIENCE_S:.0f} s")
            name, _, value = line.decode().rstrip("\n").partition(": ")
            if name in ("id", "event", "data"):
                event[name] = value
            elif not name and event:
                return event
        return None

    def opened(self):
        """What it hears first, of a stream that is had."""
        assert self.status() == 200
        return self.next()

    def killed(self):
        """As when its machine dies: nothing more is said. Harmless when repeated."""
        if self.wire.fileno() < 0:
            return
        self.wire.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.lines.close()
        self.wire.close()


def token_of(user):
    return kit.client(user)._credentials["HTTP_AUTHORIZATION"]


def held(site):
    """(threads, sockets, connections to the database) of the site's processes."""
    threads = sockets = files = 0
    for pid in site.workers():
        threads += len(list(Path(f"/proc/{pid}/task").iterdir()))
        for fd in Path(f"/proc/{pid}/fd").iterdir():
            try:
                target = os.readlink(fd)
            except FileNotFoundError:
                continue
            sockets += target.startswith("socket:")
            files += target.endswith(".sqlite3")
    return threads, sockets, files + others_in_the_database()


def others_in_the_database():
    if connection.vendor == "sqlite":
        return 0
    with connection.cursor() as cursor:
        others = "datname = current_database() AND pid <> pg_backend_pid()"
        cursor.execute(f"SELECT count(*) FROM pg_stat_activity WHERE {others}")
        return cursor.fetchone()[0]


def test_a_crowd_hears_of_a_change_and_holds_no_thread_and_no_connection_to_the_database(site, listen):
    ann = kit.user("ann")
    cup = kit.open_tournament(ann)
    kit.entered(cup, 3)
    _, sockets, _ = held(site)
    crowd = [listen(f"tournaments/{cup.pk}") for _ in range(CROWD)]
    first = [ear.opened() for ear in crowd]
    assert {event["event"] for event in first} == {"tournament"}
    assert len({event["id"] for event in first}) == 1
    threads, _, connections = held(site)
    # Per process: 16 for requests, 2 that look, and the loop; the database knows the first 18.
    assert threads <= 2 * 20
    assert connections <= 2 * 18 * 3  # a SQLite connection is up to three files
    tournaments.start(cup, ann)
    heard = [ear.next() for ear in crowd]
    assert {'"status":"running"' in event["data"] for event in heard} == {True}
    for ear in crowd:
        ear.killed()
    # The database and Redis have some sockets, too.
    wait_until(lambda: held(site)[1] <= sockets + CROWD // 4, "what the killed ones had is free")


def test_who_comes_back_is_told_what_is_new_and_nothing_twice(listen):
    ann = kit.user("ann")
    cup = kit.open_tournament(ann)
    path = f"tournaments/{cup.pk}"
    kit.entered(cup, 3)
    seen = listen(path).opened()["id"]
    informed = listen(path, last=seen)
    assert informed.status() == 200
    tournaments.start(cup, ann)
    now = informed.next()
    assert '"status":"running"' in now["data"]
    assert listen(path, last=seen).opened() == now
    kit.play_all(cup)
    recompute(cup)
    while (event := informed.next())["event"] == "tournament":
        now = event
    assert (event["event"], event["id"]) == ("end", now["id"])
    assert informed.next() is None
    assert listen(path, last=now["id"]).status() == 204
    assert listen(path, last=seen).opened() == now


def test_the_command_watches_by_events_alone(site):
    ann = kit.user("ann")
    cup = kit.running(ann, entrants=3)[0]
    with Api(f"http://127.0.0.1:{site.port}") as api:
        told = states(api, f"tournaments/{cup.pk}", never, never)
        assert next(told)["status"] == "running"
        kit.play_all(cup)
        recompute(cup)
        *_, last = told
        assert last["status"] == "finished"


def never():
    pytest.fail("it need not ask")


def test_stages_appear_as_they_pass_to_the_owner_alone(listen):
    ann, bob = kit.user("ann"), kit.user("bob")
    version = kit.received(ann)
    path = f"versions/{version.pk}"
    assert listen(path).status() == 401
    assert listen(path, token=token_of(bob)).status() == 404
    ear = listen(path, token=token_of(ann))
    assert '"checks":[]' in ear.opened()["data"]
    claim = bots.claim_version(version.pk)
    bots.record_stage(claim, 0, kit.stage("start"))
    while '"stage":"start"' not in (event := ear.next())["data"]:
        assert event["event"] == "version"
    bots.finish_check(claim)
    while (event := ear.next())["event"] != "end":
        last = event
    assert '"status":"active"' in last["data"]
    assert Version.objects.get().status == "active"


def test_a_ladder_tells_its_new_snapshot_and_a_match_that_it_counts(listen):
    ann = kit.user("ann")
    cup = kit.running(ann, entrants=3)[0]
    tables = list(cup.tables.order_by("pk"))
    kit.play(tables[0].pk)
    match = tables[0].matches.get()
    of_match, of_pool = listen(f"matches/{match.pk}"), listen(f"pools/{cup.pool_id}")
    assert '"counts":false,"record_public":false' in of_match.opened()["data"]
    assert '"ratings":[]' in of_pool.opened()["data"]
    kit.play_all(cup)
    recompute(cup.pool)
    assert '"elo":' in of_pool.next()["data"]
    while '"counts":true,"record_public":true' not in of_match.next()["data"]:
        pass
    assert of_match.next()["event"] == "end"


def test_a_revoked_token_ends_its_stream(listen):
    ann = kit.user("ann")
    token = token_of(ann)
    ear = listen(f"versions/{kit.received(ann).pk}", token=token)
    assert ear.opened()["event"] == "version"
    revoke(token)
    assert ear.next() is None


def revoke(token):
    api = kit.client()
    api.credentials(HTTP_AUTHORIZATION=token)
    assert api.delete("/api/v1/tokens/current/").status_code == 204


def test_streams_end_when_their_process_stops_and_the_next_one_has_them(site, listen):
    ann = kit.user("ann")
    cup = kit.open_tournament(ann)
    ears = [listen(f"tournaments/{cup.pk}") for _ in range(8)]
    first = [ear.opened() for ear in ears]
    for pid in site.workers():
        os.kill(pid, signal.SIGTERM)
    assert [ear.next() for ear in ears] == [None] * 8
    assert listen(f"tournaments/{cup.pk}").opened() == first[0]


def test_without_redis_changes_are_heard_of_a_little_later(listen, processes):
    ann = kit.user("ann")
    cup = kit.open_tournament(ann)
    ear = listen(f"tournaments/{cup.pk}")
    ear.opened()
    processes[1].kill()
    tournaments.cancel(cup, ann)
    assert '"status":"cancelled"' in ear.next()["data"]
    assert ear.next()["event"] == "end"
