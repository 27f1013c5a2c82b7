"""Ten lines: stay under the trick where that is possible, as high as possible; else get rid of something high."""

from polignac import Bot


class Ducker(Bot):
    def play(self):
        under = [card for card in self.legal if not self.would_win(card)]
        return max(under or self.legal, key=self.strength)


Ducker().run()
