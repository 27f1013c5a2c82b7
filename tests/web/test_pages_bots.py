"""The pages of bots: the list and its search, ratings, their history, opponents, seats, faults, losses."""

import re

import pytest
from django.utils import timezone

from league.matches.models import Match, MatchSeat
from league.tournaments.models import Tournament
from league.web.chart import rating_chart
from tests.league import kit
from tests.web.people import browser_of, text

pytestmark = pytest.mark.django_db


def over():
    Tournament.objects.update(status="finished", ended_at=timezone.now())


@pytest.fixture
def cup(ann):
    """A tournament of two boards that is played to its end, with two snapshots of its pool."""
    tournament, tables = kit.running(ann, entrants=4, boards=2, deals=2)
    kit.play(tables[0])
    for table in tables[1:6]:
        kit.play(table)
    kit.recompute(tournament.pool)
    kit.play_all(tournament)
    kit.recompute(tournament.pool)
    return tournament


def bot_of(user):
    return user.bots.get()


def test_a_bot_has_its_rating_with_interval_its_history_and_every_opponent(cup, ann, anybody):
    bot = bot_of(ann)
    page = text(browser_of().get(f"/bots/{bot.pk}/"))
    [rating] = anybody.get(f"/api/v1/ratings/?bot={bot.pk}").json()["results"]
    assert f'{rating["elo"]:.0f} <span class="range">{rating["elo_low"]:.0f} to' in page
    history = anybody.get(f"/api/v1/pools/{cup.pool_id}/history/{rating['version_id']}/").json()
    assert page.count('class="dot"') == len(history["published"])
    assert len(re.findall(r'class="live" points="([^"]*)"', page)[0].split()) == len(history["live"])
    meetings = anybody.get(f"/api/v1/pools/{cup.pool_id}/crosstable/?version={rating['version_id']}").json()[
        "results"
    ]
    assert len(meetings) == 3
    for meeting in meetings:
        assert f'<a href="/bots/{meeting["other"]["bot_id"]}/">' in page
        assert f">{round(100 * meeting['score'])}</td>" in page


def test_results_by_seat_stand_in_the_page_with_their_intervals(cup, ann, anybody):
    version = bot_of(ann).versions.get()
    told = anybody.get(f"/api/v1/versions/{version.pk}/recent/").json()
    page = text(browser_of().get(f"/bots/{version.bot_id}/")).replace("−", "-")
    assert len(told["seats"]) == 3
    for row in told["seats"]:
        assert f'<td class="num">{row["points"]:.2f}</td>' in page
        assert f'{row["difference"]:.2f} <span class="range">{row["difference_low"]:.2f} to' in page


def test_its_owner_alone_sees_why_matches_were_lost_with_what_they_cost(cup, ann, bob, anybody):
    over()
    bot = bot_of(ann)
    recent = anybody.get(f"/api/v1/versions/{bot.versions.get().pk}/recent/").json()
    browser = browser_of(ann)
    page = text(browser.get(f"/bots/{bot.pk}/"))
    assert "Why did I lose this?" in page
    assert recent["lost"]
    for lost in recent["lost"][1:]:
        assert f'<a href="?lost={lost["match"]}#why">match {lost["match"]}</a>' in page
    for lost in recent["lost"]:
        page = text(browser.get(f"/bots/{bot.pk}/?lost={lost['match']}"))
        assert page.count("<p>Clock: 0 ms a decision, 0 ms the longest") == 1
        assert page.count(f"log of {bot.name}#1</code>") == 1
        match = Match.objects.get(pk=lost["match"])
        record = anybody.get(f"/api/v1/matches/{match.pk}/record/").json()
        for deal in record["deals"]:
            points = deal["points"][deal["seats"].index(lost["seat"])]
            if points > 0:
                told = (
                    f'<a href="/matches/{match.pk}/#at={deal["number"]}.points">Deal {deal["number"]}</a>: '
                )
                assert f"{told}{points} point" in page
    assert "source</a>" in page
    for browser in (browser_of(bob), browser_of()):
        strange = text(browser.get(f"/bots/{bot.pk}/"))
        assert "Why did I lose" not in strange
        assert "source</a>" not in strange


def test_all_its_faults_stand_by_kind_with_what_they_mean_and_lead_to_their_matches(ann):
    tournament = kit.open_tournament(ann, deals=1)
    versions = kit.entered(tournament, 3)
    _, tables = kit.tournaments.start(tournament, ann)
    for table in tables:
        kit.play(table, dead=versions[:1])
    bot = versions[0].bot
    page = text(browser_of().get(f"/bots/{bot.pk}/"))
    row = re.search(r'<tr><th scope="row"><span class="badge bad">crash</span>.*?</tr>', page)[0]
    assert "Its process ended, or closed its standard output." in row
    assert (
        f'<td class="num">3</td><td class="num"><a href="/matches/?bot={bot.pk}&amp;fault=crash">3</a>' in row
    )
    assert f'<a href="/matches/{Match.objects.latest("pk").pk}/">' in row
    assert "badge bad" not in text(browser_of().get(f"/bots/{versions[1].bot_id}/"))


