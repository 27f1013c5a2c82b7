"""What is typed into a form, as the API takes it."""

#: Longer than any number that is taken.
_LONGEST = 18


def whole(text: str) -> int | str:
    """A whole number; what is none goes to the API as it is, which says so in its own words."""
    text = text.strip()
    return int(text) if text.isascii() and text.isdecimal() and len(text) <= _LONGEST else text
