"""Sheets for what was there before there were any: all are behind, so `reconcile` has them computed."""

from django.apps.registry import Apps
from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor


def make_sheets(apps: Apps, editor: BaseDatabaseSchemaEditor) -> None:
    """One for each pool, and for each tournament that has begun."""
    sheet, pool = (apps.get_model("ratings", name) for name in ("Sheet", "Pool"))
    tournament = apps.get_model("tournaments", "Tournament")
    sheet.objects.bulk_create(sheet(pool=each, changes=1) for each in pool.objects.all())
    begun = tournament.objects.filter(started_at__isnull=False)
    sheet.objects.bulk_create(sheet(tournament=each, changes=1) for each in begun)


class Migration(migrations.Migration):
    dependencies = (("ratings", "0002_sheets"), ("tournaments", "0004_required"))

    operations = (migrations.RunPython(make_sheets, migrations.RunPython.noop),)
