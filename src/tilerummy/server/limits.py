"""Limits: token buckets by address and by player, in memory and of bounded size."""

import ipaddress
import time
from collections import OrderedDict
from collections.abc import Callable
from typing import Final, Literal

from tilerummy.server.errors import Problem
from tilerummy.server.settings import Settings

__all__ = ["Buckets", "Kind", "Limits", "address_key"]

Kind = Literal["requests", "commands", "messages", "traffic", "solves", "guests", "rooms", "guesses"]
_MOST: Final = 50_000
_HOUR: Final = 3600.0
_HOUSEHOLD: Final = 20  # players behind one address who may send as fast as one may
_DEBT: Final = 10.0  # seconds


class Buckets:
    """A bucket of tokens for each key: it starts full, each use takes one, time fills it again."""

    def __init__(self, rate: float, burst: int, most: int = _MOST, clock: Callable[[], float] = time.monotonic) -> None:
        self._rate = rate
        self._burst = float(burst)
        self._most = most
        self._clock = clock
        self._left: OrderedDict[str, tuple[float, float]] = OrderedDict()  # key → tokens, when; the oldest use first

    def take(self, key: str, cost: float = 1) -> float:
        """Take tokens and return 0, or take none and return how many seconds are missing."""
        now = self._clock()
        tokens, then = self._left.pop(key, (self._burst, now))
        tokens = min(self._burst, tokens + (now - then) * self._rate)
        enough = tokens >= cost
        self._left[key] = (tokens - cost if enough else tokens, now)
        while len(self._left) > self._most:
            self._left.popitem(last=False)
        return 0.0 if enough else (cost - tokens) / self._rate

    def drain(self, key: str, seconds: float = 0.0) -> None:
        """Take all tokens that are left, and those of the next seconds."""
        self._left.pop(key, None)
        self._left[key] = (-seconds * self._rate, self._clock())

    def wait_for(self, key: str, cost: float = 1) -> float:
        """How many seconds are missing, 0 if none; nothing is taken."""
        tokens, then = self._left.get(key, (self._burst, 0.0))
        return max(0.0, (cost - tokens) / self._rate - (self._clock() - then))

    def __len__(self) -> int:
        """How many keys are remembered."""
        return len(self._left)


class Limits:
    """Who has to slow down."""

    def __init__(self, settings: Settings, clock: Callable[[], float] = time.monotonic) -> None:
        self._on = settings.rate_limits
        self._buckets: dict[Kind, Buckets] = {
            "requests": Buckets(settings.requests_per_second, settings.requests_burst, clock=clock),
            "commands": Buckets(settings.commands_per_second, settings.commands_burst, clock=clock),
            "messages": Buckets(settings.messages_per_second, settings.messages_burst, clock=clock),
            "traffic": Buckets(
                settings.messages_per_second * _HOUSEHOLD, settings.messages_burst * _HOUSEHOLD, clock=clock
            ),
            "solves": Buckets(settings.solves_per_second, settings.solves_burst, clock=clock),
            "guests": Buckets(settings.guests_per_hour / _HOUR, settings.guests_burst, clock=clock),
            "rooms": Buckets(settings.rooms_per_hour / _HOUR, settings.rooms_burst, clock=clock),
            "guesses": Buckets(settings.guesses_per_hour / _HOUR, settings.guesses_burst, clock=clock),
        }

    def wait(self, kind: Kind, key: str) -> float:
        """Count one use; return 0, or the seconds after which it would be welcome."""
        return self._buckets[kind].take(key) if self._on else 0.0

    def check(self, kind: Kind, key: str) -> None:
        """Count one use, or raise the Problem that asks to slow down."""
        if self.wait(kind, key) > 0:
            raise self.slow_down(kind, key)

    def drain(self, kind: Kind, key: str) -> None:
        """Count as many uses as there may be now and soon: what was asked for has cost that much."""
        self._buckets[kind].drain(key, _DEBT)

    def is_guessing(self, address: str) -> bool:
        """Whether so many codes of no room came from there that even a right one has to wait."""
        return self._on and self._buckets["guesses"].wait_for(address) > 0

    def slow_down(self, kind: Kind, key: str) -> Problem:
        """The Problem that asks to slow down."""
        after = str(min(86_400, int(self._buckets[kind].wait_for(key)) + 1))
        return Problem(429, f"too many {kind}; try again in {after} s", headers={"Retry-After": after})


def address_key(address: str | None) -> str:
    """What counts as one address: an IPv4 address, or the 64 bits of an IPv6 address that belong to one household."""
    try:
        found = ipaddress.ip_address(address or "")
    except ValueError:
        return "unknown"
    if isinstance(found, ipaddress.IPv4Address):
        return str(found)
    if found.ipv4_mapped:
        return str(found.ipv4_mapped)
    return str(ipaddress.ip_network((found, 64), strict=False).network_address)
