"""The pages of tournaments as a reader sees them: the list, one in each of its states, the cross table."""

import json
import re

import pytest

from league.pipeline import start
from league.tournaments import services
from league.tournaments.models import Tournament
from league.web import inside
from league.web.heat import Cell, square
from league.web.tournament_words import KINDS, WAITS, kind_in_words, rules_in_words
from tests.api.world import make_duel
from tests.league import kit
from tests.web.people import browser_of, text

pytestmark = pytest.mark.django_db

PARTS = ("", "crosstable/", "boards/", "tables/", "entrants/")


def read(page, name):
    """A value that the page keeps up to date."""
    return re.search(rf'data-(?:value|duration)="{name}"[^>]*>([^<]*)<', page)[1]


@pytest.fixture
def cup(ann):
    """Four bots; three of their four groups have played."""
    tournament, _ = kit.running(ann, entrants=4)
    kit.play_all(tournament, tables=9)
    kit.recompute(tournament)
    return tournament


def test_the_list_has_the_latest_first_with_state_and_is_filtered_by_state_and_organiser(ann, bob):
    kit.open_tournament(ann, "First")
    kit.open_tournament(bob, "Second", more={"rated": False})
    kit.tournaments.create_tournament(bob, "Hidden", kit.QUICK, 1)
    page = text(browser_of().get("/tournaments/"))
    assert page.index("Second") < page.index("First")
    assert "Hidden" not in page
    assert page.count('<span class="badge">unrated</span>') == 1
    assert "Hidden" in text(browser_of(bob).get("/tournaments/?status=draft"))
    page = text(browser_of().get("/tournaments/?organiser=ann"))
    assert "First" in page
    assert "Second" not in page
    page = text(browser_of().get("/tournaments/?status=running"))
    assert "No tournament is so." in page
    assert browser_of().get("/tournaments/?status=x").status_code == 400


def test_without_any_the_list_says_what_to_do(db):
    page = text(browser_of().get("/tournaments/"))
    assert 'class="empty"' in page
    assert 'class="button first" href="/tournaments/new/"' in page


def test_a_draft_is_its_organisers_alone_and_shows_what_it_is_and_why_it_cannot_be_played_yet(ann, bob):
    draft = kit.tournaments.create_tournament(
        ann, "Draft", {**kit.QUICK, "bids": []}, 3, format="swiss", options={"rounds": 5}
    )
    page = text(browser_of(ann).get(f"/tournaments/{draft.pk}/"))
    assert "5 rounds; in each, bots of like scores sit together." in page
    assert "polignac, 3 players, 1 deal a match, no bids, tiebreak: shared" in page
    assert "As it is now it can&#x27;t be played." in page or "As it is now it can't be played." in page
    for part in PARTS:
        assert browser_of(bob).get(f"/tournaments/{draft.pk}/{part}").status_code == 404
        assert browser_of().get(f"/tournaments/{draft.pk}/{part}").status_code == 404


def test_an_open_one_shows_its_entrants_and_what_it_will_cost_and_tell(ann, anybody):
    tournament = kit.open_tournament(ann, boards=2)
    versions = kit.entered(tournament, 4)
    page = text(browser_of().get(f"/tournaments/{tournament.pk}/"))
    told = anybody.get(f"/api/v1/tournaments/{tournament.pk}/preview/").json()
    assert f"<dt>Matches</dt><dd>{told['matches']}</dd>" in page
    assert f"± {told['widest']['elo'] / 2:.0f} " in page
    assert "no play worker has been seen of late" in page
    for version in versions:
        assert version.bot.name in page
    assert f'data-follow="/api/v1/tournaments/{tournament.pk}/events/"' in page


def test_while_it_runs_the_page_has_progress_rate_time_left_standings_and_the_queue(cup, anybody):
    page = text(browser_of().get(f"/tournaments/{cup.pk}/"))
    told = anybody.get(f"/api/v1/tournaments/{cup.pk}/progress/").json()
    for name in ("matches", "matches_planned", "blocks", "blocks_planned", "done", "queued", "playing"):
        assert read(page, name) == str(told[name]), name
    assert read(page, "matches_per_minute") != "–"
    assert read(page, "seconds_left") != "unknown"
    assert f'data-progress="/api/v1/tournaments/{cup.pk}/events/"' in page
    reasons = re.search(r'<script id="reasons" type="application/json">(.*?)</script>', page)[1]
    assert json.loads(reasons) == {str(reason): text for reason, text in WAITS.items()}
    assert "web/js/progress.js" in page
    for row in anybody.get(f"/api/v1/tournaments/{cup.pk}/standings/").json()["results"]:
        low, high = 100 * row["score_low"], 100 * row["score_high"]
        assert f'<span class="range">{low:.1f} to {high:.1f}</span>' in page
    assert page.count('class="interval"') == 4
    assert "Next in the queue" in page
    assert "others go first" in page


