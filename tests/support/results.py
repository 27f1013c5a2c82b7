"""Results to rate, written as who came where."""

from arena.ratings.results import Results


def played(*matches):
    """Results of matches given as {competitor: rank}; each is a group of its own."""
    return Results.from_rows(
        (1, number, 0, 0, 1, competitor, rank, rank, 0, 0)
        for number, match in enumerate(matches)
        for competitor, rank in match.items()
    )
