"""The ladder: who leads, how sure that is, how it moved; search, and news without a jump."""

import re
from datetime import timedelta

import pytest

from league.ratings.models import Snapshot
from league.web.templatetags.web import certainty
from tests.league import kit
from tests.web.people import browser_of, text

pytestmark = pytest.mark.django_db


@pytest.fixture
def cup(ann):
    """Four bots of which all tables have been played; one snapshot."""
    tournament, _ = kit.running(ann, entrants=4, boards=2)
    kit.play_all(tournament)
    kit.recompute(tournament.pool)
    return tournament


def names(page):
    return re.findall(r'<th scope="row"><a href="/bots/\d+/">([^<]*)</a>', page)


def test_each_bot_stands_at_its_place_with_its_interval_in_numbers_and_as_a_bar(cup, anybody):
    page = text(browser_of().get("/"))
    rows = anybody.get(f"/api/v1/ratings/?pool={cup.pool_id}").json()["results"]
    assert names(page) == [row["bot"] for row in rows]
    assert page.count('<svg class="interval') == 4
    for row in rows:
        assert f'{row["elo"]:.0f} <span class="range">{row["elo_low"]:.0f} to {row["elo_high"]:.0f}' in page
    assert "polignac, 3 players, 1 deal (" in page
    assert "Trend" not in page


def test_it_says_who_leads_how_sure_that_is_and_where_to_watch_it(cup, anybody):
    first, second = anybody.get(f"/api/v1/ratings/?pool={cup.pool_id}").json()["results"][:2]
    pair = f"{first['version_id']}/{second['version_id']}"
    told = anybody.get(f"/api/v1/pools/{cup.pool_id}/head-to-head/{pair}/").json()
    chance = told["comparison"]["chance"]
    assert 0.5 < chance < 0.95  # two boards settle nothing
    page = text(browser_of().get("/"))
    assert (
        f">{first['bot']}</a> leads, but not surely: that it is better than <bdi>{second['bot']}</bdi>"
        in page
    )
    assert f"has a probability of {100 * chance:.0f} %." in page
    latest = anybody.get(f"/api/v1/matches/?version={first['version_id']}&ordering=-id").json()["results"][0]
    assert f'<a href="/matches/{latest["id"]}/">Watch its latest match</a>' in page
    assert "leads" not in text(browser_of().get("/?search=bot"))


@pytest.mark.parametrize(
    ("chance", "said"), [(0.5, "50 %"), (0.984, "98 %"), (0.991, "over 99 %"), (1, "over 99 %")]
)
def test_a_probability_is_never_said_to_be_a_certainty(chance, said):
    assert certainty(chance) == said


def test_a_search_takes_a_part_of_a_bots_name_and_an_owner(cup, anybody):
    browser = browser_of()
    assert names(text(browser.get("/", {"search": "BOT 2"}))) == ["Cup bot 2"]
    assert names(text(browser.get("/", {"search": "bot", "owner": "Ann"}))) == ["Cup bot 0"]
    assert "No bot of this pool is like that." in text(browser.get("/", {"search": "_"}))
    falling = names(text(browser.get("/?ordering=-place")))
    assert falling == names(text(browser.get("/?ordering=place")))[::-1]


def test_the_trend_is_the_change_since_a_snapshot_of_a_day_before_or_the_oldest(cup, ann, anybody):
    first = Snapshot.objects.get(sheet__pool=cup.pool_id)
    for day in (3, 2):  # two more tournaments of the same pool, each with a snapshot
        before = Snapshot.objects.filter(sheet__pool=cup.pool_id)
        before.update(computed_at=first.computed_at - timedelta(days=day))
        other, _ = kit.running(ann, name=f"Cup {day}")
        kit.play_all(other)
        kit.recompute(other.pool)
    oldest, since, now = Snapshot.objects.filter(sheet__pool=cup.pool_id).order_by("number")
    address = f"/api/v1/pools/{cup.pool_id}/snapshots/{since.results_hash}/ratings/"
    elo = {row["version_id"]: row["elo"] for row in anybody.get(address).json()["results"]}
    page = text(browser_of().get("/"))
    assert f"The trend is since snapshot {since.number} of" in page
    trends = re.findall(r'</svg></td>\s*<td class="num">([^<]*)</td>', page)
    for row, trend in zip(anybody.get("/api/v1/ratings/").json()["results"], trends, strict=True):
        if row["version_id"] in elo:
            change = float(trend.replace("−", "-"))
            assert change == pytest.approx(row["elo"] - elo[row["version_id"]], abs=0.51)
        else:
            assert trend == "–"
    Snapshot.objects.filter(pk__in=[oldest.pk, since.pk]).update(computed_at=now.computed_at)
    assert f"The trend is since snapshot {oldest.number} of" in text(browser_of().get("/"))


def test_groups_that_never_met_are_told_apart(cup, ann):
    assert "Group</th>" not in text(browser_of().get("/"))
    other, _ = kit.running(ann, name="Other")
    kit.play_all(other)
    kit.recompute(other.pool)
    page = text(browser_of().get("/"))
    assert "These bots fall into 2 groups that no chain of matches links" in page
    assert "Group</th>" in page


def test_it_follows_its_pool_and_names_the_snapshot_that_it_shows(cup):
    page = text(browser_of().get("/?search=bot"))
    digest = Snapshot.objects.get(sheet__pool=cup.pool_id).results_hash
    assert f'data-follow="/api/v1/pools/{cup.pool_id}/events/"' in page
    assert f'data-field="snapshot.results_hash" data-known="{digest}"' in page
    assert '<span hidden>There are new results. <a href="?search=bot">' in page


def test_an_empty_ladder_says_what_makes_one(db):
    assert "A tournament that is played to its end makes the first ladder." in text(browser_of().get("/"))


@pytest.mark.browser
@pytest.mark.django_db(transaction=True)
def test_new_results_are_announced_on_the_ladder_and_nothing_moves(ann, walk, monkeypatch):
    monkeypatch.setenv("DJANGO_ALLOW_ASYNC_UNSAFE", "1")
    tournament, _ = kit.running(ann, entrants=3)
    kit.play_all(tournament)
    kit.recompute(tournament.pool)
    page = walk("/", width=390)
    where = "document.querySelector('.ladder').getBoundingClientRect().top"
    before = page.evaluate(where)
    assert page.evaluate("document.documentElement.scrollWidth") == 390
    other, _ = kit.running(ann, name="Other")
    kit.play_all(other)
    kit.recompute(other.pool)
    page.wait_for_selector(".news a", state="visible")
    assert page.evaluate(where) == before
    page.click(".news a")
    page.wait_for_selector("text=fall into 2 groups")
