"""Every format, from its options to its end, through the API; and fields that are odd."""

import pytest

from arena.schedule.formats import next_round
from league.common.errors import Conflict
from league.matches.models import Match
from league.pipeline import start
from league.ratings.models import Pool
from league.tournaments import services, workers
from league.tournaments.advancing import advance
from league.tournaments.drafts import draft
from league.tournaments.history import history_of, ranking_of
from league.tournaments.models import Bye, Group, Table, TableSeat, Tournament
from league.tournaments.planning import field_of, setup_of
from league.tournaments.previewing import preview
from tests.league import kit

pytestmark = pytest.mark.django_db


def cup_of(api, entrants, format, options=None, rated=True, boards=1, players=3, **more):
    """A cup that is open with so many entrants, made through the API; its address and the versions."""
    made = api.post(
        "/api/v1/tournaments/",
        {
            "name": "Cup",
            "format": format,
            "options": options or {},
            "rules": {**kit.QUICK, "players": players},
            "boards": boards,
            "rated": rated,
            **more,
        },
    )
    assert made.status_code == 201, made.content
    address = f"/api/v1/tournaments/{made.json()['id']}/"
    assert api.post(f"{address}open/").status_code == 200
    return address, kit.entered(Tournament.objects.get(), entrants)


def started(api, address):
    """The answer to a start."""
    return api.post(f"{address}start/")


# -- one of each --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("format", "options", "entrants", "rounds", "groups"),
    [
        ("round_robin", {}, 5, 1, 10),
        ("round_robin", {"kind": "balanced", "meetings": 2}, 7, 1, 14),
        ("swiss", {"rounds": 3}, 7, 3, 6),
        ("knockout", {"advance": 1}, 9, 2, 4),
    ],
)
def test_a_tournament_is_played_to_its_end(as_ann, anybody, format, options, entrants, rounds, groups):
    address, _ = cup_of(as_ann, entrants, format, options)
    assert started(as_ann, address).json()["status"] == "running"
    shown = anybody.get(f"{address}preview/").json()
    cup = kit.play_all(Tournament.objects.get())
    assert (cup.status, cup.round, cup.last) == ("finished", rounds, True)
    assert Group.objects.count() == groups
    assert (shown["rounds"], shown["groups"], shown["tables"]) == (rounds, groups, Table.objects.count())
    progress = anybody.get(f"{address}progress/").json()
    assert (progress["done"], progress["blocks"]) == (progress["tables"], groups)
    rows = anybody.get(f"{address}groups/").json()["results"]
    assert sorted({row["round"] for row in rows}) == list(range(1, rounds + 1))
    assert {(len(row["members"]), row["seatings"], row["blocks"]) for row in rows} == {(3, 3, 1)}
    kit.recompute(cup)
    assert len(anybody.get(f"{address}standings/").json()["results"]) == entrants
    ranking = anybody.get(f"{address}ranking/")
    if format in ("swiss", "knockout"):
        assert ranking.json()[0]["rank"] == 1
        assert len(ranking.json()) == entrants
        assert {"bot", "version_id", "owner", "rounds", "score", "points"} <= set(ranking.json()[0])
    else:
        assert (ranking.status_code, ranking.json()["code"]) == (409, "no_ranking")


def test_a_gauntlet_is_one_version_against_the_field(as_ann, ann):
    hero = kit.active(ann, "Hero")
    address, versions = cup_of(as_ann, 5, "gauntlet", {"heroes": [hero.pk], "meetings": 1})
    Tournament.objects.get().entrants.get(version=versions[0]).delete()
    services.enter(Tournament.objects.get(), hero, ann)
    assert started(as_ann, address).status_code == 200
    assert kit.play_all(Tournament.objects.get()).status == "finished"
    sat = [set(group.tables.first().seats.values_list("entrant__version", flat=True)) for group in groups()]
    assert all(hero.pk in each for each in sat)
    assert set().union(*sat) == {hero.pk, *(version.pk for version in versions[1:])}


def groups():
    return Group.objects.order_by("number")


