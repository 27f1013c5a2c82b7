"""Any legal card. `self.random` is seeded with the deal's luck: the same hand is played the same way again."""

from polignac import Bot


class Dice(Bot):
    def play(self):
        return self.random.choice(self.legal)


Dice().run()
