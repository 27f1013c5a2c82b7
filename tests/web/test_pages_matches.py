"""The pages of matches: the list with its filters, a match with its record, its words, faults and logs."""

import json
import re

import pytest
from django.utils import timezone

from arena.protocol import PlayQuestion
from arena.seat import Failure, FaultKind, InProcessSeat, Reply
from league.matches.models import Match
from league.tournaments.models import Tournament
from tests.league import kit
from tests.web.people import browser_of, text

pytestmark = pytest.mark.django_db


def over():
    Tournament.objects.update(status="finished", ended_at=timezone.now())


def embedded(page, name):
    """The data that a page carries for its scripts."""
    return json.loads(re.search(rf'<script id="{name}" type="application/json">(.*?)</script>', page)[1])


@pytest.fixture
def cup(ann):
    """A tournament with a table played; it goes on."""
    tournament, (table, *_) = kit.running(ann, deals=2)
    kit.play(table)
    return tournament


class Slow(InProcessSeat):
    """Takes 1,200 ms over its first card."""

    def ask(self, question, budget_ms):
        reply = super().ask(question, budget_ms)
        first = isinstance(question, PlayQuestion) and len(question.hand) == 10
        return Reply(reply.value, 1200.0 if first else 0.25)


class Late(InProcessSeat):
    """Is late with its first card."""

    def ask(self, question, budget_ms):
        first = isinstance(question, PlayQuestion) and len(question.hand) == 10
        return Failure(FaultKind.TIMEOUT, "late") if first else super().ask(question, budget_ms)


def test_while_the_tournament_goes_on_a_match_says_when_its_record_opens_and_follows_its_events(cup, anybody):
    match = Match.objects.get()
    page = text(browser_of().get(f"/matches/{match.pk}/"))
    refused = anybody.get(f"/api/v1/matches/{match.pk}/record/").json()
    assert refused["detail"] in page
    assert f'data-follow="/api/v1/matches/{match.pk}/events/"' in page
    assert 'data-field="record_public" data-known="false"' in page
    assert anybody.get(f"/api/v1/matches/{match.pk}/").json().get("record_public") is None
    assert "seed" not in page
    assert "web/js/match.js" not in page
    for seat in match.seats.select_related("version__bot"):
        assert seat.version.bot.name in page


def test_then_it_has_the_record_for_the_table_and_every_trick_and_total_in_words(cup, anybody):
    over()
    match = Match.objects.get()
    page = text(browser_of().get(f"/matches/{match.pk}/"))
    record = anybody.get(f"/api/v1/matches/{match.pk}/record/").json()
    assert embedded(page, "record") == record
    assert embedded(page, "names") == [name.replace("#", " #") for name in record["bots"]]
    assert f'data-published="{match.board.commitment}"' in page
    assert f'href="/api/v1/matches/{match.pk}/record/" download=' in page
    tricks = [trick for deal in record["deals"] for trick in deal["tricks"]]
    assert page.count('<span class="nowrap">Cup bot') == sum(len(trick["cards"]) for trick in tricks)
    totals = re.findall(r'in all</th>((?:<td class="num">[^<]*</td>)+)', page)[-1]
    assert [int(total.replace("−", "-")) for total in re.findall(">([^<]+)<", totals)] == record["totals"]


def test_a_fault_is_told_with_what_it_means_and_the_seat_as_vacated(ann):
    tournament = kit.open_tournament(ann, deals=2)
    versions = kit.entered(tournament, 3)
    _, (table, *_) = kit.tournaments.start(tournament, ann)
    kit.play(table, dead=versions[:1])
    over()
    page = text(browser_of().get(f"/matches/{Match.objects.get().pk}/"))
    assert "Its process ended, or closed its standard output." in page
    assert '<span class="badge bad">crash</span> it ended' in page
    assert '<span class="badge bad">vacated</span>' in page


