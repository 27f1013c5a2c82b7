"""How good or bad a card is, from what has been seen so far."""


def higher_out(bot, card):
    """How many cards of its suit that the others hold would beat it."""
    return sum(other[1] == card[1] and bot.strength(other) > bot.strength(card) for other in bot.unseen())


def lower_out(bot, card):
    """How many cards of its suit that the others hold it would beat."""
    return sum(other[1] == card[1] and bot.strength(other) < bot.strength(card) for other in bot.unseen())


def danger(bot, card):
    """How gladly a card is thrown away: points first, then what would take tricks, from short suits."""
    length = sum(other[1] == card[1] for other in bot.hand)
    return (bot.points(card), lower_out(bot, card) - higher_out(bot, card), -length)


def safety(bot, card):
    """How little a lead is likely to win the trick, and points with it."""
    return (-bot.points(card), higher_out(bot, card) - lower_out(bot, card), -bot.strength(card))
