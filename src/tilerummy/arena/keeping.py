"""The file of a run: its settings on the first line, then each deal on a line of its own as soon as it is played.

An interrupted run goes on from its file. The last line may be torn; then that deal is played again.
"""

import contextlib
import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import TracebackType
from typing import IO, Any, Final, NamedTuple

from tilerummy import __version__
from tilerummy.arena.results import DealResult, deal_json, read_deal
from tilerummy.arena.settings import BadSettings, Entrant, Settings, rotations
from tilerummy.arena.sprt import Hypotheses
from tilerummy.bots import BOTS
from tilerummy.rulesets import ruleset
from tilerummy.tiles import shorten

__all__ = ["Head", "RunFile", "read_head", "settings_json"]

_FORMAT: Final = 1
_MARK: Final = "tilerummy-arena"


class Head(NamedTuple):
    """What a run's file says first: what is played, and the test that may stop it."""

    settings: Settings
    test: Hypotheses | None = None
    known: bool = True
    """Whether the file tells about a test at all; files of old do not."""


def settings_json(settings: Settings) -> dict[str, Any]:
    """The settings of a run, as its file and its report have them."""
    rules = settings.rules
    return {
        "ruleset": rules.id,
        "house": {name: value if isinstance(value, bool | int) else str(value) for name, value in rules.house.items()},
        "seats": [
            {
                "name": one.name,
                **({"bot": one.bot} if one.bot is not None else {"command": list(one.command)}),
                "budget": one.budget,
            }
            for one in settings.entrants
        ],
        "lineups": [list(lineup) for lineup in settings.lineups],
        "seed": settings.seed,
        "games": settings.games,
        "move_time": settings.move_time,
    }


def _read_settings(given: Mapping[str, Any]) -> Settings:
    entrants = tuple(
        Entrant(str(one["name"]), one.get("bot"), tuple(one.get("command", ())), int(one["budget"]))
        for one in given["seats"]
    )
    if not all(one.name.isprintable() and (one.command or one.bot in BOTS) for one in entrants):
        raise ValueError("seats")
    lineups = tuple(tuple(map(int, lineup)) for lineup in given["lineups"])
    if not lineups or any(not 0 <= who < len(entrants) for lineup in lineups for who in lineup):
        raise ValueError("lineups")
    return Settings(
        entrants,
        lineups,
        int(given["games"]),
        int(given["seed"]),
        ruleset(given["ruleset"], given["house"]),
        float(given["move_time"]),
    )


def _read_head(given: Mapping[str, Any]) -> Head:
    kept = given.get("sprt")
    test = None if kept is None else Hypotheses(*(float(kept[name]) for name in Hypotheses._fields))
    return Head(_read_settings(given), test, known="sprt" in given)


class RunFile:
    """The file of a run, open for more deals; nobody else can write to it meanwhile."""

    def __init__(self, path: Path, file: IO[bytes], head: Head, earlier: list[DealResult]) -> None:
        self.path = path
        self.head = head
        self.earlier = earlier
        self._file = file
        self._new = False  # with nothing to lose

    @property
    def settings(self) -> Settings:
        """What is played."""
        return self.head.settings

    @classmethod
    def begin(cls, path: Path, settings: Settings, test: Hypotheses | None = None) -> "RunFile":
        """Begin a file; one that is there already is left alone."""
        try:
            file = path.open("xb")
        except FileExistsError:
            raise BadSettings("out", f"{shorten(str(path))} is there already; --resume goes on with it") from None
        except (OSError, ValueError) as error:
            raise BadSettings("out", f"{shorten(str(path))}: {_why(error)}") from None
        with _closed_on_error(file):
            try:
                _lock(file, "out", path)
            except BadSettings:
                path.unlink(missing_ok=True)
                raise
            made = cls(path, file, Head(settings, test), [])
            made._new = True
            tested = None if test is None else test._asdict()
            made._write({_MARK: _FORMAT, "version": __version__, **settings_json(settings), "sprt": tested})
            return made

    @classmethod
    def resume(cls, path: Path) -> "RunFile":
        """Open a run's file and read what has been played; a torn last line is cut off."""
        try:
            file = path.open("r+b")
        except (OSError, ValueError) as error:
            raise BadSettings("resume", f"{shorten(str(path))}: {_why(error)}") from None
        with _closed_on_error(file):
            _lock(file, "resume", path)
            head = _head(file.readline(), path)
            earlier, end = _deals(file, head.settings, path)
            file.truncate(end)
            file.seek(end)
            return cls(path, file, head, earlier)

    def add(self, result: DealResult) -> None:
        """Keep a deal."""
        self._new = False
        self._write(deal_json(result))

    def _write(self, value: object) -> None:
        self._file.write(json.dumps(value, separators=(",", ":")).encode() + b"\n")
        self._file.flush()

    def __enter__(self) -> "RunFile":
        """Hold the file open."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close the file; a new one goes where nothing was played because it could not be."""
        self._file.close()
        if self._new and isinstance(error, BadSettings):
            self.path.unlink(missing_ok=True)


@contextlib.contextmanager
def _closed_on_error(file: IO[bytes]) -> Iterator[None]:
    try:
        yield
    except BaseException:
        file.close()
        raise


def _lock(file: IO[bytes], field: str, path: Path) -> None:
    """Keep a file to this process until it is closed: what two write at once can be read by nobody."""
    import filelock  # where no run is kept, nobody waits for it

    try:
        alone = filelock.lock_descriptor(file.fileno(), blocking=False)
    except OSError as error:
        raise BadSettings(field, f"{shorten(str(path))} cannot be locked: {_why(error)}") from None
    if not alone:
        raise BadSettings(field, f"another run is writing to {shorten(str(path))}")


def read_head(line: bytes) -> Head | None:
    """What the first line of a run's file says; None where it is none."""
    try:
        given = json.loads(line)
        return _read_head(given) if given[_MARK] == _FORMAT else None
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return None


def _head(line: bytes, path: Path) -> Head:
    head = read_head(line) if line.endswith(b"\n") else None
    if head is None:
        raise BadSettings("resume", f"{shorten(str(path))} is no file of a run")
    version = json.loads(line).get("version")
    if version != __version__:
        raise BadSettings("resume", f"version: the file is of tilerummy {shorten(str(version))}, this is {__version__}")
    return head


def _deals(file: IO[bytes], settings: Settings, path: Path) -> tuple[list[DealResult], int]:
    """Every whole deal, and where the last of them ends."""
    found: dict[tuple[int, int], DealResult] = {}
    end = file.tell()
    for number, line in enumerate(file, 2):
        result = _deal(line, settings)
        if result is None:
            if file.read(1):  # only the last line can be torn
                raise BadSettings("resume", f"{shorten(str(path))}: line {number} is no deal of this run")
            break
        found[result.deal, result.lineup] = result
        end += len(line)
    return list(found.values()), end


def _deal(line: bytes, settings: Settings) -> DealResult | None:
    if not line.endswith(b"\n"):
        return None
    try:
        result = read_deal(json.loads(line))
        expected = rotations(settings.lineups[result.lineup])
    except (ValueError, KeyError, TypeError, IndexError, AttributeError, RecursionError):
        return None
    right = result.deal >= 0 and result.lineup >= 0 and tuple(game.lineup for game in result.games) == expected
    sides = [(game.scores, game.places, game.sizes, game.seconds, game.slowest) for game in result.games]
    whole = all(len(part) == settings.players for parts in sides for part in parts)
    return result if right and whole else None


def _why(error: Exception) -> str:
    return error.strerror if isinstance(error, OSError) and error.strerror else "it cannot be used"
