"""A new tournament: its format first, what it would be before there is one, and errors where they belong."""

import html
import re
from dataclasses import fields

import pytest

from arena.rules import Rules
from arena.schedule.plan import Format
from league.tournaments.models import Tournament
from league.web.tournament_form import OPTIONS
from tests.league import kit
from tests.web.people import browser_of, text

pytestmark = pytest.mark.django_db

NEW = "/tournaments/new/"
GIVEN = {
    "name": "Cup",
    "rules.variant": "polignac",
    "rules.players": "3",
    "rules.deals": "2",
    "boards": "4",
    "disqualify_after": "12",
    "rated": "on",
    "luck": "on",
    "entrants": "6",
    "key": "once",
}


def error_at(page, name):
    found = re.search(f'id="field-{re.escape(name)}-error">([^<]*)<', page)
    return found and found[1].replace("&#x27;", "'")


def test_the_format_is_chosen_first_and_only_its_options_are_asked_for(ann):
    browser = browser_of(ann)
    page = text(browser.get(NEW))
    for format in Format:
        assert f'href="?format={format}"' in page
        form = text(browser.get(f"{NEW}?format={format}"))
        assert re.findall(r'name="options\.(\w+)"', form) == [option.name for option in OPTIONS[format]]
    assert "<form" not in page.partition("<main")[2].partition("</main>")[0]
    assert browser_of().get(NEW)["Location"] == f"/login/?next={NEW}"


def test_a_preview_shows_all_of_it_and_makes_nothing(ann, as_ann):
    given = {**GIVEN, "options.rounds": "3", "deed": "preview"}
    answer = browser_of(ann).post(f"{NEW}?format=swiss", given)
    assert answer.status_code == 200
    page = text(answer)
    told = as_ann.post(
        "/api/v1/tournaments/preview/",
        {
            "format": "swiss",
            "options": {"rounds": 3},
            "rules": {"variant": "polignac", "players": 3, "deals": 2},
            "boards": 4,
            "entrants": 6,
        },
    ).json()
    for label, name in (
        ("Rounds", "rounds"),
        ("Groups", "groups"),
        ("Tables", "tables"),
        ("Matches", "matches"),
    ):
        assert f"<dt>{label}</dt><dd>{told[name]}</dd>" in page
    assert f"about {told['deals']}" in page
    assert f"± {told['widest']['elo'] / 2:.0f} " in page
    for name in ("name", "rules.deals", "boards", "options.rounds", "entrants"):
        assert f'name="{name}" value="{given[name]}"' in page
    assert '<option value="3" selected>3</option>' in page
    assert not Tournament.objects.exists()


def test_a_draft_is_made_once_however_often_the_button_is_pressed(ann):
    browser = browser_of(ann)
    given = {**GIVEN, "options.kind": "balanced", "options.groups_each": "4", "deed": "create"}
    given.pop("rated")
    for _ in range(2):
        answer = browser.post(f"{NEW}?format=round_robin", given)
        made = Tournament.objects.get()
        assert (answer.status_code, answer["Location"]) == (303, f"/tournaments/{made.pk}/")
    assert (made.status, made.organiser, made.name) == ("draft", ann, "Cup")
    assert made.options == {"kind": "balanced", "groups_each": 4, "meetings": None}
    assert (made.players, made.rules["deals"], made.boards, made.rated, made.luck) == (3, 2, 4, False, True)
    assert "It is a draft" in text(browser.get(answer["Location"]))


def test_bots_are_named_and_the_newest_active_version_is_meant_unless_a_number_says_which(ann, bob):
    owl, fox = kit.active(ann, "Owl"), kit.active(bob, "Fox #1 fan")
    browser = browser_of(ann)
    given = {**GIVEN, "deed": "create", "options.first": " owl #1", "options.second": "Fox #1 fan"}
    assert browser.post(f"{NEW}?format=duel", given).status_code == 303
    made = Tournament.objects.get()
    assert (made.options["first"], made.options["second"]) == (owl.pk, fox.pk)
    given = {**GIVEN, "name": "B", "key": "x", "deed": "create", "options.heroes": "Owl\r\n\r\nFox #1 fan#1"}
    assert browser.post(f"{NEW}?format=gauntlet", given).status_code == 303
    assert Tournament.objects.last().options["heroes"] == [owl.pk, fox.pk]
    for wrong, told in (("Elk", "No bot is named “Elk”."), ("Owl #2", "Owl has no version 2.")):
        answer = browser.post(f"{NEW}?format=gauntlet", {**given, "key": "y", "options.heroes": wrong})
        assert answer.status_code == 400
        assert error_at(text(answer), "options.heroes") == told
        assert f">{wrong}</textarea>" in text(answer)


