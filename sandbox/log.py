"""A bot's standard error: the first 64 KiB of each match, for its owner."""

from arena.protocol import MAX_LOG_BYTES


class BotLog:
    """Keeps the beginning and counts the rest, so that a flood costs nothing."""

    def __init__(self, keep_bytes: int = MAX_LOG_BYTES) -> None:
        self._keep_bytes = keep_bytes
        self._kept = bytearray()
        self._written = 0

    def write(self, chunk: bytes) -> None:
        """Take what the bot has written."""
        self._written += len(chunk)
        room = self._keep_bytes - len(self._kept)
        if room > 0:
            self._kept += chunk[:room]

    def text(self) -> str:
        """What was kept, as text that any database takes, with a last line that tells of a cut."""
        text = self._kept.decode("utf-8", "replace").replace("\0", "\N{SYMBOL FOR NULL}")
        cut = self._written - len(self._kept)
        return f"{text}\n[{cut} more bytes were not kept]\n" if cut else text

    def take(self) -> str:
        """What was kept; the next match begins with an empty log."""
        text = self.text()
        self._kept.clear()
        self._written = 0
        return text