def test_a_duel_lets_two_versions_of_one_bot_change_seats_and_moves_no_rating(as_ann, ann):
    old = kit.active(ann, "Mine", "lowest")
    new, _ = kit.bots.add_version(old.bot, kit.reference_package("dodger"))
    new = kit.bots.finish_check(kit.bots.claim_version(new.pk))
    options = {"first": old.pk, "second": new.pk, "groups": 2}
    address, _ = cup_of(as_ann, 4, "duel", options, rated=False, boards=2)
    for version in (old, new):
        entered = as_ann.post(f"{address}entrants/", {"version": version.pk})
        assert entered.status_code == 201, entered.content
    third, _ = kit.bots.add_version(old.bot, kit.reference_package("counter"))
    third = kit.bots.finish_check(kit.bots.claim_version(third.pk))
    assert as_ann.post(f"{address}entrants/", {"version": third.pk}).json()["code"] == "bot_entered"
    assert started(as_ann, address).json()["pool"] is None
    cup = kit.play_all(Tournament.objects.get())
    assert cup.status == "finished"
    assert Table.objects.count() == 4
    for group in groups():
        one, other = (
            dict(table.seats.values_list("entrant__version", "seat")) for table in group.tables.all()
        )
        assert (one[old.pk], one[new.pk]) == (other[new.pk], other[old.pk])
        assert {each: one[each] for each in one.keys() - {old.pk, new.pk}} == {
            each: other[each] for each in other.keys() - {old.pk, new.pk}
        }
    assert not Pool.objects.exists()


def test_a_ladder_goes_on_until_it_is_told_to_end_and_takes_bots_meanwhile(as_ann, ann, anybody):
    address, versions = cup_of(as_ann, 4, "ladder")
    assert started(as_ann, address).json()["status"] == "running"
    cup = Tournament.objects.get()
    kit.play_all(cup, tables=12)
    cup.refresh_from_db()
    assert (cup.status, cup.round >= 4) == ("running", True)
    assert Table.objects.filter(status="queued").count() <= 3, "one group ahead, no more"
    late = kit.active(kit.author(9), "Late")
    assert services.enter(cup, late, kit.author(9))[1]
    kit.play_all(cup, tables=9)
    assert Match.objects.filter(seats__version=late).exists(), "who never played has waited longest"
    services.withdraw(cup.entrants.get(version=versions[0]), ann)
    advance(cup)
    before = Group.objects.count()
    assert [as_ann.post(f"{address}finish/").json()["last"] for _ in range(2)] == [True, True]
    cup = kit.play_all(cup)
    assert cup.status == "finished"
    assert Group.objects.count() == before
    refused = kit.client(kit.author(9)).post(f"{address}entrants/", {"version": late.pk})
    assert refused.status_code == 200, "it is entered"
    another = kit.active(kit.author(8), "Too late")
    refused = kit.client(kit.author(8)).post(f"{address}entrants/", {"version": another.pk})
    assert (refused.status_code, refused.json()["code"]) == (409, "wrong_state")


def test_a_ladder_with_too_few_left_waits_and_goes_on_when_somebody_enters(ann):
    ladder, _ = kit.running(ann, more={"format": "ladder"})
    services.withdraw(ladder.entrants.first(), ann)
    assert not advance(ladder)
    ladder.refresh_from_db()
    assert ladder.status == "running"
    start.enter(ladder, kit.active(kit.author(7), "Rescuer"), kit.author(7))
    assert Table.objects.filter(status="queued").count() == 3


def placed(ladder):
    """Play and rate, group after group, until all of the ladder's bots rest."""
    for _ in range(60):
        kit.play_all(ladder, tables=3)
        kit.recompute(ladder.pool)
        if not advance(ladder) and not ladder.tables.filter(status="queued").exists():
            return
    raise AssertionError("they never rest")


def test_a_ladder_of_bots_that_are_known_well_enough_rests_until_a_newcomer_is_placed(ann):
    ladder, _ = kit.running(ann, entrants=4, more={"format": "ladder", "options": {"rest_at": 300}})
    placed(ladder)
    assert ladder.status == "running"
    played = Match.objects.count()
    late = kit.active(kit.author(9), "Late")
    start.enter(ladder, late, kit.author(9))
    placed(ladder)
    assert Match.objects.filter(seats__version=late).count() == Match.objects.count() - played > 0


def test_a_ladder_may_begin_with_all_its_bots_at_rest(as_ann, ann):
    first, _ = kit.running(ann, entrants=3, boards=5)
    kit.play_all(first)
    kit.recompute(first.pool)
    more = {"format": "ladder", "options": {"rest_at": 300}}
    cup = kit.open_tournament(ann, "Open to all", more=more)
    for entrant in first.entrants.all():
        services.enter(cup, entrant.version, entrant.bot.owner)
    assert services.start(cup, ann)[1] == []
    assert as_ann.get(f"/api/v1/tournaments/{cup.pk}/progress/").json()["tables"] == 0


# -- rounds -------------------------------------------------------------------------------------------------


def test_the_next_round_is_planned_once_when_the_last_table_is_over(ann):
    cup, tables = kit.running(ann, entrants=6, more={"format": "swiss", "options": {"rounds": 2}})
    for table in tables[:-1]:
        kit.play(table)
        assert not advance(cup)
    kit.play(tables[-1])
    assert [advance(cup) for _ in range(3)] == [True, False, False]
    assert list(groups().values_list("round", flat=True)) == [1, 1, 2, 2]
    assert list(Group.objects.values_list("number", flat=True)) == [1, 2, 3, 4]


