"""What the new columns say of tournaments that were planned before there were any."""

import secrets
from typing import Any

from django.apps.registry import Apps
from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.models import Count, F, OuterRef, Subquery

FULL = {"kind": "full", "meetings": None, "groups_each": None}


def fill(apps: Apps, editor: BaseDatabaseSchemaEditor) -> None:
    """Every tournament was a full round robin, planned at once, with a table for each seat."""
    tournament, group, board, table = (
        apps.get_model("tournaments", name) for name in ("Tournament", "Group", "Board", "Table")
    )
    for each in tournament.objects.all():
        each.seed, each.options = secrets.token_hex(32), FULL
        each.round, each.last = (1, True) if each.started_at else (0, False)
        each.save()
    players = tournament.objects.filter(pk=OuterRef("tournament")).values("players")
    group.objects.update(seatings=Subquery(players))
    of_group = group.objects.filter(pk=OuterRef("group"))
    boards = tournament.objects.filter(groups=OuterRef("group")).values("boards")
    table.objects.update(tournament=Subquery(of_group.values("tournament")), boards=Subquery(boards))
    # Only here: the model of the matches depends on this app.
    matches = board.objects.annotate(played=Subquery(_played(table))).filter(played=F("group__seatings"))
    board.objects.filter(pk__in=matches.values("pk")).update(complete=True)


def _played(table: Any) -> Any:
    """Whole tables are stored together: a board was played as often as its group has tables that are done."""
    done = table.objects.filter(group=OuterRef("group"), status="done").order_by().values("group")
    return done.annotate(n=Count("pk")).values("n")


class Migration(migrations.Migration):
    dependencies = (("tournaments", "0002_formats"),)

    operations = (migrations.RunPython(fill, migrations.RunPython.noop),)
