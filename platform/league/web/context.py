"""What every page has: the way to the others."""

from django.http import HttpRequest

#: The pages of the site's head, by the names of their addresses.
SITE_MAP = (
    ("home", "Ladder"),
    ("tournaments", "Tournaments"),
    ("bots", "Bots"),
    ("matches", "Matches"),
    ("seat", "Take a seat"),
    ("submit", "Submit a bot"),
    ("guide", "Rules and guide"),
)


def site(request: HttpRequest) -> dict[str, object]:
    """For the templates; a page says itself which one is `here`."""
    return {"site_map": SITE_MAP}
