"""The queue of the tables: workers are shared fairly by the organisers, and everybody sees their place."""

import threading
from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from hypothesis import given
from hypothesis import strategies as st

from league.api.views import health
from league.common.errors import OverQuota
from league.tournaments import services, steering, workers
from league.tournaments.fairness import Line, in_order, place
from league.tournaments.models import PlayWorker, Table, Tournament
from league.tournaments.queue import claim_next, queue
from league.tournaments.tables import claim_table, give_back_table
from tests.league import kit

# -- the rule ------------------------------------------------------------------------------------------------


def line(organiser, waiting, playing=0, served=0.0):
    return Line(organiser, waiting, playing, served)


def served_in_turn(lines):
    """The organisers in the order in which their tables are begun, by the rule, one after another."""
    lines, clock, order = {each.organiser: each for each in lines}, 1e9, []
    while ahead := in_order(lines.values()):
        first, clock = ahead[0], clock + 1
        order.append(first.organiser)
        lines[first.organiser] = line(first.organiser, first.waiting - 1, first.playing + 1, clock)
    return order


def test_who_has_fewest_in_play_is_next_then_who_was_served_longest_ago():
    lines = [line(1, 5, playing=2), line(2, 5, served=7.0), line(3, 5, served=3.0), line(4, 0)]
    assert [each.organiser for each in in_order(lines)] == [3, 2, 1]


def test_two_tables_are_not_kept_waiting_by_a_thousand():
    assert served_in_turn([line(1, 1000), line(2, 2)])[:5] == [1, 2, 1, 2, 1]
    assert served_in_turn([line(1, 1000, playing=8), line(2, 2)])[:3] == [2, 2, 1]


@given(
    st.lists(st.tuples(st.integers(0, 6), st.integers(0, 4), st.integers(0, 3)), min_size=1, max_size=5),
)
def test_a_place_is_the_one_that_the_rule_gives_when_it_is_followed(numbers):
    lines = [line(organiser, *rest) for organiser, rest in enumerate(numbers)]
    order = served_in_turn(lines)
    for each in lines:
        own = [at for at, organiser in enumerate(order, start=1) if organiser == each.organiser]
        assert [place(lines, each, index) for index in range(each.waiting)] == own


# -- in the database -----------------------------------------------------------------------------------------


def whose(claims):
    """The names of the organisers whose tables were taken."""
    return [Table.objects.get(pk=claim.pk).tournament.organiser.username for claim in claims]


def test_one_users_thousand_tables_keep_nobody_waiting_for_more_than_one(ann, bob, as_bob):
    _, many = kit.running(ann, entrants=14, name="Great")
    cup, two = kit.running(bob, name="Small", entrants=3)
    Table.objects.filter(pk=two[2]).update(status="done")
    assert (len(many), len(two)) == (364 * 3, 3)
    page = as_bob.get(f"/api/v1/tournaments/{cup.pk}/tables/?status=queued").json()["results"]
    assert [table["waiting"]["place"] for table in page] == [2, 4]
    claims = [claim_next() for _ in range(6)]
    assert whose(claims) == ["ann", "bob", "ann", "bob", "ann", "ann"]
    assert [claim.pk for claim in claims] == [many[0], two[0], many[1], two[1], many[2], many[3]]


def test_taking_the_next_of_many_asks_the_database_no_more_than_of_few(ann, bob):
    def asked():
        with CaptureQueriesContext(connection) as queries:
            assert claim_next() is not None
        return len(queries)

    kit.running(bob, entrants=4, name="Small")
    claim_next()
    few = asked()
    kit.running(bob, entrants=8, name="Great")
    kit.running(ann, name="Other")
    claim_next()
    assert asked() == few


def test_an_organisers_own_tables_go_in_the_order_of_the_plan_and_one_given_back_keeps_its_place(ann):
    _, first = kit.running(ann, name="First")
    _, second = kit.running(ann, name="Second")
    claim = claim_next()
    assert claim.pk == first[0]
    give_back_table(claim, "disk_full: no")
    assert claim_next().pk == first[1], "what has just failed is left alone for a while"
    Table.objects.update(not_before=None)
    assert [claim_next().pk for _ in range(3)] == [first[0], first[2], second[0]]


def test_nothing_of_a_paused_tournament_is_taken(ann, bob):
    paused, _ = kit.running(ann, name="Paused")
    _, tables = kit.running(bob, name="Other")
    steering.pause(paused, ann)
    assert [claim_next().pk for _ in range(3)] == tables
    assert claim_next() is None
    assert queue().waiting == 0


