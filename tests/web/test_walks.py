"""Every page of the site, walked in a browser as each role: nothing breaks, nothing is blocked, and what
strangers wrote is text everywhere; axe-core finds no serious fault.

One walk for each role (`walked`) over the lived-in site, looked at from several sides.
"""

from dataclasses import dataclass, field

import pytest

from scripts.axe import SCRIPT
from scripts.screenshots import LOOKS, lived_site, settle, show
from tests.web.kit import HERE

# The walks take a minute, all in one fixture: on a busy machine more than any other.
pytestmark = [pytest.mark.browser, pytest.mark.timeout(1500)]

#: What the policy blocks, from the first script on; asked for by `words`.
LISTEN = """
addEventListener("securitypolicyviolation", (event) => {
  (window.blocked ??= []).push(`${event.violatedDirective}: ${event.blockedURI}`);
});
"""
LIVELY = (HERE / "lively.js").read_text()
#: Of the texts in it, all of which are seen by everybody.
HOSTILE = 6
#: What axe-core looks at where pages are many and of one make; the operators' are Django's for the most part.
SOME_OF = {
    "admin": {"admin", "bots.Version, change"},
    "guide-page": {"guide rules", "guide rules.de", "guide protocol", "guide api"},
}
ROLES = ("reader", "author", "organiser", "staff")
#: Rules of axe-core that colours alone decide; the others find the same in the dark.
COLOURS = ["color-contrast", "link-in-text-block"]
#: What is looked at at the width of a phone, too: one page of each make.
ON_PHONES = {"home", "bot", "match", "cup", "league, crosstable", "account", "submit", "author's sitting"}


@dataclass
class Seen:
    """What there was to be seen and heard: each a list of lines that say where, too."""

    answers: list[str] = field(default_factory=list)
    words: list[str] = field(default_factory=list)
    outside: list[str] = field(default_factory=list)
    lively: list[str] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)
    #: How many times axe-core has looked.
    examined: int = 0
    #: Which hostile texts were shown, as text.
    shown: set[str] = field(default_factory=set)


@pytest.fixture(scope="module")
def lived(tmp_path_factory):
    with lived_site(tmp_path_factory.mktemp("lived")) as site:
        yield site


@pytest.fixture(scope="module", params=ROLES)
def walked(request, lived, chromium):
    seen, role, context = Seen(), request.param, lived.context(chromium, request.param)
    context.add_init_script(LISTEN)
    page = context.new_page()
    here, heard = {}, []
    listen(page, lived.address, here, heard, seen)
    for sight in lived.sights:
        if role not in sight["sees"]:
            continue
        here["is"] = f"{sight['title']} as {role}"
        heard.clear()
        if sight["page"]:
            look(page, sight, role, here["is"], heard, seen)
        else:
            fetch(context, sight, role, here["is"], seen)
    context.close()
    return seen


def listen(page, address, here, heard, seen):
    """Have what a page says, asks and asks for noted."""
    page.on("console", lambda message: heard.append(message.text))
    page.on("pageerror", lambda error: heard.append(str(error)))

    def dialog(asked):
        seen.lively.append(f"{here['is']}: a dialog, {asked.message}")
        asked.dismiss()

    def request(asked):
        if not asked.url.startswith((address, "data:")):
            seen.outside.append(f"{here['is']}: {asked.url}")

    page.on("dialog", dialog)
    page.on("request", request)


def look(page, sight, role, where, heard, seen):
    """Go there, and look at it from all sides."""
    expected = sight["sees"][role]
    status = show(page, sight)
    if expected == "login":
        answered = page.url.split("/", 3)[3].startswith("login/?next=/")
    else:
        answered = status == expected
    if not answered:
        seen.answers.append(f"{where}: {status} at {page.url}, not {expected}")
    told = page.evaluate(LIVELY)
    seen.lively += [f"{where}: {each}" for each in told["lively"]]
    seen.shown |= set(told["shown"])
    # Chromium says so of a page that is an error, too.
    failed = f"the server responded with a status of {status}"
    wrong = [each for each in heard if not (status >= 400 and failed in each)]
    seen.words += [f"{where}: {each}" for each in [*wrong, *told["blocked"]]]
    chosen = sight["title"] in SOME_OF.get(sight["name"], {sight["title"]})
    if role == sight["best"] and chosen and SCRIPT.is_file():
        examine(page, sight, where, seen)


