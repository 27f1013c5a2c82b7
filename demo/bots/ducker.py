"""Stay under the trick, with the highest card that does; where none does, get rid of the highest."""

from polignac import Bot


class Ducker(Bot):
    def play(self):
        under = [card for card in self.legal if not self.would_win(card)]
        return max(under or self.legal, key=self.strength)


Ducker().run()
