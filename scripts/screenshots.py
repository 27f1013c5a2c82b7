"""`make screenshots`: pictures of every page, in the light, in the dark and on a phone, on one sheet.

They are taken on a site of their own that has been lived in (tests/web/lived.py), in Debian's Chromium.
"""

import argparse
import html
import json
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from fnmatch import fnmatch
from pathlib import Path
from typing import Any, Final, Literal

from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

ROOT: Final = Path(__file__).resolve().parent.parent
OUT: Final = ROOT / "var/screenshots"
#: Width and height in CSS pixels, and the colours.
LOOKS: Final[dict[str, tuple[int, int, Literal["light", "dark"]]]] = {
    "light": (1200, 900, "light"),
    "dark": (1200, 900, "dark"),
    "phone": (390, 844, "light"),
}
HIGHEST: Final = 10_000
#: For a busy machine; nothing waits for it otherwise.
PATIENCE_MS: Final = 120_000


@dataclass(frozen=True)
class Site:
    """The lived-in site: where it is, each role's session, and what is to be seen (tests/web/sights.py)."""

    address: str
    cookies: dict[str, str]
    names: list[str]
    sights: list[dict[str, Any]]

    def context(self, browser: Browser, role: str, look: str = "light") -> BrowserContext:
        """Somebody's browser window."""
        width, height, colours = LOOKS[look]
        context = browser.new_context(
            base_url=self.address, viewport={"width": width, "height": height}, color_scheme=colours
        )
        context.set_default_timeout(PATIENCE_MS)
        if role in self.cookies:
            context.add_cookies([{"name": "sessionid", "value": self.cookies[role], "url": self.address}])
        return context


@contextmanager
def lived_site(folder: Path) -> Iterator[Site]:
    """Have the site made in that folder and served; it ends with the block."""
    folder.mkdir(parents=True, exist_ok=True)
    command = [sys.executable, "-m", "tests.web.lived_site", str(folder), "--follow"]
    log = folder / "log.txt"
    with (
        log.open("w") as errors,
        subprocess.Popen(
            command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=errors, text=True
        ) as serving,
    ):
        assert serving.stdin is not None
        assert serving.stdout is not None
        try:
            line = serving.stdout.readline()
            if not line:
                raise RuntimeError(f"the site did not start:\n{log.read_text()[-4000:]}")
            yield Site(**json.loads(line))
        finally:
            serving.stdin.close()
            serving.wait()


@contextmanager
def chromium() -> Iterator[Browser]:
    """Debian's, driven by Playwright. Root has no namespace sandbox of Chromium's; the pages are ours."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=shutil.which("chromium"), args=["--no-sandbox", "--hide-scrollbars"]
        )
        try:
            yield browser
        finally:
            browser.close()


def show(page: Page, sight: dict[str, Any]) -> int:
    """Go there, fill in its form where it has one to fill in, and give the status of what is shown then."""
    answer = page.goto(sight["address"])
    if sight["press"]:
        for label, text in sight["fill"].items():
            page.get_by_label(label, exact=True).fill(text)
        with page.expect_navigation() as navigation:
            page.get_by_role("button", name=sight["press"], exact=True).click()
        answer = navigation.value
    assert answer is not None
    return answer.status


def settle(page: Page) -> None:
    """What comes by itself has come: fonts are there, and nothing fades in any more."""
    page.evaluate(
        "Promise.all([document.fonts.ready, ...document.getAnimations().map((each) => each.finished)])"
    )


def take(
    site: Site, browser: Browser, chosen: Sequence[dict[str, Any]], looks: Sequence[str], out: Path
) -> None:
    """Write the pictures, and say how far it is."""
    pages = {role: site.context(browser, role).new_page() for role in {sight["best"] for sight in chosen}}
    for number, sight in enumerate(chosen, start=1):
        page = pages[sight["best"]]
        width, height, _ = LOOKS["light"]
        page.set_viewport_size({"width": width, "height": height})
        show(page, sight)
        for look in looks:
            width, height, colours = LOOKS[look]
            page.emulate_media(color_scheme=colours, reduced_motion="reduce")
            page.set_viewport_size({"width": width, "height": height})
            # As high as the page: what sticks to the window's edge is where the page has it.
            whole = page.evaluate("document.documentElement.scrollHeight")
            page.set_viewport_size({"width": width, "height": min(whole, HIGHEST)})
            settle(page)
            page.screenshot(path=out / file_name(sight, look), full_page=True)
        print(f"{number}/{len(chosen)} {sight['title']}", flush=True)


def file_name(sight: dict[str, Any], look: str) -> str:
    """Of a picture: the title with nothing in it that a file's name must not have."""
    plain = "".join(letter if letter.isalnum() else "-" for letter in sight["title"])
    return f"{plain}.{look}.png"


def sheet(sights: Sequence[dict[str, Any]], out: Path) -> Path:
    """One page with all the pictures that are there."""
    parts = []
    for sight in sights:
        there = [name for look in LOOKS if (out / (name := file_name(sight, look))).exists()]
        pictures = "".join(f'<a href="{name}"><img loading="lazy" src="{name}"></a>' for name in there)
        if there:
            told = f"{html.escape(sight['title'])} <small>as {sight['best']}: {html.escape(sight['address'])}"
            parts.append(f"<h2>{told}</small></h2>\n<div>{pictures}</div>")
    style = (
        "body{font:16px system-ui;margin:2rem;background:#ddd}div{display:flex;gap:1rem;align-items:start}"
        "img{height:24rem;object-fit:cover;object-position:top;border:1px solid #888}small{font-weight:400}"
    )
    page = out / "index.html"
    head = f'<!DOCTYPE html>\n<meta charset="utf-8">\n<title>Every page</title>\n<style>{style}</style>\n'
    page.write_text(head + "\n".join(parts) + "\n", encoding="utf-8")
    return page


def main() -> int:
    """Take what was asked for. Give the exit code."""
    parser = argparse.ArgumentParser(prog="make screenshots", description=__doc__)
    parser.add_argument(
        "pages", nargs="*", help="titles, or patterns of them ('bot*', 'guide *'); all otherwise"
    )
    parser.add_argument("--looks", nargs="+", choices=LOOKS, default=list(LOOKS))
    parser.add_argument("--admin", action="store_true", help="the operators' pages, too")
    parser.add_argument("--out", type=Path, default=OUT, help=f"where to ({OUT.relative_to(ROOT)})")
    given = parser.parse_args()
    given.out.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="polignac-lived-") as folder:
        print("A site is being lived in ...", flush=True)
        with lived_site(Path(folder)) as site, chromium() as browser:
            every = [
                each for each in site.sights if each["page"] and (given.admin or each["name"] != "admin")
            ]
            wanted = given.pages or ["*"]
            chosen = [each for each in every if any(fnmatch(each["title"], pattern) for pattern in wanted)]
            if not chosen:
                print(
                    "No page is called so; these are:", *sorted(each["title"] for each in every), sep="\n  "
                )
                return 1
            take(site, browser, chosen, given.looks, given.out)
            print(f"All of them: {sheet(every, given.out)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
