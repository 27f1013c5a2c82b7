"""What a match's decisions were charged, and all faults by kind: stored with the match, told by the API."""

import zlib
from importlib import import_module

import pytest
from django.utils import timezone

from arena.clock_use import ClockUse
from arena.record import Record
from arena.seat import Failure, FaultKind, InProcessSeat, Reply
from league.matches.faults import MEANINGS
from league.matches.models import FaultCount, Match, MatchClock
from league.tournaments.models import Tournament
from tests.league import kit
from tests.league.test_tournaments_migration import migrated  # noqa: F401 - a fixture

pytestmark = pytest.mark.django_db


def over():
    Tournament.objects.update(status="finished", ended_at=timezone.now())


class Slow(InProcessSeat):
    """Takes 1,200 ms over its second decision."""

    asked = 0

    def ask(self, question, budget_ms):
        reply = super().ask(question, budget_ms)
        self.asked += 1  # hello, too
        return Reply(reply.value, 1200.0 if self.asked == 3 else 0.25)


class Clumsy(InProcessSeat):
    """Sends garbage at its first two decisions, is late at the third."""

    asked = 0

    def ask(self, question, budget_ms):
        reply = super().ask(question, budget_ms)
        self.asked += 1
        kinds = {2: FaultKind.GARBAGE, 3: FaultKind.GARBAGE, 4: FaultKind.TIMEOUT}
        return Failure(kinds[self.asked], "x", 1.0) if self.asked in kinds else reply


@pytest.fixture
def cup(ann):
    """(tournament, versions, tables) of three entrants, nothing played yet."""
    tournament = kit.open_tournament(ann, deals=1)
    versions = kit.entered(tournament, 3)
    tournament, tables = kit.tournaments.start(tournament, ann)
    return tournament, versions, tables


def play(table, odd=None, dead=()):
    kit.store_table(*kit.played(table, dead=dead, odd=odd))
    return Match.objects.latest("pk")


def test_the_clock_is_told_by_seat_and_decision_when_the_record_is_and_never_changes(cup, anybody):
    _, versions, (table, *_) = cup
    match = play(table, {versions[0].pk: Slow})
    address = f"/api/v1/matches/{match.pk}/"
    assert anybody.get(f"{address}clock/").json()["code"] == "not_over"
    over()
    answer = anybody.get(f"{address}clock/")
    told = answer.json()
    assert answer["Cache-Control"] == "public, max-age=31536000, immutable"
    assert anybody.get(f"{address}clock/", headers={"If-None-Match": answer["ETag"]}).status_code == 304
    assert (told["move_ms"], told["bank_ms"]) == (1000, 10_000)
    seat = match.seats.get(version=versions[0]).seat
    own = told["seats"][seat]
    record = anybody.get(f"{address}record/").json()
    decisions = len(record["deals"][0]["bids"]) + sum(len(t["cards"]) for t in record["deals"][0]["tricks"])
    (deal,) = told["deals"]
    assert len(deal["charged_ms"]) == len(deal["bank_ms"]) == decisions
    assert own["decisions"] == 11
    assert own["total_ms"] == 1202.5
    assert {key: own["longest"][key] for key in ("deal", "trick", "charged_ms")} == {
        "deal": 1,
        "trick": 1,
        "charged_ms": 1200,
    }
    assert own["bank_ms"] == 9800
    others = [each for each in told["seats"] if each["seat"] != seat]
    assert {each["bank_ms"] for each in others} == {10_000}


def test_it_is_kept_beside_the_record_in_few_bytes(cup):
    _, versions, (table, *_) = cup
    match = play(table, {versions[0].pk: Slow})
    kept = bytes(MatchClock.objects.get(match=match).use)
    use = ClockUse.from_bytes(zlib.decompress(kept))
    assert len(use.charged) == 33
    assert len(kept) < 150
    assert b"charged" not in bytes(match.record)
    assert Record.from_bytes(bytes(match.record)).to_bytes() == bytes(match.record)


def test_of_a_match_from_before_clocks_were_kept_it_says_so(cup, anybody):
    match = play(cup[2][0])
    MatchClock.objects.all().delete()
    over()
    answer = anybody.get(f"/api/v1/matches/{match.pk}/clock/")
    assert (answer.status_code, answer.json()["code"]) == (404, "no_clock")
    assert answer["Cache-Control"] == "no-store"


def test_faults_of_all_matches_are_counted_by_kind_and_lead_to_their_matches(cup, ann, anybody):
    tournament, versions, tables = cup
    first = play(tables[0], {versions[0].pk: Clumsy})
    second = play(tables[1], dead=[versions[0], versions[1]])
    third = play(tables[2], {versions[0].pk: Clumsy})
    bot, other = versions[0].bot_id, versions[1].bot_id
    told = anybody.get(f"/api/v1/bots/{bot}/faults/").json()
    assert told == [
        {
            "kind": kind,
            "meaning": MEANINGS[kind],
            "faults": faults,
            "matches": matches,
            "latest": latest.pk,
            "newest": 1,
        }
        for kind, faults, matches, latest in (
            ("garbage", 4, 2, third),
            ("timeout", 2, 2, third),
            ("crash", 1, 1, second),
        )
    ]
    found = {
        query: [row["id"] for row in anybody.get(f"/api/v1/matches/?{query}").json()["results"]]
        for query in (
            "fault=garbage",
            f"fault=crash&bot={bot}",
            f"fault=garbage&bot={other}",
            f"fault=crash&version={versions[1].pk}",
            f"fault=crash&tournament={tournament.pk}",
            "fault=memory",
        )
    }
    assert list(found.values()) == [[first.pk, third.pk], [second.pk], [], [second.pk], [second.pk], []]
    assert anybody.get(f"/api/v1/bots/{other}/faults/").json()[0]["faults"] == 1
    assert anybody.get(f"/api/v1/bots/{versions[2].bot_id}/faults/").json() == []
    assert anybody.get("/api/v1/matches/?fault=bad").json()["code"] == "invalid_choice"


def test_every_kind_of_fault_has_a_meaning():
    assert set(MEANINGS) == set(FaultKind)


@pytest.mark.django_db(transaction=True)
def test_the_faults_of_matches_that_are_there_already_are_counted_from_their_records(
    cup,
    migrated,  # noqa: F811
    monkeypatch,
):
    fill = import_module("league.matches.migrations.0006_faults")
    monkeypatch.setattr(fill, "CHUNK", 1)
    _, versions, tables = cup
    for table in tables:
        play(table, {versions[0].pk: Clumsy})
    columns = ("match_id", "version_id", "kind", "count")
    counted = sorted(FaultCount.objects.values_list(*columns))
    assert len(counted) == 6
    FaultCount.objects.first().delete()
    migrated(("matches", "0005_clock_and_faults"))
    migrated(("matches", "0006_faults"))
    assert sorted(FaultCount.objects.values_list(*columns)) == counted