def test_the_clock_is_told_by_bot_with_the_moment_of_its_longest_decision_and_goes_to_the_table(ann, anybody):
    tournament = kit.open_tournament(ann, deals=1)
    versions = kit.entered(tournament, 3)
    _, (table, *_) = kit.tournaments.start(tournament, ann)
    kit.store_table(*kit.played(table, odd={versions[0].pk: Slow}))
    over()
    match = Match.objects.get()
    page = text(browser_of().get(f"/matches/{match.pk}/"))
    told = anybody.get(f"/api/v1/matches/{match.pk}/clock/").json()
    assert embedded(page, "clock") == told
    longest = told["seats"][match.seats.get(version=versions[0]).seat]["longest"]
    place = ".".join(str(longest[part]) for part in ("deal", "trick", "place"))
    assert f'<a href="#at={place}">deal 1, trick 1</a>: 1.2 s</td>' in page
    assert "It may take 1 s; what it takes longer, and what a bot uses off its turn, its bank of 10 s" in page
    assert '<td class="num">9.8 s</td>' in page
    match.clock.delete()
    page = text(browser_of().get(f"/matches/{match.pk}/"))
    assert "What its decisions took was not yet kept" in page
    assert embedded(page, "clock") is None


def test_the_list_goes_by_a_kind_of_fault_and_a_fault_leads_to_its_moment(ann):
    tournament = kit.open_tournament(ann, deals=1)
    versions = kit.entered(tournament, 3)
    _, tables = kit.tournaments.start(tournament, ann)
    kit.store_table(*kit.played(tables[0], odd={versions[0].pk: Late}))
    kit.play(tables[1])
    over()
    match = Match.objects.earliest("pk")
    browser = browser_of()
    listed = text(browser.get("/matches/", {"fault": "timeout", "bot": versions[0].bot_id}))
    assert re.findall(r'<th scope="row"><a href="/matches/(\d+)/">', listed) == [str(match.pk)]
    assert f"It gave no reply within its clock. That happened to {versions[0].bot.name}." in listed
    assert "<option selected>timeout</option>" in listed
    record = json.loads(bytes(match.record))
    (fault,) = record["faults"]
    place = record["deals"][0]["tricks"][0]["cards"].index(fault["action"]) + 1
    page = text(browser.get(f"/matches/{match.pk}/"))
    assert f'<a href="#at=1.1.{place}">deal 1, trick 1</a>' in page


def test_logs_are_for_who_owns_the_bot(cup, ann, bob):
    match = Match.objects.get()
    own = match.seats.get(version__bot__owner=ann)
    address = f"/matches/{match.pk}/"
    told = text(browser_of(ann).get(address))
    assert own.log in told.replace("&#x27;", "'")
    assert told.count("standard error</summary>") == 1
    assert f'data-own="{own.seat}"' not in told  # the table comes with the record
    over()
    assert f'data-own="{own.seat}"' in text(browser_of(ann).get(address))
    for browser in (browser_of(bob), browser_of()):
        assert "standard error</summary>" not in text(browser.get(address))


def test_the_list_goes_by_tournament_and_bot_the_latest_first_and_finds_bots_by_name(cup, ann):
    kit.play_all(cup)
    _, tables = kit.running(ann, name="Other")
    kit.play(tables[0])
    browser = browser_of()
    newest = Match.objects.order_by("-pk")
    rows = r'<th scope="row"><a href="/matches/(\d+)/">'
    assert re.findall(rows, text(browser.get("/matches/"))) == [str(match.pk) for match in newest]
    of_cup = re.findall(rows, text(browser.get(f"/matches/?tournament={cup.pk}")))
    assert of_cup == [str(match.pk) for match in newest.filter(tournament=cup)]
    bot = Match.objects.latest("pk").seats.first().version.bot
    found = browser.get("/matches/", {"name": bot.name, "tournament": ""})
    assert found["Location"] == f"/matches/?bot={bot.pk}"
    of_bot = re.findall(rows, text(browser.get(found["Location"])))
    assert of_bot == [str(match.pk) for match in newest.filter(seats__version__bot=bot)]
    unknown = text(browser.get("/matches/", {"name": "<b>nobody</b>"}))
    assert "No bot is named “&lt;b&gt;nobody&lt;/b&gt;”" in unknown


def test_where_no_match_is_the_list_says_what_makes_one(db):
    assert "A tournament that is started plays some." in text(browser_of().get("/matches/"))


