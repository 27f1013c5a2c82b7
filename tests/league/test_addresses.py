"""One address for each thing, and what lists take: groups, tables, versions, entrants, exports and their
size."""

import pytest

from league.bots import services as bots
from league.tournaments.models import Group, Table
from sandbox.reference import reference_package
from tests.league import kit

pytestmark = pytest.mark.django_db


@pytest.fixture
def cup(ann):
    """A tournament of four entrants in groups of three; one table is played."""
    cup, tables = kit.running(ann, entrants=4, boards=2)
    kit.play(tables[0])
    return cup


def test_a_group_and_a_table_have_addresses_of_their_own_and_are_as_in_the_lists(cup, anybody):
    root = f"/api/v1/tournaments/{cup.pk}/"
    for what, model in (("groups", Group), ("tables", Table)):
        rows = anybody.get(f"{root}{what}/").json()["results"]
        assert len(rows) == model.objects.count()
        for row in rows:
            one = anybody.get(f"/api/v1/{what}/{row['id']}/").json()
            assert one == row
            assert one["tournament"] == cup.pk
    table = anybody.get(f"{root}tables/").json()["results"][0]
    assert anybody.get(f"/api/v1/groups/{table['group_id']}/").json()["number"] == table["group"]
    match = anybody.get(f"/api/v1/matches/?table={table['id']}").json()["results"][0]
    assert (match["table"], match["group_id"]) == (table["id"], table["group_id"])


def test_of_a_draft_that_is_not_ones_own_no_part_is_found(cup, as_ann, as_bob, anybody):
    type(cup).objects.update(status="draft")
    for address in (f"groups/{Group.objects.first().pk}", f"tables/{Table.objects.first().pk}"):
        assert as_ann.get(f"/api/v1/{address}/").status_code == 200
        for client in (as_bob, anybody):
            assert client.get(f"/api/v1/{address}/").status_code == 404


def test_the_versions_of_a_bot_are_public_by_number_and_status(ann, as_ann, anybody):
    version = kit.active(ann)
    retired = bots.retire_version(version, by=ann)
    bots.add_version(version.bot, reference_package("lowest"))
    address = f"/api/v1/bots/{version.bot_id}/versions/"
    [row] = anybody.get(address).json()["results"]
    assert (row["id"], row["number"], row["status"]) == (retired.pk, 1, "retired")
    assert row["created_at"]
    assert [row["number"] for row in as_ann.get(address).json()["results"]] == [1, 2]
    assert [row["number"] for row in as_ann.get(f"{address}?status=received").json()["results"]] == [2]
    assert anybody.get(f"{address}?status=received").json()["results"] == []
    assert anybody.get("/api/v1/bots/999/versions/").status_code == 404


def test_the_stages_of_a_check_are_a_list_with_its_logs(ann, as_ann):
    version = kit.received(ann)
    claim = bots.claim_version(version.pk)
    bots.record_stage(claim, 0, kit.stage("archive", log="what it said"))
    stages = as_ann.get(f"/api/v1/versions/{version.pk}/stages/").json()
    assert [(stage["stage"], stage["log"]) for stage in stages] == [("archive", "what it said")]
    assert stages == as_ann.get(f"/api/v1/versions/{version.pk}/").json()["checks"]


def test_entrants_are_found_by_version_bot_owner_and_status(cup, anybody, as_ann):
    address = f"/api/v1/tournaments/{cup.pk}/entrants/"
    rows = anybody.get(address).json()["results"]
    assert len(rows) == 4
    as_ann.delete(f"{address}{rows[0]['id']}/")
    for query, expected in (
        (f"version={rows[2]['version_id']}", rows[2:3]),
        (f"bot={rows[1]['bot_id']}", rows[1:2]),
        (f"owner={rows[3]['owner'].upper()}", rows[3:4]),
        ("status=entered", rows[1:]),
        ("status=entered&version=999", []),
    ):
        found = anybody.get(f"{address}?{query}").json()["results"]
        assert [row["id"] for row in found] == [row["id"] for row in expected], query
    assert anybody.get(f"{address}?status=lost").json()["code"] == "invalid_choice"


def test_an_export_tells_how_many_there_are_so_that_an_end_too_early_is_seen(cup, anybody):
    kit.recompute(cup)
    kit.recompute(cup.pool)
    for path, many in (
        ("matches.jsonl", 2),
        ("matches.csv", 2),
        ("matches.csv?board=999", 0),
        ("ratings.jsonl", 0),
        (f"tournaments/{cup.pk}/standings.csv", 0),
    ):
        assert anybody.get(f"/api/v1/{path}").headers["X-Total-Count"] == str(many)
    kit.play_all(cup)
    kit.recompute(cup.pool)
    for path, many in ((f"tournaments/{cup.pk}/records.jsonl", 24), ("ratings.csv", 4)):
        assert anybody.get(f"/api/v1/{path}").headers["X-Total-Count"] == str(many)