def test_when_it_is_over_it_has_its_seed_and_nothing_moves(cup):
    kit.play_all(cup)
    kit.recompute(cup)
    page = text(browser_of().get(f"/tournaments/{cup.pk}/"))
    assert '<span class="badge good">finished</span>' in page
    assert cup.seed in page
    assert "data-progress" not in page
    assert "Next in the queue" not in page
    assert "others go first" not in page


def test_a_swiss_has_its_own_order(ann, anybody):
    tournament, _ = kit.running(ann, entrants=4, more={"format": "swiss", "options": {"rounds": 1}})
    kit.play_all(tournament)
    page = text(browser_of().get(f"/tournaments/{tournament.pk}/"))
    ranked = [row["bot"] for row in anybody.get(f"/api/v1/tournaments/{tournament.pk}/ranking/").json()]
    order = page[page.index("Final order") : page.index("Standings")]
    assert [order.index(bot) for bot in ranked] == sorted(order.index(bot) for bot in ranked)


def test_a_duel_has_its_verdict_and_names_the_two(ann, anybody):
    before, _ = kit.running(ann)
    duel = make_duel(ann, before)
    page = text(browser_of().get(f"/tournaments/{duel.pk}/"))
    told = anybody.get(f"/api/v1/tournaments/{duel.pk}/duel/").json()
    assert "Cup bot 0 #1 against Cup bot 1 #1: 6 groups" in page
    assert "The verdict" in page
    assert f"{told['boards']} of {told['planned']}" in page


def test_a_duels_test_is_drawn_and_its_numbers_stand_below(ann, anybody):
    before, _ = kit.running(ann, entrants=4)
    equals = [entrant.version for entrant in before.entrants.order_by("pk")][::3]  # the same program twice
    options = {"first": equals[0].pk, "second": equals[1].pk}
    duel = kit.open_tournament(ann, "Duel", boards=2, more={"format": "duel", "options": options})
    for entrant in before.entrants.all():
        kit.tournaments.enter(duel, entrant.version, entrant.bot.owner)
    kit.tournaments.start(duel, ann)
    kit.play_all(duel)
    told = anybody.get(f"/api/v1/tournaments/{duel.pk}/duel/").json()
    page = text(browser_of().get(f"/tournaments/{duel.pk}/"))
    assert 'class="chart duel"' in page
    assert page.count('<th scope="row" class="num">') == len(told["trace"]) > 1
    for step in told["trace"]:
        assert f'<td class="num">{step["outer"]:.3f}</td>' in page
    assert "Cup bot 0 #1 is better</text>" in page
    assert "<style" not in page
    assert " style=" not in page


def test_the_cross_table_has_each_pair_twice_with_its_number_and_one_bots_opponents(cup, anybody):
    page = text(browser_of().get(f"/tournaments/{cup.pk}/crosstable/"))
    told = anybody.get(f"/api/v1/tournaments/{cup.pk}/crosstable/").json()["results"]
    assert page.count("data-heat=") == 2 * len(told)
    for row in told:
        title = f"{row['won']} before, {row['drawn']} equal, {row['lost']} behind"
        assert f'title="{title}">{100 * row["score"]:.0f}<' in page
    one = told[0]["one"]
    page = text(browser_of().get(f"/tournaments/{cup.pk}/crosstable/?version={one['version_id']}"))
    assert page.count("data-heat=") == 3
    assert browser_of().get(f"/tournaments/{cup.pk}/crosstable/?version=x").status_code == 400


def test_a_cell_is_the_warmer_the_less_chance_explains_it():
    def heat(score, matches):
        return Cell(score, matches, 0, 0, 0).heat

    assert [heat(0.5, 10_000), heat(0.9, 1), heat(0.6, 36), heat(0.6, 100), heat(0.6, 400)] == [0, 0, 1, 2, 3]
    assert [heat(0.4, 36), heat(0.4, 100), heat(0.4, 400)] == [-1, -2, -3]
    meeting = {
        "one": {"version_id": 1},
        "other": {"version_id": 2},
        "score": 0.75,
        "matches": 4,
        "won": 3,
        "drawn": 0,
        "lost": 1,
    }
    (nothing, cell), (mirrored, _) = square([{"version_id": 1}, {"version_id": 2}], [meeting])
    assert nothing is None
    assert (cell.score, mirrored.score, mirrored.won, mirrored.lost) == (0.75, 0.25, 1, 3)


def test_boards_and_tables_say_what_is_complete_and_what_waits(cup, anybody):
    boards = text(browser_of().get(f"/tournaments/{cup.pk}/boards/"))
    told = anybody.get(f"/api/v1/tournaments/{cup.pk}/boards/").json()["results"]
    assert boards.count('<span class="badge good">complete</span>') == sum(row["complete"] for row in told)
    for row in told:
        assert row["commitment"] in boards
    tables = text(browser_of().get(f"/tournaments/{cup.pk}/tables/?status=queued"))
    assert tables.count("others go first") == 3
    assert tables.count('<span class="badge good">done</span>') == 0
    Tournament.objects.update(status="paused")
    assert "The tournament is paused." in text(browser_of().get(f"/tournaments/{cup.pk}/tables/"))


