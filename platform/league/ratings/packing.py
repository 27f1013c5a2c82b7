"""What is kept with a version's line as bytes: too many small numbers to be rows of their own."""

import zlib
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from arena.ratings.bradley_terry import Fit
from arena.ratings.live import Live
from arena.ratings.table import ELO

#: How a version did against each of the snapshot's versions, in the order of their ids. `error`: the standard
#: error of their lead, in Elo, whatever component they are of.
VERSUS = np.dtype([("met", "<i4"), ("won", "<i4"), ("lost", "<i4"), ("error", "<f4")])
#: `elo_live` after so many of the version's matches.
LIVE = np.dtype([("matches", "<i4"), ("elo", "<f4")])
#: The most points that a history has; of longer ones as many are taken, evenly.
LIVE_POINTS = 200


def versus(fit: Fit) -> Iterator[bytes]:
    """One for each competitor, in their order."""
    variance = np.diagonal(fit.covariance)
    error = ELO * np.sqrt(np.maximum(variance[:, None] + variance[None, :] - 2 * fit.covariance, 0.0))
    for at in range(len(variance)):
        row = np.empty(len(variance), VERSUS)
        row["met"], row["won"], row["lost"] = fit.pairs.met[at], fit.pairs.won[at], fit.pairs.won[:, at]
        row["error"] = error[at]
        yield _pack(row)


def live(history: Live) -> Iterator[bytes]:
    """One for each competitor, in their order."""
    seats = history.results.seats.ravel()
    order = np.argsort(seats, kind="stable")
    sizes = np.bincount(seats, minlength=len(history.elo))
    after = history.after.ravel()
    for size, end in zip(sizes, np.cumsum(sizes), strict=True):
        chosen = np.unique(np.linspace(1, size, min(size, LIVE_POINTS)).astype(np.int64))
        row = np.empty(len(chosen), LIVE)
        row["matches"], row["elo"] = chosen, after[order[end - size + chosen - 1]]
        yield _pack(row)


def unpack(data: bytes | memoryview | None, kind: "np.dtype[np.void]") -> NDArray[np.void]:
    """What was packed with a line of a current snapshot; of others there is nothing left."""
    return np.frombuffer(zlib.decompress(data), kind) if data else np.empty(0, kind)


def _pack(row: NDArray[np.void]) -> bytes:
    return zlib.compress(row.tobytes(), level=1)