def test_of_a_long_log_the_end_stands_beside_a_lost_match(cup, ann):
    over()
    bot = bot_of(ann)
    MatchSeat.objects.filter(version__bot=bot).update(log="<i>first</i>" + "x" * 2000 + "<b>last</b>")
    page = text(browser_of(ann).get(f"/bots/{bot.pk}/"))
    assert "standard error: the end of it</summary>" in page
    assert "&lt;b&gt;last&lt;/b&gt;</code>" in page
    assert "first" not in page.partition("Why did I lose")[2].partition("<h2>Versions")[0]


def test_while_a_tournament_goes_on_nothing_of_its_records_is_told(ann):
    tournament = kit.open_tournament(ann, deals=2)
    versions = kit.entered(tournament, 3)
    _, tables = kit.tournaments.start(tournament, ann)
    kit.play(tables[0], dead=versions[:1])
    bot = versions[0].bot
    page = text(browser_of(ann).get(f"/bots/{bot.pk}/"))
    assert "Where they were, and what was wrong, is told with the record" in page
    assert (
        "Its process ended, or closed its standard output." in page
    )  # of what kind, everybody knows at once
    assert "<code>it ended</code>" not in page
    over()
    page = text(browser_of(ann).get(f"/bots/{bot.pk}/"))
    assert "Its process ended, or closed its standard output." in page
    assert "<code>it ended</code>" in page


def test_a_bot_without_a_rating_or_a_version_says_so(ann):
    bare = kit.received(ann, "Bare").bot
    page = text(browser_of().get(f"/bots/{bare.pk}/"))
    assert "It has no rating yet" in page
    assert "No version of it may play yet." in page
    assert "#1" in text(browser_of(ann).get(f"/bots/{bare.pk}/"))
    assert browser_of().get("/bots/999/").status_code == 404


def test_the_list_finds_bots_by_a_part_of_their_or_their_owners_name(ann, bob):
    kit.active(ann, "Grey <b>Heron</b>")
    kit.active(bob, "Owl")
    browser = browser_of()
    names = r'<th scope="row" class="who"><a href="/bots/\d+/">([^<]*)</a>'
    assert re.findall(names, text(browser.get("/bots/"))) == ["Grey &lt;b&gt;Heron&lt;/b&gt;", "Owl"]
    for search, found in (("HERON", 1), ("ob", 1), ("o", 2), ("%", 0), ("nobody", 0)):
        page = text(browser.get("/bots/", {"search": search}))
        assert len(re.findall(names, page)) == found, search
    assert "No bot’s name" in page or "No bot's name" in page
    ordered = re.findall(names, text(browser.get("/bots/?ordering=-name")))
    assert ordered[0] == "Owl"


def test_where_no_bot_is_the_list_asks_for_one(db):
    assert "Send the first one." in text(browser_of().get("/bots/"))


def test_a_history_of_one_snapshot_or_of_many_makes_a_chart():
    one = {"matches": 9, "elo": 1500.0, "elo_low": 1400.0, "elo_high": 1600.0}
    chart = rating_chart({"live": [], "published": [one]})
    assert chart.band == ""
    assert len(chart.dots) == 1
    assert all(0 <= float(mark.at.rstrip("%")) <= 100 for mark in (*chart.up, *chart.across))
    many = [{**one, "matches": number} for number in range(1, 100)]
    chart = rating_chart({"live": [{"matches": 1, "elo": 1500.0}], "published": many})
    assert len(chart.band.split()) == 2 * 99
    assert len(chart.dots) == 1
    assert rating_chart({"live": [], "published": []}) is None


def test_the_first_wide_intervals_reach_beyond_the_chart_and_leave_room_for_what_came_later():
    wide = {"matches": 1, "elo": 1500.0, "elo_low": -3000.0, "elo_high": 6000.0}
    sure = {"matches": 9, "elo": 1600.0, "elo_low": 1550.0, "elo_high": 1650.0}
    chart = rating_chart({"live": [], "published": [wide, sure]})
    first, last = ([float(end.rstrip("%")) for end in (dot.high, dot.y, dot.low)] for dot in chart.dots)
    assert first[0] == 0
    assert first[2] == 90
    assert last[2] - last[0] > 20
    assert first[1] > last[1]
