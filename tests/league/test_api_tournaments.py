"""Tournaments, matches and ratings through the REST API, sentence by sentence."""

import hashlib
import json

import pytest

from arena.audit import audit
from arena.record import Record
from league.common.lifecycle import StatusNote
from league.ratings.services import recompute
from league.tournaments import steering
from league.tournaments.advancing import advance
from league.tournaments.models import Board, Entrant, Table, Tournament
from tests.league import kit

pytestmark = pytest.mark.django_db


def test_a_draft_is_its_organisers_alone(as_ann, as_bob, as_staff, anybody):
    made = as_ann.post("/api/v1/tournaments/", {"name": "Cup", "rules": {"players": 3}, "boards": 2})
    assert made.status_code == 201
    cup = made.json()
    assert (cup["status"], cup["players"], cup["boards"], cup["entrants"]) == ("draft", 3, 2, 0)
    assert cup["rules"]["threshold"] == 10
    address = f"/api/v1/tournaments/{cup['id']}/"
    assert [c.get(address).status_code for c in (as_ann, as_staff, as_bob, anybody)] == [200, 200, 404, 404]
    assert as_bob.post(f"{address}open/").status_code == 404
    assert as_ann.post(f"{address}open/").json()["status"] == "open"
    assert as_ann.post(f"{address}open/").json()["status"] == "open"
    assert anybody.get(address).status_code == 200
    assert as_bob.post(f"{address}start/").status_code == 403
    assert anybody.post(f"{address}start/").status_code == 401


@pytest.mark.parametrize(
    ("body", "code", "field"),
    [
        ({"rules": {"players": 9}}, "bad_rules", "rules.players"),
        ({"rules": {"card_points": {"XX": 1}}}, "bad_rules", "rules.card_points"),
        ({"rules": []}, "bad_rules", "rules.rules"),
        ({"boards": 0}, "min_value", "boards"),
        ({"boards": "２"}, "invalid", "boards"),
        ({"boards": True}, "invalid", "boards"),
        ({"boards": 10**30}, "max_value", "boards"),
        ({"boards": 10_000}, "bad_boards", "boards"),
        ({"format": "chess"}, "invalid_choice", "format"),
        ({"options": {"colour": 1}}, "bad_options", "options"),
        ({"kind": "balanced"}, "unknown_field", "kind"),
        ({"options": []}, "invalid", "options"),
        ({"name": "\u202e"}, "bad_name", "name"),
    ],
)
def test_a_tournament_that_can_not_be_is_refused(as_ann, body, code, field):
    answer = as_ann.post("/api/v1/tournaments/", {"name": "Cup", **body})
    assert answer.status_code == 400, answer.content
    assert (answer.json()["code"], answer.json()["field"]) == (code, field)


def test_bots_enter_and_leave_an_open_tournament(as_ann, as_bob, ann, bob, anybody):
    cup = kit.open_tournament(ann)
    mine, theirs = kit.active(ann, "Mine"), kit.active(bob, "Theirs")
    address = f"/api/v1/tournaments/{cup.pk}/entrants/"
    entered = as_bob.post(address, {"version": theirs.pk})
    assert entered.status_code == 201
    assert (entered.json()["bot"], entered.json()["owner"]) == ("Theirs", "bob")
    again = as_bob.post(address, {"version": theirs.pk})
    assert (again.status_code, again.json()) == (200, entered.json())
    assert as_bob.post(address, {"version": mine.pk}).status_code == 404
    assert as_ann.post(address, {"version": mine.pk}).status_code == 201
    assert [row["bot"] for row in anybody.get(address).json()["results"]] == ["Theirs", "Mine"]
    mine_there = Entrant.objects.get(version=mine).pk
    assert as_bob.delete(f"{address}{mine_there}/").status_code == 403
    assert as_ann.delete(f"{address}{mine_there}/").status_code == 204
    assert as_ann.delete(f"{address}{mine_there}/").status_code == 404
    assert as_ann.delete(f"{address}\uff11/").status_code == 404
    for wrong in ("１", True, None, 1.5, [], 2**70):
        assert as_ann.post(address, {"version": wrong}, format="json").status_code == 400


