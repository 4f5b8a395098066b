"""Transcripts: a game a file, each command with what it made happen and how things stood after it.

`python -m tests.kit.transcripts` plays the commands of every transcript again and writes down what happens now; a
transcript that is not there is made of a new random game. The difference shows every change of behaviour.
"""

import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from random import Random
from typing import NamedTuple

from tests.kit.build import seed
from tests.kit.cases import SETS, rules_of
from tests.kit.moves import illegal_commands
from tests.kit.players import Habits, choose
from tilerummy import race
from tilerummy.game import apply, begin, fold
from tilerummy.melds import Draft, draft, draft_text, table_text
from tilerummy.rulesets import Ruleset, house_text, ruleset
from tilerummy.state import (
    Command,
    Draw,
    Drew,
    Event,
    HandedOver,
    HandOver,
    HintGiven,
    HintUsed,
    MatchEnded,
    NextRound,
    Pass,
    Passed,
    Phase,
    Play,
    Played,
    Refusal,
    RoundBegan,
    RoundEnded,
    Started,
    State,
    TimedOut,
    Timeout,
)
from tilerummy.tiles import COLOURS, Tile, Unreadable, kind_of, text, tile, tile_of

__all__ = ["FOLDER", "NAMES", "generate", "path", "replay"]

FOLDER = Path(__file__).parent.parent / "transcripts"
RACE = "junior-simplified"
NAMES = (*(name.replace(" ", "-") for name in SETS), RACE)


def path(name: str) -> Path:
    """Where the transcript of this name lies."""
    return FOLDER / f"{name}.txt"


def replay(written: str) -> str:
    """The transcript as the commands in it play today."""
    lines = written.splitlines()
    setup = dict(line.split(": ", 1) for line in lines if re.match(r"[a-z]+: ", line))
    commands = [line[2:] for line in lines if line.startswith("> ")]
    if setup["game"] == RACE:
        caller = None if setup["caller"] == "program" else int(setup["caller"]) - 1
        return "\n".join(_race(int(setup["players"]), caller, map(_read_race, commands))) + "\n"
    id, *house = setup["game"].split()
    rules = ruleset(id, dict(word.split("=", 1) for word in house))
    number, players, rounds, first = (int(setup[name]) for name in ("deal", "players", "rounds", "first"))
    events = begin(rules, players=players, seed=seed(number), rounds=rounds, first=first - 1)
    state = fold(events)
    told = _game_head(number, state, events)
    for command in commands:
        more, state = _tell(_read(command, state), state)
        told += more
    return "\n".join(told) + "\n"


# Games


def _game_head(number: int, state: State, events: Iterable[Event]) -> list[str]:
    game = " ".join(filter(None, [state.rules.id, house_text(state.rules)]))
    settings = {
        "game": game,
        "players": state.players,
        "rounds": state.rounds,
        "first": state.first + 1,
        "deal": number,
    }
    return [*(f"{name}: {value}" for name, value in settings.items()), *_happened(events), *_stands(state, None)]


def _tell(command: Command, state: State) -> tuple[list[str], State]:
    """Tell a command, what it made happen, and how things stand after it."""
    line = f"> {_write(command, state)}"
    events = apply(state, command)
    if isinstance(events, Refusal):
        rules = "".join(f"\n  - {one.code} {text(one.tiles)}".rstrip() for one in events.violations)
        return ["", line, f"  refused: {events.code}{rules}"], state
    after = fold(events, state)
    return ["", line, *_happened(events), *_stands(after, state)], after


def _happened(events: Iterable[Event]) -> list[str]:
    return [f"  {_event(event)}" for event in events]


def _event(event: Event) -> str:
    match event:
        case Started():
            return f"a match of {event.players}"
        case RoundBegan():
            draws = " / ".join(", ".join(f"{one.seat + 1} {one.tile}" for one in drawing) for drawing in event.draws)
            racks = "".join(f"\n  rack {seat} {text(rack)}" for seat, rack in enumerate(event.racks, 1))
            begins = f"round {event.round}: {draws or 'nobody draws'}: {event.starter + 1} starts"
            return f"{begins}{racks}\n  pool {text(event.pool)}"
        case Played():
            flags = ["opens"] * event.opens + ["buzzer"] * event.buzzer
            earned = f", {event.stars} stars" if event.stars else ""
            laid = f"{text(event.laid)} for {event.points} points{earned}"
            return " ".join([f"{event.seat + 1} laid {laid}{_taken(event.taken)}", *flags])
        case Drew():
            return f"{event.seat + 1} drew {text(event.tiles)}" + (f" for {event.stars} star" if event.stars else "")
        case Passed():
            return f"{event.seat + 1} passed"
        case TimedOut():
            flags = ["opens"] * event.opens + ["restored"] * event.restored + ["passed"] * event.passed
            what = f"laid {text(event.laid) or 'nothing'}{_taken(event.taken)}, penalty {text(event.penalty) or 'none'}"
            return " ".join([f"{event.seat + 1} ran out of time: {what}", *flags])
        case HintGiven():
            return f"{event.seat + 1} had a hint: {event.level}"
        case HandedOver():
            return f"{event.seat + 1} is played by {event.bot or 'a person'}"
        case RoundEnded():
            how = "nobody finished" if event.finisher is None else f"{event.finisher + 1} finished"
            return f"round {event.round} over: {how}, {event.winner + 1} won, scores {_numbers(event.scores)}"
        case MatchEnded():
            return f"match over: totals {_numbers(event.totals)}, won by {_seats(event.winners)}"


