"""A tournament under way: paused, left, extended, replayed; asked twice, and in whatever state."""

import threading
from collections import Counter
from functools import partial

import pytest
from django.db import connection, transaction

from league.common.errors import Conflict, Invalid, Lost
from league.common.lifecycle import StatusNote, lock
from league.matches.columns import counted
from league.matches.models import Match
from league.pipeline.rate import table_done
from league.tournaments import services, steering
from league.tournaments.advancing import advance
from league.tournaments.models import Board, Entrant, Group, Table, TableSeat, Tournament
from league.tournaments.progress import progress
from league.tournaments.queue import claim_next
from league.tournaments.selectors import misjudged_boards
from league.tournaments.tables import claim_table, give_back_table
from tests.league import kit

# -- whatever the state, and twice --------------------------------------------------------------------------

ACTIONS = {
    "open": {},
    "start": {},
    "pause": {},
    "resume": {},
    "finish": {},
    "extend": {"boards": 2},
    "replay": {},
    "cancel": {},
}
#: Where each is allowed; everywhere else it is a 409 that tells the state.
ALLOWED = {
    "open": {"draft", "open"},
    "start": {"open", "running"},
    "pause": {"running", "paused"},
    "resume": {"running", "paused"},
    "finish": set(),  # a round robin ends by itself
    "extend": {"running", "paused", "finished"},
    "replay": {"running", "paused"},
    "cancel": {"draft", "open", "running", "paused", "cancelled"},
}


def in_state(status, ann):
    """A cup of Ann's that has come to this status as one does."""
    if status == "draft":
        return services.create_tournament(ann, "Cup", kit.QUICK, 1)
    cup = kit.open_tournament(ann)
    kit.entered(cup, 3)
    if status in ("running", "paused", "finished"):
        services.start(cup, ann)
    if status == "paused":
        steering.pause(cup, ann)
    if status == "finished":
        kit.play_all(cup)
    if status == "cancelled":
        services.cancel(cup, ann)
    return cup


@pytest.mark.parametrize("action", ACTIONS)
@pytest.mark.parametrize("status", ["draft", "open", "running", "paused", "finished", "cancelled"])
def test_every_action_in_every_state_is_done_once_or_refused_with_the_state(action, status, ann, as_ann):
    cup = in_state(status, ann)
    address = f"/api/v1/tournaments/{cup.pk}/{action}/"
    answer = as_ann.post(address, ACTIONS[action])
    if status in ALLOWED[action]:
        assert answer.status_code == 200, answer.content
        notes, tables = StatusNote.objects.count(), Table.objects.count()
        again = as_ann.post(address, ACTIONS[action])
        assert (again.status_code, again.json()) == (200, answer.json())
        assert (StatusNote.objects.count(), Table.objects.count()) == (notes, tables)
    else:
        assert answer.status_code == 409, answer.content
        assert status in answer.json()["detail"] or action == "finish"
        assert Tournament.objects.get().status == status


@pytest.mark.django_db(transaction=True)
def test_a_double_click_on_start_plans_once_and_two_last_tables_at_once_bring_one_round():
    def at_once(*calls):
        gate, errors = threading.Barrier(len(calls)), []

        def run(call):
            try:
                gate.wait()
                call()
            except Exception as error:
                errors.append(error)
            finally:
                connection.close()

        hands = [threading.Thread(target=run, args=(call,)) for call in calls]
        for hand in hands:
            hand.start()
        for hand in hands:
            hand.join()
        assert errors == []

    ann = kit.user("ann")
    cup = kit.open_tournament(ann, more={"format": "swiss", "options": {"rounds": 2}})
    kit.entered(cup, 3)
    at_once(*[lambda: services.start(cup, ann)] * 3)
    assert Table.objects.count() == 3
    tables = list(Table.objects.order_by("pk"))
    kit.play(tables[0].pk)
    last = [kit.played(table.pk) for table in tables[1:]]

    def end(played, table):
        kit.store_table(*played)
        table_done(Table.objects.select_related("tournament", "group").get(pk=table.pk))

    at_once(*(partial(end, played, table) for played, table in zip(last, tables[1:], strict=True)))
    assert list(Group.objects.values_list("round", flat=True)) == [1, 2]
    assert Board.objects.get(group__round=1).complete


# -- the pause ----------------------------------------------------------------------------------------------


def test_in_a_pause_what_is_being_played_ends_and_nothing_begins(ann):
    cup, tables = kit.running(ann)
    in_hand = kit.played(tables[0])
    steering.pause(cup, ann)
    kit.store_table(*in_hand)
    assert claim_next() is None
    assert not advance(cup)
    assert Counter(Table.objects.values_list("status", flat=True)) == {"done": 1, "queued": 2}
    steering.resume(cup, ann)
    assert kit.play_all(cup).status == "finished"


