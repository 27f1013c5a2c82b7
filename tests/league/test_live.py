"""Live events: what they tell whom, and how a hub hands them on; the real server is in tests/faults."""

import asyncio
import json
from threading import Event as Gate
from time import monotonic

import pytest

from league.common.errors import OverQuota, Unavailable
from league.common.signals import changed
from league.live import nudges
from league.live.events import event
from league.live.hub import Follows, Hub
from league.live.stream import FOLLOWS, follow
from league.live.subjects import State, Subject
from league.tournaments import services as tournaments
from tests.league import kit

CUP = Subject("tournament", 1)


# -- what is told, and to whom: without ASGI the answer ends after the present state -------------------------


def told(answer):
    """The events of an answer: (kind, id, data) each."""
    assert answer.status_code == 200, answer.content
    assert answer.headers["Content-Type"] == "text/event-stream"
    blocks = b"".join(answer.streaming_content).decode().split("\n\n")
    events = [dict(line.split(": ", 1) for line in block.splitlines()) for block in blocks if "id: " in block]
    return [(each["event"], each["id"], json.loads(each["data"])) for each in events]


def test_an_event_tells_what_get_tells(as_ann, ann):
    cup = kit.running(ann)[0]
    version = kit.received(ann)
    for path, reads in {
        f"tournaments/{cup.pk}": f"tournaments/{cup.pk}/progress",
        f"versions/{version.pk}": f"versions/{version.pk}",
    }.items():
        ((_, _, data),) = told(as_ann.get(f"/api/v1/{path}/events/"))
        assert data == as_ann.get(f"/api/v1/{reads}/").json()
    kit.play_all(cup)
    kit.recompute(cup.pool)
    ((_, _, ladder),) = told(as_ann.get(f"/api/v1/pools/{cup.pool_id}/events/"))
    ratings = as_ann.get(f"/api/v1/ratings/?pool={cup.pool_id}").json()["results"]
    assert ladder == as_ann.get(f"/api/v1/pools/{cup.pool_id}/").json() | {"ratings": ratings}
    match = cup.matches.first()
    (_, _, data), end = told(as_ann.get(f"/api/v1/matches/{match.pk}/events/"))
    more = {"counts": True, "record_public": True}
    assert data == as_ann.get(f"/api/v1/matches/{match.pk}/").json() | more
    assert end[0] == "end"


def test_who_has_the_present_state_is_told_nothing_and_who_has_the_last_that_nothing_comes(anybody, ann):
    cup = kit.running(ann)[0]
    path = f"/api/v1/tournaments/{cup.pk}/events/"
    ((kind, seen, _),) = told(anybody.get(path))
    assert kind == "tournament"
    assert told(anybody.get(path, headers={"Last-Event-ID": seen})) == []
    kit.play_all(cup)
    ((_, counting, data),) = told(anybody.get(path, headers={"Last-Event-ID": seen}))
    assert (data["status"], data["standings"]) == ("finished", None)  # there is more to come
    final = kit.recompute(cup)
    (_, last, data), (kind, same, _) = told(anybody.get(path, headers={"Last-Event-ID": counting}))
    assert (data["standings"], kind, same) == (final.results_hash, "end", last)
    assert last != seen
    assert anybody.get(path, headers={"Last-Event-ID": last}).status_code == 204


def test_a_stream_is_for_those_who_may_read_the_thing(anybody, as_ann, as_bob, as_staff, ann):
    draft = tournaments.create_tournament(ann, "Cup", kit.QUICK, 1)
    version = kit.received(ann)
    for path, for_strangers in {f"tournaments/{draft.pk}": 404, f"versions/{version.pk}": 401}.items():
        address = f"/api/v1/{path}/events/"
        assert anybody.get(address).status_code == for_strangers
        assert as_bob.get(address).status_code == 404
        for client in (as_ann, as_staff):
            assert len(told(client.get(address))) == 1
    answer = anybody.get("/api/v1/versions/1/events/", headers={"Accept": "text/event-stream"})
    assert answer.headers["Content-Type"] == "application/problem+json"
    assert as_ann.get("/api/v1/pools/77/events/").status_code == 404