def test_a_tournament_is_started_once_and_its_seeds_are_secret_until_the_end(
    as_ann, ann, anybody, django_capture_on_commit_callbacks
):
    cup = kit.open_tournament(ann, boards=2)
    kit.entered(cup, 3)
    address = f"/api/v1/tournaments/{cup.pk}/"
    with django_capture_on_commit_callbacks() as sent:
        assert as_ann.post(f"{address}start/").json()["status"] == "running"
    assert len(sent) == 2  # a message to the workers, one to those who look on
    assert as_ann.post(f"{address}start/").json()["status"] == "running"
    assert Table.objects.count() == 3
    boards = anybody.get(f"{address}boards/").json()["results"]
    assert [board["commitment"] for board in boards] == [
        board.commitment for board in Board.objects.order_by("pk")
    ]
    assert {board["seed"] for board in boards} == {None}

    for table in Table.objects.all():
        kit.play(table.pk)
    match = anybody.get(f"/api/v1/matches/?tournament={cup.pk}").json()["results"][0]
    hidden = anybody.get(f"/api/v1/matches/{match['id']}/record/")
    assert (hidden.status_code, hidden.json()["code"]) == (409, "not_over")
    public = "".join(
        anybody.get(page).content.decode()
        for page in (
            address,
            f"{address}boards/",
            f"{address}progress/",
            f"/api/v1/matches/?tournament={cup.pk}",
        )
    )
    for board in Board.objects.all():
        assert board.seed not in public
    assert as_ann.get(address).json()["seed"] is None
    assert Tournament.objects.get().seed not in public

    assert advance(cup)
    assert {board["seed"] for board in anybody.get(f"{address}boards/").json()["results"]} == set(
        Board.objects.values_list("seed", flat=True)
    )
    assert anybody.get(address).json()["seed"] == Tournament.objects.get().seed
    record = anybody.get(f"/api/v1/matches/{match['id']}/record/")
    assert hashlib.sha256(record.content).hexdigest() == match["sha256"]
    audit(Record.from_bytes(record.content))
    assert json.loads(record.content)["totals"] == [seat["total"] for seat in match["seats"]]


def test_progress_standings_matches_and_ratings_are_readable_by_anybody(anybody, ann):
    tournament, tables = kit.running(ann, entrants=4, boards=2)
    for table in tables:
        kit.play(table)
    advance(tournament)
    recompute(tournament.pool)
    recompute(tournament)
    address = f"/api/v1/tournaments/{tournament.pk}/"
    progress = anybody.get(f"{address}progress/").json()
    assert (progress["status"], progress["tables"], progress["done"]) == ("finished", 12, 12)
    assert (progress["blocks"], progress["blocks_planned"]) == (8, 8)
    standings = anybody.get(f"{address}standings/").json()["results"]
    assert [row["matches"] for row in standings] == [18] * 4
    assert standings == sorted(standings, key=lambda row: row["place"])
    assert sum(row["score"] for row in standings) == pytest.approx(2.0, abs=0.001)  # each is rounded
    page = anybody.get(f"/api/v1/matches/?tournament={tournament.pk}&page_size=5").json()
    assert len(page["results"]) == 5
    bot = standings[0]["bot_id"]
    assert len(anybody.get(f"/api/v1/matches/?bot={bot}").json()["results"]) == 18

    ratings = anybody.get(f"/api/v1/ratings/?pool={tournament.pool_id}").json()["results"]
    elos = [row["elo"] for row in ratings]
    assert [row["place"] for row in ratings] == [1 + sum(e > elo for e in elos) for elo in elos]
    lowest = anybody.get("/api/v1/ratings/?ordering=elo&page_size=1").json()["results"]
    assert lowest == ratings[-1:]
    assert len(anybody.get("/api/v1/ratings/?owner=Ann").json()["results"]) == 1
    assert anybody.get("/api/v1/ratings/?owner=bob").json()["results"] == []
    [pool] = anybody.get("/api/v1/pools/?players=3").json()["results"]
    snapshot = pool["snapshot"]
    assert (pool["id"], snapshot["versions"], snapshot["matches"]) == (tournament.pool_id, 4, 24)
    assert anybody.get(f"/api/v1/pools/{pool['id']}/").json() == pool


