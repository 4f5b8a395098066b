"""How every command ends: an exit status, at most one line about what was wrong, never a traceback."""

import functools
import os
import sys
from collections.abc import Callable
from typing import Final, ParamSpec

import typer

from tilerummy.contract import BadInput, one_line

__all__ = ["BAD", "INTERRUPTED", "complain", "guarded"]

BAD: Final = 2
INTERRUPTED: Final = 130  # as a shell says: 128 and the signal's number
_NOBODY_READS: Final = 141

_P = ParamSpec("_P")


def complain(message: str) -> None:
    """Say what was wrong, on one line of standard error."""
    print(f"tilerummy: {one_line(message)}", file=sys.stderr)


def guarded(command: Callable[_P, None]) -> Callable[_P, None]:
    """Turn what may go wrong in a command into an exit status."""

    @functools.wraps(command)
    def run(*args: _P.args, **kwargs: _P.kwargs) -> None:
        try:
            try:
                command(*args, **kwargs)
            finally:
                if sys.stdout is not None:
                    sys.stdout.flush()
        except BadInput as error:
            complain(str(error))
            raise typer.Exit(BAD) from None
        except KeyboardInterrupt:
            print(file=sys.stderr)
            raise typer.Exit(INTERRUPTED) from None
        except BrokenPipeError:
            _silence()
            raise typer.Exit(_NOBODY_READS) from None
        except OSError as error:
            _silence()
            complain(f"output: {error.strerror or error}")
            raise typer.Exit(BAD) from None
        except RecursionError:
            complain("input: nested too deeply")
            raise typer.Exit(BAD) from None

    return run


def _silence() -> None:
    """Nobody reads standard output any more; let Python not stumble over it once again at its end."""
    try:
        nothing = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nothing, sys.stdout.fileno())
    except (OSError, ValueError, AttributeError):
        pass
