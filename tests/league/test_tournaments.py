"""Tournaments: drafts, entries, the plan, the end; and the tables on the way."""

from collections import Counter
from itertools import combinations

import pytest
from django.db import IntegrityError
from django.utils import timezone

from arena.protocol import ClockLimits
from arena.rules import Rules
from arena.shuffle import commitment
from league.bots.services import retire_version
from league.common.claims import renew
from league.common.errors import Conflict, Forbidden, Invalid, Lost
from league.matches.models import Match
from league.matches.services import store_table
from league.tournaments import services
from league.tournaments.advancing import advance
from league.tournaments.duration import longest_match_s, most_deals
from league.tournaments.models import Board, Entrant, Table, TableSeat, Tournament
from league.tournaments.progress import progress
from league.tournaments.tables import claim_table, give_back_table, retry_table
from tests.league import kit

# -- the draft ---------------------------------------------------------------------------------------------


def test_a_draft_has_every_option_of_its_rules_resolved(ann):
    draft = services.create_tournament(ann, "Cup", {"variant": "knaves"}, 2)
    assert (draft.status, draft.players, draft.boards, draft.pool) == ("draft", 4, 2, None)
    assert Rules.from_json(draft.rules) == Rules.make(variant="knaves")


@pytest.mark.parametrize(
    ("rules", "field"),
    [
        ({"players": 7}, "rules.players"),
        ({"ace": "low"}, "rules.ace"),
        ({"threshold": 10, "deals": 3}, "rules.threshold"),
        ({"colour": "red"}, "rules.colour"),
    ],
)
def test_rules_that_can_not_be_played_are_refused_by_the_option(ann, rules, field):
    with pytest.raises(Invalid) as refused:
        services.create_tournament(ann, "Cup", rules, 1)
    assert refused.value.field in (field, "rules.deals")


def test_a_name_is_taken_once(ann, bob):
    services.create_tournament(ann, "Cup", {}, 1)
    with pytest.raises(Conflict, match="looks like it"):
        services.create_tournament(bob, "ＣＵＰ", {}, 1)