def test_a_cancelled_tournament_shows_its_records(as_ann, anybody, ann):
    tournament, tables = kit.running(ann)
    kit.play(tables[0])
    [match] = anybody.get("/api/v1/matches/").json()["results"]
    assert as_ann.post(f"/api/v1/tournaments/{tournament.pk}/cancel/").json()["status"] == "cancelled"
    assert as_ann.post(f"/api/v1/tournaments/{tournament.pk}/cancel/").json()["status"] == "cancelled"
    assert anybody.get(f"/api/v1/matches/{match['id']}/record/").status_code == 200
    assert as_ann.post(f"/api/v1/tournaments/{tournament.pk}/start/").status_code == 409
    assert StatusNote.objects.get(kind="tournament", new="cancelled").by == ann


def test_a_finished_tournament_stays_finished(as_ann, ann):
    tournament, tables = kit.running(ann)
    for table in tables:
        kit.play(table)
    advance(tournament)
    for action in ("open", "start", "cancel"):
        answer = as_ann.post(f"/api/v1/tournaments/{tournament.pk}/{action}/")
        assert answer.status_code == 409
        assert "finished" in answer.json()["detail"]
    assert Tournament.objects.get().status == "finished"


def test_the_logs_of_a_match_are_for_those_whose_bots_wrote_them(as_ann, as_bob, as_staff, anybody, ann, bob):
    cup = kit.open_tournament(ann)
    cup.rated = False  # two of one owner's at one table
    cup.save()
    for owner, name in ((ann, "Mine"), (bob, "Theirs"), (ann, "Mine too")):
        kit.tournaments.enter(cup, kit.active(owner, name), owner)
    _, tables = kit.tournaments.start(cup, ann)
    kit.play(tables[0])
    [match] = anybody.get("/api/v1/matches/").json()["results"]
    address = f"/api/v1/matches/{match['id']}/logs/"
    assert {row["bot"] for row in as_ann.get(address).json()} == {"Mine", "Mine too"}
    assert [row["log"] for row in as_bob.get(address).json()] == ["log of Theirs#1"]
    assert len(as_staff.get(address).json()) == 3
    assert anybody.get(address).status_code == 401
    carol = kit.client(kit.user("carol"))
    assert carol.get(address).status_code == 404
    assert "log of" not in anybody.get(f"/api/v1/matches/{match['id']}/").content.decode()


def test_a_tournament_tells_the_actions_that_its_state_allows(ann, anybody):
    tournament = kit.open_tournament(ann)
    address = f"/api/v1/tournaments/{tournament.pk}/"
    assert anybody.get(address).json()["actions"] == ["enter", "withdraw", "start", "cancel"]
    kit.entered(tournament, 3)
    kit.tournaments.start(tournament, ann)
    expected = ["withdraw", "pause", "extend", "replay", "cancel"]
    assert anybody.get(address).json()["actions"] == expected
    assert anybody.get("/api/v1/tournaments/").json()["results"][0]["actions"] == expected


def test_a_list_of_those_that_take_entrants_is_of_those_whose_actions_say_so(ann, anybody):
    kit.running(ann)
    for name in ("Open", "Ladder", "Paused", "Ending"):
        if name == "Open":
            kit.open_tournament(ann, name)
        else:
            kit.running(ann, name=name, more={"format": "ladder"})
    steering.pause(Tournament.objects.get(name="Paused"), ann)
    steering.finish(Tournament.objects.get(name="Ending"), ann)
    rows = anybody.get("/api/v1/tournaments/").json()["results"]
    for said, asked in ((True, "true"), (False, "false")):
        those = anybody.get(f"/api/v1/tournaments/?takes_entrants={asked}").json()["results"]
        assert [row for row in rows if ("enter" in row["actions"]) is said] == those != []
    assert anybody.get("/api/v1/tournaments/?takes_entrants=1").status_code == 400
