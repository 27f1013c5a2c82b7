"""What can go wrong, split first by whose fault it is.

::

    the user's       ValueError
                       RulesError        rules that cannot be played (arena.rules)
                       Misdeal           hands supplied from outside that are no deal (arena.deal)
                       Unsound           a record that does not check (arena.audit)
    the bot's        Failure             not raised: a value that a seat answers with (arena.seat)
    the platform's   PlatformFailure     the match is void: no result, played again, nobody blamed
    the caller's     IllegalMove         a bid or card that the state of play does not allow
"""


class PlatformFailure(Exception):
    """The platform could not do its part: the match is void and is played again (protocol.md, Faults).

    Attributes:
        code: a short stable name for operators, such as ``sandbox_start``.
    """

    def __init__(self, code: str, message: str) -> None:
        super().__init__(f"{code}: {message}")
        self.code = code
        self.message = message


class IllegalMove(ValueError):
    """A bid or a card that is impossible here: not offered, not held, or nobody's turn."""


class Misdeal(ValueError):
    """A deal supplied from outside that is void (rules.md § 3); the text gives the reason."""
