"""A person as the referee's Seat: asked through the sitting's row, without a clock."""

import time
from collections.abc import Callable, Sequence

from arena.errors import PlatformFailure
from arena.protocol import BidQuestion, Hello, Message, Question
from arena.rules import Rules
from arena.seat import Answer, Reply
from league.common.claims import Claim
from league.sittings import services
from league.sittings.sight import Sight

#: How often the row is looked at while the person thinks.
LOOK_S = 0.2


class Away(Exception):
    """The person has not answered for too long."""


class Changed(PlatformFailure):
    """Played again, the match has come to another point than the one that the person had answered at."""

    def __init__(self, number: int) -> None:
        super().__init__(
            "course_changed", f"played again after an interruption, question {number} was another"
        )


class PersonSeat:
    """A person's seat.

    Args:
        claim: the sitting's; when it ends the person has left, or others play it.
        given: the answers so far, with the mark of the course at each: they are given again, in order.
        idle_s: how long the person may think about one question.
        check: called while the person thinks; what it raises ends the match.
    """

    def __init__(
        self,
        claim: Claim,
        rules: Rules,
        given: Sequence[tuple[str, str]],
        idle_s: float,
        check: Callable[[], None],
    ) -> None:
        self._claim = claim
        self._given = given
        self._idle_s = idle_s
        self._check = check
        self._asked = 0
        self.sight = Sight(rules)
        self.live = False

    def tell(self, message: Message) -> None:
        """See :class:`arena.seat.Seat`."""
        self.sight.hear(message)

    def ask(self, question: Question, budget_ms: float) -> Answer:
        """Ask, and wait as long as it takes: nothing is charged.

        Raises Lost, Away, Changed, and what `check` raises.
        """
        if isinstance(question, Hello):
            self.live = True
            return Reply({"ready": True})
        self.sight.hear(question)
        self._asked += 1
        if isinstance(question, BidQuestion):
            return Reply({"bid": self._answer("bid", question.options)})
        return Reply({"card": self._answer("card", question.legal)})

    def _answer(self, kind: str, legal: Sequence[str]) -> str:
        number, mark = self._asked, self.sight.mark()
        if number <= len(self._given):
            text, was = self._given[number - 1]
            if was != mark or text not in legal:
                raise Changed(number)
            return text
        question = {"number": number, "kind": kind, "legal": list(legal), "mark": mark}
        services.ask(self._claim, question, self.sight.told())
        until = time.monotonic() + self._idle_s
        while (found := services.answer_to(self._claim, number)) is None:
            self._check()
            if time.monotonic() > until:
                raise Away
            time.sleep(LOOK_S)
        return found

    def off_turn_ms(self) -> float:
        """None: nobody's processor is used."""
        return 0.0

    def stop(self) -> None:
        """See :class:`arena.seat.Seat`."""
        self.live = False

    def close(self) -> None:
        """See :class:`arena.seat.Seat`."""
        self.live = False
