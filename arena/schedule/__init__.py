"""Who sits where: pure functions from a field of entrants to groups and seatings."""


class ScheduleError(ValueError):
    """The field can't be scheduled as asked: the message says why and what would be right."""
