"""What people do in a league, done through its REST API, as anybody would from outside."""

import secrets
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from client.api import Api, ApiError
from client.patience import Patience
from demo.cast import Entry, cast
from demo.processes import Processes
from demo.screen import progress, say, show_ratings

STALL_S = 120.0
POLL_S = 1.0
RULES: Mapping[str, Any] = {"variant": "polignac", "players": 4}
FORMAT: Mapping[str, Any] = {"format": "round_robin", "options": {"kind": "balanced", "meetings": 3}}
BOARDS = 5
#: Always open: whoever submits a bot to the demo is placed there; until then its bots rest.
LADDER: Mapping[str, Any] = {"format": "ladder", "options": {"rest_at": 60}}
WAITING = ("received", "checking")


class StoryFailed(Exception):
    """The league did not do what it should; the text says what, and the log of `process` may say why."""

    def __init__(self, text: str, process: str = "worker") -> None:
        super().__init__(text)
        self.process = process


@dataclass(frozen=True)
class Author:
    """Somebody with an account, and a version uploaded."""

    entry: Entry
    api: Api
    version: int


def tell(site: str, processes: Processes) -> None:
    """Sign up, upload, play, read the ratings. Raises StoryFailed, ProcessEnded."""
    try:
        authors = [upload(site, entry) for entry in cast()]
        say(f"{len(authors)} authors have signed up and uploaded a bot each; each is checked in a sandbox.")
        await_checks(authors, processes)
        play(site, authors, processes)
    except ApiError as error:
        raise StoryFailed(f"The site refused a request: {error}", "site") from error


def upload(site: str, entry: Entry) -> Author:
    """Sign up an author, log in, make the bot and send its first version."""
    api = account(site, entry.author)
    bot = api.create_bot(entry.bot)
    version = api.upload(bot["id"], entry.filename, entry.data())
    return Author(entry, api, version["id"])


def account(site: str, name: str) -> Api:
    """A new account, logged in."""
    api = Api(site, patience=Patience(wait_s=STALL_S))
    password = secrets.token_urlsafe(16)
    api.sign_up(name, password)
    api.log_in(name, password)
    return api


def await_checks(authors: list[Author], processes: Processes) -> None:
    """Wait until every version is active."""
    waiting = list(authors)

    def active() -> int:
        for author in list(waiting):
            version = author.api.version(author.version)
            if version["status"] == "active":
                waiting.remove(author)
            elif version["status"] not in WAITING:
                raise StoryFailed(f"{author.entry.bot} is {version['status']}: {version['reason']}")
        return len(authors) - len(waiting)

    wait("Checking", len(authors), active, processes)


def play(site: str, authors: list[Author], processes: Processes) -> None:
    """A balanced round robin of all of them, four at a table, and what comes out of it."""
    organiser = account(site, "organiser")
    tournament = organiser.create_tournament("The first of many", RULES, BOARDS, **FORMAT)
    organiser.open_tournament(tournament["id"])
    for author in authors:
        author.api.enter(tournament["id"], author.version)
    plan = organiser.preview(tournament["id"])
    say(
        f"A balanced round robin: {plan['groups']} groups of four, {BOARDS} boards each, in every seating; "
        f"{plan['tables']} tables, {plan['matches']} matches. "
        f"It should place each bot to within {plan['widest']['elo'] / 2:.0f} Elo."
    )
    started = organiser.start_tournament(tournament["id"])

    def done() -> int:
        now = organiser.progress(started["id"])
        if now["parked"]:
            raise StoryFailed(f"{now['parked']} tables could not be played.")
        return int(now["done"])

    wait("Playing", plan["tables"], done, processes)
    await_ratings(organiser, started, processes)
    open_ladder(organiser, authors)
    show_result(site, organiser, started)


def wait(title: str, goal: int, look: Callable[[], int], processes: Processes) -> None:
    """Look again and again until the goal is reached, and show it.

    Raises StoryFailed when nothing moves for too long, ProcessEnded when a process of ours has ended.
    """
    with progress(title, goal) as advance:
        reached, until = -1, 0.0
        while reached < goal:
            processes.check()
            now = look()
            if now > reached:
                reached, until = now, time.monotonic() + STALL_S
                advance(reached)
            elif time.monotonic() > until:
                raise StoryFailed(f"{title}: nothing has moved for {STALL_S:.0f} s, at {reached} of {goal}.")
            else:
                time.sleep(POLL_S)


def await_ratings(api: Api, tournament: Mapping[str, Any], processes: Processes) -> None:
    """Wait until every match counts in the ratings."""
    planned = api.progress(tournament["id"])["matches_planned"]
    pool = tournament["pool"]
    wait("Rating", planned, lambda: int((api.pool(pool)["snapshot"] or {}).get("matches", 0)), processes)


def open_ladder(organiser: Api, authors: list[Author]) -> None:
    """A ladder of all of them for whoever comes."""
    ladder = organiser.create_tournament("The open ladder", RULES, BOARDS, **LADDER)
    organiser.open_tournament(ladder["id"])
    for author in authors:
        author.api.enter(ladder["id"], author.version)
    organiser.start_tournament(ladder["id"])


def show_result(site: str, api: Api, tournament: Mapping[str, Any]) -> None:
    """The Elo table, and where to look further."""
    pool = tournament["pool"]
    show_ratings("Elo and penalty points a deal, as the API gives them", list(api.ratings(pool)))
    number = tournament["id"]
    say("Where to look:")
    say(f"  {site}/  the pages: the ladder, each match on a table, and a seat for you")
    say(f"  {site}/submit/  sign up, drop your bot, and enter it into the open ladder")
    for what, path in (
        ("the API, to browse and to try", "docs/"),
        ("the ratings", f"ratings/?pool={pool}"),
        ("the standings", f"tournaments/{number}/standings/"),
        ("each pair of them", f"tournaments/{number}/crosstable/"),
        ("the matches, with their records", f"matches/?tournament={number}"),
    ):
        say(f"  {site}/api/v1/{path}  {what}")
