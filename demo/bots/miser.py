"""The lowest card, always: the last tricks, with nothing but high cards left, are its undoing."""

from polignac import Bot


class Miser(Bot):
    def play(self):
        return min(self.legal, key=self.strength)


Miser().run()