def test_strangers_of_one_ipv6_network_are_counted_as_one(anybody, ann):
    address = f"/api/v1/tournaments/{kit.open_tournament(ann).pk}/events/"

    def client(visitor):
        scope = {}
        assert anybody.get(address, REMOTE_ADDR=visitor, **{"asgi.scope": scope}).status_code == 200
        return scope[FOLLOWS].client

    assert client("2001:db8::1") == client("2001:db8::2") != client("2001:db8:0:1::1")
    assert client("192.0.2.1") != client("192.0.2.2")


def test_estimates_alone_are_no_news():
    def named(**data):
        return event("tournament", data, over=False, passing=("pace",)).id

    assert named(done=1, pace=3.5) == named(done=1, pace=9.0)
    assert named(done=1, pace=3.5) != named(done=2, pace=3.5)


def test_changes_are_nudges_about_what_can_be_listened_to(
    ann, monkeypatch, django_capture_on_commit_callbacks
):
    heard = []
    monkeypatch.setattr(nudges, "nudge", heard.append)
    with django_capture_on_commit_callbacks(execute=True):
        cup = kit.running(ann)[0]
        kit.play_all(cup)
        kit.recompute(cup.pool)
    version = kit.Table.objects.first().seats.first().entrant.version
    assert set(heard) >= {f"tournament:{cup.pk}", f"version:{version.pk}", f"pool:{cup.pool_id}"}
    assert {each.partition(":")[0] for each in heard} == {"tournament", "version", "pool"}


def test_one_signal_tells_of_a_set_that_moves_at_once(ann):
    cup = kit.running(ann, entrants=4, players=3)[0]
    moved = []

    def note(sender, row, what, **_):
        moved.append((sender.__name__, what))

    changed.connect(note)
    try:
        tournaments.cancel(cup, ann)
    finally:
        changed.disconnect(note)
    assert cup.tables.count() > 1
    assert sorted(moved) == [("Table", "cancelled"), ("Tournament", "cancelled")]


# -- the hub ----------------------------------------------------------------------------------------------


class Fake:
    """A subject with a number for its state, and everybody allowed but those whose header is in `refused`."""

    def __init__(self):
        self.number, self.looks, self.over, self.refused = 0, 0, False, set()

    def look(self, subject):
        self.looks += 1
        return State(event(subject.kind, {"number": self.number}, over=self.over), str(subject))

    def allowed(self, subject, authorizations):
        return set(authorizations) - self.refused


class Wire:
    """One listener's connection: what was sent on it; it takes nothing while `blocked`."""

    def __init__(self, hub, header="", client="somebody", seen="", seen_at=0.0):
        self.sent, self.blocked, self.gone = [], asyncio.Event(), asyncio.Event()
        self.blocked.set()
        follows = Follows(CUP, client, header, seen, seen_at)
        self.task = asyncio.create_task(follow(hub, follows, self.receive, self.send))

    async def receive(self):
        await self.gone.wait()
        return {"type": "http.disconnect"}

    async def send(self, message):
        self.sent.append(message["body"])
        await self.blocked.wait()

    async def until(self, text):
        while text not in b"".join(self.sent):
            await asyncio.sleep(0.005)

    def numbers(self):
        return [int(each.partition(b'"number":')[2][:1]) for each in self.sent if b'"number":' in each]


@pytest.fixture
def run(settings, monkeypatch):
    """`run(story)`: the coroutine function with a fake and a hub that watches it, quickly."""
    settings.LIVE_POLL_S = 0.04
    monkeypatch.setattr("league.live.hub.PAUSE_S", 0.01)
    monkeypatch.setattr("league.live.hub.hear", lambda told: asyncio.sleep(3600))

    def runs(story):
        async def told():
            fake = Fake()
            hub = Hub(fake.look, fake.allowed)
            async with asyncio.timeout(60):
                await story(fake, hub)

        asyncio.run(told())

    return runs


