"""A small world for the API's tests: somebody in each role, and rows of each kind in each state."""

import re
from dataclasses import dataclass
from itertools import cycle, islice

from league.accounts.scopes import USUAL, Scope
from league.accounts.tokens import issue
from league.bots import services as bots
from league.matches.models import Match
from league.ratings.models import Snapshot
from league.tournaments.models import Board, Entrant
from league.webhooks import services as webhooks
from league.webhooks.models import Webhook
from tests.league import kit, sitters

ROLES = ("nobody", "author", "other author", "organiser", "staff")

#: What a path's parameter is about: the last word of the path before it.
_PARAMETER = re.compile(r"(?:/([a-z-]+)|(?<=}))/{(\w+)}")


@dataclass(frozen=True)
class World:
    """`users`: by role, None for nobody. `rows`: by the word in a path, what may stand for a parameter after
    it; those of one tournament are at one position.
    """

    users: dict[str, kit.User | None]
    rows: dict[str, list[list[object]]]

    def headers(self, role):
        """What the requests of somebody in that role have: a token good for all that it may be."""
        user = self.users[role]
        if user is None:
            return {}
        scopes = set(Scope) if user.is_staff else USUAL
        return {"Authorization": f"Bearer {issue(user, scopes=scopes)[1]}"}

    def places(self, path):
        """Values for the parameters of a path of the schema: a set for each state to tell apart."""
        found, word, column = {}, "", 0
        for part, name in _PARAMETER.findall(path):
            column = 0 if part else column + 1
            word = part or word
            if word in self.rows:
                found[name] = [row[column] for row in self.rows[word]]
        most = max(map(len, found.values()), default=0)
        columns = {name: islice(cycle(values), most) for name, values in found.items()}
        return [dict(zip(columns, values, strict=True)) for values in zip(*columns.values(), strict=True)]


def make_world():
    """Users, bots with versions in each state, tournaments from the draft to the end, a pool with ratings."""
    cora, staff = kit.user("cora"), kit.user("root", is_staff=True)
    finished, _ = kit.running(cora, name="Finished")
    kit.play_all(finished)
    duel = make_duel(cora, finished)
    swiss, _ = kit.running(cora, entrants=6, name="Swiss", more={"format": "swiss", "options": {"rounds": 2}})
    running, tables = kit.running(cora, boards=2, name="Running")
    for table in (tables[0], swiss.tables.first().pk):
        kit.play(table)
    opened = kit.open_tournament(cora, "Open")
    kit.entered(opened, 3)
    draft = kit.tournaments.create_tournament(cora, "Draft", kit.QUICK, 1)
    for scope in (finished, running, duel, swiss, finished.pool):
        kit.recompute(scope)
    cups = [finished, running, opened, draft, duel, swiss]
    author, other = kit.author(1), kit.author(2)
    waiting = kit.received(author, "Waiting")
    rejected = kit.received(other, "Rejected")
    claim = bots.claim_version(rejected.pk)
    bots.record_stage(claim, 0, kit.stage("archive"))
    bots.record_stage(claim, 1, kit.stage("manifest", "failed", code="no_program", log="what it wrote"))
    bots.finish_check(claim)
    playing = Entrant.objects.filter(tournament=finished, version__bot__owner=author).get().version
    versions = [playing, waiting, rejected]
    rated = finished.entrants.values_list("version_id", flat=True)
    snapshot = Snapshot.objects.filter(sheet__pool=finished.pool).latest("pk")

    hooks = [
        Webhook.objects.create(owner=user, url="https://hooks.example/", events=["*"], salt="00" * 16)
        for user in (author, cora)
    ]

    sittings = [
        sitters.begun(user, versions=[entrant.version for entrant in finished.entrants.all()[:2]])
        for user in (author, cora)
    ]

    def one_of(rows, **where):
        return [[(rows.filter(**where).first() or rows.first()).pk]]

    users = dict(zip(ROLES, (None, author, other, cora, staff), strict=True))
    return World(
        users=users,
        rows={
            "tournaments": [[cup.pk] for cup in cups],
            "entrants": [[(cup.entrants.last() or opened.entrants.first()).pk] for cup in cups],
            "bots": [[version.bot_id] for version in versions],
            "versions": [[version.pk] for version in versions],
            "matches": one_of(Match.objects, tournament=finished) + one_of(Match.objects, tournament=running),
            "groups": [[finished.groups.first().pk], [running.groups.first().pk]],
            "tables": [[finished.tables.first().pk], [running.tables.last().pk]],
            "tokens": [[issue(user)[0].pk] for user in (author, cora)],
            "problems": [["not_found"]],
            "webhooks": [[hook.pk] for hook in hooks],
            "deliveries": [[webhooks.ping(hook).pk] for hook in hooks],
            "boards": one_of(Board.objects, group__tournament=finished)
            + one_of(Board.objects, group__tournament=running),
            "sittings": [[sitting.pk] for sitting in sittings],
            "pools": [[finished.pool_id]],
            "history": [[rated[0]]],
            "head-to-head": [[rated[0], rated[1]]],
            "snapshots": [[snapshot.results_hash]],
        },
    )


def make_duel(organiser, before):
    """A duel that is over, between entrants of another tournament."""
    versions = [entrant.version for entrant in before.entrants.order_by("pk")]
    options = {"first": versions[0].pk, "second": versions[1].pk}
    duel = kit.open_tournament(organiser, "Duel", boards=2, more={"format": "duel", "options": options})
    for version in versions:
        kit.tournaments.enter(duel, version, version.bot.owner)
    kit.tournaments.start(duel, organiser)
    return kit.play_all(duel)
