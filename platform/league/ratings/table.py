"""Results to the lines of a sheet: a pure function of what counts."""

from dataclasses import asdict, dataclass
from typing import Any

from arena.ratings import bradley_terry, table
from arena.ratings.live import K, elo_live
from arena.ratings.results import Results
from arena.ratings.score import score_intervals
from league.ratings import packing
from league.ratings.models import Pool, Snapshot
from league.tournaments.models import Tournament
from league.tournaments.standings import standing_order

#: What the numbers depend on beside the results; told with every snapshot.
PARAMETERS: dict[str, Any] = {
    "elo": "Bradley-Terry over all pairs of each match, ties half",
    "scale": table.SCALE,
    "mean": table.MEAN,
    "prior": bradley_terry.PRIOR,
    "provisional_above_elo": table.PROVISIONAL_ABOVE_ELO,
    "provisional_below_blocks": table.PROVISIONAL_BELOW_BLOCKS,
    "live_k": K,
}


@dataclass(frozen=True)
class Computed:
    """A snapshot to be; `rows` are the columns of its ratings, in the order of the list."""

    results_hash: str
    matches: int
    blocks: int
    components: int
    rows: list[dict[str, Any]]

    def same_as(self, snapshot: Snapshot) -> bool:
        """Whether the snapshot is of the same results, by the same formulas."""
        return (snapshot.results_hash, snapshot.parameters) == (self.results_hash, PARAMETERS)


def compute(scope: Pool | Tournament, results: Results) -> Computed:
    """What the results of a pool or a tournament add up to: the same bytes for the same set of results."""
    if not results.matches:
        return Computed(results.digest, 0, 0, 0, [])
    history = elo_live(results)
    rated = table.rate(results, history)
    more = zip(
        score_intervals(results, rated.fit), packing.versus(rated.fit), packing.live(history), strict=True
    )
    beside = dict(zip(results.competitors.tolist(), more, strict=True))
    placed = (
        [(rating.place, rating) for rating in rated.ratings]
        if isinstance(scope, Pool)
        else standing_order(rated.ratings)
    )
    rows = []
    for position, (place, rating) in enumerate(placed, start=1):
        columns = asdict(rating) | {"position": position, "place": place}
        columns["version_id"] = version = columns.pop("competitor")
        (columns["score_low"], columns["score_high"]), columns["versus"], columns["live"] = beside[version]
        rows.append(columns)
    return Computed(results.digest, results.matches, int(results.blocks[-1]) + 1, rated.components, rows)
