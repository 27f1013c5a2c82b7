"""A new tournament: its format first, what it would be before there is one, and errors where they belong."""

import re

import pytest

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


def test_what_is_refused_is_said_at_its_field_in_the_apis_words_and_what_was_typed_is_kept(ann, as_ann):
    browser = browser_of(ann)
    kit.tournaments.create_tournament(ann, "Taken", kit.QUICK, 1)
    for format, wrong, field, sent in (
        ("swiss", {"options.rounds": "0"}, "options", {"options": {"rounds": 0}}),
        ("swiss", {"options.rounds": ""}, "options", {"options": {}}),
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
        said = error_at(page, field) if field != "options" else page.replace("&#x27;", "'")
        assert told["errors"][0]["field"] == field
        assert told["errors"][0]["detail"] in said
        for name, value in wrong.items():
            assert f'name="{name}" value="{value.replace("<", "&lt;").replace(">", "&gt;")}"' in page
        assert 'name="rated" checked' in page
    assert Tournament.objects.count() == 1
