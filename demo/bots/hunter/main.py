"""A bot of several files: leads what the others will have to take, throws away what is dangerous."""

from judgement import danger, safety
from polignac import Bot


class Hunter(Bot):
    def play(self):
        if not self.trick:
            return max(self.legal, key=lambda card: safety(self, card))
        led = self.trick[0][1]
        if self.legal[0][1] != led:
            return max(self.legal, key=lambda card: danger(self, card))
        under = [card for card in self.legal if not self.would_win(card)]
        if under:
            return max(under, key=lambda card: (self.points(card), self.strength(card)))
        last = len(self.trick) == len(self.seats) - 1
        harmless = not any(self.points(card) for card in self.trick)
        return (max if last and harmless else min)(self.legal, key=self.strength)


Hunter().run()
