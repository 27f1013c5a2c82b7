"""A first bot: stays under the trick while it can, and gets rid of dangerous cards when it is void."""

from polignac import Bot


class Starter(Bot):
    def play(self) -> str:
        led = self.trick[0][1] if self.trick else None
        if led and self.legal[0][1] != led:
            return max(self.legal, key=lambda card: (self.points(card), self.strength(card)))
        under = [card for card in self.legal if not self.would_win(card)]
        return max(under, key=self.strength) if under else min(self.legal, key=self.strength)


Starter().run()
