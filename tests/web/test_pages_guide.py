"""The guide: docs/ as pages, with links that lead somewhere, and the rules in four languages alike."""

import re
from html.parser import HTMLParser

import pytest
from django.conf import settings

from league.web import guide
from tests.web.people import browser_of, text

LINK = re.compile(r'<a href="([^"]*)"')


class Outline(HTMLParser):
    """The tags of a page, and its ids."""

    def __init__(self, html):
        super().__init__()
        self.ids, self.attributes = [], set()
        self.feed(html)

    def handle_starttag(self, tag, attrs):
        self.ids += [value for name, value in attrs if name == "id"]
        self.attributes |= {name for name, _ in attrs}


@pytest.fixture(scope="module")
def pages():
    return {name: guide.page(name) for name in guide.names()}


def test_each_page_is_shown_with_its_heading_and_language_and_listed_with_a_line(pages):
    browser = browser_of()
    index = text(browser.get("/guide/"))
    for name, page in pages.items():
        answer = browser.get(f"/guide/{name}/")
        assert answer.status_code == 200
        assert f'<article lang="{page.language}">' in text(answer)
        assert f'href="/guide/{name}/"' in index
    assert {pages[name].language for name in ("rules.de", "rules.nl", "rules.it")} == {"de", "nl", "it"}


def test_all_that_docs_has_for_readers_is_a_page(pages):
    files = {path.relative_to(settings.ROOT / "docs") for path in (settings.ROOT / "docs").rglob("*.md")}
    assert {str(path.with_suffix("")) for path in files} == set(pages) - {"readme"}


def test_the_rules_lead_to_each_other_in_each_language_and_say_which_one_that_is(db):
    languages = {"en": "rules", "de": "rules.de", "nl": "rules.nl", "it": "rules.it"}
    for here, name in languages.items():
        page = text(browser_of().get(f"/guide/{name}/"))
        for code, other in languages.items():
            assert f'<link rel="alternate" hreflang="{code}" href="/guide/{other}/">' in page
            link = f'<a href="/guide/{other}/" lang="{code}" hreflang="{code}">'
            mark = f'<strong lang="{code}" aria-current="page">'
            assert (mark if code == here else link) in page


def test_every_link_leads_to_a_part_that_is_there(pages):
    ids = {f"/guide/{name}/": set(Outline(page.html).ids) for name, page in pages.items()}
    links = [(name, link) for name, page in pages.items() for link in LINK.findall(page.html)]
    assert len(links) > 40
    for name, link in links:
        if link.startswith(("https://", "http://")):
            continue
        path, _, part = link.partition("#")
        assert (path or f"/guide/{name}/") in ids, f"{name}: {link}"
        assert not part or part in ids[path or f"/guide/{name}/"], f"{name}: {link}"


def test_no_page_has_a_style_of_its_own_an_id_twice_or_half_a_table(pages):
    for name, page in pages.items():
        outline = Outline(page.html)
        assert "style" not in outline.attributes, name
        assert len(outline.ids) == len(set(outline.ids)), name
        assert page.html.count("<table>") == page.html.count("</table></div>")


def test_markup_in_a_page_is_shown_not_obeyed(tmp_path, settings):
    settings.ROOT = tmp_path
    (tmp_path / "docs").mkdir()
    source = "# A <script>alert(1)</script>\n\n<b>x</b> [y](javascript:alert(1)) [z](../secret.txt)\n"
    source += "\n```\n</code>&\n```\n"
    (tmp_path / "docs/rules.md").write_text(source)
    html = guide.page("rules").html
    assert "<script" not in html
    assert "<b>" not in html
    assert "href" not in html
    assert "&lt;/code&gt;&amp;" in html


@pytest.mark.parametrize(
    "name", ["nothing", "../manage", "rules/../api", "%2e%2e/README", "design.md", "rules.xx"]
)
def test_what_is_no_page_is_not_found(name, db):
    assert browser_of().get(f"/guide/{name}/").status_code == 404


def test_the_image_has_what_the_guide_is_made_of():
    made = (settings.ROOT / "Dockerfile").read_text()
    allowed = (settings.ROOT / ".dockerignore").read_text().split()
    for name in ("docs", "README.md"):
        assert re.search(rf"^COPY {re.escape(name)} ", made, re.MULTILINE)
        assert f"!{name}" in allowed


def sections(name):
    """The heading's level, the tables' shapes, and what is written in code, of each section."""
    text = (settings.ROOT / f"docs/{name}.md").read_text()
    for part in re.split(r"^(?=#{2,3} )", text, flags=re.MULTILINE)[1:]:
        rows = [line.count(" |") for line in part.splitlines() if line.startswith("|")]
        yield part.index(" "), rows, set(re.findall("`([^`]+)`", part))


@pytest.mark.parametrize("language", ["de", "nl", "it"])
def test_a_translation_of_the_rules_has_their_sections_tables_and_options(language):
    translated = list(sections(f"rules.{language}"))
    assert len(translated) == 11
    assert translated == list(sections("rules"))


@pytest.mark.parametrize("language", ["de", "nl", "it"])
def test_the_numbers_in_a_translations_tables_are_those_of_the_rules(language):
    def figures(name):
        lines = (settings.ROOT / f"docs/{name}.md").read_text().splitlines()
        return [re.findall(r"\d+|[SHDC]\b", line) for line in lines if line.startswith("|")]

    assert figures(f"rules.{language}") == figures("rules")
