"""Who sits where: pure functions from a field of entrants, and what was played, to the next round.

`plan` has the values, `formats` the entry points (check, count, next_round, ranking), `preview` what an
organiser is shown before the start; a module for each format, and docs/tournaments.md for people.
"""


class ScheduleError(ValueError):
    """The field can't be scheduled as asked: the message says why and what would be right.

    Attributes:
        code: stable, for programs: `unknown_format`, `unknown_option`, `option` (a value that is not
            allowed), `table_size`, `entered_twice`, `not_entered` (a hero or duellist who is not in the
            field), `too_few_entrants`, `too_few_owners` (owners kept apart make a table impossible),
            `same_owner` (a duel between one owner's entrants where owners are kept apart).
        option: whose value is not allowed; empty where it is none's alone.
    """

    def __init__(self, code: str, message: str, option: str = "") -> None:
        super().__init__(message)
        self.code = code
        self.option = option
