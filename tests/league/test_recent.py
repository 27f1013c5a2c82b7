"""What is told about a version's latest matches; parts of names; some versions of a snapshot."""

import pytest

from league.matches import recent
from league.matches.models import Match, MatchSeat
from league.ratings.models import Snapshot
from tests.league import kit

pytestmark = pytest.mark.django_db


@pytest.fixture
def cup(ann):
    """Four bots on two boards of two deals, played to the end; one snapshot."""
    tournament, _ = kit.running(ann, entrants=4, boards=2, deals=2)
    kit.play_all(tournament)
    kit.recompute(tournament.pool)
    return tournament


def told_of(api, version):
    answer = api.get(f"/api/v1/versions/{version.pk}/recent/")
    assert answer.status_code == 200, answer.content
    return answer.json()


def test_results_by_seat_and_board_are_what_the_matches_say(cup, ann, anybody):
    version = ann.bots.get().versions.get()
    told = told_of(anybody, version)
    seats = MatchSeat.objects.filter(version=version).select_related("match")
    assert told["matches"] == len(seats)
    assert [row["seat"] for row in told["seats"]] == [0, 1, 2]
    for row in told["seats"]:
        there = [seat for seat in seats if seat.seat == row["seat"]]
        deals = sum(seat.match.deals for seat in there)
        assert (row["variant"], row["players"], row["matches"]) == ("polignac", 3, len(there))
        assert row["points"] == pytest.approx(sum(seat.total for seat in there) / deals, abs=1e-4)
        assert row["wins"] == sum(seat.rank == 1 for seat in there)
        assert row["difference_low"] < row["difference"] < row["difference_high"]
    for row in (*told["best"], *told["worst"]):
        there = [seat for seat in seats if seat.match.board_id == row["board_id"]]
        deals = sum(seat.match.deals for seat in there)
        others = MatchSeat.objects.filter(match__in=[seat.match for seat in there]).exclude(version=version)
        lead = sum(seat.total for seat in there) - sum(seat.total for seat in others) / 2
        assert row["difference"] == pytest.approx(lead / deals, abs=1e-3)
    assert all(row["difference"] < 0 for row in told["best"])
    assert all(row["difference"] > 0 for row in told["worst"])


def test_the_lost_ones_are_those_furthest_behind_and_none_that_it_won(cup, anybody):
    for entrant in cup.entrants.select_related("version"):
        told = told_of(anybody, entrant.version)["lost"]
        behind = []
        for own in MatchSeat.objects.filter(version=entrant.version).select_related("match"):
            others = own.match.seats.exclude(pk=own.pk)
            lead = own.total - sum(other.total for other in others) / 2
            if own.rank > 1 and lead > 0:
                behind.append(lead / own.match.deals)
        found = [(each["total"] - each["others"]) / each["deals"] for each in told]
        assert found == pytest.approx(sorted(behind, reverse=True)[: len(found)])
        assert len(found) == min(len(behind), recent.SHOWN)


def test_faults_are_told_by_match_and_only_the_latest_matches_are_looked_at(ann, anybody, monkeypatch):
    tournament = kit.open_tournament(ann, deals=1)
    versions = kit.entered(tournament, 3)
    _, tables = kit.tournaments.start(tournament, ann)
    kit.play(tables[0], dead=versions[:1])
    kit.play(tables[1])
    told = told_of(anybody, versions[0])
    assert [(each["match"], each["faults"], each["vacated"]) for each in told["faulty"]] == [
        (Match.objects.earliest("pk").pk, 1, True)
    ]
    monkeypatch.setattr(recent, "LATEST", 1)
    told = told_of(anybody, versions[0])
    assert (told["matches"], told["faulty"]) == (1, [])


def test_a_version_that_has_not_played_has_nothing_and_one_that_may_not_be_known_is_not_found(ann, anybody):
    assert told_of(anybody, kit.active(ann))["matches"] == 0
    hidden = kit.received(ann, "Hidden")
    assert anybody.get(f"/api/v1/versions/{hidden.pk}/recent/").status_code == 404


@pytest.mark.parametrize(
    ("search", "found"), [("HERON", 1), ("ob", 1), ("o", 2), ("%", 0), ("_", 0), ("x", 0)]
)
def test_bots_and_ratings_are_found_by_a_part_of_a_name(ann, bob, anybody, search, found):
    kit.active(ann, "Grey Heron")
    kit.active(bob, "Owl")
    assert len(anybody.get("/api/v1/bots/", {"search": search}).json()["results"]) == found


def test_a_pool_has_the_cross_table_of_all_its_tournaments(cup, ann, anybody):
    version = ann.bots.get().versions.get().pk
    kit.recompute(cup)
    tables = []
    for scope in (f"pools/{cup.pool_id}", f"tournaments/{cup.pk}"):
        rows = anybody.get(f"/api/v1/{scope}/crosstable/?version={version}").json()["results"]
        tables.append(sorted(rows, key=lambda row: row["other"]["version_id"]))
    assert tables[0] == tables[1]
    assert len(tables[0]) == 3


def test_the_ratings_of_a_snapshot_can_be_those_of_some_versions(cup, anybody):
    digest = Snapshot.objects.get(sheet__pool=cup.pool_id).results_hash
    address = f"/api/v1/pools/{cup.pool_id}/snapshots/{digest}/ratings/"
    rows = anybody.get(address).json()["results"]
    some = [row["version_id"] for row in rows[1:3]]
    found = anybody.get(address, {"versions": ",".join(map(str, some))}).json()["results"]
    assert found == rows[1:3]
    for wrong in ("1,", "x", "0", "1,2,٣", ",".join(["1"] * 201)):
        answer = anybody.get(address, {"versions": wrong})
        assert (answer.status_code, answer.json()["code"]) == (400, "bad_number"), wrong
