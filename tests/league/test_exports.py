"""Exports: the same rows as the lists, streamed page by page, safe to open in a spreadsheet."""

import csv
import hashlib
import io
import json

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from arena.audit import audit_bytes
from league.api import exports
from league.api.views import results_exports
from league.bots.models import Bot
from league.matches.models import Match
from league.ratings.services import recompute
from league.tournaments.models import Board, Tournament
from tests.league import kit

pytestmark = pytest.mark.django_db


@pytest.fixture
def cup(ann):
    tournament, tables = kit.running(ann, boards=2)
    for table in tables:
        kit.play(table)
    recompute(tournament)
    recompute(tournament.pool)
    return tournament


def text(answer):
    assert answer.status_code == 200
    assert "attachment" in answer.headers["Content-Disposition"]
    return b"".join(answer.streaming_content).decode()


def csv_of(answer):
    assert answer.headers["Content-Type"].startswith("text/csv")
    return list(csv.DictReader(io.StringIO(text(answer))))


def jsonl_of(answer):
    return [json.loads(line) for line in text(answer).splitlines()]


@pytest.mark.parametrize("what", ["matches", "ratings", "standings"])
def test_json_lines_have_the_rows_of_the_list(cup, anybody, what):
    path = f"tournaments/{cup.pk}/standings" if what == "standings" else what
    listed = anybody.get(f"/api/v1/{path}/").json()["results"]
    assert len(listed) >= 3
    assert jsonl_of(anybody.get(f"/api/v1/{path}.jsonl")) == listed


def test_csv_has_a_row_for_each_line_and_of_matches_for_each_seat(cup, anybody):
    ratings = anybody.get("/api/v1/ratings/").json()["results"]
    rows = csv_of(anybody.get("/api/v1/ratings.csv"))
    assert [(row["bot"], float(row["elo"])) for row in rows] == [(row["bot"], row["elo"]) for row in ratings]
    standings = anybody.get(f"/api/v1/tournaments/{cup.pk}/standings/").json()["results"]
    rows = csv_of(anybody.get(f"/api/v1/tournaments/{cup.pk}/standings.csv"))
    assert [(row["bot"], row["place"]) for row in rows] == [
        (row["bot"], str(row["place"])) for row in standings
    ]
    seats = csv_of(anybody.get(f"/api/v1/matches.csv?tournament={cup.pk}"))
    assert len(seats) == 3 * Match.objects.count()
    assert {(row["id"], row["seat"]) for row in seats} == {
        (str(match), str(seat)) for match in Match.objects.values_list("pk", flat=True) for seat in range(3)
    }


def test_an_export_takes_the_filters_of_its_list_and_no_others(cup, anybody):
    match = Match.objects.first()
    there = jsonl_of(anybody.get(f"/api/v1/matches.jsonl?table={match.table_id}"))
    assert [row["id"] for row in there] == [one.pk for one in match.table.matches.order_by("pk")]
    for address in (
        "matches.csv?seed=1",
        "ratings.jsonl?page_size=5",
        f"tournaments/{cup.pk}/standings.csv?x=1",
    ):
        assert anybody.get(f"/api/v1/{address}").json()["code"] == "unknown_parameter"
    assert anybody.get("/api/v1/matches.xml").status_code == 404
    assert anybody.get("/api/v1/tournaments/999/standings.csv").status_code == 404


@pytest.mark.parametrize("first", ["=", "+", "-", "−", "@", "\t", "\r"])
def test_a_cell_that_begins_like_a_formula_is_defused(cup, anybody, first):
    Bot.objects.update(name=f"{first}HYPERLINK(1)")
    for path in ("ratings", "matches", f"tournaments/{cup.pk}/standings"):
        rows = csv_of(anybody.get(f"/api/v1/{path}.csv"))
        assert {row["bot"] for row in rows} == {f"'{first}HYPERLINK(1)"}


def test_a_cell_with_quotes_commas_and_lines_stays_one_cell_and_a_negative_number_a_number(cup, anybody):
    Bot.objects.update(name='a "b", c\nd')
    assert {row["bot"] for row in csv_of(anybody.get("/api/v1/ratings.csv"))} == {'a "b", c\nd'}
    assert exports.cell(-0.5) == -0.5


def test_an_export_is_read_in_pages_while_it_is_sent(cup, anybody, monkeypatch):
    monkeypatch.setattr(exports, "CHUNK", 5)
    answer = anybody.get("/api/v1/matches.jsonl")
    with CaptureQueriesContext(connection) as asked:
        first = next(iter(answer.streaming_content))
    assert json.loads(first)["id"] == Match.objects.order_by("pk").first().pk
    assert [query["sql"] for query in asked if "LIMIT 5" in query["sql"]]
    rest = b"".join(answer.streaming_content).decode().splitlines()
    ids = [json.loads(line)["id"] for line in (first.decode(), *rest)]
    assert ids == list(Match.objects.order_by("pk").values_list("pk", flat=True))


def test_no_export_of_a_tournament_under_way_has_a_seed(cup, anybody):
    everything = text(anybody.get("/api/v1/matches.jsonl")) + text(anybody.get("/api/v1/matches.csv"))
    assert not [board for board in Board.objects.all() if board.seed in everything]


def test_records_are_exported_byte_for_byte_when_the_tournament_is_over(cup, anybody, monkeypatch):
    monkeypatch.setattr(results_exports, "RECORDS", 2)
    address = f"/api/v1/tournaments/{cup.pk}/records.jsonl"
    assert anybody.get(address).json()["code"] == "not_over"
    Tournament.objects.update(status="finished", ended_at=timezone.now())
    lines = text(anybody.get(address)).splitlines()
    assert [hashlib.sha256(line.encode()).hexdigest() for line in lines] == list(
        Match.objects.order_by("pk").values_list("sha256", flat=True)
    )
    audit_bytes(lines[0].encode())