def test_the_same_results_give_the_same_next_round_whoever_asks(ann):
    cup, _ = kit.running(ann, entrants=6, more={"format": "swiss", "options": {"rounds": 3}})
    kit.play_all(cup, tables=6)
    cup.refresh_from_db()
    planned = [tuple(seats) for seats in seatings(round=2)]
    expected = next_round(setup_of(cup), field_of(cup), history_of(cup)[:1])
    assert planned == [seating for group in expected.groups for seating in group.seatings]


def seatings(round):
    """The versions by seat, table after table."""
    for table in Table.objects.filter(group__round=round).order_by("pk"):
        yield table.seats.order_by("seat").values_list("entrant__version", flat=True)


def test_who_has_a_bye_is_kept_and_its_score_is_known_to_the_format(ann):
    cup, _ = kit.running(ann, entrants=7, more={"format": "swiss", "options": {"rounds": 2}})
    [bye] = Bye.objects.all()
    kit.play_all(cup)
    cup.refresh_from_db()
    history = history_of(cup)
    assert history[0].byes == (bye.entrant.version_id,)
    assert sum(place.score for place in ranking_of(cup)) > 0
    assert not TableSeat.objects.filter(entrant=bye.entrant, table__group__round=1).exists()


def test_scores_are_the_share_of_opponents_left_behind_in_complete_blocks_only(ann):
    cup, _ = kit.running(ann, entrants=6, more={"format": "swiss", "options": {"rounds": 2}})
    kit.play_all(cup, tables=4)  # a group, and a table of the other
    first, second = history_of(cup)[0].groups
    assert sum(first.score.values()) == pytest.approx(1.5)
    assert set(first.score) == set(first.points) == set(first.members)
    assert second.score == {}
    assert history_of(cup)[0].groups[0].members == tuple(next(iter(seatings(round=1))))


def test_a_parked_table_holds_the_next_round_up_until_it_is_replayed_or_its_entrants_are_gone(ann):
    cup, tables = kit.running(ann, entrants=6, more={"format": "swiss", "options": {"rounds": 2}})
    Table.objects.filter(pk=tables[0]).update(status="parked", failure="disk_full: no")
    kit.play_all(cup)
    cup.refresh_from_db()
    assert (cup.status, cup.round) == ("running", 1)
    start.replay_tables(cup, ann)
    assert kit.play_all(cup).status == "finished"


def test_who_is_disqualified_in_a_knockout_does_not_go_on(ann):
    more = {"format": "knockout", "options": {"advance": 2}, "disqualify_after": 3}
    cup, _ = kit.running(ann, entrants=6, more=more)
    dead = cup.entrants.order_by("pk").last()
    cup = kit.play_all(cup, dead={dead.version})
    assert cup.status == "finished"
    assert not TableSeat.objects.filter(entrant=dead, table__group__round__gt=1).exists()
    last = ranking_of(cup)[-1]
    assert last.entrant == dead.version_id


# -- odd fields ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("format", "options"),
    [
        ("round_robin", {}),
        ("round_robin", {"kind": "balanced", "groups_each": 3}),
        ("swiss", {"rounds": 2}),
        ("knockout", {}),
        ("ladder", {}),
    ],
)
@pytest.mark.parametrize("entrants", [1, 2])
def test_too_few_entrants_are_told_so_at_the_start_and_it_stays_open(as_ann, format, options, entrants):
    address, _ = cup_of(as_ann, entrants, format, options)
    answer = started(as_ann, address)
    assert (answer.status_code, answer.json()["code"]) == (409, "too_few_entrants")
    assert as_ann.get(address).json()["status"] == "open"


def test_three_bots_of_one_owner_make_no_rated_tournament_but_an_unrated_one(as_ann, ann):
    address, _ = cup_of(as_ann, 0, "round_robin")
    for number in range(3):
        version = kit.active(ann, f"Mine {number}")
        assert as_ann.post(f"{address}entrants/", {"version": version.pk}).status_code == 201
    answer = started(as_ann, address)
    assert (answer.status_code, answer.json()["code"]) == (409, "too_few_owners")
    Tournament.objects.update(rated=False)
    assert started(as_ann, address).status_code == 200
    cup = kit.play_all(Tournament.objects.get())
    assert (cup.status, cup.pool) == ("finished", None)
    kit.recompute(cup)
    assert [row["matches"] for row in as_ann.get(f"{address}standings/").json()["results"]] == [3, 3, 3]