def test_one_look_is_handed_to_all_and_a_nudge_is_not_waited_for(run, settings):
    settings.LIVE_POLL_S = 3600

    async def story(fake, hub):
        wires = [Wire(hub) for _ in range(50)]
        for wire in wires:
            await wire.until(b'"number":0')
        looked = fake.looks
        fake.number = 1
        hub.nudge("tournament:2")
        hub.nudge(str(CUP))
        for wire in wires:
            await wire.until(b'"number":1')
        assert fake.looks == looked + 1
        hub.close()
        await asyncio.gather(*(wire.task for wire in wires))
        assert not hub._watches

    run(story)


def test_a_change_that_nobody_told_of_is_found(run):
    async def story(fake, hub):
        wire = Wire(hub)
        await wire.until(b'"number":0')
        fake.number = 1
        await wire.until(b'"number":1')
        hub.close()
        await wire.task

    run(story)


def test_a_slow_listener_is_told_the_latest_state_alone(run):
    async def story(fake, hub):
        slow, quick = Wire(hub), Wire(hub)
        slow.blocked.clear()
        for number in range(5):
            fake.number = number
            await quick.until(b'"number":%d' % number)
        slow.blocked.set()
        await slow.until(b'"number":4')
        assert slow.numbers() == [0, 4]
        assert quick.numbers() == [0, 1, 2, 3, 4]
        hub.close()
        await asyncio.gather(slow.task, quick.task)

    run(story)


def test_a_stream_ends_when_it_is_over_when_its_right_ends_and_when_its_listener_is_gone(run):
    async def story(fake, hub):
        stays, refused, leaves = Wire(hub), Wire(hub, "Bearer x"), Wire(hub)
        for wire in (stays, refused, leaves):
            await wire.until(b'"number":0')
        fake.refused = {"Bearer x"}
        await refused.task
        leaves.gone.set()
        await leaves.task
        assert not stays.task.done()
        fake.over = True
        await stays.task
        assert b"event: end" in stays.sent[-2]
        assert [wire.sent[-1] for wire in (stays, refused, leaves)] == [b""] * 3
        assert not hub._watches

    run(story)


def test_nobody_is_told_what_is_older_than_what_it_has(run):
    async def story(fake, hub):
        first = Wire(hub)
        await first.until(b'"number":0')
        newer = event("tournament", {"number": 1}, over=False).id
        second = Wire(hub, seen=newer, seen_at=monotonic())
        fake.number = 1
        await first.until(b'"number":1')
        fake.number = 2
        await second.until(b'"number":2')
        await first.until(b'"number":2')
        assert (first.numbers(), second.numbers()) == ([0, 1, 2], [2])
        hub.close()
        await asyncio.gather(first.task, second.task)

    run(story)


def test_a_subject_that_is_gone_ends_its_streams_and_a_failing_look_does_not(run):
    async def story(fake, hub):
        wire = Wire(hub)
        await wire.until(b'"number":0')
        failed = Gate()

        def fails(subject):
            failed.set()
            raise OSError("no database")

        hub._look = fails
        while not failed.is_set():
            await asyncio.sleep(0.005)
        fake.number, hub._look = 1, fake.look
        await wire.until(b'"number":1')
        hub._look = lambda subject: None
        await wire.task

    run(story)


def test_streams_are_counted_by_client_and_in_all_and_those_that_ended_are_not(run, settings):
    settings.LIVE_PER_CLIENT, settings.LIVE_LISTENERS = 2, 3

    async def story(fake, hub):
        wires = [Wire(hub, client="ann"), Wire(hub, client="ann")]
        await wires[1].until(b'"number":0')
        with pytest.raises(OverQuota):
            hub.admit("ann")
        hub.admit("bob")
        wires.append(Wire(hub, client="bob"))
        await wires[2].until(b'"number":0')
        with pytest.raises(Unavailable):
            hub.admit("carl")
        wires[0].gone.set()
        await wires[0].task
        hub.admit("ann")
        hub.close()
        await asyncio.gather(*(wire.task for wire in wires))

    run(story)
