"""The page of a board: each hand as each bot that held it played it, once that may be known."""

import re

import pytest
from django.utils import timezone

from league.tournaments.models import Board, Tournament
from league.web.templatetags.cards import card
from league.web.views.boards import compared
from tests.league import kit
from tests.web.people import browser_of, text

pytestmark = pytest.mark.django_db


def sections_of(page):
    """The parts of a page that tell a hand each."""
    return page.partition("<h2>Matches</h2>")[0].split('<section class="panel">')[1:]


@pytest.fixture
def board(ann):
    """A board that was played at its three tables."""
    _, tables = kit.running(ann, deals=2)
    for table in tables:
        kit.play(table)
    return Board.objects.get()


def test_before_the_end_it_shows_its_matches_and_the_commitment_and_why_not_the_hands(board, anybody):
    page = text(browser_of().get(f"/boards/{board.pk}/"))
    assert anybody.get(f"/api/v1/boards/{board.pk}/hands/").json()["detail"] in page
    assert board.commitment in page
    assert board.seed not in page
    assert page.count('<th scope="row"><a href="/matches/') == 3
    assert "♠" not in page


def test_then_each_hand_stands_with_all_who_held_it_their_cards_tricks_bids_and_points(board, anybody):
    Tournament.objects.update(status="finished", ended_at=timezone.now())
    browser = browser_of()
    page = text(browser.get(f"/boards/{board.pk}/"))
    hands = anybody.get(f"/api/v1/boards/{board.pk}/hands/").json()
    pages = [text(browser.get(f"/boards/{board.pk}/?deal={deal}")) for deal in (1, 2)]
    assert '<h2 id="deal">Deal 1</h2>' in page
    sections = [part for each in pages for part in sections_of(each)]
    assert board.seed in page
    assert len(sections) == len(hands) == 6
    for section, hand in zip(sections, hands, strict=True):
        rows = re.findall(r'<tr><th scope="row">.*?</tr>', section)
        assert len(rows) == 3
        for row, each in zip(rows, sorted(hand["played"], key=lambda one: one["points"]), strict=True):
            assert f"/bots/{each['version']['bot_id']}/" in row
            numbers = re.findall(r'<td class="num">([^<]*)</td>', row)
            assert [int(number.replace("−", "-")) for number in numbers] == [each["points"], each["tricks"]]
            cells = re.findall(r'<td class="nowrap">(.*?)</td>', row)
            cards = [re.sub("<[^>]+>", "", cell) for cell in cells]
            assert cards == [card(played) for played in each["cards"]]
            if number := hand_parts(hand):
                moment = f"#at={hand['deal']}.{number}&amp;view={hand['seat']}"
                assert f'<a class="parted" href="/matches/{each["match"]}/{moment}">' in cells[number - 1]
            assert f"/matches/{each['match']}/#at={hand['deal']}&amp;view={hand['seat']}" in row


def hand_parts(hand):
    """The first trick in which not all who held the hand played the same card."""
    tricks = zip(*(each["cards"] for each in hand["played"]), strict=False)
    return next((number for number, cards in enumerate(tricks, start=1) if len(set(cards)) > 1), None)


def test_what_the_board_cost_each_is_the_mean_of_its_matches(board, anybody):
    Tournament.objects.update(status="finished", ended_at=timezone.now())
    page = text(browser_of().get(f"/boards/{board.pk}/"))
    matches = anybody.get(f"/api/v1/matches/?board={board.pk}").json()["results"]
    for seat in matches[0]["seats"]:
        totals = [one["total"] for match in matches for one in match["seats"] if one["bot"] == seat["bot"]]
        row = re.search(rf'{seat["bot"]}</a> <span class="unit">#1</span></th><td class="num">([^<]*)<', page)
        assert float(row[1].replace("−", "-")) == pytest.approx(sum(totals) / len(totals), abs=0.006)


def test_where_the_lines_part_is_the_first_trick_with_different_cards():
    def line(points, *cards):
        return {"points": points, "cards": list(cards)}

    found = compared([line(3, "JS", "7H", "8H"), line(0, "JS", "8H", "7H"), line(1, "JS")])
    assert found["parted"] == 2
    assert [each["points"] for each in found["lines"]] == [0, 1, 3]
    assert list(found["columns"]) == [1, 2, 3]
    assert compared([line(0, "JS"), line(1, "JS")])["parted"] is None


def test_a_board_of_a_tournament_that_is_not_seen_or_not_there_is_not_found(db):
    assert browser_of().get("/boards/999/").status_code == 404