def test_no_table_can_outlast_the_limit_of_a_task(ann, settings):
    settings.PLAY_LIMIT_S = 10_000
    longest = longest_match_s(Rules.make(), ClockLimits())
    most = int(10_000 // longest)
    assert services.create_tournament(ann, "Cup", {}, most).boards == most
    with pytest.raises(Invalid, match=f"1 to {most} boards"):
        services.create_tournament(ann, "Cup 2", {}, most + 1)


@pytest.mark.parametrize(
    ("options", "deals"),
    [
        ({}, 8),  # 36 points without anybody at 10, 5 a deal
        ({"deals": 6}, 6),
        ({"variant": "knaves", "players": 3, "threshold": 100}, 100),
        ({"players": 6, "threshold": 100, "max_deals": 50}, 50),
    ],
)
def test_the_most_deals_a_match_can_have(options, deals):
    assert most_deals(Rules.make(**options)) == deals


# -- entries -----------------------------------------------------------------------------------------------


def test_an_active_version_of_ones_own_enters_once(ann):
    cup = kit.open_tournament(ann)
    version = kit.active(ann)
    entrant, new = services.enter(cup, version, ann)
    assert new
    assert services.enter(cup, version, ann) == (entrant, False)


def test_what_can_not_enter(ann, bob):
    cup = kit.open_tournament(ann)
    version = kit.active(ann)
    with pytest.raises(Forbidden):
        services.enter(cup, version, bob)
    with pytest.raises(Conflict, match="received"):
        services.enter(cup, kit.received(ann, "Fresh"), ann)
    draft = services.create_tournament(ann, "Draft", kit.QUICK, 1)
    with pytest.raises(Conflict, match="draft"):
        services.enter(draft, version, ann)


def test_a_second_version_of_a_bot_waits_until_the_first_is_withdrawn(ann):
    cup = kit.open_tournament(ann)
    first = kit.active(ann)
    entrant, _ = services.enter(cup, first, ann)
    second, _ = kit.bots.add_version(first.bot, kit.reference_package("lowest"))
    second = kit.bots.finish_check(kit.bots.claim_version(second.pk))
    with pytest.raises(Conflict, match="withdraw it first"):
        services.enter(cup, second, ann)
    services.withdraw(entrant, ann)
    assert services.enter(cup, second, ann)[1]


def test_only_the_owner_or_the_organiser_withdraws_and_only_until_it_is_over(ann, bob):
    tournament, _ = kit.running(ann)
    entrant = Entrant.objects.first()
    with pytest.raises(Forbidden):
        services.withdraw(entrant, bob)
    services.cancel(tournament, ann)
    with pytest.raises(Conflict, match="cancelled"):
        services.withdraw(entrant, ann)


# -- the plan ----------------------------------------------------------------------------------------------


def test_a_start_plans_every_set_of_bots_in_every_seat(ann):
    tournament, tables = kit.running(ann, entrants=5, boards=2)
    entrants = list(Entrant.objects.values_list("pk", flat=True))
    fields = [frozenset(seat.entrant_id for seat in table.seats.all()) for table in Table.objects.all()]
    assert Counter(fields) == {frozenset(field): 3 for field in combinations(entrants, 3)}
    sat = Counter(TableSeat.objects.values_list("table__group", "seat", "entrant"))
    assert set(sat.values()) == {1}
    assert len(sat) == 10 * 3 * 3
    assert len(tables) == 30
    assert tournament.pool.players == 3


def test_every_group_has_boards_of_its_own_with_seeds_that_keep_their_commitments(ann):
    kit.running(ann, entrants=4, boards=3)
    boards = Board.objects.all()
    assert len({board.seed for board in boards}) == len(boards) == 4 * 3
    for board in boards:
        assert commitment(bytes.fromhex(board.seed)) == board.commitment


def test_starting_twice_plans_once(ann):
    tournament, tables = kit.running(ann)
    assert services.start(tournament, ann) == (tournament, [])
    assert Table.objects.count() == len(tables) == 3


def test_a_start_that_can_not_be_planned_leaves_it_open_and_unplanned(ann):
    cup = kit.open_tournament(ann)
    versions = kit.entered(cup, 2)
    with pytest.raises(Conflict, match="needs 3 entrants, and there are 2"):
        services.start(cup, ann)
    services.enter(cup, kit.active(kit.author(2), "Third"), kit.author(2))
    retire_version(versions[0], by=ann)
    with pytest.raises(Conflict, match="retired"):
        services.start(cup, ann)
    assert Tournament.objects.get().status == "open"
    assert not Board.objects.exists()


def test_only_the_organiser_and_staff_steer(ann, bob, staff):
    cup = services.create_tournament(ann, "Cup", kit.QUICK, 1)
    for steer in (services.open_tournament, services.start, services.cancel):
        with pytest.raises(Forbidden):
            steer(cup, bob)
    assert services.open_tournament(cup, staff).status == "open"
    assert services.cancel(cup, staff).status == "cancelled"


# -- tables --------------------------------------------------------------------------------------------------


def test_only_one_of_two_workers_gets_a_table(ann):
    _, tables = kit.running(ann)
    claim = claim_table(tables[0])
    assert (claim.attempt, claim.token) == (1, 1)
    assert claim_table(tables[0]) is None
    assert claim_table(10**9) is None


def test_all_matches_of_a_table_are_stored_once_with_its_end(ann):
    _, tables = kit.running(ann, boards=3)
    claim, versions, results = kit.played(tables[0])
    store_table(claim, versions, results)
    store_table(claim, versions, results)  # the answer to the first commit was lost
    table = Table.objects.get(pk=tables[0])
    assert (table.status, table.lease_until) == ("done", None)
    assert Match.objects.count() == 3
    for match, result in zip(Match.objects.order_by("board__number"), results, strict=True):
        assert bytes(match.record) == result.record.to_bytes()
        assert [seat.version_id for seat in match.seats.all()] == versions
        assert tuple(seat.total for seat in match.seats.all()) == result.record.totals


def test_a_late_result_of_a_lost_claim_changes_nothing(ann):
    _, tables = kit.running(ann)
    late = kit.played(tables[0])
    give_back_table(late[0], "worker_lost")
    in_time = kit.played(tables[0])
    with pytest.raises(Lost):
        store_table(*late)
    assert not renew(Table, late[0])
    assert not Match.objects.exists()
    store_table(*in_time)
    with pytest.raises(Lost):
        store_table(*late)
    assert Match.objects.get().name == in_time[2][0].record.match


def test_half_a_table_is_never_stored(ann):
    _, tables = kit.running(ann, boards=2)
    claim, versions, results = kit.played(tables[0])
    with pytest.raises(IntegrityError):
        store_table(claim, [*versions[:-1], None], results)
    assert Table.objects.get(pk=tables[0]).status == "playing"
    assert not Match.objects.exists()


def test_after_three_failures_a_table_is_parked_and_an_operator_can_retry_it(ann):
    _, tables = kit.running(ann)
    statuses = [give_back_table(claim_table(tables[0]), "disk_full: no").status for _ in range(3)]
    assert statuses == ["queued", "queued", "parked"]
    table = Table.objects.get(pk=tables[0])
    assert table.failure == "disk_full: no"
    assert retry_table(table, by=ann).attempt == 0
    assert claim_table(tables[0]).token == 4


def test_a_lease_that_was_renewed_is_not_taken_away(ann):
    _, tables = kit.running(ann)
    claim = claim_table(tables[0])
    assert renew(Table, claim)
    with pytest.raises(Lost):
        give_back_table(claim, "worker_lost", expired=timezone.now())
    assert Table.objects.get(pk=tables[0]).status == "playing"


# -- the end -------------------------------------------------------------------------------------------------


def test_it_is_finished_when_the_last_table_is_done_and_not_before(ann):
    tournament, tables = kit.running(ann)
    for table in tables[:-1]:
        kit.play(table)
    assert not advance(tournament)
    kit.play(tables[-1])
    assert advance(tournament)
    assert not advance(tournament)
    assert Tournament.objects.get().status == "finished"


def test_a_parked_table_keeps_it_from_finishing(ann):
    tournament, tables = kit.running(ann)
    for _ in range(3):
        give_back_table(claim_table(tables[0]), "broken")
    for table in tables[1:]:
        kit.play(table)
    assert not advance(tournament)
    assert (progress(tournament).parked, progress(tournament).reason) == (1, "parked")


def test_a_cancelled_one_takes_its_tables_from_the_workers_and_keeps_what_is_done(ann):
    tournament, tables = kit.running(ann, entrants=4)
    kit.play(tables[0])
    being_played = kit.played(tables[1])
    assert services.cancel(tournament, ann).status == "cancelled"
    assert services.cancel(tournament, ann).status == "cancelled"
    with pytest.raises(Lost):
        store_table(*being_played)
    with pytest.raises(Lost):
        give_back_table(being_played[0], "too late")
    assert Counter(Table.objects.values_list("status", flat=True)) == {"done": 1, "cancelled": 11}
    with pytest.raises(Conflict, match="cancelled"):
        services.start(tournament, ann)


def test_progress_counts_tables_matches_and_complete_blocks(ann):
    tournament, tables = kit.running(ann, entrants=4, boards=2)
    for table in tables[:4]:
        kit.play(table)
    claim_table(tables[4])
    now = progress(tournament)
    assert (now.tables, now.done, now.playing, now.queued) == (12, 4, 1, 7)
    assert (now.matches, now.matches_planned) == (8, 24)
    assert (now.blocks, now.blocks_planned) == (2, 8)
    assert (now.reason, now.place) == ("queue", 1)
    assert now.seconds_left > 0
