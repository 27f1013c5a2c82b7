"""A person plays against bots: begins, is asked, answers, leaves; workers come, go down and are lost."""

import json
from datetime import timedelta

import pytest
from django.utils import timezone

from arena.audit import audit
from arena.record import Record
from arena.seat import InProcessSeat
from league.matches.models import Match
from league.pipeline import closing, going, queue, sit
from league.pipeline.backend import backend
from league.pipeline.reconcile import reconcile
from league.sittings import services
from league.sittings.models import Sitting
from tests.league import kit, sitters
from tests.league.sitters import again, answer, begun, bots, path

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def sent(monkeypatch, django_capture_on_commit_callbacks):
    """The messages that would be sent, as (task, id)."""
    messages = []
    monkeypatch.setattr(
        queue, "_send", lambda task, rows, _=0.0: messages.extend((task, *row) for row in rows)
    )
    monkeypatch.setattr(queue, "calls", lambda: 0)
    return messages


@pytest.fixture
def table(monkeypatch):
    """Bots of this process."""
    sitters.in_process(monkeypatch)


@pytest.fixture
def thinking(monkeypatch):
    """`thinking(act)`: what the person does whenever a worker waits."""
    return lambda act: sitters.while_thinking(monkeypatch, act)


# -- begin -------------------------------------------------------------------------------------------------


def test_who_sits_down_is_told_the_commitment_and_not_the_seed_and_a_worker_is_called(as_ann, ann, sent):
    one, other = bots()
    body = {"rules": sitters.RULES, "versions": [one.pk, other.pk], "seat": 1}
    answer = as_ann.post("/api/v1/sittings/", body)
    assert answer.status_code == 201, answer.content
    told = answer.json()
    sitting = Sitting.objects.get()
    assert told["status"] == "waiting"
    assert [bot and bot["version_id"] for bot in told["bots"]] == [one.pk, None, other.pk]
    assert (told["commitment"], told["seed"], told["question"]) == (sitting.commitment, None, None)
    assert sitting.seed not in answer.content.decode()
    [listed] = as_ann.get("/api/v1/sittings/").json()["results"]
    assert listed == {key: told[key] for key in listed}


def test_what_can_not_be_played_is_refused_with_the_reason(as_ann, ann):
    one, other = (version.pk for version in bots())
    waiting = kit.received(ann, "Waiting").pk
    retired = kit.bots.retire_version(kit.active(kit.author(9), "Old"), by=ann).pk
    for change, status, code, field in (
        ({"versions": [one]}, 400, "invalid", "versions"),
        ({"versions": [one, 10**9]}, 400, "invalid", "versions"),
        ({"versions": [one, waiting]}, 409, "not_active", "versions"),
        ({"versions": [one, retired]}, 409, "not_active", "versions"),
        ({"rules": {"players": 9}}, 400, "bad_rules", "rules.players"),
        ({"seat": 3}, 400, "invalid", "seat"),
        ({"seat": -1}, 400, "min_value", "seat"),
    ):
        body = {"rules": sitters.RULES, "versions": [one, other], **change}
        answer = as_ann.post("/api/v1/sittings/", body)
        assert (answer.status_code, answer.json()["code"], answer.json()["field"]) == (status, code, field)
    assert not Sitting.objects.exists()


def test_one_sits_at_one_table_and_the_site_has_so_many_seats(as_ann, ann, as_bob, settings):
    first = begun(ann)
    body = {"rules": sitters.RULES, "versions": [v for v in first.versions if v]}
    assert as_ann.post("/api/v1/sittings/", body).json()["code"] == "quota"
    settings.MAX_SITTINGS = 1
    refused = as_bob.post("/api/v1/sittings/", body)
    assert (refused.status_code, refused["Retry-After"]) == (503, "60")
    assert as_ann.delete(path(first)).status_code == 204
    assert again(first).status == "abandoned"
    assert as_bob.post("/api/v1/sittings/", body).status_code == 201


# -- play --------------------------------------------------------------------------------------------------


def test_a_match_is_played_by_the_api_to_its_end_and_the_bots_play_the_same_cards(
    as_ann, ann, table, thinking
):
    sitting = begun(ann, seat=1, deals=2)
    seen = []

    def act():
        told = as_ann.get(path(sitting)).json()
        deal = told["course"]["deals"][-1]
        place = deal["seats"].index(1)
        assert set(told["question"]["legal"]) <= {*deal["hands"][place], "pass", "capot"}
        assert all(card is None for p, hand in enumerate(deal["hands"]) if p != place for card in hand)
        assert told["seed"] is None
        asked, answered = answer(as_ann, sitting)
        assert answered.status_code == 200
        assert answered.json()["question"] is None
        seen.append(asked["number"])

    thinking(act)
    sit.sit(sitting.pk)
    told = as_ann.get(path(sitting)).json()
    assert told["status"] == "over"
    assert seen == list(range(1, 23))  # in each deal a bid and ten cards
    data = as_ann.get(path(sitting, "record/")).content
    record = Record.from_bytes(data)
    audit(record)
    assert (record.commitment, record.seed) == (told["commitment"], told["seed"])
    assert record.bots[1] == "ann"
    assert told["course"]["totals"] == list(record.totals)
    assert told["course"]["ranks"] == list(record.ranks)
    assert not Match.objects.exists()
    stands = told["comparison"]
    assert [stand["version_id"] for stand in stands] == [v for v in sitting.versions if v]
    for stand in stands:
        assert len(stand["deals"]) == 2
        assert sum(deal["points"] for deal in stand["deals"]) == stand["total"]
    assert as_ann.delete(path(sitting)).status_code == 204
    assert again(sitting).status == "over"


