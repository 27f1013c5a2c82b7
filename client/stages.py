"""The stages of a check as people read them: made here, or told by a server."""

from rich.console import Console
from rich.text import Text

from client.inert import printable

_LOG_LINES = 30


def show_stage(
    console: Console,
    stage: str,
    *,
    code: str | None,
    message: str,
    log: str,
    took_ms: float,
    whole: bool = False,
) -> None:
    """One line a stage; the log too, or the part of it that matters most, where it failed.

    Args:
        code: why it failed; None where it passed.
        whole: show all of the log, and also where it passed.
    """
    took = f"{took_ms / 1000:6.1f} s"
    mark = Text("ok", "green") if code is None else Text(printable(code), "bold red")
    line = Text.assemble(f"{stage:<10}", took, "  ", mark, "  ", printable(message))
    console.print(line, soft_wrap=True)
    if not log.strip() or (code is None and not whole):
        return
    lines = log.rstrip().splitlines()
    # A compiler's first words matter most, and a program's last.
    build = stage == "build"
    shown = lines if whole else lines[:_LOG_LINES] if build else lines[-_LOG_LINES:]
    cut = len(shown) < len(lines)
    heading = f"its log {'begins' if build else 'ends'} with (--json has all of it):" if cut else "its log:"
    for text in (heading, *(f"    {each}" for each in shown)):
        console.print(Text(printable(text.expandtabs())), soft_wrap=True)
