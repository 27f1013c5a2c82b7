"""Take a seat: the form, a match played without scripts, and its end with what the bots would have done."""

import html
import json
import re
from datetime import timedelta

import pytest
from django.template.loader import render_to_string
from django.utils import timezone

from league.pipeline import queue, sit
from league.sittings.models import Sitting
from league.web.templatetags.cards import card
from league.web.views import seat as views
from tests.league import kit, sitters
from tests.web.people import browser_of, text

pytestmark = pytest.mark.django_db

#: How a bot fared in the person's place.
STAND = {"version_id": 5, "deals": [{"points": 3}], "total": 3, "rank": 1}


@pytest.fixture(autouse=True)
def _no_broker(monkeypatch):
    monkeypatch.setattr(queue, "_send", lambda *_: None)


@pytest.fixture
def versions(db):
    return sitters.bots(3)


def embedded(page, name):
    return json.loads(re.search(rf'<script id="{name}" type="application/json">(.*?)</script>', page)[1])


def sat_down(browser, **more):
    """The page that the form leads to."""
    form = text(browser.get("/seat/"))
    key = re.search(r'name="key" value="(\w+)"', form)[1]
    chosen = dict(re.findall(r'name="(bot\d)">.*?value="(\d+)" selected', form, re.DOTALL))
    body = {"key": key, "variant": "polignac", "players": "3", "length": "one", **chosen, **more}
    return browser.post("/seat/", body)


def test_a_stranger_is_sent_to_log_in_and_a_league_without_bots_says_so(ann):
    assert "/login/?next=/seat/" in text(browser_of().get("/seat/"))
    assert browser_of().get("/seat/1/")["Location"] == "/login/?next=/seat/1/"
    assert "There is no bot yet to play against." in text(browser_of(ann).get("/seat/"))


def test_the_form_has_three_bots_chosen_and_sits_one_down_once(ann, versions):
    browser = browser_of(ann)
    page = text(browser.get("/seat/?bot=" + str(versions[2].bot_id)))
    first = re.search(r'name="bot1">(.*?)</select>', page, re.DOTALL)[1]
    assert f'value="{versions[2].bot_id}" selected' in first
    answer = sat_down(browser, players="4", length="10")
    sitting = Sitting.objects.get()
    assert (answer.status_code, answer["Location"]) == (303, f"/seat/{sitting.pk}/")
    assert sorted(v for v in sitting.versions if v) == [version.pk for version in versions]
    assert (sitting.rules["threshold"], sitting.players) == (10, 4)
    page = text(browser.get("/seat/"))
    assert f'href="/seat/{sitting.pk}/">Back to it' in page
    refused = sat_down(browser)
    assert refused.status_code == 429
    assert "Play it to its end, or leave it." in text(refused)


def test_what_can_not_be_played_is_told_at_its_field_and_what_was_chosen_stays(ann, versions):
    browser = browser_of(ann)
    refused = sat_down(browser, variant="knaves", players="5")
    assert refused.status_code == 400
    assert 'class="error"' in text(refused)
    assert '<option value="knaves" selected>' in text(refused)
    unknown = sat_down(browser, bot1="")
    assert "Choose a bot for each seat." in text(unknown)
    assert not Sitting.objects.exists()


def test_a_match_is_played_by_forms_alone_and_the_end_has_record_totals_and_comparison(
    ann, as_ann, versions, monkeypatch
):
    sitters.in_process(monkeypatch)
    browser = browser_of(ann)
    place = sat_down(browser)["Location"]
    assert "The bots take their seats." in text(browser.get(place))
    sitting = Sitting.objects.get()

    def act():
        page = text(browser.get(place))
        assert sitting.seed not in page
        number = re.search(r'name="number" value="(\d+)"', page)[1]
        [(kind, value), *_] = re.findall(r'<button class="button" name="(bid|card)" value="(\w+)">', page)
        answer = browser.post(f"{place}answer/", {"number": number, kind: value})
        assert (answer.status_code, answer["Location"]) == (303, place)
        again = browser.post(f"{place}answer/", {"number": number, kind: value})
        assert (again.status_code, again["Location"]) == (303, place)

    sitters.while_thinking(monkeypatch, act)
    sit.sit(sitting.pk)
    page = text(browser.get(place))
    record = as_ann.get(sitters.path(sitting, "record/")).json()
    assert embedded(page, "record") == record
    assert browser.get(f"{place}record/").json() == record
    shown = re.search(r'<table id="totals">(.*?)</table>', page, re.DOTALL)[1]
    assert [int(total) for total, _ in rows_of(shown)] == record["totals"]
    compared = re.search(r'<table id="comparison">(.*?)</table>', page, re.DOTALL)[1]
    stands = as_ann.get(sitters.path(sitting)).json()["comparison"]
    totals = [record["totals"][sitting.seat], *(stand["total"] for stand in stands)]
    assert [int(total) for _, total, _ in rows_of(compared)] == totals
    assert page.count(" would have had ") == len(stands)
    words = page.partition("<h2>In words</h2>")[2]
    assert words.count("<tr><td") == len(record["deals"][0]["tricks"])
    for played in record["deals"][0]["tricks"][-1]["cards"]:
        assert card(played) in words


