"""Runs strangers' programs: confined, timed, and never blamed for what is not their fault.

The ring between ``arena`` and the league: it knows arena's :class:`~arena.seat.Seat` port and the
protocol, and nothing of Django.
"""