def _taken(taken: tuple[Tile, ...]) -> str:
    return f", took {text(taken)}" if taken else ""


def _numbers(numbers: Iterable[int]) -> str:
    return " ".join(map(str, numbers))


def _seats(seats: Iterable[int]) -> str:
    return " ".join(str(seat + 1) for seat in seats)


def _stands(state: State, before: State | None) -> list[str]:
    """The position of the player to move (the table where it changed), and what is counted."""
    opened = "new" if not state.opened[state.turn] else "all" if all(state.opened) else "opened"
    counted = [
        f"{state.phase} version {state.version}",
        f"turn {state.turn + 1}",
        f"pool {len(state.pool)}",
        f"racks {_numbers(map(len, state.racks))}",
        f"opened {_seats(seat for seat, done in enumerate(state.opened) if done) or 'nobody'}",
        *([f"passes {state.passes}"] if state.passes else []),
        *([f"stars {_numbers(state.stars)}"] if state.rules.stars else []),
        *([f"hints {_numbers(state.hints)}"] if any(state.hints) else []),
        *([f"bots {' '.join(bot or '-' for bot in state.bots)}"] if any(state.bots) else []),
    ]
    table = "…" if before and before.table == state.table else table_text(state.table) or "-"
    position = f"{table} / {text(state.racks[state.turn]) or '-'} / {opened}"
    return [f"  = {position}", f"  = {', '.join(counted)}"]


def _write(command: Command, state: State) -> str:
    match command:
        case NextRound():
            return "next"
        case Play(seat, table):
            lying = {meld.pieces for meld in state.table}
            new = tuple(written for written in table if written not in lying)
            if _complete(new, state) == table:
                return f"{seat + 1} play {draft_text(new)}".strip()
            return f"{seat + 1} propose {draft_text(table)}".strip()
        case Draw(seat):
            return f"{seat + 1} draw"
        case Pass(seat):
            return f"{seat + 1} pass"
        case Timeout(seat, None):
            return f"{seat + 1} timeout"
        case Timeout(seat, table):
            return f"{seat + 1} timeout {draft_text(table or ()) or '-'}"
        case HintUsed(seat, level):
            return f"{seat + 1} hint {level}"
        case HandOver(seat, bot):
            return f"{seat + 1} human" if bot is None else f"{seat + 1} bot {bot}"


def _read(line: str, state: State) -> Command:
    if line == "next":
        return NextRound()
    who, verb, *more = line.split(" ", 2)
    seat, rest = int(who) - 1, more[0] if more else ""
    match verb:
        case "play":
            return Play(seat, _complete(draft(rest), state))
        case "propose":
            return Play(seat, draft(rest))
        case "draw":
            return Draw(seat)
        case "pass":
            return Pass(seat)
        case "timeout":
            return Timeout(seat, None if not rest else () if rest == "-" else draft(rest))
        case "hint":
            return HintUsed(seat, rest)
        case "bot":
            return HandOver(seat, rest)
        case "human":
            return HandOver(seat, None)
    raise ValueError(f"what is {line!r}?")


def _complete(new: Draft, state: State) -> Draft:
    """The melds that gave no tile away, as they lie, and the new ones."""
    moved = {piece.tile for written in new for piece in written}
    return (*(meld.pieces for meld in state.table if moved.isdisjoint(meld.tiles)), *new)


# Races


def _race(players: int, caller: int | None, commands: Iterable[race.RaceCommand]) -> Iterator[str]:
    yield f"game: {RACE}"
    yield f"players: {players}"
    yield f"caller: {'program' if caller is None else caller + 1}"
    state = race.fold(race.begin(players, caller))
    for command in commands:
        seat = "program" if command.seat is None else command.seat + 1
        yield ""
        yield f"> {seat} {type(command).__name__.lower()} {command.tile}"
        answer = race.apply(state, command)
        if isinstance(answer, race.RaceRefusal):
            who = "" if answer.seat is None else f", {answer.seat + 1} was quicker"
            yield f"  refused: {answer.code}{who}"
            continue
        state = race.fold(answer, state)
        rows = " ".join(f"{colour} {_row(state, colour)}" for colour in COLOURS)
        looked_for = text(race.fitting(state)) if state.open else "nothing"
        yield f"  = {rows}"
        yield f"  = version {state.version}, stars {_numbers(state.stars)}, looked for: {looked_for}"
        if state.winners:
            yield f"  won by {_seats(state.winners)}"


