"""An organiser steers a tournament from page to page, without scripts; owners enter bots or withdraw them."""

import re

import pytest

from league.bots import services as bots
from league.tournaments.models import Table, Tournament
from league.web.tournament_words import DEEDS
from tests.league import kit
from tests.web.people import browser_of, text

pytestmark = pytest.mark.django_db


def offered(browser, tournament):
    """The actions that the page offers."""
    page = text(browser.get(f"/tournaments/{tournament.pk}/"))
    return re.findall(rf'href="/tournaments/{tournament.pk}/do/(\w+)/"', page)


def do(browser, tournament, name, **given):
    """Read what an action does, and confirm it with what the form holds; gives the form's page and answer."""
    address = f"/tournaments/{tournament.pk}/do/{name}/"
    page = text(browser.get(address))
    key = re.search(r'name="key" value="(\w+)"', page)[1]
    answer = browser.post(address, {"key": key, **given})
    tournament.refresh_from_db()
    return page, answer


def test_from_the_draft_to_the_end_each_state_offers_its_actions_and_each_says_what_it_does(ann):
    tournament = kit.tournaments.create_tournament(ann, "Cup", kit.QUICK, 1)
    browser = browser_of(ann)
    for name, actions in (
        (None, ["open", "cancel"]),
        ("open", ["start", "cancel"]),
        ("start", ["pause", "extend", "cancel"]),
        ("pause", ["resume", "extend", "cancel"]),
        ("resume", ["pause", "extend", "cancel"]),
        ("cancel", []),
    ):
        if name == "start":
            kit.entered(tournament, 3)
        if name is not None:
            page, answer = do(browser, tournament, name)
            said = page.replace("&#x27;", "'")
            assert DEEDS[name].does in said
            assert DEEDS[name].undone in said
            assert (answer.status_code, answer["Location"]) == (303, f"/tournaments/{tournament.pk}/")
            assert DEEDS[name].done in text(browser.get(answer["Location"]))
        assert offered(browser, tournament) == actions
    assert tournament.status == "cancelled"


def test_the_start_shows_before_what_it_will_cost_and_tell_or_why_it_cannot_be(ann, as_ann):
    tournament = kit.open_tournament(ann, boards=2)
    browser = browser_of(ann)
    page = text(browser.get(f"/tournaments/{tournament.pk}/do/start/"))
    refused = as_ann.get(f"/api/v1/tournaments/{tournament.pk}/preview/").json()
    assert refused["detail"] in page.replace("&#x27;", "'")
    assert ">Start it</button>" not in page
    kit.entered(tournament, 4)
    page, _ = do(browser, tournament, "start")
    told = as_ann.get(f"/api/v1/tournaments/{tournament.pk}/preview/").json()
    assert f"<dt>Matches</dt><dd>{told['matches']}</dd>" in page
    assert f"± {told['widest']['elo'] / 2:.0f} " in page
    assert tournament.status == "running"


def test_a_double_click_is_one_act(ann):
    tournament = kit.open_tournament(ann)
    kit.entered(tournament, 3)
    browser = browser_of(ann)
    for _ in range(2):
        answer = browser.post(f"/tournaments/{tournament.pk}/do/start/", {"key": "once"})
        assert answer.status_code == 303
    assert Table.objects.count() == 3


def test_extending_takes_the_boards_in_all_and_a_wrong_number_stands_at_the_field(ann, as_ann):
    tournament, _ = kit.running(ann, boards=2)
    kit.play_all(tournament)
    browser = browser_of(ann)
    assert offered(browser, tournament) == ["extend"]
    for wrong in ("1", "many", ""):
        _, answer = do(browser, tournament, "extend", boards=wrong)
        assert answer.status_code == 400
        assert 'id="field-boards-error"' in text(answer)
        assert f'value="{wrong}"' in text(answer)
    told = as_ann.post(f"/api/v1/tournaments/{tournament.pk}/extend/", {"boards": 1}).json()
    _, answer = do(browser, tournament, "extend", boards="1")
    assert told["detail"] in text(answer)
    _, answer = do(browser, tournament, "extend", boards="4")
    assert answer.status_code == 303
    assert (tournament.status, tournament.boards) == ("running", 4)


