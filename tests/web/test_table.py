"""The table in a real browser: a match is stepped through, looked at from all sides, and linked to."""

import json
from functools import cache

import pytest

from tests.web.matches import engine_moments, fresh_records, some_records

pytestmark = [pytest.mark.browser]

RECORDS = some_records()


@cache
def numbered(*, players, faults=False):
    """The shortest of those records of several deals, with bids where there are no faults."""

    def fits(record):
        rules, deals = record["rules"], record["deals"]
        long = len(deals) > 1 and len(deals[0]["tricks"]) > 3
        wanted = bool(record["faults"]) == faults and (faults or rules["bids"])
        return rules["players"] == players and long and wanted

    return min((len(record["deals"]), n) for n, record in enumerate(RECORDS) if fits(record))[1]


def position(page):
    return page.evaluate("replay.position()")


def totals(page):
    texts = page.locator(".score b").all_inner_texts()
    return [int(text.replace("−", "-")) for text in texts]


#: What is seen at every moment of a match, by seat.
LOOK = """() => replay.match.steps.map((step, at) => {
  replay.go(at);
  const all = (part, selector) => [...part.querySelectorAll(selector)];
  const by = (selector) => all(document, ".seat").map((seat) => all(seat, selector));
  const card = (use) => use.getAttribute("href").split("#")[1];
  return {
    kind: step.kind,
    hands: by(".hand use:first-of-type").map((uses) => uses.map(card).sort()),
    running: by(".score b").map(([b]) => Number(b.textContent.replace("−", "-"))),
    table: all(document, ".trick use:first-of-type").map(card),
    felt: document.querySelector(".felt").offsetHeight,
    said: document.querySelector(".said").textContent,
    slider: document.querySelector("input[type=range]").getAttribute("aria-valuetext"),
  };
})"""


@pytest.mark.parametrize("players", [3, 4, 5, 6])
def test_every_moment_shows_the_hands_and_totals_of_the_engine_and_nothing_jumps(visit, players):
    number = numbered(players=players, faults=True)
    seen = visit(f"?record={number}").evaluate(LOOK)
    expected = engine_moments(RECORDS[number])
    assert len(seen) == len(expected) > 30
    for now, wanted in zip(seen, expected, strict=True):
        assert now["said"] == now["slider"] != ""
        if wanted is not None:
            assert now["running"] == wanted["running"]
            if "hands" in wanted:
                assert now["hands"] == wanted["hands"]
                assert wanted["kind"] in {"trick", "bid", "deal"} or now["table"] == wanted["table"]
    assert seen[-1]["running"] == RECORDS[number]["totals"]
    assert len({now["felt"] for now in seen}) == 1


def test_keys_lead_about(visit):
    page = visit(f"?record={numbered(players=4)}")
    starts, last = page.evaluate("[replay.match.starts, replay.match.steps.length - 1]")
    page.locator("#table").focus()

    def after(*keys):
        for key in keys:
            page.keyboard.press(key)
        return position(page)

    assert after("ArrowRight", "ArrowRight", "ArrowRight") == 3
    assert after("ArrowLeft") == 2
    assert after("PageDown") == starts[1]
    assert after("ArrowRight", "PageUp") == starts[1]
    assert after("PageUp") == 0
    assert page.evaluate("replay.match.steps[0].kind") == "deal"
    at = after("ArrowDown")
    assert page.evaluate(f"replay.match.steps[{at}].kind") == "trick"
    assert after("ArrowUp") == 0
    assert after("End") == last
    assert totals(page) == RECORDS[numbered(players=4)]["totals"]
    assert after("ArrowRight") == last
    assert after("Home") == 0


def test_buttons_and_choices_lead_about(visit):
    number = numbered(players=4)
    page = visit(f"?record={number}")
    page.get_by_role("button", name="Forward", exact=True).click()
    assert position(page) == 1
    page.get_by_role("button", name="Trick forward").click()
    page.get_by_role("button", name="Deal forward").click()
    assert position(page) == page.evaluate("replay.match.starts[1]")
    page.get_by_label("Deal", exact=True).select_option("1")
    assert position(page) == 0
    page.get_by_label("Trick", exact=True).select_option("3")
    step = page.evaluate("replay.match.steps[replay.position()]")
    assert (step["kind"], step["trick"]) == ("trick", 2)
    # A list that has the focus keeps its keys.
    page.get_by_label("Deal", exact=True).focus()
    before = position(page)
    page.keyboard.press("Home")
    assert page.evaluate("document.activeElement.tagName") == "SELECT"
    assert position(page) in {before, 0}


