"""The cross table of a tournament and the head-to-head of two versions: what the matches say of each pair."""

from itertools import combinations

import pytest

from arena.ratings.head_to_head import head_to_head
from arena.ratings.table import rate
from league.matches.columns import results
from league.matches.models import MatchSeat
from league.ratings.models import Rating
from league.ratings.selectors import current_of, lines
from league.ratings.services import recompute
from tests.league import kit
from tests.league.test_lists import pages

pytestmark = pytest.mark.django_db


@pytest.fixture
def cup(ann):
    """Four bots; three of their four groups have played."""
    tournament, tables = kit.running(ann, entrants=4)
    for table in tables[:9]:
        kit.play(table)
    recompute(tournament)
    recompute(tournament.pool)
    return tournament


def record(one, other):
    """Won, drawn and lost by one in the matches where both sat, counted match by match."""
    ranks = {}
    for seat in MatchSeat.objects.filter(match__board__complete=True, version__in=[one, other]):
        ranks.setdefault(seat.match_id, {})[seat.version_id] = seat.rank
    both = [rank for rank in ranks.values() if len(rank) == 2]
    better = [(rank[one] < rank[other], rank[one] == rank[other], rank[one] > rank[other]) for rank in both]
    return [sum(column) for column in zip(*better, strict=True)]


def test_each_pair_that_met_is_there_once_with_its_record(cup, anybody):
    table = anybody.get(f"/api/v1/tournaments/{cup.pk}/crosstable/").json()["results"]
    order = list(lines(current_of(cup)).values_list("version_id", flat=True))
    pairs = [(row["one"]["version_id"], row["other"]["version_id"]) for row in table]
    assert pairs == list(combinations(order, 2))
    for row, (one, other) in zip(table, pairs, strict=True):
        assert [row["won"], row["drawn"], row["lost"]] == record(one, other)
        assert row["matches"] == row["won"] + row["drawn"] + row["lost"]
        assert row["score"] == pytest.approx((row["won"] + row["drawn"] / 2) / row["matches"], abs=1e-4)


def test_a_cross_table_has_pages_and_can_be_read_from_one_side(cup, anybody):
    address = f"/api/v1/tournaments/{cup.pk}/crosstable/"
    whole = anybody.get(address).json()["results"]
    for size in (1, 2, 4, 5):
        read = [row for page in pages(anybody, f"{address}?page_size={size}") for row in page["results"]]
        assert read == whole
    last = whole[-1]["other"]["version_id"]
    theirs = [
        row for page in pages(anybody, f"{address}?version={last}&page_size=2") for row in page["results"]
    ]
    mirrored = [row for row in whole if row["other"]["version_id"] == last]
    assert [(row["other"], row["won"], row["lost"]) for row in theirs] == [
        (row["one"], row["lost"], row["won"]) for row in mirrored
    ]


def test_a_cross_table_of_the_best_has_the_pairs_among_these(cup, anybody):
    address = f"/api/v1/tournaments/{cup.pk}/crosstable/"
    whole = anybody.get(address).json()["results"]
    best = list(lines(current_of(cup)).values_list("version_id", flat=True))[:3]
    among = [row for row in whole if {row["one"]["version_id"], row["other"]["version_id"]} <= {*best}]
    read = [row for page in pages(anybody, f"{address}?top=3&page_size=2") for row in page["results"]]
    assert read == among
    assert len(read) == 3
    assert anybody.get(f"{address}?top=0").json()["code"] == "bad_number"


def test_a_cursor_into_a_cross_table_that_has_changed_is_refused(cup, anybody):
    address = f"/api/v1/tournaments/{cup.pk}/crosstable/?page_size=1"
    following = anybody.get(address).json()["next"]
    for table in cup.tables.filter(status="queued"):
        kit.play(table.pk)
    recompute(cup)
    assert anybody.get(following).json()["code"] == "bad_cursor"
    assert anybody.get(f"{address}&version=x").json()["code"] == "bad_number"


def test_a_tournament_in_which_nothing_counts_has_an_empty_table(ann, anybody):
    tournament, _ = kit.running(ann)
    for what in ("crosstable", "standings"):
        page = anybody.get(f"/api/v1/tournaments/{tournament.pk}/{what}/").json()
        assert page == {"results": [], "next": None, "previous": None, "snapshot": None}


def test_head_to_head_is_the_record_and_what_the_ratings_say(cup, anybody):
    table = rate(results(cup.pool))
    one, other = (row.version_id for row in lines(current_of(cup.pool))[:2])
    address = f"/api/v1/pools/{cup.pool_id}/head-to-head"
    told = anybody.get(f"{address}/{one}/{other}/").json()
    assert [told["meeting"][name] for name in ("won", "drawn", "lost")] == record(one, other)
    expected = table.compare(one, other)
    for name in ("lead", "lead_error", "lead_low", "lead_high", "chance"):
        assert told["comparison"][name] == pytest.approx(getattr(expected, name), rel=1e-3, abs=0.02), name
    assert told["comparison"]["boards"] == pytest.approx(expected.boards, rel=0.01)
    there = head_to_head(results(cup.pool), one, other)
    for name in ("boards", "points", "points_low", "points_high", "boards_needed"):
        assert told["common"][name] == getattr(there, name), name
    mirrored = anybody.get(f"{address}/{other}/{one}/").json()
    assert mirrored["comparison"]["lead"] == -told["comparison"]["lead"]
    assert mirrored["comparison"]["chance"] == pytest.approx(1 - told["comparison"]["chance"], abs=1e-3)
    assert mirrored["meeting"]["won"] == told["meeting"]["lost"]


def test_versions_that_nothing_links_are_not_compared_and_that_is_said(ann, anybody):
    first, tables = kit.running(ann)
    second, more = kit.running(kit.user("zoe"), name="Other cup")
    for table in (*tables, *more):
        kit.play(table)
    snapshot = recompute(first.pool)
    assert snapshot.components == 2
    assert anybody.get(f"/api/v1/pools/{first.pool_id}/").json()["snapshot"]["components"] == 2
    rows = list(Rating.objects.filter(snapshot=snapshot).order_by("position"))
    assert [row.component for row in rows] == [0, 0, 0, 1, 1, 1]
    assert [row.place for row in rows if row.place == 1 and row.position in (1, 4)] == [1, 1]
    one, other = first.entrants.first().version_id, second.entrants.first().version_id
    told = anybody.get(f"/api/v1/pools/{first.pool_id}/head-to-head/{one}/{other}/").json()
    assert told["comparison"] is None
    assert (told["meeting"]["matches"], told["meeting"]["score"], told["common"]) == (0, None, None)


def test_who_is_not_rated_is_not_compared(cup, anybody):
    one = lines(current_of(cup.pool))[0].version_id
    answer = anybody.get(f"/api/v1/pools/{cup.pool_id}/head-to-head/{one}/999/")
    assert (answer.status_code, answer.json()["code"]) == (404, "not_rated")