def test_tables_that_failed_are_offered_to_be_replayed_and_only_then(ann):
    tournament, _ = kit.running(ann)
    browser = browser_of(ann)
    assert "replay" not in offered(browser, tournament)
    Table.objects.filter(pk=Table.objects.first().pk).update(status="parked", attempt=3, failure="sandbox: x")
    assert "replay" in offered(browser, tournament)
    do(browser, tournament, "replay")
    assert not Table.objects.filter(status="parked").exists()
    browser.get(f"/tournaments/{tournament.pk}/do/replay/")
    assert "No table has failed. What can be done: “Pause it”" in text(
        browser.get(f"/tournaments/{tournament.pk}/")
    )


def test_a_ladder_is_told_to_end_and_takes_bots_until_then(ann, bob):
    tournament, _ = kit.running(ann, more={"format": "ladder"})
    browser, version = browser_of(ann), kit.active(bob, "Late")
    assert offered(browser, tournament) == ["pause", "finish", "cancel"]
    entered = browser_of(bob).post(f"/tournaments/{tournament.pk}/enter/", {"bot": version.bot_id})
    assert entered.status_code == 303
    do(browser, tournament, "finish")
    assert tournament.last
    assert offered(browser, tournament) == ["pause", "cancel"]
    assert "Enter a bot" not in text(browser_of(bob).get(f"/tournaments/{tournament.pk}/"))


def test_who_is_not_the_organiser_is_offered_nothing_and_refused(ann, bob, staff):
    tournament = kit.open_tournament(ann)
    address = f"/tournaments/{tournament.pk}/do/cancel/"
    for browser in (browser_of(), browser_of(bob)):
        assert offered(browser, tournament) == []
    assert browser_of(bob).get(address).status_code == 403
    refused = browser_of(bob).post(address, {"key": "k"})
    assert refused.status_code == 403
    assert "Only the organiser can do this." in text(refused)
    assert browser_of().post(address)["Location"] == f"/login/?next={address}"
    assert Tournament.objects.get().status == "open"
    assert offered(browser_of(staff), tournament) == ["start", "cancel"]


def test_what_the_state_does_not_allow_leads_back_and_forced_is_refused_with_the_apis_words(ann, as_ann):
    tournament = kit.tournaments.create_tournament(ann, "Cup", kit.QUICK, 1)
    browser = browser_of(ann)
    answer = browser.get(f"/tournaments/{tournament.pk}/do/pause/")
    assert (answer.status_code, answer["Location"]) == (303, f"/tournaments/{tournament.pk}/")
    allowed = "What can be done: “Open it”, “Cancel it”."
    said = text(browser.get(answer["Location"])).replace("&#x27;", "'")
    assert f"The tournament is draft: this can't be done now. {allowed}" in said
    told = as_ann.post(f"/api/v1/tournaments/{tournament.pk}/pause/").json()
    forced = browser.post(f"/tournaments/{tournament.pk}/do/pause/", {"key": "k"})
    assert forced.status_code == 409
    assert told["detail"] in text(forced).replace("&#x27;", "'")
    assert allowed in text(forced)
    assert f'href="/tournaments/{tournament.pk}/do/open/"' in text(forced)
    assert ">Pause it</button>" not in text(forced)
    kit.tournaments.cancel(tournament, ann)
    over = browser.post(f"/tournaments/{tournament.pk}/do/pause/", {"key": "l"})
    assert "Nothing can be done with it any more." in text(over)
    assert browser.get(f"/tournaments/{tournament.pk}/do/delete/").status_code == 404


