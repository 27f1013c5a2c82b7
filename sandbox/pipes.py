"""Pipes whose ends belong to somebody."""

import os
from contextlib import ExitStack


def pipe(reader: ExitStack, writer: ExitStack) -> tuple[int, int]:
    """A pipe ``(read, write)``, each end closed by the stack that it belongs to."""
    read, write = os.pipe()
    reader.callback(os.close, read)
    writer.callback(os.close, write)
    return read, write


def standard_pipes(ours: ExitStack, theirs: ExitStack) -> tuple[tuple[int, int, int], tuple[int, int, int]]:
    """Three pipes as ``(into, out, err)``, our ends, and ``(stdin, stdout, stderr)``, those of a process."""
    stdin, into = pipe(theirs, ours)
    out, stdout = pipe(ours, theirs)
    err, stderr = pipe(ours, theirs)
    for descriptor in (stdin, stdout, stderr):
        # A bot of another user may open /dev/stderr by its name; then the pipe's own mode counts.
        os.fchmod(descriptor, 0o666)
    return (into, out, err), (stdin, stdout, stderr)
