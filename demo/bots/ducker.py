"""Stay under the trick with the highest card that does; where none does, play the lowest."""

from polignac import Bot


class Ducker(Bot):
    def play(self):
        under = [card for card in self.legal if not self.would_win(card)]
        if under:
            return max(under, key=self.strength)
        return min(self.legal, key=self.strength)


Ducker().run()