def test_an_owner_enters_an_active_version_and_withdraws_it_once_that_is_confirmed(ann, bob):
    tournament = kit.open_tournament(ann)
    old, new, waiting = kit.active(bob, "Owl"), kit.active(bob, "Fox"), kit.received(bob, "Cub")
    browser, enter = browser_of(bob), f"/tournaments/{tournament.pk}/enter/"
    page = text(browser.get(enter))
    assert re.findall(r'<option value="(\d+)"( disabled)?>([^<]*)<', page) == [
        (str(waiting.bot_id), " disabled", "Cub has no active version"),
        (str(new.bot_id), "", "Fox #1"),
        (str(old.bot_id), "", "Owl #1"),
    ]
    assert browser.post(enter, {"bot": new.bot_id, "key": "k"}).status_code == 303
    for given, told in (
        ({"bot": waiting.bot_id, "version": "1"}, "only an active version can be entered"),
        ({"bot": waiting.bot_id}, "It has no active version."),
        ({"bot": old.bot_id, "version": "7"}, "It has no version 7."),
        ({"bot": old.bot_id, "version": "x"}, "It has no version x."),
        ({}, "Choose a bot."),
        ({"bot": "9" * 5000}, "Choose a bot."),  # more digits than Python makes a number of
    ):
        refused = browser.post(enter, {"key": "l", **given})
        assert (refused.status_code in (400, 409), told in text(refused)) == (True, True), given
        assert f'name="version" value="{given.get("version", "")}"' in text(refused)
    assert "Fox #1 has entered</option>" in text(browser.get(enter))
    withdraw = f"/tournaments/{tournament.pk}/withdraw/{new.pk}/"
    assert f'href="{withdraw}"' in text(browser.get(f"/tournaments/{tournament.pk}/"))
    assert "without a trace" in text(browser.get(withdraw))
    assert browser.post(withdraw, {"key": "m"}).status_code == 303
    assert not tournament.entrants.exists()
    assert browser.get(withdraw).status_code == 404


def test_the_organiser_withdraws_anybody_and_a_stranger_nobody(ann, bob):
    tournament, _ = kit.running(ann)
    other = tournament.entrants.exclude(bot__owner=ann).first()
    withdraw = f"/tournaments/{tournament.pk}/withdraw/{other.version_id}/"
    assert withdraw not in text(browser_of(bob).get(f"/tournaments/{tournament.pk}/entrants/"))
    assert browser_of(bob).post(withdraw, {"key": "k"}).status_code == 403
    browser = browser_of(ann)
    assert withdraw in text(browser.get(f"/tournaments/{tournament.pk}/entrants/"))
    assert "broken off" in text(browser.get(withdraw))
    assert browser.post(withdraw, {"key": "k"}).status_code == 303
    other.refresh_from_db()
    assert other.status == "withdrawn"


def test_of_many_bots_a_page_at_a_time_is_offered_or_those_that_a_search_finds(ann, bob):
    tournament = kit.open_tournament(ann)
    for number in range(52):
        bots.create_bot(bob, f"Bot {number:02}")
    fox = kit.active(bob, "The last fox")
    kit.active(ann, "A fox of ann's")
    browser, enter = browser_of(bob), f"/tournaments/{tournament.pk}/enter/"
    page = text(browser.get(enter))
    assert (page.count(" has no active version</option>"), "The last fox" in page) == (50, False)
    more = re.search(r'rel="next" href="(\?[^"]*)"', page)[1].replace("&amp;", "&")
    assert "The last fox #1" in text(browser.get(enter + more))
    page = text(browser.get(f"{enter}?search=FOX"))
    assert re.findall(r'<option value="(\d+)">', page) == [str(fox.bot_id)]
    assert "No bot of yours is named so." in text(browser.get(f"{enter}?search=elk"))


def test_who_has_no_bot_is_told_to_submit_one(ann, bob):
    tournament = kit.open_tournament(ann)
    page = text(browser_of(bob).get(f"/tournaments/{tournament.pk}/enter/"))
    assert "You have no bot with an active version." in page
    assert 'href="/submit/"' in page
