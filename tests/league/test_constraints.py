"""What must hold is held by the database itself, whoever writes."""

import pytest
from django.db import IntegrityError, transaction
from django.utils import timezone

from league.accounts.models import User
from league.bots.models import Bot, Check, Version
from league.matches.models import Match, MatchSeat
from league.sittings.models import Sitting
from league.tournaments.models import Board, Bye, Entrant, Group, Table, TableSeat, Tournament
from tests.league import kit

pytestmark = pytest.mark.django_db


def copy(row, **changes):
    """Write a second row like this one, but for the changes."""
    twin = type(row).objects.get(pk=row.pk)
    twin.pk = None
    for column, value in changes.items():
        setattr(twin, column, value)
    twin._state.adding = True
    twin.save()


def refused(action):
    with pytest.raises(IntegrityError), transaction.atomic():
        action()


def changed(row, **columns):
    return lambda: type(row).objects.filter(pk=row.pk).update(**columns)


def test_names_that_look_alike_are_one_name(ann):
    refused(lambda: User.objects.bulk_create([User(username="ANN", username_key="ann")]))
    bot = kit.received(ann).bot
    refused(lambda: copy(bot, name="DODGER"))
    cup = kit.open_tournament(ann)
    refused(lambda: copy(cup, name="CUP"))


def test_a_version_has_one_number_a_known_status_and_a_lease_exactly_while_it_is_checked(ann):
    version = kit.received(ann)
    refused(lambda: copy(version))
    refused(changed(version, number=0))
    refused(changed(version, status="perfect"))
    refused(changed(version, status="checking"))
    refused(changed(version, lease_until=timezone.now()))
    refused(changed(version, status="rejected"))
    refused(changed(version, status="parked"))


def test_a_stage_of_a_check_is_there_once(ann):
    check = Check.objects.create(
        version=kit.received(ann), position=1, stage="archive", outcome="passed", duration_ms=1
    )
    refused(lambda: copy(check))
    refused(changed(check, outcome="maybe"))


def test_a_tournament_has_possible_numbers_and_a_pool_once_it_runs(ann):
    cup = kit.open_tournament(ann)
    refused(changed(cup, players=2))
    refused(changed(cup, players=7))
    refused(changed(cup, boards=0))
    refused(changed(cup, format="chess"))
    refused(changed(cup, status="running"))
    refused(changed(cup, status="paused"))
    refused(changed(cup, status="asleep"))


def test_an_unrated_tournament_runs_without_a_pool_and_never_has_one(ann):
    cup, _ = kit.running(ann, more={"rated": False})
    assert (cup.status, cup.pool) == ("running", None)
    rated, _ = kit.running(ann, name="Rated")
    refused(changed(cup, pool=rated.pool))
    refused(changed(rated, rated=False))


def test_a_bot_enters_once_and_sits_once(ann):
    _, tables = kit.running(ann)
    refused(lambda: copy(Entrant.objects.first()))
    refused(changed(Entrant.objects.first(), status="lost"))
    seat = TableSeat.objects.filter(table=tables[0]).first()
    refused(lambda: copy(seat))
    refused(lambda: copy(seat, seat=5))
    refused(changed(seat, seat=6))


def test_a_plan_has_no_doubles(ann):
    kit.running(ann)
    refused(lambda: copy(Group.objects.first()))
    board = Board.objects.first()
    refused(lambda: copy(board, number=9))
    refused(lambda: copy(board, seed="00", commitment="00"))
    refused(lambda: copy(Table.objects.first()))
    refused(changed(Group.objects.first(), seatings=7))
    refused(changed(Group.objects.first(), round=0))
    refused(changed(board, batch=0))
    bye = Bye.objects.create(entrant=Entrant.objects.first(), round=1)
    refused(lambda: copy(bye))


def test_a_table_has_a_lease_exactly_while_it_is_played_and_a_reason_when_it_is_parked(ann):
    _, tables = kit.running(ann)
    table = Table.objects.get(pk=tables[0])
    refused(changed(table, status="playing"))
    refused(changed(table, lease_until=timezone.now()))
    refused(changed(table, status="parked"))
    refused(changed(table, status="lost"))


def test_a_match_is_there_once(ann):
    _, tables = kit.running(ann)
    kit.play(tables[0])
    match = Match.objects.get()
    refused(lambda: copy(match, name="another"))
    refused(changed(match, ended="boredom"))
    refused(changed(match, backend=""))
    seat = MatchSeat.objects.filter(match=match).first()
    refused(lambda: copy(seat))
    refused(lambda: copy(seat, seat=5))
    refused(changed(seat, rank=0))


def test_what_results_depend_on_is_not_deleted(ann):
    _, tables = kit.running(ann)
    kit.play(tables[0])
    for model in (User, Bot, Version, Tournament, Group, Board, Table, Match, Entrant):
        with pytest.raises(IntegrityError), transaction.atomic():
            model.objects.all().delete()


def test_a_version_is_rated_once_a_snapshot_at_a_possible_place(ann):
    tournament, tables = kit.running(ann)
    for table in tables:
        kit.play(table)
    rating = kit.recompute(tournament.pool).ratings.first()
    refused(lambda: copy(rating))
    refused(lambda: copy(rating, version=kit.active(ann, "Other")))
    refused(changed(rating, place=0))
    refused(changed(rating, place=2))
    refused(changed(rating, matches=0))
    refused(changed(rating, elo_low=rating.elo + 1))
    refused(changed(tournament.pool, players=9))
    refused(lambda: copy(tournament.pool))


def test_a_sheet_is_of_one_pool_or_one_tournament_and_knows_no_more_than_there_is(ann):
    tournament, tables = kit.running(ann)
    for table in tables:
        kit.play(table)
    snapshot = kit.recompute(tournament)
    refused(lambda: copy(snapshot))
    refused(changed(snapshot, number=0))
    sheet = snapshot.sheet
    refused(lambda: copy(sheet, current=None))
    refused(changed(sheet, pool=tournament.pool))
    refused(changed(sheet, tournament=None))
    refused(changed(sheet, through=sheet.changes + 1))
    refused(snapshot.delete)


def test_a_person_sits_once_at_a_seat_that_is_there_with_a_record_exactly_when_it_is_over(ann):
    rules = {"players": 3, "rules": kit.QUICK, "versions": [None, 1, 2]}
    sitting = Sitting.objects.create(user=ann, seat=0, **rules)
    refused(lambda: copy(sitting))
    refused(changed(sitting, seat=3))
    refused(changed(sitting, status="playing"))
    refused(changed(sitting, status="asleep"))
    refused(changed(sitting, status="over"))
    refused(changed(sitting, record=b"{}"))
    refused(changed(sitting, status="parked"))
    Sitting.objects.update(status="abandoned")
    copy(sitting, status="waiting")