def test_a_page_asks_the_api_for_what_it_shows_and_for_nothing_else(cup, monkeypatch):
    asked, ask = [], inside._ask

    def noted(request, method, path, **more):
        asked.append(path.removeprefix(f"/api/v1/tournaments/{cup.pk}/").rstrip("/"))
        return ask(request, method, path, **more)

    monkeypatch.setattr(inside, "_ask", noted)
    for page, parts in (
        ("", ["", "progress", "standings", "tables"]),
        ("crosstable/", ["", "standings", "crosstable"]),
        ("boards/", ["", "boards"]),
        ("tables/", ["", "tables"]),
        ("entrants/", ["", "entrants"]),
    ):
        asked.clear()
        assert browser_of().get(f"/tournaments/{cup.pk}/{page}").status_code == 200
        assert asked == parts, page


@pytest.mark.parametrize("more", [{}, {"format": "swiss", "options": {"rounds": 1}}])
def test_each_part_that_lives_is_there_when_the_tournament_is_over_so_that_nothing_old_stays(ann, more):
    tournament, _ = kit.running(ann, more=more)
    address = f"/tournaments/{tournament.pk}/"
    living = re.findall(r'id="(\w+)" data-live', text(browser_of(ann).get(address)))
    assert {"state", "deeds", "standings", "queue", "what"} <= set(living)
    kit.play_all(tournament)
    over = text(browser_of(ann).get(address))
    assert "data-live" not in over
    assert [name for name in living if f'id="{name}"' not in over] == []
    assert '<section id="queue"></section>' in over


def test_the_report_of_partners_is_for_the_organiser(cup, ann, bob):
    address = f"/tournaments/{cup.pk}/partners/"
    assert "No pair is conspicuous" in text(browser_of(ann).get(address))
    assert browser_of(bob).get(address).status_code == 403
    assert browser_of().get(address).status_code == 302


def test_every_format_and_what_is_unusual_of_the_rules_is_told_in_words(ann):
    names = {1: "Owl #1", 2: "Fox #3"}
    for format, options, words in (
        ("round_robin", {}, "Every set of 4 bots is a group once."),
        ("round_robin", {"kind": "balanced", "groups_each": 12}, "at least 12 groups"),
        ("round_robin", {"kind": "balanced", "meetings": 1}, "every pair meets once"),
        ("swiss", {"rounds": 5}, "5 rounds"),
        ("knockout", {}, "The best 2 of each table"),
        (
            "gauntlet",
            {"heroes": [1, 2], "meetings": 3},
            "Owl #1, Fox #3 against all the others, each at least 3 times",
        ),
        ("ladder", {}, "It has no end"),
        ("duel", {"first": 1, "second": 2}, "Owl #1 against Fox #3: 6 groups"),
    ):
        cup = kit.tournaments.draft({"players": 4}, 1, format=format, options=options)
        told = {"format": cup.format, "options": cup.options, "players": cup.players}
        assert words in kind_in_words(told, names)
        assert format in KINDS
    cup = kit.tournaments.draft({"variant": "knaves", "players": 3, "threshold": 20, "revoke": "penalty"}, 1)
    assert rules_in_words(cup.rules) == [
        "knaves",
        "3 players",
        "a match ends when somebody has 20 points",
        "no bids",
        "revoke: penalty",
    ]


def test_names_that_carry_markup_are_inert(ann):
    tournament = kit.open_tournament(ann, "<b>x</b>&amp;")
    kit.tournaments.enter(tournament, kit.active(ann, "<img src=x>"), ann)
    for address in (
        "/tournaments/",
        f"/tournaments/{tournament.pk}/",
        f"/tournaments/{tournament.pk}/entrants/",
    ):
        page = text(browser_of().get(address))
        assert "<b>x" not in page
        assert "<img" not in page
        assert "&lt;b&gt;x&lt;/b&gt;&amp;amp;" in page


def test_a_ladder_whose_bots_rest_says_so_until_one_enters(ann):
    first, _ = kit.running(ann, entrants=3, boards=5)
    kit.play_all(first)
    kit.recompute(first.pool)
    ladder = kit.open_tournament(ann, "Ladder", more={"format": "ladder", "options": {"rest_at": 300}})
    for entrant in first.entrants.all():
        services.enter(ladder, entrant.version, entrant.bot.owner)
    services.start(ladder, ann)
    page = f"/tournaments/{ladder.pk}/"
    assert "Its bots rest" in text(browser_of().get(page))
    start.enter(ladder, kit.active(kit.author(9), "Late"), kit.author(9))
    assert "Its bots rest" not in text(browser_of().get(page))