@pytest.mark.parametrize("address", ["/matches/999/", "/matches/99999999999999999999/", "/matches/?bot=x"])
def test_what_is_not_there_is_refused_in_the_apis_words(db, address):
    answer = browser_of().get(address)
    assert answer.status_code in (400, 404)
    assert "<h1>" in text(answer)


def test_names_and_details_are_inert_in_the_page_and_in_its_data(ann):
    tournament = kit.open_tournament(ann, deals=1)
    bad = "</script><script>alert(1)"
    kit.tournaments.enter(tournament, kit.active(ann, bad, "lowest"), ann)
    for number in (1, 2):
        owner = kit.author(number)
        kit.tournaments.enter(tournament, kit.active(owner, f"bot {number}", "highest"), owner)
    _, (table, *_) = kit.tournaments.start(tournament, ann)
    kit.play(table)
    over()
    page = text(browser_of().get(f"/matches/{Match.objects.get().pk}/"))
    assert bad not in page
    assert any(bad in name for name in embedded(page, "names"))


@pytest.mark.browser
@pytest.mark.django_db(transaction=True)
def test_a_match_that_is_waited_for_opens_plays_to_its_end_and_its_shuffle_is_checked(ann, walk, monkeypatch):
    monkeypatch.setenv("DJANGO_ALLOW_ASYNC_UNSAFE", "1")  # Playwright has a loop in this thread
    tournament = kit.open_tournament(ann, deals=2)
    versions = kit.entered(tournament, 3)
    _, (table, *_) = kit.tournaments.start(tournament, ann)
    kit.store_table(*kit.played(table, odd={versions[0].pk: Slow}))
    match = Match.objects.get()
    page = walk(f"/matches/{match.pk}/", ann)
    page.wait_for_selector("[data-follow]")
    over()
    page.wait_for_selector("#check[data-state=sound]")
    assert "gives every hand that was dealt" in page.inner_text("#check")
    page.focus("#table")
    page.keyboard.press("End")
    seats = {seat.seat: seat for seat in match.seats.select_related("version__bot")}
    shown = page.eval_on_selector_all(
        ".felt .seat",
        "all => all.map(one => [one.querySelector('.who').title, one.querySelector('.score b').textContent])",
    )
    totals = {f"{seat.version.bot.name} #{seat.version.number}": seat.total for seat in seats.values()}
    assert len(shown) == 3
    assert {name: int(total.replace("−", "-")) for name, total in shown} == totals
    clocks = page.eval_on_selector_all(
        ".felt .seat", "all => all.map(one => [one.querySelector('.clock').innerText.split(/\\s*\\n\\s*/)])"
    )
    slow = match.seats.get(version=versions[0]).seat
    left = ["bank 9.6 s" if seat == slow else "bank 10 s" for seat in range(3)]
    assert [told[-1] for (told,) in clocks] == left
    height = page.locator(".felt").bounding_box()["height"]
    page.get_by_role("link", name="trick 1").first.click()
    page.wait_for_selector(".clock.over")
    assert "1.2 s" in page.inner_text(".clock.over")
    assert page.locator(".felt").bounding_box()["height"] == height
    assert page.get_attribute("#table", "data-own") == str(
        next(seat.seat for seat in seats.values() if seat.version.bot.owner_id == ann.pk)
    )


def test_a_long_match_is_told_in_words_part_by_part(ann):
    _, (table, *_) = kit.running(ann, deals=14)
    kit.play(table)
    over()
    match = Match.objects.get()
    first, then = (text(browser_of().get(f"/matches/{match.pk}/{part}")) for part in ("", "?from=13"))
    deals = [re.findall(r"<h3>Deal (\d+)", page) for page in (first, then)]
    assert deals == [[str(number) for number in range(1, 13)], ["13", "14"]]
    assert embedded(first, "record") == embedded(then, "record")
    assert '<a class="button" href="?from=13#words">from deal 13</a>' in first
    assert '<a class="button" aria-current="true" href="?from=13#words">' in then
    assert (first.count("<details open>"), then.count("<details open>")) == (0, 1)
    totals = "".join(f'<td class="num">{seat.total}</td>' for seat in match.seats.order_by("seat"))
    assert totals in then
    assert text(browser_of().get(f"/matches/{match.pk}/?from=x")).count("<h3>Deal ") == 12