@pytest.mark.parametrize(
    ("mine", "words"), [(1, "2 more than you."), (4, "1 fewer than you."), (3, "as many")]
)
def test_a_comparison_says_how_much_better_or_worse(mine, words):
    told = {"seat": 0, "bots": [None, {"version_id": 5}], "comparison": [STAND]}
    deals = [{"seats": [0, 1], "points": [mine, 0]}]
    record = {"deals": deals, "totals": [mine, 0], "ranks": [1, 2]}
    [_, row] = views._rows(told, record, ["ann", "Owl"])
    assert (row["more"], row["fewer"]) == {1: (2, 0), 4: (0, 1), 3: (0, 0)}[mine]
    page = render_to_string("web/sitting-comparison.html", {"rows": [_, row], "numbers": [1]})
    assert f"Owl would have had 3 points: {words}" in page


def test_who_waits_for_a_worker_is_told_at_last_which_one_is_missing(ann, versions):
    browser = browser_of(ann)
    place = sat_down(browser)["Location"]
    told = 'class="notice warn" role="status"{}><p>No worker has come to your table yet'
    assert told.format(" hidden") in text(browser.get(place))
    Sitting.objects.update(status_at=timezone.now() - timedelta(seconds=views.NOBODY_CAME_S + 1))
    page = text(browser.get(place))
    assert told.format("") in page
    assert "worker --queues=seats</code>" in page


def test_a_bots_page_and_the_ladder_lead_to_a_seat_against_it(ann, versions):
    bot = versions[0].bot_id
    assert f'href="/seat/?bot={bot}">Play against it' in text(browser_of().get(f"/bots/{bot}/"))
    assert browser_of(ann).get(f"/seat/?bot={'9' * 5000}&bot={bot}").status_code == 200
    waiting = kit.received(ann, "Not yet", "dodger")
    assert "Play against it" not in text(browser_of().get(f"/bots/{waiting.bot_id}/"))
    cup, _ = kit.running(ann)
    kit.play_all(cup)
    kit.recompute(cup.pool)
    rows = text(browser_of().get("/")).partition("<tbody>")[2]
    assert re.findall(r'href="/bots/(\d+)/"', rows) == re.findall(r'href="/seat/\?bot=(\d+)"', rows)
    assert 'href="/seat/?bot=' in rows


def rows_of(table):
    """The numbers of a table's rows."""
    rows = re.findall(r"<tr><th.*?</tr>", table.partition("<tbody>")[2], re.DOTALL)
    return [re.findall(r'<td class="num">([^<]*)</td>', row) for row in rows]


def test_a_script_is_answered_with_json_and_refused_in_the_apis_words(ann, as_ann, versions, monkeypatch):
    sitters.in_process(monkeypatch)
    browser = browser_of(ann)
    sitting, place = None, sat_down(browser)["Location"]
    sitting = Sitting.objects.get()

    def act():
        told = browser.get(f"{place}state/").json()
        assert told == as_ann.get(sitters.path(sitting)).json()
        asked = told["question"]
        wrong = {"number": asked["number"], asked["kind"]: "XX" if asked["kind"] == "card" else "general"}
        refused = browser.post(f"{place}answer/", wrong, headers={"Accept": "application/json"})
        assert (refused.status_code, refused.json()["code"]) == (400, "illegal_answer")
        many = {**wrong, "number": "9" * 5000}
        assert browser.post(f"{place}answer/", many).status_code == 400
        right = {"number": asked["number"], asked["kind"]: asked["legal"][0]}
        answer = browser.post(f"{place}answer/", right, headers={"Accept": "application/json"})
        assert answer.json()["answers"] == asked["number"]
        assert browser.post(f"{place}leave/")["Location"] == "/seat/"

    sitters.while_thinking(monkeypatch, act)
    assert "Leave the table?" in text(browser.get(f"{place}leave/"))
    sit.sit(sitting.pk)
    assert "Its cards stay secret." in text(browser.get(place))