def test_every_option_of_the_rules_can_be_told_and_what_is_left_as_it_is_is_as_usual(ann, as_ann):
    browser = browser_of(ann)
    form = text(browser.get(f"{NEW}?format=ladder"))
    asked = re.findall(r'name="rules\.(\w+)"', form)
    assert sorted(asked) == sorted(field.name for field in fields(Rules))
    assert "<details><summary>More options" in form
    told = {
        "rules.variant": "slobberhannes",
        "rules.players": "5",
        "rules.deals": "",
        "rules.threshold": "20",
        "rules.bids": "capot,general",
        "rules.failed_bid": "replace",
        "rules.revoke": "forfeit",
        "rules.tiebreak": "shared",
        "rules.max_playoffs": "0",
        "rules.quick_end": "true",
        "rules.max_deals": "50",
        "rules.deal": "uneven",
        "rules.ace": "below_jack",
        "rules.card_points": "JS:3, QC:1",
        "rules.first_trick": "0",
        "rules.last_trick": "2",
        "rules.all_three_bonus": "5",
    }
    browser.post(f"{NEW}?format=ladder", {**GIVEN, **told, "deed": "create"})
    assert Tournament.objects.get().rules == {
        "variant": "slobberhannes",
        "players": 5,
        "deals": None,
        "threshold": 20,
        "bids": ["capot", "general"],
        "failed_bid": "replace",
        "revoke": "forfeit",
        "tiebreak": "shared",
        "max_playoffs": 0,
        "quick_end": True,
        "max_deals": 50,
        "deal": "uneven",
        "ace": "below_jack",
        "card_points": {"JS": 3, "QC": 1},
        "first_trick": 0,
        "last_trick": 2,
        "all_three_bonus": 5,
    }
    plain = {name: value for name, value in GIVEN.items() if name != "rules.deals"}
    browser.post(f"{NEW}?format=ladder", {**plain, "name": "B", "key": "b", "deed": "create"})
    assert Tournament.objects.last().rules == Rules.make(players=3).to_json()
    none = {**plain, "name": "C", "key": "c", "deed": "create", "rules.bids": "none"}
    browser.post(f"{NEW}?format=ladder", none)
    assert Tournament.objects.last().rules == Rules.make(players=3, bids=[]).to_json()


def test_what_is_wrong_with_a_further_option_stands_at_it_and_it_is_shown(ann, as_ann):
    browser = browser_of(ann)
    for name, wrong, sent in (
        ("max_deals", "0", 0),
        ("max_playoffs", "many", "many"),
        ("revoke", "<b>", "<b>"),
        ("deal", "uneven", "uneven"),
        ("first_trick", "101", 101),
        ("bids", "grand", ["grand"]),
        ("card_points", "JS:101", {"JS": 101}),
        ("card_points", "7S:1", {"7S": 1}),
        ("card_points", "JS", {"JS": ""}),
    ):
        rules = {"players": 3, "deals": 2, name: sent}
        told = as_ann.post("/api/v1/tournaments/", {"name": "Cup", "format": "ladder", "rules": rules}).json()
        assert told["errors"][0]["field"] == f"rules.{name}"
        answer = browser.post(f"{NEW}?format=ladder", {**GIVEN, "deed": "create", f"rules.{name}": wrong})
        assert answer.status_code == 400
        page = text(answer)
        assert html.unescape(error_at(page, f"rules.{name}")) == told["errors"][0]["detail"]
        assert "<details open>" in page
    twice = {**GIVEN, "deed": "create", "rules.card_points": "JS:1,JS:2"}
    assert "each card once" in error_at(
        text(browser.post(f"{NEW}?format=ladder", twice)), "rules.card_points"
    )
    assert not Tournament.objects.exists()


def test_what_is_refused_is_said_at_its_field_in_the_apis_words_and_what_was_typed_is_kept(ann, as_ann):
    browser = browser_of(ann)
    kit.tournaments.create_tournament(ann, "Taken", kit.QUICK, 1)
    for format, wrong, field, sent in (
        ("swiss", {"options.rounds": "0"}, "options.rounds", {"options": {"rounds": 0}}),
        ("swiss", {"options.rounds": ""}, "options.rounds", {"options": {}}),
        ("ladder", {"rules.deals": "x"}, "rules.deals", {"rules": {"deals": "x"}}),
        ("ladder", {"rules.threshold": "5"}, "rules.deals", {"rules": {"deals": 2, "threshold": 5}}),
        ("ladder", {"boards": "0"}, "boards", {"boards": 0}),
        ("ladder", {"boards": "<b>"}, "boards", {"boards": "<b>"}),
        ("ladder", {"name": "taken"}, "name", {"name": "taken"}),
        ("ladder", {"name": ""}, "name", {"name": ""}),
    ):
        told = as_ann.post("/api/v1/tournaments/", {"name": "Cup", "format": format, **sent}).json()
        given = {**GIVEN, "options.rounds": "3", "deed": "create", **wrong}
        answer = browser.post(f"{NEW}?format={format}", given)
        assert answer.status_code == told["status"], wrong
        page = text(answer)
        assert told["errors"][0]["field"] == field
        assert told["errors"][0]["detail"] in error_at(page, field)
        for name, value in wrong.items():
            assert f'name="{name}" value="{value.replace("<", "&lt;").replace(">", "&gt;")}"' in page
        assert 'name="rated" checked' in page
    assert Tournament.objects.count() == 1
