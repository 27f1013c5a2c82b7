"""Text from strangers, made harmless for a terminal."""


def printable(text: str) -> str:
    """`text` with control characters as escapes: it may come from a stranger's bot, record or site."""
    return "".join(char if char.isprintable() else char.encode("unicode_escape").decode() for char in text)