def _row(state: race.RaceState, colour: str) -> str:
    there = {one.number for one in state.placed if one.colour == colour}
    return "".join(str(number % 10) if number in there else "." for number in range(1, race.NUMBERS + 1))


def _read_race(line: str) -> race.RaceCommand:
    who, verb, name = line.split()
    if verb == "call":
        return race.Call(None if who == "program" else int(who) - 1, tile(name))
    return race.Tap(int(who) - 1, tile(name))


# New games

STALEMATES = ("club", "sabra", "rummy")  # the games that are to end without a finisher
HABITS = Habits(lays=0.95, lets_time_run_out=0.08, asks=0.04, leaves=0.04)


def generate(name: str) -> str:
    """A new transcript: of some random games the one in which the most different things happen, rather short."""
    if name == RACE:
        return "\n".join(_race(3, 0, _race_commands())) + "\n"
    rules = rules_of(name if name in SETS else name.replace("-", " ", 1))
    stories = [_story(rules, number) for number in range(40)]
    wanted = [story for story in stories if name not in STALEMATES or "stalemate" in story.features]
    return max(wanted or stories, key=lambda story: len(story.features) - len(story.text) / 4000).text


class _Story(NamedTuple):
    text: str
    features: set[str]


def _story(rules: Ruleset, number: int) -> _Story:
    players, rounds = (2, 3) if rules.stars else (3, 1)
    luck = Random(number)
    events: tuple[Event, ...] | Refusal
    events = begin(rules, players=players, seed=seed(number), rounds=rounds, first=number % players)
    state = fold(events)
    told = _game_head(number, state, events)
    features: set[str] = set()
    while state.phase is not Phase.MATCH_OVER:
        if luck.random() < 0.1:
            command: Command = luck.choice([one.command for one in illegal_commands(state, luck)])
        else:
            command = choose(state, luck, HABITS)
        if _readable(command, state):
            events = apply(state, command)
            features |= _features(state, events)
            more, state = _tell(command, state)
            told += more
    return _Story("\n".join(told) + "\n", features)


def _features(before: State, events: tuple[Event, ...] | Refusal) -> set[str]:
    """What is worth telling about a command, in words."""
    if isinstance(events, Refusal):
        return {events.code, *(one.code for one in events.violations)}
    found = {type(event).__name__ for event in events}
    for event in events:
        if isinstance(event, Played | TimedOut):
            name = type(event).__name__
            flags = ("opens", "buzzer", "restored", "passed", "taken", "laid")
            found |= {f"{name} {flag}" for flag in flags if getattr(event, flag, False)}
            lying = [set(meld.tiles) for meld in event.table]
            if any(not any(set(meld.tiles) <= after for after in lying) for meld in before.table):
                found.add(f"{name} rearranged")
            jokers = {joker for meld in before.table for joker in meld.jokers}
            if jokers - {joker for meld in event.table for joker in meld.jokers}:
                found.add(f"{name} released a joker")
        if isinstance(event, RoundEnded):
            found.add("stalemate" if event.finisher is None else "finish")
    return found


def _readable(command: Command, state: State) -> bool:
    line = _write(command, state)
    try:
        return line.isprintable() and _read(line, state) == command
    except Unreadable:
        return False


def _race_commands() -> Iterator[race.RaceCommand]:
    luck = Random(1)
    tiles = [tile_of(kind_of(colour, number)) for colour in COLOURS for number in range(1, race.NUMBERS + 1)]
    state = race.fold(race.begin(3, 0))
    while not state.winners:
        stray = luck.choice(tiles)
        wrong: list[race.RaceCommand] = [race.Tap(luck.randrange(4), stray), race.Call(1, stray)]
        left = [one for one in tiles if one not in state.placed]
        commands: list[race.RaceCommand] = [race.Call(0, luck.choice(left))]
        if state.open:
            right = luck.choice(race.fitting(state))
            first = luck.choice([1, 2])
            commands = [race.Tap(first, right), race.Tap(3 - first, right)]
        if luck.random() < 0.2:
            commands.insert(0, luck.choice(wrong))
        for command in commands:
            yield command
            answer = race.apply(state, command)
            if not isinstance(answer, race.RaceRefusal):
                state = race.fold(answer, state)


def main() -> None:
    """Write every transcript anew."""
    FOLDER.mkdir(exist_ok=True)
    for name in NAMES:
        file = path(name)
        file.write_text(replay(file.read_text()) if file.exists() else generate(name))
        print(file.relative_to(FOLDER.parent))


if __name__ == "__main__":
    main()
