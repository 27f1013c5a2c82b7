"""Announces Capot with a hand full of high cards, and then plays from the top; otherwise from the bottom."""

from polignac import Bot


class Gambler(Bot):
    def bid(self, options):
        high = sum(self.strength(card) >= 6 for card in self.hand)
        return "capot" if "capot" in options and high * 2 > len(self.hand) + 2 else "pass"

    def play(self):
        mine = self.announced == (self.seat, "capot")
        return (max if mine else min)(self.legal, key=self.strength)


Gambler().run()
