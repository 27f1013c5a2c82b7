"""A bot is sent and a tournament played by real workers, while an author and an organiser look at pages that
change by themselves."""

import json

import pytest

from league.bots.models import Version
from league.tournaments import services as tournaments
from league.tournaments.models import Tournament
from sandbox.languages import languages
from sandbox.stages import Stage
from tests.faults.conftest import broker, start_site, start_worker  # noqa: F401
from tests.league import kit

pytestmark = [
    pytest.mark.browser,
    pytest.mark.redis,
    pytest.mark.bubblewrap,
    pytest.mark.slow,
    pytest.mark.django_db(transaction=True),
]

#: Notes how many stages of a check have passed on the page, from now on.
STAGES = """() => {
  window.stages = [];
  new MutationObserver(() => {
    const passed = document.querySelectorAll(".stages .good").length;
    if (window.stages.at(-1) !== passed) window.stages.push(passed);
  }).observe(document.querySelector("main"), {subtree: true, childList: true});
}"""
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


def send(page, folder):
    """Send the Python starter as a folder, and have noted how many of its stages have passed on the page."""
    page.goto("/submit/")
    page.fill("#field-name", "Heron")
    folder.mkdir()
    for name, content in languages()["python"].first_bot("Heron").items():
        (folder / name).write_bytes(content)
    page.set_input_files("#folder", folder)
    page.wait_for_function("document.getElementById('chosen').textContent.includes('main.py')")
    press(page, "Send it")
    page.wait_for_url("**/versions/*/")
    page.evaluate(STAGES)


def passed(page):
    """Its stages pass on the page, one after another, to the last. The version."""
    page.wait_for_selector("text=What next?")
    stages = page.evaluate("window.stages")
    assert stages == sorted(stages)
    assert stages[-1] == len(Stage)
    heron = Version.objects.get(bot__name="Heron")
    assert heron.status == "active"
    return heron


def make_tournament(page):
    """Make one with the form, and open it."""
    page.goto("/tournaments/new/?format=round_robin")
    page.fill("#field-name", "Evening")
    page.select_option("select[name='rules.players']", "3")
    page.fill("[name='rules.deals']", "1")
    page.fill("[name='boards']", "2")
    press(page, "Preview")
    page.wait_for_selector("dt:text-is('Matches')")
    press(page, "Create draft")
    page.wait_for_url("**/tournaments/*/")
    page.click(".deeds >> text=Open it")
    press(page, "Open it")
    return Tournament.objects.get()


def enter(page, version):
    page.click(".deeds >> text=Enter a bot")
    press(page, "Enter it")
    page.wait_for_selector(f"text={version.bot.name} #1 has entered.")


def start(page):
    page.wait_for_selector("dd:text-is('12')")  # tables: four groups of three
    page.click(".deeds >> text=Start it")
    page.wait_for_selector("dt:text-is('Matches')")
    press(page, "Start it")


def watch(page, cup, anybody):
    """Look on until it is over and its standings have all of it. What was seen."""
    page.wait_for_selector("#state:has-text('finished')")
    told = anybody.get(f"/api/v1/tournaments/{cup.pk}/progress/").json()
    page.wait_for_selector(f"#standings >> text=on {told['blocks']} complete boards")
    return page.evaluate("window.seen")


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
    author, organiser = (opened(base_url=f"http://127.0.0.1:{site.port}") for _ in range(2))
    others = [kit.active(kit.author(number), f"Other {number}", "lowest") for number in (1, 2)]
    mine = kit.active(bob, "Bob's own", "dodger")
    log_in(author, "ann")
    send(author, tmp_path / "heron")
    worker = start_worker(RATE_EVERY_S="1", LEASE_S="30")
    heron = passed(author)
    worker.kill()  # nothing is played before somebody looks on

    log_in(organiser, "bob")
    cup = make_tournament(organiser)
    for other in others:
        tournaments.enter(cup, other, other.bot.owner)
    for page, version in ((author, heron), (organiser, mine)):
        page.goto(f"/tournaments/{cup.pk}/")
        enter(page, version)
    start(organiser)

    organiser.wait_for_selector("[data-progress]")
    organiser.evaluate(WATCH)
    start_worker(RATE_EVERY_S="1", LEASE_S="30")
    seen = watch(organiser, cup, anybody)
    assert seen["stayed"]
    # Where the keyboard was in the first standings, it is in the last.
    assert organiser.evaluate("document.activeElement.getAttribute('href') === window.at")
    for name in ("matches", "blocks", "done", "queued", "matches_per_minute", "seconds_left"):
        assert len(seen[name]) > 1, (name, seen)
    assert [int(text) for text in seen["matches"]] == sorted(int(text) for text in seen["matches"])
    assert seen["matches"][-1] == seen["matches_planned"][-1] == "24"
    assert len(seen["standings"]) > 1, json.dumps(seen)
    assert_standings(organiser, anybody.get(f"/api/v1/tournaments/{cup.pk}/standings/").json()["results"])
    assert organiser.locator("main a:has-text('Pause it')").count() == 0
    assert organiser.inner_text("#queue").strip() == ""


def assert_standings(page, rows):
    """The page shows what the API tells."""
    assert len(rows) == 4
    for row, cells in zip(rows, page.evaluate(STANDINGS), strict=True):
        assert cells[0] == str(row["place"])
        assert cells[1] == f"{row['bot']} #{row['version']}"
        low, high = 100 * row["score_low"], 100 * row["score_high"]
        assert cells[2].split() == f"{100 * row['score']:.1f} {low:.1f} to {high:.1f}".split()
        assert cells[5:9] == [str(row[name]) for name in ("matches", "wins", "blocks", "faults")]