def test_one_whose_last_table_ended_in_the_pause_finishes_when_it_goes_on(ann, as_ann):
    cup, tables = kit.running(ann)
    in_hand = [kit.played(table) for table in tables]
    steering.pause(cup, ann)
    for table in in_hand:
        kit.store_table(*table)
    assert as_ann.get(f"/api/v1/tournaments/{cup.pk}/").json()["status"] == "paused"
    assert as_ann.post(f"/api/v1/tournaments/{cup.pk}/resume/").json()["status"] == "finished"


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_results_are_stored_while_somebody_has_the_tournament_in_hand():
    """Or the two would wait for each other: whoever cancels has the tournament, and wants the tables."""
    ann = kit.user("ann")
    cup, tables = kit.running(ann)
    played = kit.played(tables[0])

    def store():
        try:
            kit.store_table(*played)
        finally:
            connection.close()

    with transaction.atomic():
        lock(cup)
        worker = threading.Thread(target=store)
        worker.start()
        worker.join(60)
        assert not worker.is_alive()
    assert Table.objects.get(pk=tables[0]).status == "done"


# -- leaving ------------------------------------------------------------------------------------------------


def test_who_withdraws_plays_no_more_what_is_complete_counts_and_the_others_go_on(ann, as_ann):
    cup, tables = kit.running(ann, entrants=4)
    kit.play_all(cup, tables=4)  # a whole group and a table of the next
    leaver = (
        TableSeat.objects.filter(table=tables[0]).exclude(entrant__version__bot__owner=ann).first().entrant
    )
    in_hand = [kit.played(table) for table in tables[4:6]]
    address = f"/api/v1/tournaments/{cup.pk}/entrants/{leaver.pk}/"
    assert [as_ann.delete(address).status_code for _ in range(2)] == [204, 204]
    assert Entrant.objects.get(pk=leaver.pk).status == "withdrawn"
    of_leaver = {seat.table.group_id for seat in TableSeat.objects.filter(entrant=leaver)}
    for table in Table.objects.exclude(status="done"):
        assert (table.status == "cancelled") == (table.group_id in of_leaver)
    for table in in_hand:
        if table[0].pk in Table.objects.filter(status="cancelled").values_list("pk", flat=True):
            with pytest.raises(Lost):
                kit.store_table(*table)
        else:
            kit.store_table(*table)
    advance(cup)
    cup = kit.play_all(cup)
    assert cup.status == "finished"
    assert set(counted(cup).values_list("table__group__number", flat=True)) == {1} | set(
        Group.objects.exclude(pk__in=of_leaver).values_list("number", flat=True)
    )
    kit.recompute(cup)
    standings = as_ann.get(f"/api/v1/tournaments/{cup.pk}/standings/").json()["results"]
    assert len(standings) == 4
    assert not misjudged_boards().exists()


def test_when_all_but_two_have_withdrawn_from_a_table_for_three_it_is_over(ann, as_ann):
    cup, _ = kit.running(ann)
    entrant = cup.entrants.first()
    assert as_ann.delete(f"/api/v1/tournaments/{cup.pk}/entrants/{entrant.pk}/").status_code == 204
    cup.refresh_from_db()
    assert cup.status == "finished"
    assert set(Table.objects.values_list("status", flat=True)) == {"cancelled"}
    assert as_ann.delete(f"/api/v1/tournaments/{cup.pk}/entrants/{entrant.pk}/").status_code == 409


def test_a_bot_whose_seat_is_vacated_again_and_again_is_out_and_the_others_go_on(ann):
    cup, _ = kit.running(ann, entrants=4, boards=2, more={"disqualify_after": 4})
    dead = cup.entrants.last()
    cup = kit.play_all(cup, dead={dead.version})
    assert cup.status == "finished"
    dead.refresh_from_db()
    assert dead.status == "disqualified"
    note = StatusNote.objects.get(kind="entrant", row=dead.pk)
    assert note.text == "its seat was vacated in 4 matches in a row"
    assert Match.objects.filter(seats__version=dead.version).count() < 9 * 2
    whole = Group.objects.exclude(tables__seats__entrant=dead).get()
    assert set(whole.tables.values_list("status", flat=True)) == {"done"}


def test_one_that_fails_now_and_then_stays(ann):
    cup, _ = kit.running(ann, entrants=4, more={"disqualify_after": 2})
    version = cup.entrants.first().version
    sits = Table.objects.filter(seats__entrant__version=version).order_by("pk").values_list("pk", flat=True)
    for number, table in enumerate(list(sits)):
        kit.play(table, dead={version} if number % 2 else ())
        table_done(Table.objects.select_related("tournament", "group").get(pk=table))
    assert set(cup.entrants.values_list("status", flat=True)) == {"entered"}


