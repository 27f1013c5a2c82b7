"""Each match's tournament is that of its table."""

from django.apps.registry import Apps
from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.models import OuterRef, Subquery


def fill(apps: Apps, editor: BaseDatabaseSchemaEditor) -> None:
    """In one statement."""
    table = apps.get_model("tournaments", "Table").objects.filter(pk=OuterRef("table"))
    apps.get_model("matches", "Match").objects.update(tournament=Subquery(table.values("tournament")))


class Migration(migrations.Migration):
    dependencies = (("matches", "0002_tournament"), ("tournaments", "0003_fill"))

    operations = (migrations.RunPython(fill, migrations.RunPython.noop),)
