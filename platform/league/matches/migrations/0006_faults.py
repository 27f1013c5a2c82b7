"""The faults of matches that are there already, counted by kind from their records."""

from collections import Counter

import msgspec
from django.apps.registry import Apps
from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

CHUNK = 500


class _Fault(msgspec.Struct):
    seat: int
    kind: str


class _Record(msgspec.Struct):
    faults: list[_Fault]


def fill(apps: Apps, editor: BaseDatabaseSchemaEditor) -> None:
    """Only matches with faults are read. Harmless when it is broken off and begun again."""
    seats, matches, counts = (
        apps.get_model("matches", name).objects for name in ("MatchSeat", "Match", "FaultCount")
    )
    last = 0
    faulty = seats.filter(faults__gt=0).order_by("match_id").values_list("match_id", flat=True).distinct()
    while ids := list(faulty.filter(match_id__gt=last)[:CHUNK]):
        sat = {
            (match, seat): version
            for match, seat, version in seats.filter(match__in=ids).values_list("match_id", "seat", "version_id")
        }
        found: Counter[tuple[int, int, str]] = Counter()
        for match, record in matches.filter(pk__in=ids).values_list("pk", "record"):
            for fault in msgspec.json.decode(bytes(record), type=_Record).faults:
                found[match, sat[match, fault.seat], fault.kind] += 1
        counts.bulk_create(
            [
                counts.model(match_id=match, version_id=version, kind=kind, count=count)
                for (match, version, kind), count in found.items()
            ],
            ignore_conflicts=True,
        )
        last = ids[-1]


class Migration(migrations.Migration):
    atomic = False  # in small steps, beside a site that plays on
    dependencies = (("matches", "0005_clock_and_faults"),)

    operations = (migrations.RunPython(fill, migrations.RunPython.noop),)