def test_an_illegal_answer_an_old_one_and_somebody_elses_are_refused_and_change_nothing(
    as_ann, as_bob, anybody, ann, table, thinking
):
    sitting, told = begun(ann), []

    def act():
        asked = as_ann.get(path(sitting)).json()["question"]
        kind, number = asked["kind"], asked["number"]
        other = {"bid": "general", "card": "XX"}[kind]
        illegal = as_ann.post(path(sitting, "answers/"), {"number": number, kind: other})
        assert (illegal.status_code, illegal.json()["code"]) == (400, "illegal_answer")
        assert ", ".join(asked["legal"]) in illegal.json()["detail"]
        right = {"number": number, kind: asked["legal"][0]}
        for client, status in ((as_bob, 404), (anybody, 401)):
            assert client.post(path(sitting, "answers/"), right).status_code == status
            assert client.get(path(sitting)).status_code == status
        for wrong in ({"number": number}, {**right, "bid": "pass", "card": "JS"}):
            assert as_ann.post(path(sitting, "answers/"), wrong).json()["code"] == "invalid"
        other_kind = {"number": number, **({"card": "JS"} if kind == "bid" else {"bid": "pass"})}
        assert as_ann.post(path(sitting, "answers/"), other_kind).json()["code"] == "not_asked"
        assert again(sitting).answers == told
        assert as_ann.post(path(sitting, "answers/"), right).status_code == 200
        double = as_ann.post(path(sitting, "answers/"), right)
        assert (double.status_code, double.json()["code"]) == (409, "not_asked")
        assert double.json()["state"] == {"status": "playing", "question": None}
        told.append(again(sitting).answers[-1])
        if number == 2:
            as_ann.delete(path(sitting))

    thinking(act)
    sit.sit(sitting.pk)
    assert len(told) == 2
    assert again(sitting).status == "abandoned"
    assert as_ann.get(path(sitting, "record/")).json()["code"] == "wrong_state"
    assert as_ann.get(path(sitting)).json()["seed"] is None


def test_who_is_away_for_too_long_has_left(ann, table, thinking, settings):
    settings.SITTING_IDLE_S = 0
    sitting = begun(ann)
    thinking(lambda: None)
    sit.sit(sitting.pk)
    assert again(sitting).status == "abandoned"


def test_a_closed_account_leaves_its_table_at_once_and_the_worker_lets_go(ann, bob, staff, table, thinking):
    sitting, waiting = begun(ann), begun(bob, versions=list(kit.bots.Version.objects.all()[:2]))
    asked = []

    def act():
        asked.append(again(sitting).asked["number"])
        for _ in range(2):
            closing.close_account(ann, staff, "spam")

    thinking(act)
    sit.sit(sitting.pk)
    assert (asked, again(sitting).status, again(waiting).status) == ([1], "abandoned", "waiting")
    closing.close_account(bob, staff, "spam")
    assert again(waiting).status == "abandoned"
    assert services.claim(waiting.pk) is None


def test_its_events_tell_its_person_what_get_tells_until_it_is_compared(as_ann, as_bob, ann, table, thinking):
    sitting = begun(ann)
    thinking(lambda: answer(as_ann, sitting))
    sit.sit(sitting.pk)
    stream = b"".join(as_ann.get(path(sitting, "events/")).streaming_content).decode()
    data = stream.split("data: ")[1].partition("\n")[0]
    assert json.loads(data) == as_ann.get(path(sitting)).json()
    assert "event: end" in stream
    assert as_bob.get(path(sitting, "events/")).status_code == 404
    Sitting.objects.update(comparison=None)
    assert "event: end" not in b"".join(as_ann.get(path(sitting, "events/")).streaming_content).decode()


# -- workers -----------------------------------------------------------------------------------------------


