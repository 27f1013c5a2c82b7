"""Hands a bot's three pipes to the launcher in its container, over a Unix socket that is mounted there.

Plain pipes, as under bubblewrap: closing one has the same effect in both, and a round trip costs no
more. The daemon's own attached streams are ten times slower.
"""

import os
import select
import socket
from contextlib import ExitStack
from pathlib import Path
from typing import Final

from arena.errors import PlatformFailure
from sandbox.channel import Channel
from sandbox.log import BotLog
from sandbox.pipes import standard_pipes

SOCKET_NAME: Final = "seat"
_START_S = 20.0


class Handover:
    """A socket that one launcher may connect to, once.

    Args:
        folder: where it is made; mounted into the container.

    Raises:
        PlatformFailure: it can't be made.
    """

    def __init__(self, folder: Path) -> None:
        self._path = folder / SOCKET_NAME
        self._connection: socket.socket | None = None
        self._listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        try:
            folder.mkdir(mode=0o755)
            folder.chmod(0o755)
            _bind(self._listener, folder)
            self._path.chmod(0o666)
            self._listener.listen(1)
        except OSError as error:
            self.close()
            raise PlatformFailure("staging", f"{self._path}: {error}") from error

    def meet(self) -> None:
        """Wait for the launcher.

        Raises:
            PlatformFailure: it did not come.
        """
        if not _readable(self._listener, _START_S):
            raise PlatformFailure("sandbox_start", "the launcher did not connect")
        self._connection, _ = self._listener.accept()
        # Nobody else can connect from now on; the bot finds the socket's folder empty.
        self._stop_listening()

    @property
    def waits(self) -> bool:
        """Whether the launcher is still there: it says nothing before it was given the pipes."""
        return self._connection is not None and not _readable(self._connection, 0.0)

    def give(self, log: BotLog) -> Channel:
        """Hand the pipes over to the launcher that was met, and see that the bot's program is reached.

        Raises:
            PlatformFailure: the launcher could not start the program.
        """
        assert self._connection is not None, "the launcher is met first"
        with self._connection as connection, ExitStack() as theirs, ExitStack() as ours:
            (into, out, err), standard = standard_pipes(ours, theirs)
            socket.send_fds(connection, [b"!"], list(standard))
            theirs.close()
            _await_exec(connection)
            ours.pop_all()
        return Channel(into, out, err, log)

    def close(self) -> None:
        """Stop listening, remove the socket, leave the launcher alone. Harmless when repeated."""
        self._stop_listening()
        if self._connection is not None:
            self._connection.close()

    def _stop_listening(self) -> None:
        self._listener.close()
        self._path.unlink(missing_ok=True)


def _bind(listener: socket.socket, folder: Path) -> None:
    """By way of the folder's descriptor: a socket's own path may not be longer than 107 bytes."""
    descriptor = os.open(folder, os.O_PATH | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        listener.bind(f"/proc/self/fd/{descriptor}/{SOCKET_NAME}")
    finally:
        os.close(descriptor)


def _await_exec(connection: socket.socket) -> None:
    """The launcher's end closes by itself when it becomes the bot; otherwise it says what went wrong."""
    told = connection.recv(16) if _readable(connection, _START_S) else b"?"
    if told:
        number = int(told) if told.isdigit() else 0
        raise PlatformFailure("sandbox_start", f"the launcher failed: {os.strerror(number)}")


def _readable(end: socket.socket, seconds: float) -> bool:
    poll = select.poll()
    poll.register(end, select.POLLIN)
    return bool(poll.poll(seconds * 1000.0))
