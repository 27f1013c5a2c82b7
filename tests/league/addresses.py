"""Every address of the API, from its own map: a route that is added is looked at without being named here."""

from dataclasses import dataclass

from django.core.cache import cache
from django.urls import URLPattern, URLResolver, reverse

from league.api import urls
from league.bots.models import Version
from league.matches.models import Match
from league.ratings.models import Snapshot
from league.tournaments.models import Tournament
from tests.league import kit

#: What answers without an end: read otherwise.
STREAMS = frozenset({"tournament-events", "match-events", "version-events", "pool-events", "sitting-events"})

#: What is made of no row, and takes long: the description of the API, and a look for a broker.
SLOW = frozenset({"schema", "health"})


@dataclass(frozen=True)
class Route:
    """A route's name, and the names of the parameters in its address."""

    name: str
    parameters: tuple[str, ...]

    @property
    def kind(self):
        """What it is about: `bot`, `tournament`."""
        return self.name.partition("-")[0]


def routes(patterns=urls.urlpatterns):
    """All routes of the API."""
    for pattern in patterns:
        if isinstance(pattern, URLResolver):
            yield from routes(pattern.url_patterns)
        elif isinstance(pattern, URLPattern):
            yield Route(pattern.name, tuple(sorted(pattern.pattern.regex.groupindex)))


def about(tournament: Tournament, version: Version) -> dict[str, object]:
    """Values for the parameters: a tournament of which something was played, a version that is in it."""
    match = Match.objects.filter(tournament=tournament, seats__version=version).order_by("pk").first()
    snapshot = Snapshot.objects.filter(sheet__pool=tournament.pool).first()
    other = tournament.entrants.exclude(version=version).order_by("pk").first()
    return {
        "tournament": tournament.pk,
        "bot": version.bot_id,
        "version": version.pk,
        "match": match.pk,
        "board": match.board_id,
        "table": match.table_id,
        "group": match.table.group_id,
        "pool": tournament.pool_id,
        "token": 1,
        "webhook": 1,
        "sitting": 1,
        "delivery": 1,
        "code": "not_found",
        "bot_id": version.bot_id,
        "one": version.pk,
        "other": other.version_id,
        "entrant": other.pk,
        "results_hash": snapshot.results_hash if snapshot else "0" * 64,
        "kind": "csv",
    }


def addresses(values):
    """Each route with its address, but for what is read otherwise."""
    for route in routes():
        if route.name in STREAMS | SLOW:
            continue
        of = {name: values[route.kind if name == "pk" else name] for name in route.parameters}
        yield route, reverse(route.name, kwargs=of)
        if of.get("kind") == "csv":
            yield route, reverse(route.name, kwargs={**of, "kind": "jsonl"})


def read(client, address, **headers):
    """The answer, with its whole body in `body`; no throttle counts it."""
    cache.clear()
    answer = client.get(address, **headers)
    answer.body = b"".join(answer.streaming_content) if answer.streaming else answer.content
    return answer


def played(organiser):
    """A tournament of which all is played and rated, though nobody has said that it is over, and the version
    of its organiser's that is in it."""
    cup, tables = kit.running(organiser)
    for table in tables:
        kit.play(table)
    kit.recompute(cup)
    kit.recompute(cup.pool)
    return cup, cup.entrants.get(version__bot__owner=organiser).version


def pages(*clients, of):
    """Every address of the API as each of the clients gets it, and the site's pages beside it."""
    around = ["/", "/nothing/", "/nothing/<script>alert(1)</script>/", "/admin/login/"]
    every = [address for _, address in addresses(about(*of))] + around
    for client in clients:
        for address in every:
            yield address, read(client, address)