def test_a_worker_that_goes_down_leaves_the_match_to_the_next_and_the_person_notices_nothing(
    as_ann, ann, table, thinking, monkeypatch, django_capture_on_commit_callbacks, sent
):
    sitting, down = begun(ann), [False]

    def act():
        if answer(as_ann, sitting)[0]["number"] == 4:
            down[0] = True

    def going_down():
        return down[0] and again(sitting).asked is not None

    thinking(act)
    monkeypatch.setattr(sit, "going_down", going_down)
    with django_capture_on_commit_callbacks(execute=True):
        sit.sit(sitting.pk)
    assert again(sitting).status == "waiting"
    assert again(sitting).attempt == 0
    assert sent == [(queue.SIT, sitting.pk)]
    course, answers = again(sitting).course, again(sitting).answers
    down[0] = False
    asked = []

    def go_on():
        if not asked:
            assert again(sitting).course == course
            assert again(sitting).answers == answers
        asked.append(answer(as_ann, sitting)[0]["number"])

    thinking(go_on)
    sit.sit(sitting.pk)
    assert again(sitting).status == "over"
    assert asked[0] == len(answers) + 1
    audit(Record.from_bytes(bytes(again(sitting).record)))


def test_where_a_bot_plays_otherwise_the_second_time_it_is_parked_and_nobody_is_blamed(
    as_ann, ann, table, thinking, monkeypatch
):
    sitting = begun(ann)
    thinking(lambda: answer(as_ann, sitting))
    real, calls = services.answer_to, []

    def lost_at_the_third(claim, number):
        calls.append(number)
        if number == 3:
            raise services.Lost("the worker was killed")
        return real(claim, number)

    monkeypatch.setattr(services, "answer_to", lost_at_the_third)
    sit.sit(sitting.pk)
    assert again(sitting).status == "playing"
    reconcile(timezone.now() + timedelta(seconds=91))
    assert (again(sitting).status, again(sitting).attempt) == ("waiting", 1)
    monkeypatch.setattr(services, "answer_to", real)
    swapped = dict(zip(sitting.versions[1:], sitting.versions[:0:-1], strict=True))
    of = {version.pk: version for version in kit.bots.Version.objects.filter(pk__in=swapped)}
    other = lambda version, *_: InProcessSeat(kit.reference_player(of[swapped[version.pk]]))  # noqa: E731
    monkeypatch.setattr(sit, "seat_of", other)
    sit.sit(sitting.pk)
    now = again(sitting)
    assert now.status == "parked"
    assert now.failure.startswith("course_changed: ")


def test_a_lost_worker_is_an_attempt_and_after_three_the_sitting_is_parked(ann, sent):
    sitting = begun(ann)
    for expected in ("waiting", "waiting", "parked"):
        assert services.claim(sitting.pk)
        assert services.claim(sitting.pk) is None
        reconcile(timezone.now() + timedelta(seconds=91))
        assert again(sitting).status == expected


def test_lost_messages_are_sent_again_and_what_nobody_comes_for_is_abandoned(
    as_ann, ann, bob, table, thinking, sent, settings, django_capture_on_commit_callbacks
):
    over, waiting = begun(ann), begun(bob, versions=list(kit.bots.Version.objects.all()[:2]))
    thinking(lambda: answer(as_ann, over))
    sit.sit(over.pk)
    Sitting.objects.filter(pk=over.pk).update(comparison=None)
    later = timezone.now() + timedelta(seconds=settings.RESEND_AFTER_S + 1)
    for _ in range(2):
        with django_capture_on_commit_callbacks(execute=True):
            sit.reconcile(later)
    assert sorted(sent) == sorted([(queue.SIT, over.pk), (queue.SIT, waiting.pk)])
    sit.sit(over.pk)
    assert len(again(over).comparison) == 2
    sit.reconcile(timezone.now() + timedelta(seconds=settings.SITTING_IDLE_S + 1))
    assert again(waiting).status == "abandoned"


def test_a_worker_told_to_end_tells_all_processes_of_its_pool():
    assert not going.going_down()
    going.go_down()
    try:
        assert going.going_down()
    finally:
        going._told[0] = 0


def test_a_platform_that_fails_three_times_parks_it(ann, monkeypatch):
    def broken(*_):
        raise OSError("no disk")

    monkeypatch.setattr(sit, "seat_of", broken)
    sitting = begun(ann)
    for expected in ("waiting", "waiting", "parked"):
        sit.sit(sitting.pk)
        assert again(sitting).status == expected
    assert "no disk" in again(sitting).failure


@pytest.mark.bubblewrap
def test_with_bots_in_their_sandboxes_a_match_is_played_and_compared(as_ann, ann, thinking):
    sitting = begun(ann, seat=2)
    thinking(lambda: answer(as_ann, sitting, choose=lambda legal: legal[-1]))
    sit.sit(sitting.pk)
    record = Record.from_bytes(bytes(again(sitting).record))
    audit(record)
    assert record.faults == ()
    assert len(again(sitting).comparison) == 2
    assert all(stand["faults"] == 0 for stand in again(sitting).comparison)
    assert backend().name in ("bubblewrap", "docker")
