"""What a table's bots are told of each other: nothing but seats. All that is said is searched."""

import json
from collections import Counter

import pytest
from django.db import connection

from league.accounts.models import User
from league.bots import services as bots
from league.bots.models import Bot, Version
from league.matches.models import Match, MatchSeat
from league.pipeline import play, queue
from league.ratings.models import Pool
from league.tournaments.models import Board, Entrant, Group, Table, TableSeat, Tournament
from sandbox.package import Package
from tests.league import kit

pytestmark = [pytest.mark.bubblewrap, pytest.mark.django_db(transaction=True)]

#: Plays its first legal card, and writes all that it is told to its log.
PARROT = b"""
import json, sys

for line in sys.stdin:
    sys.stderr.write(line)
    sys.stderr.flush()
    message = json.loads(line)
    if "id" not in message:
        continue
    reply = {"id": message["id"]}
    if message["type"] == "hello":
        reply["ready"] = True
    elif message["type"] == "bid":
        reply["bid"] = "pass"
    else:
        reply["card"] = message["legal"][0]
    print(json.dumps(reply), flush=True)
"""
NUMBERED = (User, Bot, Version, Tournament, Entrant, Group, Board, Table, TableSeat, Match, MatchSeat, Pool)
#: Longer than any number, or piece of a random text, that a message may hold by chance.
FIRST_ID = 730_194_682_000


@pytest.fixture
def told(monkeypatch, db):
    """All that the bots of two tournaments' tables were told, by seat; the second by bots with ratings."""
    monkeypatch.setattr(queue.current_app, "send_task", lambda *_, **__: None)
    for place, model in enumerate(NUMBERED):
        begin_at(model, FIRST_ID + 100_000 * place)
    organiser = kit.user("Organiser of Zanzibar")
    versions = []
    for number, name in enumerate(("Xanthippe", "Quetzalcoatl", "Wolpertinger")):
        owner = kit.user(f"Owner of {name}")
        bot = bots.create_bot(owner, name)
        version, _ = bots.add_version(bot, Package({"main.py": PARROT + b"#" * number}, "python", "main.py"))
        versions.append((bots.finish_check(bots.claim_version(version.pk)), owner))
    for name in ("Brouhaha", "Hullabaloo"):
        cup = kit.open_tournament(organiser, name, boards=2)
        for version, owner in versions:
            kit.tournaments.enter(cup, version, owner)
        cup, tables = kit.tournaments.start(cup, organiser)
        for _ in tables:
            play.play_next()
        kit.recompute(cup.pool)
    assert set(Table.objects.values_list("status", flat=True)) == {"done"}
    return {(seat.match_id, seat.seat): seat.log for seat in MatchSeat.objects.all()}


def begin_at(model, number):
    """The next row of a table gets that id."""
    table = model._meta.db_table
    with connection.cursor() as cursor:
        if connection.vendor == "sqlite":
            cursor.execute("DELETE FROM sqlite_sequence WHERE name = %s", [table])
            cursor.execute("INSERT INTO sqlite_sequence (name, seq) VALUES (%s, %s)", [table, number])
        else:
            cursor.execute("SELECT setval(pg_get_serial_sequence(%s, 'id'), %s)", [table, number])


def test_messages_hold_no_name_no_id_and_no_rating_and_every_bot_sits_everywhere_equally_often(told):
    assert len(told) == 2 * 3 * 2 * 3
    everything = "".join(told.values()).casefold()
    assert everything.count('"hello"') > len(told) / 3

    names = [*User.objects.values_list("username", flat=True), *Bot.objects.values_list("name", flat=True)]
    names += Tournament.objects.values_list("name", flat=True)
    names += [version.label for version in Version.objects.all()]
    names += [word for name in names for word in name.split()]
    secret = [name for name in names if name != "of"]
    secret += [str(row) for model in NUMBERED for row in model.objects.values_list("pk", flat=True)]
    secret += [board.seed for board in Board.objects.all()]
    secret += [text for pair in Version.objects.values_list("digest", "archive") for text in pair]
    secret += [f'"{key}' for key in ("rating", "elo", "owner", "author", "version", "user", "bot", "name")]
    assert all(int(row) >= FIRST_ID for row in secret if row.isdigit())
    assert [text for text in secret if text.casefold() in everything] == []

    messages = [json.loads(line) for log in told.values() for line in log.splitlines()]
    assert {message["type"] for message in messages} >= {"hello", "match", "deal", "play"}
    matches = {message["match"] for message in messages if "match" in message}
    assert matches <= set(Match.objects.values_list("name", flat=True)), (
        "a match's own name is drawn by chance"
    )

    held = Counter(TableSeat.objects.values_list("entrant__version", "seat"))
    assert len(held) == 9
    assert set(held.values()) == {2}
