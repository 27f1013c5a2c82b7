"""The guide: the project's own docs/ as pages.

What is written there is for readers of the repository, too, so links between files become links between
pages, and those to files that are no page become text. Raw HTML is shown, not obeyed.
"""

import posixpath
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from html import escape
from pathlib import Path

from django.conf import settings
from django.urls import reverse
from django.utils.safestring import SafeString, mark_safe
from markdown_it import MarkdownIt
from markdown_it.token import Token

#: The pages, as readers look for them: for whom, name → what is told. The names are those of files in docs/.
SECTIONS: Mapping[str, Mapping[str, str]] = {
    "For players": {
        "rules": "The game: cards, play, points, options and variants.",
        "rules.de": "Das Spiel und seine Varianten, auf Deutsch.",
        "rules.nl": "Het spel en zijn varianten, in het Nederlands.",
        "rules.it": "Il gioco e le sue varianti, in italiano.",
    },
    "For authors of bots": {
        "readme": "What this is, and a first bot in five minutes.",
        "client": "The command: try a bot at home, send it, enter it, watch it.",
        "protocol": "How the referee and a bot talk, with a whole deal written out.",
        "sandbox": "What a bot may use, and what confines it.",
        "record": "The match record, and how to check one.",
    },
    "For organisers": {
        "tournaments": "Which format, how much play, what happens when.",
        "ratings": "What a rating says, and how sure it is.",
        "api": "All of it for programs: JSON over HTTP.",
    },
    "For who runs a league": {
        "operating": "Settings, workers, backups, and what goes wrong.",
        "architecture": "How the project is laid out, and why.",
        "design": "How these pages look and behave, and of which parts they are made.",
        "performance": "How fast it is, measured.",
        "hostile-cases": "What may go wrong or be done to it, and which test shows what happens then.",
    },
}
#: What some pages are written in besides English: their names end in a point and the code.
LANGUAGES = {"en": "English", "de": "Deutsch", "nl": "Nederlands", "it": "italiano"}
#: Deepest heading that the list on the top of a page has.
LISTED = "h2"


@dataclass(frozen=True)
class Page:
    """One page: its heading, what stands below it, and where its parts begin (anchor, heading)."""

    title: str
    html: SafeString
    parts: Sequence[tuple[str, str]]
    language: str


def decisions() -> Sequence[str]:
    """The names of the pages that tell what was decided, and why; the first decision first."""
    return sorted(f"adr/{path.stem}" for path in (settings.ROOT / "docs/adr").glob("*.md"))


def names() -> Sequence[str]:
    """The names of all pages."""
    return [*(name for section in SECTIONS.values() for name in section), *decisions()]


def page(name: str) -> Page | None:
    """The page of that name, if there is one."""
    if name not in names():
        return None
    file = _file(name)
    return _page(name, file, file.stat().st_mtime_ns)


def language_of(name: str) -> str:
    """The code of the language that a page is written in."""
    code = name.rpartition(".")[2]
    return code if code in LANGUAGES else "en"


def languages_of(name: str) -> Sequence[tuple[str, str, str]]:
    """(code, language, name) of each page that tells the same; empty where there is no other."""
    stem, known = name.removesuffix(f".{language_of(name)}"), names()
    of = {code: stem if code == "en" else f"{stem}.{code}" for code in LANGUAGES}
    found = [(code, LANGUAGES[code], other) for code, other in of.items() if other in known]
    return found if len(found) > 1 else []


def anchor(heading: str) -> str:
    """Where a heading is found, as code hosts have it."""
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


def _file(name: str) -> Path:
    root: Path = settings.ROOT
    return root / "README.md" if name == "readme" else root / "docs" / f"{name}.md"


@lru_cache(maxsize=64)
def _page(name: str, file: Path, changed: int) -> Page:
    markdown = MarkdownIt("commonmark", {"html": False}).enable("table")
    for kind, rule in _RULES.items():
        markdown.add_render_rule(kind, rule)
    tokens = markdown.parse(file.read_text(encoding="utf-8"))
    title, parts = name, []
    for heading, tag in _headings(tokens):
        if tag == "h1":
            title = heading
        elif tag == LISTED:
            parts.append((anchor(heading), heading))
    _fit(tokens, lambda address: _address(name, address))
    html = markdown.renderer.render(tokens, markdown.options, {})
    return Page(title, mark_safe(html), parts, language_of(name))  # noqa: S308 - our own files, and without raw HTML


def _headings(tokens: Sequence[Token]) -> Iterator[tuple[str, str]]:
    for at, token in enumerate(tokens):
        if token.type == "heading_open":
            children = tokens[at + 1].children or []
            text = "".join(child.content for child in children if child.type in ("text", "code_inline"))
            token.attrSet("id", anchor(text))
            yield text, token.tag


def _fit(tokens: Sequence[Token], address: Callable[[str], str | None]) -> None:
    """Links lead to pages, those that lead nowhere are text; columns of numbers have a class, not a style."""
    inside: list[bool] = []
    for token in tokens:
        if token.type in ("th_open", "td_open") and token.attrs.pop("style", "") == "text-align:right":
            token.attrSet("class", "num")
        if token.type == "link_open":
            leads = address(str(token.attrs["href"]))
            inside.append(leads is not None)
            token.attrs["href"], token.hidden = leads or "", leads is None
        elif token.type == "link_close":
            token.hidden = not inside.pop()
        if token.children:
            _fit(token.children, address)


def _address(name: str, link: str) -> str | None:
    """Where a link on the page of that name leads; None where it leads to no page."""
    if link.startswith(("https://", "http://", "#")):
        return link
    path, mark, part = link.partition("#")
    here = "README.md" if name == "readme" else f"docs/{name}.md"
    target = posixpath.normpath(posixpath.join(posixpath.dirname(here), path))
    to = "readme" if target == "README.md" else target.removeprefix("docs/").removesuffix(".md")
    if to not in names():
        return None
    return f"{reverse('guide-page', args=[to])}{mark}{part}"


def _scrolling(tokens: Sequence[Token], at: int, *_: object) -> str:
    number = sum(token.type == "table_open" for token in tokens[: at + 1])
    return f'<div class="scroll" tabindex="0" role="region" aria-label="Table {number}"><table>\n'


def _code(tokens: Sequence[Token], at: int, *_: object) -> str:
    return f'<pre tabindex="0"><code>{escape(tokens[at].content, quote=False)}</code></pre>\n'


_RULES: Mapping[str, Callable[..., str]] = {
    "table_open": lambda _renderer, *args: _scrolling(*args),
    "table_close": lambda *_: "</table></div>\n",
    "fence": lambda _renderer, *args: _code(*args),
    "code_block": lambda _renderer, *args: _code(*args),
}