def test_a_table_is_its_persons_alone(ann, bob, versions):
    place = sat_down(browser_of(ann))["Location"]
    other = browser_of(bob)
    for more in ("", "state/", "record/", "leave/"):
        assert other.get(place + more).status_code == 404
    assert other.post(f"{place}answer/", {"number": "1", "bid": "pass"}).status_code == 404
    assert other.post(f"{place}leave/").status_code == 404
    assert Sitting.objects.get().status == "waiting"


def test_names_of_bots_are_inert(ann):
    bad = "</script><script>alert(1)"
    others = [kit.active(kit.author(1), bad, "lowest"), kit.active(kit.author(2), "Owl", "highest")]
    sitting = sitters.begun(ann, versions=others)
    browser = browser_of(ann)
    for address in ("/seat/", f"/seat/{sitting.pk}/"):
        page = text(browser.get(address))
        assert bad not in page
        assert bad in html.unescape(page) or any(bad in name for name in embedded(page, "names"))


@pytest.mark.browser
@pytest.mark.parametrize("looks", [{}, {"width": 390, "color_scheme": "dark"}], ids=["desk", "phone"])
def test_in_a_browser_a_match_is_played_to_its_end_and_the_totals_are_the_apis(
    walk, transactional_db, monkeypatch, looks
):
    sitters.in_process(monkeypatch)
    ann = kit.user("ann")
    sitters.bots(3)
    page = walk("/seat/", ann, **looks)
    page.get_by_label("Players, you among them").select_option("3")
    page.get_by_label("Length").select_option("one")
    page.get_by_role("button", name="Sit down").click()
    page.get_by_label("Speed").select_option("0")
    sitting = Sitting.objects.get()
    hands = []

    def act():
        number, kind = (sitters.again(sitting).asked[key] for key in ("number", "kind"))
        page.wait_for_selector(f'#table[data-question="{number}"]')
        choices = page.locator(".hand .legal" if kind == "card" else ".bar .buttons button")
        assert choices.count() == len(sitters.again(sitting).asked["legal"])
        hands.append(page.locator(".hand:not(.closed) .card").count())
        with page.expect_response(lambda answer: answer.url.endswith("/answer/")):
            choices.first.click() if number % 2 else choices.first.press("Enter")

    sitters.while_thinking(monkeypatch, act)
    sit.sit(sitting.pk)
    page.wait_for_selector("#comparison")
    assert hands == [10, *range(10, 0, -1)]
    record = kit.client(ann).get(sitters.path(sitting, "record/")).json()
    totals = page.locator("#totals td:nth-child(2)").all_inner_texts()
    assert [int(total) for total in totals] == record["totals"]
    page.locator("#table").press("End")
    shown = page.locator(".score b").all_inner_texts()
    assert [int(total.replace("−", "-")) for total in shown] == record["totals"]
    page.wait_for_selector("#check[data-state=sound]")


@pytest.mark.browser
def test_in_two_tabs_with_reloads_and_the_back_button_each_question_is_asked_once(
    walk, transactional_db, monkeypatch
):
    sitters.in_process(monkeypatch)
    ann = kit.user("ann")
    sitting = sitters.begun(ann)
    page = walk(f"/seat/{sitting.pk}/", ann)
    page.get_by_label("Speed").select_option("0")
    client, other = kit.client(ann), page.context.new_page()
    other.goto(page.url)
    asked = []

    def act():
        number = sitters.again(sitting).asked["number"]
        asked.append(number)
        if number > 4:
            return sitters.answer(client, sitting)  # in a third place
        one, two = (page, other) if number % 2 else (other, page)
        two.wait_for_selector(f'#table[data-question="{number}"]')
        if number % 4 == 1:
            one.reload()
        elif number % 4 == 2:
            one.goto("/seat/")
            one.go_back()
        one.bring_to_front()
        one.wait_for_selector(f'#table[data-question="{number}"]')
        with one.expect_response(lambda answer: answer.url.endswith("/answer/")):
            one.locator(".hand .legal, .bids button").first.click()
        # Who comes back to the other is asked that no more.
        two.evaluate("dispatchEvent(new Event('focus'))")
        two.wait_for_selector(f'#table:not([data-question="{number}"])')
        return None

    sitters.while_thinking(monkeypatch, act)
    sit.sit(sitting.pk)
    assert asked == list(range(1, 12))
    for each in (page, other):
        each.evaluate("dispatchEvent(new Event('focus'))")
        each.wait_for_selector("#comparison")