@pytest.mark.parametrize("height", [720, 900])
def test_who_begins_to_play_sees_the_whole_table_above_the_bar(visit, height):
    page = visit(f"?record={numbered(players=4)}", width=1366, height=height)
    page.evaluate("document.querySelector('.table').style.marginTop = '12rem'; scrollTo(0, 0)")
    page.get_by_role("button", name="Play").click()
    table, bar = (page.locator(part).bounding_box() for part in (".felt", ".bar"))
    assert table["y"] >= 0
    assert table["y"] + table["height"] <= bar["y"]


def test_it_plays_by_itself_until_it_is_told_to_stop_or_the_match_is_over(visit):
    page = visit(f"?record={numbered(players=3)}")
    page.clock.install(time=0)
    page.clock.pause_at(60_000)  # From here on it goes by what we say alone.
    page.locator("#table").focus()
    page.keyboard.press("Space")
    assert page.get_by_role("button", name="Pause").is_visible()
    page.clock.run_for(3_100)
    assert position(page) == 3
    page.get_by_label("Speed").select_option(label="fast")
    page.clock.run_for(800)
    assert position(page) == 5
    page.get_by_role("button", name="Pause").click()
    page.clock.run_for(10_000)
    assert position(page) == 5
    page.get_by_role("button", name="Play").click()
    page.clock.run_for(600_000)
    assert position(page) == page.evaluate("replay.match.steps.length - 1")
    assert page.get_by_role("button", name="Play").is_visible()


def test_the_address_names_the_moment_and_leads_there(visit, address):
    number = numbered(players=4)
    page = visit(f"?record={number}")
    assert page.url == f"{address}?record={number}"
    page.evaluate("replay.go(replay.match.starts[1] + 7)")
    page.wait_for_url("**#at=2.*")
    named, at, words = page.url, position(page), page.locator(".said").inner_text()
    assert (
        page.get_by_role("link", name="Link to this moment").get_attribute("href")
        == "#" + named.split("#")[1]
    )
    other = visit(named.removeprefix(address))
    assert (position(other), other.locator(".said").inner_text()) == (at, words)
    other.evaluate("location.hash = 'at=end'")
    other.wait_for_function("() => replay.position() === replay.match.steps.length - 1")
    # An address that is no moment's changes nothing.
    for nowhere in ("at=99.1.1", "somewhere", "at=&view=9", "view=x"):
        page.evaluate(f"location.hash = '{nowhere}'")
        assert (position(page), page.locator(".hand.closed").count()) == (at, 0)


def test_from_one_seats_view_no_other_hand_is_in_the_page(visit):
    number = numbered(players=4)
    hands = dict(zip(RECORDS[number]["deals"][0]["seats"], RECORDS[number]["deals"][0]["hands"], strict=True))
    page = visit(f"?record={number}#at=1&view=2")
    assert page.locator(".seat[data-spot='0'] .name").inner_text() == RECORDS[number]["bots"][2]
    shown = page.locator(".hand use").evaluate_all(
        "uses => uses.map((use) => use.getAttribute('href').split('#')[1])"
    )
    faces = {name for name in shown if name != "back" and not name.startswith("mark")}
    assert faces == set(hands[2])
    assert shown.count("back") == 24
    page.get_by_label("Hands").select_option("open")
    assert page.locator(".hand use[href$='#back']").count() == 0


