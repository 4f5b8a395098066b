"""What comes in from files and pipes: bounded reading, by the whole or by the line."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from io import BufferedReader
from pathlib import Path
from typing import Final, cast

from tilerummy.contract import BadInput
from tilerummy.tiles import shorten

__all__ = ["MAX_BYTES", "batches", "lines", "read_bytes"]

MAX_BYTES: Final = 1_000_000
_CHUNK: Final = 1 << 16


@contextmanager
def _source(path: Path | None) -> Iterator[BufferedReader]:
    """Standard input, for no path or `-`, or a file."""
    if path is None or str(path) == "-":
        if sys.stdin is None:
            raise BadInput("input: standard input is closed")
        if sys.stdin.isatty():
            print("tilerummy: reading from the terminal; Ctrl-D ends it", file=sys.stderr)
        yield cast(BufferedReader, sys.stdin.buffer)
        return
    try:
        with path.open("rb") as file:
            yield file
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else "it cannot be opened"
        raise BadInput(f"FILE: {shorten(os.fspath(path))}: {reason}") from None


def read_bytes(path: Path | None) -> bytes:
    """Read all of it, or refuse what is too long without reading on."""
    with _source(path) as file:
        data = file.read(MAX_BYTES + 1)
    if len(data) > MAX_BYTES:
        raise BadInput(f"input: longer than {MAX_BYTES} bytes")
    return data


def lines(path: Path | None) -> Iterator[bytes | BadInput]:
    """Each line, as soon as it is there; one that is too long comes as the error it is."""
    for some in batches(path, 1):
        yield from some


def batches(path: Path | None, most: int) -> Iterator[list[bytes | BadInput]]:
    """The lines that are there already, at most so many at a time; nobody waits for more to come before an answer."""
    with _source(path) as file:
        ready: list[bytes | BadInput] = []
        begun = _Begun()
        while chunk := file.read1(_CHUNK):
            *whole, rest = chunk.split(b"\n")
            for part in whole:
                ready.append(begun.ended(part))
                if len(ready) == most:
                    yield ready
                    ready = []
            begun.add(rest)
            if ready:
                yield ready
                ready = []
        if begun.size:
            yield [begun.ended(b"")]


class _Begun:
    """A line whose end has not come yet; of one that is too long, only its length is kept."""

    def __init__(self) -> None:
        self.parts: list[bytes] = []
        self.size = 0

    def add(self, part: bytes) -> None:
        self.size += len(part)
        if self.size > MAX_BYTES:
            self.parts = []
        elif part:
            self.parts.append(part)

    def ended(self, part: bytes) -> bytes | BadInput:
        """The whole line; the next one begins."""
        self.add(part)
        line, size = b"".join(self.parts), self.size
        self.parts, self.size = [], 0
        return line if size <= MAX_BYTES else BadInput(f"input: a line longer than {MAX_BYTES} bytes")
