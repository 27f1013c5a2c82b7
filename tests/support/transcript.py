"""What the documentation says that one types, and what it says that one then sees."""

import re

_BLOCK = re.compile(r"^```console\n(.*?)^```", re.MULTILINE | re.DOTALL)


def transcripts(page):
    """Each console block of a page: its commands, with what each printed."""
    return [list(_commands(block)) for block in _BLOCK.findall(page.read_text())]


def _commands(block):
    for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
        command, _, shown = part.partition("\n")
        while command.endswith("\\"):
            more, _, shown = shown.partition("\n")
            command = command[:-1] + more.lstrip("> ")
        yield command, shown


def plain(text):
    """Without what differs from run to run, and without the space that nobody sees."""
    text = re.sub(r"\b(tournament|version|pool) \d+\b", r"\1 N", text)
    return "\n".join(line.rstrip() for line in text.strip().splitlines() if line.strip())


def fits(seen, shown):
    """Whether that is what was seen, where `…` stands for anything."""
    pattern = ".*?".join(re.escape(part) for part in plain(shown).split("…"))
    return re.fullmatch(pattern, plain(seen), re.DOTALL) is not None