def test_entrants_of_one_owner_never_share_a_rated_table(ann):
    cup = kit.open_tournament(ann)
    for number in range(3):
        services.enter(cup, kit.active(ann, f"Mine {number}"), ann)
    for number in range(1, 4):
        services.enter(cup, kit.active(kit.author(number), f"Theirs {number}"), kit.author(number))
    services.start(cup, ann)
    for table in Table.objects.all():
        owners = table.seats.values_list("entrant__bot__owner", flat=True)
        assert len(set(owners)) == len(owners) == 3


@pytest.mark.parametrize(
    ("format", "options", "field"),
    [
        ("swiss", {}, "options.rounds"),
        ("swiss", {"rounds": 0}, "options.rounds"),
        ("knockout", {"advance": "two"}, "options.advance"),
        ("ladder", {"speed": 1}, "options"),
        ("gauntlet", {"heroes": []}, "options.heroes"),
        ("duel", {"first": 1, "second": 1}, "options.second"),
        ("round_robin", {"kind": "half"}, "options.kind"),
        ("round_robin", {"kind": "balanced"}, "options"),
    ],
)
def test_options_that_make_no_sense_are_refused_at_the_draft(as_ann, format, options, field):
    answer = as_ann.post("/api/v1/tournaments/", {"name": "Cup", "format": format, "options": options})
    told = answer.json()
    assert (answer.status_code, told["code"], told["field"]) == (400, "bad_options", field)


def test_who_is_named_in_a_format_and_has_not_entered_is_told_at_the_start(as_ann):
    address, _ = cup_of(as_ann, 4, "gauntlet", {"heroes": [10**6]})
    answer = started(as_ann, address)
    assert (answer.status_code, answer.json()["code"]) == (409, "not_entered")


# -- the preview --------------------------------------------------------------------------------------------


def test_a_preview_tells_how_much_is_played_and_how_sure_it_will_be_and_after_some_play_how_long(as_ann, ann):
    body = {"format": "round_robin", "options": {"kind": "balanced", "meetings": 4}, "boards": 10}
    ask = {**body, "rules": {"players": 4, "deals": 5}, "entrants": 100}
    shown = as_ann.post("/api/v1/tournaments/preview/", ask).json()
    assert (shown["entrants"], shown["rounds"], shown["workers"], shown["seconds"]) == (100, 1, 0, None)
    assert shown["tables"] == shown["groups"] * 4
    assert shown["deals"] == shown["matches"] * 5 == shown["tables"] * 50
    assert 0 < shown["narrowest"]["elo"] <= shown["widest"]["elo"] < 200
    assert 0 < shown["widest"]["points"] < 1
    longer = as_ann.post("/api/v1/tournaments/preview/", {**ask, "boards": 40}).json()
    assert longer["widest"]["elo"] == pytest.approx(shown["widest"]["elo"] / 2)
    cup, _ = kit.running(ann)
    workers.seen()
    kit.play_all(cup)
    timed = as_ann.post("/api/v1/tournaments/preview/", ask).json()
    assert timed["workers"] == 1
    assert timed["seconds"] == pytest.approx(
        timed["tables"] * timed["table_seconds"] + timed["deals"] / timed["deals_per_second"]
    )
    assert Tournament.objects.count() == 1, "nothing was made"


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"entrants": 3}, "too_few_entrants"),
        ({"entrants": None}, "null"),
        ({"rules": {"players": 9}}, "bad_rules"),
        ({"options": {"kind": "half"}}, "bad_options"),
        ({"boards": 10**6}, "bad_boards"),
        ({"groups_each": 3}, "unknown_field"),
        ({"name": "as in the draft", "entrants": 2}, "too_few_entrants"),
    ],
)
def test_a_preview_refuses_what_a_tournament_would(as_ann, change, code):
    answer = as_ann.post("/api/v1/tournaments/preview/", {"entrants": 8, **change})
    assert answer.json()["code"] == code
    assert answer.status_code == (409 if code == "too_few_entrants" else 400)


def test_a_duel_and_a_gauntlet_can_be_previewed_by_numbers(ann):
    duel = draft(kit.QUICK, 2, format="duel", options={"first": 5, "second": 900, "groups": 4}, rated=False)
    assert preview(duel, 6).plan.tables == 8
    gauntlet = draft(kit.QUICK, 2, format="gauntlet", options={"heroes": [7]})
    assert preview(gauntlet, 9).entrants == 9


def test_a_start_of_far_too_many_tables_is_refused(ann, monkeypatch):
    monkeypatch.setattr(services, "MAX_TABLES", 11)
    cup = kit.open_tournament(ann)
    kit.entered(cup, 4)
    with pytest.raises(Conflict, match="12 tables; 11 is the most"):
        services.start(cup, ann)
