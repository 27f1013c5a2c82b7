"""How long snapshots are kept."""

from datetime import timedelta

from django.utils import timezone

from league.ratings.models import Sheet

#: Of a pool: so many of the newest, and of each earlier day the last, for so many days.
NEWEST = 50
DAYS = 400


def kept(sheet: Sheet) -> set[int]:
    """The ids of the snapshots that stay. Of a tournament only the current one does."""
    if sheet.tournament_id is not None:
        return {sheet.current_id} if sheet.current_id else set()
    oldest = timezone.now() - timedelta(days=DAYS)
    rows = list(sheet.snapshots.order_by("number").values_list("pk", "computed_at"))
    of_day = {at.date(): pk for pk, at in rows if at >= oldest}  # the last of a day comes last
    return {*of_day.values(), *(pk for pk, _ in rows[-NEWEST:])}