def test_a_disqualified_version_may_not_come_back_and_a_withdrawn_one_only_into_a_ladder(ann):
    cup, _ = kit.running(ann, entrants=4)
    entrant = cup.entrants.first()
    services.withdraw(entrant, ann)
    with pytest.raises(Conflict, match="running"):
        services.enter(cup, entrant.version, ann)
    ladder, _ = kit.running(ann, entrants=4, name="Ladder", more={"format": "ladder"})
    entrant = ladder.entrants.first()
    services.withdraw(entrant, ann)
    assert services.enter(ladder, entrant.version, ann) == (entrant, True)
    Entrant.objects.filter(pk=entrant.pk).update(status="disqualified")
    with pytest.raises(Conflict, match="enter a better version"):
        services.enter(ladder, entrant.version, ann)


# -- more boards --------------------------------------------------------------------------------------------


def test_more_boards_are_played_by_new_tables_seated_as_before_and_a_finished_one_runs_again(ann, as_ann):
    cup, tables = kit.running(ann, entrants=4)
    before = kit.play_all(cup)
    matches = set(counted(before).values_list("pk", flat=True))
    answer = as_ann.post(f"/api/v1/tournaments/{cup.pk}/extend/", {"boards": 3}).json()
    assert (answer["status"], answer["boards"], answer["ended_at"]) == ("running", 3, None)
    new = Table.objects.filter(batch=2)
    assert (new.count(), Board.objects.filter(batch=2).count()) == (12, 8)

    def seatings(batch):
        seats = TableSeat.objects.filter(table__batch=batch)
        return set(seats.values_list("table__group", "table__number", "seat", "entrant"))

    assert seatings(1) == seatings(2)
    assert set(counted(cup).values_list("pk", flat=True)) == matches, "what was played still counts"
    cup = kit.play_all(cup)
    assert cup.status == "finished"
    met = Counter(Match.objects.values_list("board", flat=True))
    assert set(met.values()) == {3}
    assert len(met) == 4 * 3
    assert set(Match.objects.filter(board__batch=1).values_list("table", flat=True)) == set(tables)
    assert not misjudged_boards().exists()


def test_the_pace_is_that_since_it_runs_again_so_an_extension_of_an_old_one_tells_no_nonsense(ann):
    cup, _ = kit.running(ann)
    steering.extend(kit.play_all(cup), 3, ann)
    now = progress(Tournament.objects.get())
    assert (now.matches_per_minute, now.seconds_left) == (None, None)
    kit.play(Table.objects.filter(batch=2).first().pk)
    first = progress(Tournament.objects.get())
    assert first.matches_per_minute
    assert first.seconds_left is not None  # at this pace it may round to none
    steering.pause(cup, ann)
    steering.resume(cup, ann)
    assert progress(Tournament.objects.get()).matches_per_minute is None


def test_groups_that_were_broken_off_get_no_more_boards(ann):
    cup, _ = kit.running(ann, entrants=4)
    services.withdraw(cup.entrants.first(), ann)
    steering.extend(cup, 2, ann)
    assert Table.objects.filter(batch=2).values("group").distinct().count() == 1
    assert kit.play_all(cup).status == "finished"


def test_what_can_not_be_extended(ann):
    swiss, _ = kit.running(ann, entrants=6, name="Swiss", more={"format": "swiss", "options": {"rounds": 2}})
    with pytest.raises(Conflict, match="follow from results"):
        steering.extend(swiss, 2, ann)
    cup, _ = kit.running(ann, boards=2)
    for boards in (1, 5000):
        with pytest.raises(Invalid, match="they can be extended to"):
            steering.extend(cup, boards, ann)
    for entrant in cup.entrants.all()[:1]:
        services.withdraw(entrant, ann)
    with pytest.raises(Conflict, match="an entrant that is out"):
        steering.extend(cup, 3, ann)


# -- void tables --------------------------------------------------------------------------------------------


def test_the_organiser_has_void_tables_played_again_and_only_those(as_ann, ann):
    cup, tables = kit.running(ann)
    for _ in range(3):
        give_back_table(claim_table(tables[0]), "disk_full: no")
    kit.play(tables[1])
    address = f"/api/v1/tournaments/{cup.pk}/"
    assert as_ann.get(f"{address}progress/").json()["parked"] == 1
    assert [as_ann.post(f"{address}replay/").status_code for _ in range(2)] == [200, 200]
    table = Table.objects.get(pk=tables[0])
    assert (table.status, table.attempt, table.not_before) == ("queued", 0, None)
    assert StatusNote.objects.filter(kind="table", row=table.pk, old="parked").count() == 1
    assert kit.play_all(cup).status == "finished"
