"""A database from before there were formats: what its tournaments say afterwards."""

import pytest
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.utils import timezone

BEFORE, AFTER = ("tournaments", "0001_initial"), ("tournaments", "0004_required")


@pytest.fixture
def migrated():
    """`migrated(node)`: the models of a database that is there; at the end it is where it was."""

    def to(*nodes):
        executor = MigrationExecutor(connection)
        executor.migrate(list(nodes))
        return MigrationExecutor(connection).loader.project_state(list(nodes)).apps

    latest = MigrationExecutor(connection).loader.graph.leaf_nodes()
    yield to
    to(*latest)


@pytest.mark.django_db(transaction=True)
def test_old_tournaments_are_full_round_robins_whose_played_boards_are_complete(migrated):
    old = migrated(BEFORE)
    user = old.get_model("accounts", "User").objects.create(username="ann", username_key="ann")
    cup = old.get_model("tournaments", "Tournament").objects.create(
        organiser=user, name="Cup", name_key="cup", rules={}, players=3, boards=2
    )
    running = {"pool": _pool(old), "status": "running", "started_at": timezone.now()}
    type(cup).objects.filter(pk=cup.pk).update(**running)
    for number, status in ((1, "done"), (2, "queued")):
        group = old.get_model("tournaments", "Group").objects.create(tournament=cup, number=number)
        for seat in range(3):
            last = seat == 2 and status == "queued"
            old.get_model("tournaments", "Table").objects.create(
                group=group, number=seat, status="queued" if last else "done"
            )
        for board in (1, 2):
            text = f"{number}{board}" * 32
            old.get_model("tournaments", "Board").objects.create(
                group=group, number=board, seed=text, commitment=text
            )
    new = migrated(AFTER)
    cup = new.get_model("tournaments", "Tournament").objects.get()
    assert (cup.round, cup.last, cup.rated, cup.options["kind"]) == (1, True, True, "full")
    assert len(cup.seed) == 64
    tables = new.get_model("tournaments", "Table").objects
    assert set(tables.values_list("tournament", "boards", "batch")) == {(cup.pk, 2, 1)}
    assert set(new.get_model("tournaments", "Group").objects.values_list("seatings", "round")) == {(3, 1)}
    boards = new.get_model("tournaments", "Board").objects
    assert list(boards.order_by("pk").values_list("complete", flat=True)) == [True, True, False, False]


def _pool(apps):
    return apps.get_model("ratings", "Pool").objects.create(key="k", rules={}, variant="polignac", players=3)
