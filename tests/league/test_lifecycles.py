"""Every pair of statuses of every lifecycle, and what a move leaves behind."""

from itertools import product

import pytest
from django.utils import timezone

from league.bots.lifecycle import VERSION, VersionStatus
from league.bots.models import Version
from league.common.errors import IllegalMove, Lost
from league.common.lifecycle import Lifecycle, StatusNote, move, move_all
from league.sittings.lifecycle import SITTING, SittingStatus
from league.tournaments.lifecycle import (
    ENTRANT,
    TABLE,
    TOURNAMENT,
    EntrantStatus,
    TableStatus,
    TournamentStatus,
)
from league.tournaments.models import Entrant, Table, Tournament
from league.webhooks.lifecycle import DELIVERY, WEBHOOK, DeliveryStatus, WebhookStatus
from tests.league import kit

VERSION_MOVES = """
received → checking retired
checking → active rejected received parked
active → retired disqualified
rejected → retired
parked → received retired
retired →
disqualified → active retired
"""
TOURNAMENT_MOVES = """
draft → open cancelled
open → running cancelled
running → paused finished cancelled
paused → running cancelled
finished → running
cancelled →
"""
ENTRANT_MOVES = """
entered → withdrawn disqualified
withdrawn → entered
disqualified →
"""
TABLE_MOVES = """
queued → playing cancelled
playing → done queued parked cancelled
done →
parked → queued cancelled
cancelled →
"""
SITTING_MOVES = """
waiting → playing abandoned
playing → over waiting abandoned parked
over →
abandoned →
parked →
"""
WEBHOOK_MOVES = """
active → paused disabled blocked deleted
paused → active blocked deleted
disabled → active paused blocked deleted
blocked → active deleted
deleted →
"""
DELIVERY_MOVES = """
waiting → sending failed
sending → delivered waiting failed
delivered → waiting
failed → waiting
"""


def pairs(text, statuses):
    """(old, new, whether it is a move) for every pair."""
    table = {
        old.strip(): after.split() for old, after in (line.split("→") for line in text.strip().splitlines())
    }
    assert set(table) == set(statuses)
    return [(old, new, new in table[old]) for old, new in product(statuses, statuses)]


@pytest.mark.parametrize(
    ("lifecycle", "old", "new", "allowed"),
    [
        (lifecycle, *pair)
        for lifecycle, text, statuses in (
            (VERSION, VERSION_MOVES, VersionStatus),
            (TOURNAMENT, TOURNAMENT_MOVES, TournamentStatus),
            (TABLE, TABLE_MOVES, TableStatus),
            (ENTRANT, ENTRANT_MOVES, EntrantStatus),
            (SITTING, SITTING_MOVES, SittingStatus),
            (WEBHOOK, WEBHOOK_MOVES, WebhookStatus),
            (DELIVERY, DELIVERY_MOVES, DeliveryStatus),
        )
        for pair in pairs(text, statuses)
    ],
)
def test_a_move_is_allowed_exactly_where_the_table_says(lifecycle, old, new, allowed):
    assert lifecycle.allows(old, new) is allowed


def test_a_table_that_forgets_a_status_is_refused():
    with pytest.raises(ValueError, match="cancelled"):
        Lifecycle(TableStatus, {status: set() for status in TableStatus if status != "cancelled"})


def columns(model, status):
    """What the constraints want beside a status."""
    if model in (Tournament, Entrant):
        return {}
    leased = status in ("checking", "playing")
    return {
        "lease_until": timezone.now() if leased else None,
        "failure": "broken",
        **({"reason_code": "broken"} if model is Version else {}),
    }


@pytest.mark.parametrize(
    ("model", "old", "new", "allowed"),
    [(Version, *pair) for pair in pairs(VERSION_MOVES, VersionStatus)]
    + [(Table, *pair) for pair in pairs(TABLE_MOVES, TableStatus)]
    + [(Tournament, *pair) for pair in pairs(TOURNAMENT_MOVES, TournamentStatus)]
    + [(Entrant, *pair) for pair in pairs(ENTRANT_MOVES, EntrantStatus)],
)
def test_move_writes_what_is_allowed_and_refuses_the_rest(model, old, new, allowed, ann):
    tournament, tables = kit.running(ann)
    entrant = tournament.entrants.first()
    row = {Tournament: tournament, Table: Table(pk=tables[0]), Version: kit.received(ann), Entrant: entrant}
    pk = row[model].pk
    model.objects.filter(pk=pk).update(status=old, **columns(model, old))
    row = model.objects.get(pk=pk)
    notes = StatusNote.objects.filter(kind=model._meta.model_name, row=pk).count()
    if allowed:
        assert move(row, row.lifecycle.statuses(new), text="why", **columns(model, new)).status == new
        note = StatusNote.objects.filter(kind=model._meta.model_name, row=pk).latest("pk")
        assert (note.old, note.new, note.text) == (old, new, "why")
    else:
        with pytest.raises(IllegalMove, match=f"is {old}; it can't become {new}"):
            move(row, row.lifecycle.statuses(new), **columns(model, new))
        assert model.objects.get(pk=pk).status == old
        assert StatusNote.objects.filter(kind=model._meta.model_name, row=pk).count() == notes


def test_a_move_with_a_condition_that_no_longer_holds_is_lost_and_changes_nothing(ann):
    _, tables = kit.running(ann)
    table = Table.objects.get(pk=tables[0])
    with pytest.raises(Lost):
        move(table, TableStatus.PLAYING, only_if={"token": 7}, lease_until=timezone.now())
    assert Table.objects.get(pk=table.pk).status == "queued"


def test_a_move_of_many_leaves_those_alone_that_may_not(ann):
    _, tables = kit.running(ann)
    kit.play(tables[0])
    moved = move_all(
        Table.objects.filter(pk__in=tables), TableStatus.CANCELLED, text="rain", lease_until=None
    )
    assert moved == 2
    assert list(Table.objects.order_by("pk").values_list("status", flat=True)) == [
        "done",
        "cancelled",
        "cancelled",
    ]
    assert StatusNote.objects.filter(kind="table", new="cancelled", text="rain").count() == 2


def test_a_note_says_who_did_it(ann):
    tournament = kit.open_tournament(ann)
    note = StatusNote.objects.get(kind="tournament", row=tournament.pk)
    assert (note.old, note.new, note.by) == ("draft", "open", ann)
