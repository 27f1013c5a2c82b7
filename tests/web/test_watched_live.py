"""A bot is sent and a tournament played by real workers, while an author and an organiser look at pages that
change by themselves."""

import json

import pytest

from league.bots.models import Version
from league.tournaments import services as tournaments
from league.tournaments.models import Tournament
from sandbox.languages import languages
from tests.faults.conftest import broker, start_site, start_worker  # noqa: F401
from tests.league import kit

pytestmark = [
    pytest.mark.browser,
    pytest.mark.redis,
    pytest.mark.bubblewrap,
    pytest.mark.slow,
    pytest.mark.django_db(transaction=True),
]

#: Notes what each number of the page says, from now on, and how often the standings were made anew.
WATCH = """
  window.seen = {standings: [], stayed: true};
  const note = (name, text) => {
    const told = window.seen[name] ??= [];
    if (told.at(-1) !== text) told.push(text);
  };
  const look = () => {
    for (const each of document.querySelectorAll("[data-value], [data-duration]")) {
      note(each.dataset.value ?? each.dataset.duration, each.textContent);
    }
    note("standings", document.querySelector("#standings tbody")?.innerText ?? "");
    const link = document.querySelector("#standings tbody a");
    if (link && !window.at) {
      window.at = link.getAttribute("href");
      link.focus();
    }
  };
  look();
  new MutationObserver(look).observe(document.querySelector("main"), {
    subtree: true, childList: true, characterData: true,
  });
"""
STANDINGS = """[...document.querySelectorAll("#standings tbody tr")].map(
  (row) => [...row.cells].map((cell) => cell.innerText.trim())
)"""


def log_in(page, name):
    page.goto("/login/")
    page.fill("#field-username", name)
    page.fill("#field-password", kit.PASSWORD)
    page.press("#field-password", "Enter")
    page.wait_for_selector(f"header >> text={name}")


def press(page, text):
    page.click(f"main button:has-text('{text}')")


def test_a_bot_is_sent_a_tournament_is_made_and_watched_to_its_end_without_reading_the_page_again(
    opened,
    start_site,  # noqa: F811
    start_worker,  # noqa: F811
    broker,  # noqa: F811
    settings,
    tmp_path,
    ann,
    bob,
    anybody,
):
    settings.REDIS_URL = broker.url
    site = start_site(REDIS_URL=broker.url, LIVE_POLL_S="1", LEASE_S="30")
    here = f"http://127.0.0.1:{site.port}"
    others = [kit.active(kit.author(number), f"Other {number}", "lowest") for number in (1, 2)]
    mine = kit.active(bob, "Bob's own", "dodger")

    # The author sends a bot, and its stages pass on the page.
    author = opened(base_url=here)
    log_in(author, "ann")
    author.goto("/submit/")
    author.fill("#field-name", "Heron")
    folder = tmp_path / "heron"
    folder.mkdir()
    for name, content in languages()["python"].first_bot("Heron").items():
        (folder / name).write_bytes(content)
    author.set_input_files("#folder", folder)
    author.wait_for_function("document.getElementById('chosen').textContent.includes('main.py')")
    press(author, "Send it")
    author.wait_for_url("**/versions/*/")
    author.evaluate(
        """() => {
      window.stages = [];
      new MutationObserver(() => {
        const passed = document.querySelectorAll(".stages .good").length;
        if (window.stages.at(-1) !== passed) window.stages.push(passed);
      }).observe(document.querySelector("main"), {subtree: true, childList: true});
    }"""
    )
    start_worker(RATE_EVERY_S="1", LEASE_S="30")
    author.wait_for_selector("text=What next?")
    stages = author.evaluate("window.stages")
    assert stages == sorted(stages)
    assert len(stages) > 2
    heron = Version.objects.get(bot__name="Heron")
    assert heron.status == "active"

    # The organiser makes a tournament; bots enter; what it will be is seen before it starts.
    organiser = opened(base_url=here)
    log_in(organiser, "bob")
    organiser.goto("/tournaments/new/?format=round_robin")
    organiser.fill("#field-name", "Evening")
    organiser.select_option("select[name='rules.players']", "3")
    organiser.fill("[name='rules.deals']", "1")
    organiser.fill("[name='boards']", "2")
    press(organiser, "Preview")
    organiser.wait_for_selector("dt:text-is('Matches')")
    press(organiser, "Create draft")
    organiser.wait_for_url("**/tournaments/*/")
    address = organiser.url
    cup = Tournament.objects.get()
    organiser.click(".deeds >> text=Open it")
    press(organiser, "Open it")
    for other in others:
        tournaments.enter(cup, other, other.bot.owner)
    for page, version in ((author, heron), (organiser, mine)):
        page.goto(address)
        page.click(".deeds >> text=Enter a bot")
        press(page, "Enter it")
        page.wait_for_selector(f"text={version.bot.name} #1 has entered.")
    organiser.wait_for_selector("dd:text-is('12')")  # tables: four groups of three
    organiser.click(".deeds >> text=Start it")
    organiser.wait_for_selector("dt:text-is('Matches')")
    press(organiser, "Start it")

    # It is watched to its end.
    organiser.wait_for_selector("[data-progress]")
    organiser.evaluate(WATCH)
    organiser.wait_for_selector("#state:has-text('finished')")
    told = anybody.get(f"/api/v1/tournaments/{cup.pk}/progress/").json()
    organiser.wait_for_selector(f"#standings >> text=on {told['blocks']} complete boards")
    assert organiser.inner_text("#queue").strip() == ""
    seen = organiser.evaluate("window.seen")
    assert seen["stayed"]
    # Where the keyboard was in the first standings, it is in the last.
    assert organiser.evaluate("document.activeElement.getAttribute('href') === window.at")
    for name in ("matches", "blocks", "done", "queued", "matches_per_minute", "seconds_left"):
        assert len(seen[name]) > 2, (name, seen)
    assert [int(text) for text in seen["matches"]] == sorted(int(text) for text in seen["matches"])
    assert seen["matches"][-1] == seen["matches_planned"][-1] == "24"
    assert len(seen["standings"]) > 2, json.dumps(seen)
    rows = anybody.get(f"/api/v1/tournaments/{cup.pk}/standings/").json()["results"]
    assert len(rows) == 4
    shown = organiser.evaluate(STANDINGS)
    for row, cells in zip(rows, shown, strict=True):
        assert cells[0] == str(row["place"])
        assert cells[1] == f"{row['bot']} #{row['version']}"
        low, high = 100 * row["score_low"], 100 * row["score_high"]
        assert cells[2].split() == f"{100 * row['score']:.1f} {low:.1f} to {high:.1f}".split()
        assert cells[5:9] == [str(row[name]) for name in ("matches", "wins", "blocks", "faults")]
    assert organiser.locator("main a:has-text('Pause it')").count() == 0
