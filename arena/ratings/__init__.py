"""Results to ratings: pure functions of the set of results, whatever the order they came in."""
