"""Any legal card; `self.random` gives the same numbers when the same hand is played again."""

from polignac import Bot


class Dice(Bot):
    def play(self):
        return self.random.choice(self.legal)


Dice().run()