@pytest.mark.parametrize("players", [3, 4, 5, 6])
def test_seats_go_counter_clockwise_from_the_readers_own_at_the_bottom(visit, players):
    page = visit(f"?record={numbered(players=players)}&own=1")
    boxes = page.evaluate(
        "[...document.querySelectorAll('.seat')].map((seat) => { const box = seat.getBoundingClientRect();"
        " return [box.x + box.width / 2, box.y + box.height / 2]; })"
    )
    spots = boxes[1:] + boxes[:1]
    (x, y), others = spots[0], spots[1:]
    assert all(y > other_y for _, other_y in others)
    right, left = others[: (players - 1) // 2], others[-((players - 1) // 2) :]
    assert all(other_x > x for other_x, _ in right)
    assert all(other_x < x for other_x, _ in left)
    assert [at for _, at in right] == sorted((at for _, at in right), reverse=True)
    assert [at for _, at in left] == sorted(at for _, at in left)


@pytest.mark.parametrize("players", [3, 4, 5, 6])
def test_a_phone_needs_no_sideways_scrolling_and_shows_the_buttons(visit, players):
    page = visit(f"?record={numbered(players=players, faults=True)}#at=1", width=360, height=740)
    assert page.evaluate("document.documentElement.scrollWidth") == 360
    inside = "(at) => { replay.go(at); return document.documentElement.scrollWidth; }"
    steps = page.evaluate("replay.match.steps.length")
    assert {page.evaluate(inside, at) for at in range(0, steps, 5)} == {360}
    assert page.get_by_role("button", name="Play").bounding_box()["y"] < 740 - 40
    box = page.get_by_role("button", name="Forward", exact=True).bounding_box()
    assert box["height"] >= 44


def test_all_parts_fit_a_phone_and_keep_to_the_policy(visit):
    page = visit("parts", width=360, height=740, ready="footer")
    assert page.evaluate("document.documentElement.scrollWidth") == 360


def test_names_and_faults_that_carry_markup_are_inert(visit, extra_records):
    record = json.loads(
        json.dumps(next(r for r in fresh_records() if r["faults"] and r["faults"][0]["deal"]))
    )
    evil = '<img src=x onerror="window.evil = 1"><script>window.evil = 1</script>'
    record["bots"] = [evil + str(seat) for seat in range(record["rules"]["players"])]
    record["faults"][0]["detail"] = evil
    extra_records["evil"] = json.dumps(record).encode()
    page = visit("?record=evil")
    said = [now["said"] for now in page.evaluate(LOOK)]
    assert any(evil in line for line in said)
    assert page.locator(".seat .name").first.inner_text() == evil + "0"
    assert page.evaluate("[window.evil, document.querySelectorAll('#table img, #table script').length]") == [
        None,
        0,
    ]


def test_who_asks_for_no_motion_gets_none(visit):
    where = f"?record={numbered(players=4)}#at=1.1.2"
    moving = "getComputedStyle(document.querySelector('.trick .new')).animationName"
    page = visit(where)
    assert page.evaluate(moving) == "put"
    page.emulate_media(reduced_motion="reduce")
    assert page.evaluate(moving) == "none"


def test_the_dark_is_dark_and_a_readers_choice_goes_first(visit):
    choose = "(theme) => { document.documentElement.dataset.theme = theme; }"
    ground = "getComputedStyle(document.body).backgroundColor"
    light, dark = "rgb(246, 245, 241)", "rgb(21, 24, 29)"
    for scheme, own, chosen, other in (("light", light, "dark", dark), ("dark", dark, "light", light)):
        page = visit("", color_scheme=scheme)
        assert page.evaluate(ground) == own
        page.evaluate(choose, chosen)
        assert page.evaluate(ground) == other


def test_moves_are_said_to_a_screen_reader_and_cards_have_names(visit):
    page = visit(f"?record={numbered(players=4)}")
    assert page.locator(".said").get_attribute("aria-live") == "polite"
    assert page.get_by_role("region", name="Table").count() == 1
    cards = sum(map(len, RECORDS[numbered(players=4)]["deals"][0]["hands"]))
    assert page.get_by_role("img", name=" of ").count() == cards
    assert page.get_by_role("img", name="jack of spades, 2 points").count() == 1


def test_the_shuffle_is_checked_in_the_browser(visit, extra_records):
    number = numbered(players=4)
    assert visit(f"?record={number}").locator("#check").get_attribute("data-state") == "sound"
    other = RECORDS[number] | {"commitment": "0" * 64}
    extra_records["other"] = json.dumps(other).encode()
    assert visit("?record=other").locator("#check").get_attribute("data-state") == "unsound"


#: A table at which the reader holds the seat that is in turn.
CHOOSE = """async () => {
  const { makeTable } = await import("/js/table.js");
  const { moment } = await import("/js/record.js");
  const { record } = replay.match;
  const root = document.createElement("div");
  root.className = "table";
  document.querySelector("main").append(root);
  window.chosen = [];
  const onCard = (card) => chosen.push(card);
  const options = { rules: record.rules, names: record.bots, sprite: "/cards.svg", onCard };
  const at = replay.match.steps.findIndex((step) => step.kind === "card");
  const now = moment(replay.match, at);
  makeTable(root, options)(now, { bottom: now.turn, open: false });
  return now.legal.toSorted();
}"""


def test_where_a_reader_plays_the_legal_cards_are_buttons_and_no_others(visit):
    page = visit(f"?record={numbered(players=4)}")
    legal = page.evaluate(CHOOSE)
    buttons = page.get_by_role("button", name="Play the ")
    assert buttons.count() == len(legal) > 0
    for index in range(len(legal)):
        buttons.nth(index).focus()
        page.keyboard.press("Enter")
    assert sorted(page.evaluate("chosen")) == legal