def fetch(context, sight, role, where, seen):
    """A file, or a part for a script."""
    answer = context.request.get(sight["address"], max_redirects=0)
    expected, leads = sight["sees"][role], answer.headers.get("location", "")
    answered = leads.startswith("/login/") if expected == "login" else answer.status in (expected, 303)
    if not answered:
        seen.answers.append(f"{where}: {answer.status} {leads}, not {expected}")


def examine(page, sight, where, seen):
    """Have axe-core look for faults, in the light and in the dark, and on some pages on a phone."""
    settle(page)
    page.evaluate(SCRIPT.read_text())
    examined(page, f"{where}, light", {}, seen)
    page.emulate_media(color_scheme="dark")
    settle(page)
    examined(page, f"{where}, dark", {"runOnly": COLOURS}, seen)
    page.emulate_media(color_scheme="light")
    if sight["title"] in ON_PHONES:
        before = page.viewport_size
        width, height, _ = LOOKS["phone"]
        page.set_viewport_size({"width": width, "height": height})
        examined(page, f"{where}, phone", {}, seen)
        page.set_viewport_size(before)


def examined(page, where, options, seen):
    seen.examined += 1
    found = page.evaluate(
        "(options) => axe.run(document, options)", {"resultTypes": ["violations"], **options}
    )
    for fault in found["violations"]:
        if fault["impact"] in ("serious", "critical"):
            node = fault["nodes"][0]
            told = f"{fault['id']} ({len(fault['nodes'])}) {node['html'][:150]} {node['failureSummary']}"
            seen.faults.append(f"{where}: {' '.join(told.split())}")


def test_each_page_of_the_map_is_walked_to(lived):
    walked_to = {sight["name"] for sight in lived.sights}
    assert set(lived.names) <= walked_to, "tests/web/sights.py says what is to be seen"


def test_each_page_answers_each_role_as_it_should(walked):
    assert walked.answers == [], "\n".join(walked.answers)


def test_nothing_is_said_on_the_console_and_the_policy_blocks_nothing(walked):
    assert walked.words == [], "\n".join(walked.words)


def test_no_page_asks_for_anything_from_elsewhere(walked):
    assert walked.outside == [], "\n".join(walked.outside)


def test_what_strangers_wrote_is_text_everywhere_admin_included(walked):
    assert walked.lively == [], "\n".join(walked.lively)
    assert len(walked.shown) == HOSTILE, walked.shown


@pytest.mark.axe
def test_axe_finds_no_serious_fault_in_the_light_in_the_dark_and_on_a_phone(walked):
    assert walked.examined
    assert walked.faults == [], "\n".join(walked.faults)


FOCUS = """
() => {
  const it = document.activeElement, look = getComputedStyle(it), box = it.getBoundingClientRect();
  return {
    text: it.getAttribute("aria-label") ?? (it.innerText.trim() || it.id),
    ringed: look.outlineStyle !== "none" && parseFloat(look.outlineWidth) >= 2,
    visible: box.width > 0 && box.bottom > 0 && box.top < innerHeight,
  };
}
"""


def tab_to(page, text, most=60):
    """Press Tab until what is called so has the focus; on the way the focus is always seen."""
    for _ in range(most):
        page.keyboard.press("Tab")
        focus = page.evaluate(FOCUS)
        assert focus["ringed"], focus
        assert focus["visible"], focus
        if focus["text"].startswith(text):
            return
    raise AssertionError(f"{text} is not reached by {most} tabs")


def test_by_keyboard_alone_the_ladder_is_sorted_and_a_match_is_stepped_through(lived, chromium):
    context = lived.context(chromium, "reader")
    page = context.new_page()
    page.goto("/")
    tab_to(page, "To the content", 1)
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.id") == "main"
    tab_to(page, "Points")
    page.keyboard.press("Enter")
    page.wait_for_url("**ordering=*points*")
    page.goto(next(sight["address"] for sight in lived.sights if sight["title"] == "match"))
    page.wait_for_selector("#check.good")
    tab_to(page, "Table")
    moments = []
    for key in ("ArrowRight", "ArrowRight", "ArrowDown", "ArrowLeft", "PageDown", "End"):
        page.keyboard.press(key)
        moments.append(page.inner_text(".said"))
    assert len(set(moments)) == len(moments), moments
    page.wait_for_url("**#at=end")
    context.close()
