"""A duel's verdict as boards come in, and the report of partner effects."""

import random

import pytest
from django.core.cache import caches
from django.core.management import call_command
from redis.exceptions import RedisError

from arena.ratings.duel import differences, duel
from league.matches.columns import results
from league.matches.models import Match, MatchSeat
from league.ratings import reports
from league.ratings.reports import duel_report, partner_report
from league.tournaments.models import Board, Table
from tests.league import kit

pytestmark = pytest.mark.django_db


@pytest.fixture
def match_up(ann):
    """A duel of twelve boards in six groups between two versions of one bot; the first is the worse."""
    old = kit.active(ann, "Mine", "highest")
    new, _ = kit.bots.add_version(old.bot, kit.reference_package("dodger"))
    new = kit.bots.finish_check(kit.bots.claim_version(new.pk))
    options = {"first": old.pk, "second": new.pk, "groups": 6}
    cup = kit.open_tournament(
        ann, boards=2, more={"format": "duel", "options": options, "rated": False}, deals=2
    )
    for version in (old, new, kit.active(ann, "Other", "lowest")):
        kit.tournaments.enter(cup, version, ann)
    cup, tables = kit.tournaments.start(cup, ann)
    return cup, tables, old, new


def test_a_verdict_is_given_once_and_is_that_of_the_boards_in_order(match_up, anybody):
    cup, tables, old, new = match_up
    address = f"/api/v1/tournaments/{cup.pk}/duel/"
    told = anybody.get(address).json()
    assert (told["verdict"], told["boards"], told["planned"], told["trace"]) == ("open", 0, 12, [])
    for table in tables[2:4]:  # the second group: it waits for the first
        kit.play(table)
    assert anybody.get(address).json()["boards"] == 0
    for table in (*tables[:2], *tables[4:]):
        kit.play(table)
    report = duel_report(cup)
    expected = duel(differences(results(cup), old.pk, new.pk), 12)
    assert report.duel == expected
    told = anybody.get(address).json()
    assert (told["first"]["version"], told["second"]["version"]) == (1, 2)
    assert told["mean"] == expected.mean
    assert [step["boards"] for step in told["trace"]] == [step.boards for step in expected.trace]
    assert told["verdict"] == str(expected.verdict) != "open"


def test_what_takes_long_is_computed_once_for_the_same_results(match_up, monkeypatch):
    cup, tables, *_ = match_up
    for table in tables[:4]:
        kit.play(table)
    first = duel_report(cup).duel
    assert first.boards == 4
    asked = []
    monkeypatch.setattr(reports, "results", lambda scope: asked.append(scope) or results(scope))
    assert duel_report(cup).duel == first
    assert not asked
    kit.play(tables[4])
    assert duel_report(cup).duel == first  # a board counts when both tables have played it
    assert not asked
    kit.play(tables[5])
    assert duel_report(cup).duel.boards == 6
    assert asked == [cup]


@pytest.mark.parametrize("method", ["get", "set"])
def test_without_a_cache_it_is_computed_each_time(match_up, monkeypatch, method):
    cup, tables, *_ = match_up
    for table in tables[:4]:
        kit.play(table)
    first = duel_report(cup).duel
    caches["default"].clear()

    def gone(*_):
        raise RedisError

    monkeypatch.setattr(caches["default"], method, gone)
    assert duel_report(cup).duel == duel_report(cup).duel == first


def test_other_formats_have_no_verdict_and_few_boards_give_none(match_up, ann, anybody):
    cup, *_ = match_up
    Board.objects.filter(group__number__gt=2).delete()
    assert anybody.get(f"/api/v1/tournaments/{cup.pk}/duel/").json()["code"] == "too_few_boards"
    other, _ = kit.running(ann, name="Round robin")
    assert anybody.get(f"/api/v1/tournaments/{other.pk}/duel/").json()["code"] == "not_a_duel"


def test_honest_bots_give_an_empty_report_to_the_organiser_and_staff(ann, as_ann, as_bob, as_staff):
    tournament, tables = kit.running(ann)
    for table in tables:
        kit.play(table)
    address = f"/api/v1/tournaments/{tournament.pk}/partners/"
    told = as_ann.get(address).json()
    assert (told["matches"], told["effects"]) == (3, [])
    assert told["results_hash"] == results(tournament).digest
    assert as_staff.get(address).json() == told
    assert as_bob.get(address).json()["code"] == "not_yours"
    assert as_staff.get(f"/api/v1/pools/{tournament.pool_id}/partners/").json() == told


def test_a_report_on_very_much_is_for_the_command_line(ann, as_ann, monkeypatch, capsys):
    tournament, tables = kit.running(ann)
    for table in tables:
        kit.play(table)
    monkeypatch.setattr(partner_report, "__defaults__", (2,))
    answer = as_ann.get(f"/api/v1/tournaments/{tournament.pk}/partners/")
    assert (answer.status_code, answer.json()["code"]) == (409, "too_many_matches")
    call_command("partner_report", "--tournament", str(tournament.pk))
    assert "0 pairs in 3 matches" in capsys.readouterr().out


def drawn(tournament, chance, gift):
    """Results of every table of the tournament, drawn: where both of the pair sit, points of the first go
    to the second. Whatever the seatings are, which the tournament's seed decides, that is no chance."""
    one, other = gift
    matches, seats = [], []
    for table in Table.objects.prefetch_related("seats__entrant", "group__boards"):
        board = table.group.boards.all()[0]
        sitting = [seat.entrant.version_id for seat in table.seats.all()]
        points = {version: chance.randrange(4, 8) for version in sitting}
        if {one, other} <= points.keys():
            points[one], points[other] = points[one] - 2, points[other] + 4
        match = Match(
            tournament=tournament, table=table, board=board, name=f"m{table.pk}", ended="deals", deals=2,
            record=b"{}", sha256="0" * 64, backend="drawn", duration_ms=1,
        )  # fmt: skip
        matches.append(match)
        ranked = sorted(points.values())
        seats += [
            MatchSeat(
                match=match, seat=seat, version_id=version, total=points[version],
                rank=1 + ranked.index(points[version]),
            )
            for seat, version in enumerate(sitting)
        ]  # fmt: skip
    Match.objects.bulk_create(matches)
    MatchSeat.objects.bulk_create(seats)
    Board.objects.update(complete=True)


def test_two_that_help_each_other_are_named(ann, as_staff):
    tournament, _ = kit.running(ann, entrants=9)
    one, other = list(tournament.entrants.values_list("version_id", flat=True))[:2]
    drawn(tournament, random.Random(1), (one, other))
    effects = as_staff.get(f"/api/v1/pools/{tournament.pool_id}/partners/").json()["effects"]
    told = [(each["effect"], each["one"]["version_id"], each["other"]["version_id"]) for each in effects]
    assert told == [("transfer", one, other)]
    assert effects[0]["groups"] == 7
    assert effects[0]["one_gain"] > 0 > effects[0]["other_gain"]
