"""What changes about ratings: they are recomputed, never patched."""

import hashlib

from django.db import transaction
from django.utils import timezone

from arena.rules import Rules
from league.matches.selectors import results
from league.ratings.models import Pool, Rating
from league.ratings.table import canonical, rate, results_hash


def pool_for(rules: Rules) -> Pool:
    """The pool of these rules, made where it isn't there yet."""
    options = rules.to_json()
    key = hashlib.sha256(canonical(options)).hexdigest()
    defaults = {"rules": options, "variant": str(rules.variant), "players": rules.players}
    return Pool.objects.get_or_create(key=key, defaults=defaults)[0]


@transaction.atomic
def recompute(pool: Pool) -> Pool:
    """Replace the ratings of a pool by those that its counted results give now."""
    now = Pool.objects.select_for_update().get(pk=pool.pk)
    placings = [result.as_placings() for result in results(now)]
    Rating.objects.filter(pool=now).delete()
    rows = [
        Rating(
            pool=now, version_id=row.version, place=row.place, elo=row.elo, matches=row.matches, wins=row.wins
        )
        for row in rate(placings)
    ]
    Rating.objects.bulk_create(rows, batch_size=500)
    now.matches, now.results_hash, now.rated_at = len(placings), results_hash(placings), timezone.now()
    now.save(update_fields=["matches", "results_hash", "rated_at"])
    return now
