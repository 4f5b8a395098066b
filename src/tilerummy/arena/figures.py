"""Figures in words, as the terminal and the page have them.

>>> number(-0.3, 0), number(0.3, 0, signed=True), number(12.34, 1, signed=True)
('0', '0', '+12.3')
>>> around(Estimate(-103.2, -168.0, -38.4), signed=True), around(Estimate(7.0, None, None))
(('-103', '± 65'), ('7', ''))
>>> within(Estimate(0.98, 0.951, 1.0), 100, 1, "%"), within(Estimate(1.0, None, None), 100, 1, "%")
(('98.0%', '95.1–100'), ('100%', ''))
"""

from tilerummy.arena.ratings import Estimate

__all__ = ["around", "number", "within"]


def number(value: float, digits: int, *, signed: bool = False) -> str:
    """A value with so many digits after the point; nothing is nothing, without a sign."""
    rounded = round(value, digits) + 0.0
    if signed and rounded:
        return f"{rounded:+.{digits}f}"
    return f"{rounded:.{digits}f}"


def around(value: Estimate, digits: int = 0, *, signed: bool = False) -> tuple[str, str]:
    """A value without bounds and how far its interval reaches; nothing where there is none."""
    said = number(value.value, digits, signed=signed)
    return said, "" if value.error is None else f"± {value.error:.{digits}f}"


def within(value: Estimate, times: float, digits: int, unit: str = "") -> tuple[str, str]:
    """A value with bounds, such as a share, and its interval from low to high: with ± it could lie beyond them."""

    def said(one: float) -> str:
        exact = times * one
        return f"{exact:.0f}" if exact in (0, 100) else number(exact, digits)

    reach = "" if value.low is None or value.high is None else f"{said(value.low)}–{said(value.high)}"
    return said(value.value) + unit, reach