@pytest.mark.django_db(transaction=True)
def test_workers_that_come_at_once_take_different_tables():
    ann, bob = kit.user("ann"), kit.user("bob")
    kit.running(ann, entrants=4, name="One")
    kit.running(bob, entrants=4, name="Two")
    claims, start = [], threading.Barrier(6)

    def take():
        try:
            start.wait()
            claims.append(claim_next())
        finally:
            connection.close()

    hands = [threading.Thread(target=take) for _ in range(6)]
    for hand in hands:
        hand.start()
    for hand in hands:
        hand.join()
    assert len({claim.pk for claim in claims}) == 6
    assert Table.objects.filter(status="playing").count() == 6


def test_no_more_tables_of_one_user_wait_than_the_quota_says(ann, as_ann, settings):
    settings.MAX_WAITING_TABLES = 5
    kit.running(ann, name="First")
    second = kit.open_tournament(ann, "Second")
    kit.entered(second, 3)
    answer = as_ann.post(f"/api/v1/tournaments/{second.pk}/start/")
    assert (answer.status_code, answer.json()["code"]) == (429, "quota")
    assert "waiting_tables: 3 of 5 tables are used, and this needs 3." in answer.json()["detail"]
    assert Tournament.objects.get(pk=second.pk).status == "open"
    claim_next()
    with pytest.raises(OverQuota):
        steering.extend(Tournament.objects.get(name="First"), 3, ann) and services.start(second, ann)


# -- what is told of it --------------------------------------------------------------------------------------


@pytest.fixture
def told(ann, anybody):
    """`told(…)`: why the tables of a running cup wait, one after another, after what was done to it."""
    tournament, tables = kit.running(ann)

    def tell():
        page = anybody.get(f"/api/v1/tournaments/{tournament.pk}/tables/").json()["results"]
        assert [row["id"] for row in page] == tables
        return [row["waiting"] and row["waiting"]["reason"] for row in page], page

    tell.tournament, tell.tables = tournament, tables
    return tell


def test_a_table_that_waits_tells_its_place(told):
    workers.seen()
    assert told()[0] == ["queue"] * 3
    claim_next()
    reasons, page = told()
    assert reasons == [None, "queue", "queue"]
    assert [row["waiting"]["place"] for row in page[1:]] == [1, 2]
    assert page[1]["waiting"]["message"] == "Place 1 in the queue."


def test_a_table_of_a_paused_tournament_says_so(told, ann):
    steering.pause(told.tournament, ann)
    assert told()[0] == ["paused"] * 3


def test_a_table_that_the_platform_failed_at_tells_the_cause_and_when_it_is_tried_again(told):
    for expected in ("retry", "retry", "parked"):
        give_back_table(claim_table(told.tables[0]), "archive_lost: sha256 0123 is missing at /srv/secret")
        reasons, page = told()
        assert reasons[0] == expected
        assert page[0]["waiting"]["cause"] == "archive_lost"
        assert "secret" not in str(page)
    assert "can replay it" in page[0]["waiting"]["message"]


def test_where_no_worker_lives_the_tables_say_for_how_long(told):
    long_ago = timezone.now() - timedelta(minutes=10)
    Table.objects.update(status_at=long_ago)
    PlayWorker.objects.create(name="gone:1", seen_at=timezone.now() - timedelta(seconds=300))
    reasons, page = told()
    assert reasons == ["no_worker"] * 3
    assert page[0]["waiting"]["message"] == "No play worker has been seen for 300 s."
    workers.seen()
    assert told()[0] == ["queue"] * 3


def test_the_workers_at_hand_are_those_seen_with_the_last_one(db):
    assert workers.at_hand() == 0
    now = timezone.now()
    for name, ago in (("a:1", 7200), ("a:2", 7260), ("b:1", 9000)):
        PlayWorker.objects.create(name=name, seen_at=now - timedelta(seconds=ago))
    assert workers.at_hand() == 2, "the third ended before; the others have nothing to do"
    PlayWorker.objects.update(seen_at=now - timedelta(days=8))
    workers.seen()
    workers.forget()
    assert workers.at_hand() == PlayWorker.objects.count() == 1


def test_a_worker_that_refuses_is_told_by_health_and_is_at_no_hand(monkeypatch, anybody):
    monkeypatch.setattr(health, "_broker", lambda: True)
    workers.refuses("sandbox_broken: bubblewrap does not show there_is_no_network")
    workers.refuses("sandbox_broken: again, after its supervisor started it again")
    assert (workers.at_hand(), workers.last_seen()) == (0, None)
    assert anybody.get("/api/v1/health/").json() == {"status": "ok", "refusing_workers": 1}
    workers.seen()
    assert (workers.at_hand(), workers.refusing()) == (1, 0)
    PlayWorker.objects.create(
        name="scrapped", seen_at=timezone.now() - timedelta(days=2), refused="no_engine"
    )
    assert workers.refusing() == 0
