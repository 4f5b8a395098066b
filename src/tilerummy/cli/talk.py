"""Talking with the person at the terminal, or with whatever writes into the pipe."""

import contextlib
import sys
from typing import Final

__all__ = ["Line", "Quit", "is_terminal"]

_LONGEST: Final = 10_000
_ECHOED: Final = 200
_PATIENCE: Final = 200  # lines from a pipe, one after the other, that nobody can use

_YES: Final = frozenset({"y", "yes", "o", "oui", "j", "ja"})


class Quit(Exception):
    """The person leaves, or the input has ended."""


def is_terminal() -> bool:
    """Whether somebody sits there."""
    return all(stream is not None and stream.isatty() for stream in (sys.stdin, sys.stdout))


class Line:
    """Asks for lines. A pipe that has ended, or only sends what nobody can use, is a Quit."""

    def __init__(self) -> None:
        self.interactive = is_terminal()
        self._unused = 0
        if self.interactive:
            with contextlib.suppress(ImportError):
                import readline  # noqa: F401  # lines become editable, with a history

    def ask(self, prompt: str) -> str:
        """Ask for a line. One from a pipe is repeated, so that the output reads like a conversation."""
        if self.interactive:
            try:
                return input(f"{prompt} ").strip()
            except EOFError:
                print()
                raise Quit from None
        print(prompt, end=" ", flush=True)
        line = sys.stdin.readline(_LONGEST) if sys.stdin is not None else ""
        print(line.strip()[:_ECHOED])
        if not line:
            raise Quit
        return line.strip()

    def agrees(self, prompt: str) -> bool:
        """Ask a question that is answered by yes or no."""
        return self.ask(prompt).lower() in _YES

    def used(self, worked: bool) -> None:
        """Say whether the last line was of use."""
        self._unused = 0 if worked else self._unused + 1
        if not self.interactive and self._unused >= _PATIENCE:
            raise Quit
