"""Who may do what, and when: every command in every stage by every kind of sender."""

import pytest

from tests.kit.build import seed
from tests.kit.rooms import Run, people, started
from tilerummy.melds import draft
from tilerummy.race import Call, RaceEnded, Tap
from tilerummy.server.events import (
    Back,
    Change,
    Close,
    Closed,
    GiveWord,
    Happened,
    Leave,
    Move,
    PassHost,
    Rematch,
    Remove,
    Return,
    Room,
    RoomCommand,
    SeatBot,
    SetReady,
    Setup,
    Sit,
    SitIn,
    Stand,
    Start,
)
from tilerummy.server.room import apply, fold
from tilerummy.state import (
    Draw,
    HandOver,
    HintUsed,
    MatchEnded,
    NextRound,
    Pass,
    Play,
    Refusal,
    RoundEnded,
    Timeout,
)
from tilerummy.tiles import tile

SENDERS = {"stranger": people("eve"), "seated": people("bob"), "host": people("ada"), "server": None}

# ada, the host, sits on seat 0, bob on seat 1; a bot plays on seat 2. All commands are about seat 1, if about a seat.
COMMANDS: dict[str, RoomCommand] = {
    "sit, free": Sit(2, "eve"),
    "sit, taken": Sit(1, "eve"),
    "stand": Stand(1),
    "remove": Remove(1),
    "pass-host": PassHost(1),
    "seat-bot": SeatBot(1, "novice"),
    "ready": SetReady(1, True),
    "word": GiveWord(1, "luck"),
    "change": Change(Setup(players=2)),
    "start": Start(),
    "leave": Leave(1),
    "return": Return(1),
    "sit-in": SitIn(1),
    "sit-in, gone": SitIn(1, gone=True),
    "back": Back(1),
    "play": Move(Play(1, draft("r5 r5"))),
    "draw": Move(Draw(1)),
    "pass": Move(Pass(1)),
    "timeout": Move(Timeout(1)),
    "hint": Move(HintUsed(1, "nudge")),
    "hand-over": Move(HandOver(1, "novice")),
    "next-round": Move(NextRound()),
    "call": Move(Call(1, tile("r5"))),
    "call, program": Move(Call(None, tile("r5"))),
    "tap": Move(Tap(1, tile("r5"))),
    "rematch": Rematch(seed(2)),
    "close": Close(),
}

SETUP = Setup(players=3, bots=(None, None, "novice"))


def lobby() -> Room:
    run = Run(SETUP)
    for seat, name in enumerate(("ada", "bob")):
        run.do(Sit(seat, name), people(name))
    run.do(SetReady(1, True), people("bob"))
    return run.room


def playing() -> Room:
    """It is the turn of seat 1."""
    run = started(SETUP, "ada", "bob")
    while run.match.turn != 1:
        by = None if run.match.turn == 2 else people("ada")
        run.do(Move(Draw(run.match.turn)), by)
    return run.room


def over() -> Room:
    ended = [Happened(RoundEnded(1, 0, 0, (9, -4, -5))), Happened(MatchEnded((9, -4, -5), (0,)))]
    return fold([(event, 0.0) for event in ended], playing())


def racing() -> Room:
    """Seat 1 calls."""
    return started(Setup("race", "junior", players=3, caller=1), "ada", "bob", "cleo").room


def raced() -> Room:
    return fold([(Happened(RaceEnded((0,))), 0.0)], racing())


def closed() -> Room:
    return fold([(Closed("closed"), 0.0)], over())


ROOMS = {"lobby": lobby, "playing": playing, "over": over, "racing": racing, "raced": raced, "closed": closed}

# Stranger, seated, host, server; a command that is not told is refused to all of them as wrong-stage.
TABLES = {
    "lobby": """
sit, free     | yes                 | no-such-player      | no-such-player      | yes
sit, taken    | seat-taken          | no-such-player      | no-such-player      | seat-taken
stand         | not-a-seat-of-yours | yes                 | not-a-seat-of-yours | yes
remove        | not-host            | not-host            | yes                 | yes
pass-host     | not-host            | not-host            | yes                 | yes
seat-bot      | not-host            | not-host            | yes                 | yes
ready         | not-a-seat-of-yours | yes                 | not-a-seat-of-yours | yes
word          | not-a-seat-of-yours | yes                 | not-a-seat-of-yours | yes
change        | not-host            | not-host            | yes                 | yes
start         | not-host            | not-host            | yes                 | yes
leave         | not-a-seat-of-yours | yes                 | not-a-seat-of-yours | yes
close         | not-host            | not-host            | yes                 | yes""",
    "playing": """
leave         | not-a-seat-of-yours | yes                 | not-a-seat-of-yours | yes
return        | not-a-seat-of-yours | seat-unchanged      | not-a-seat-of-yours | seat-unchanged
sit-in        | not-seated          | player-present      | player-present      | yes
sit-in, gone  | not-seated          | yes                 | yes                 | yes
back          | server-only         | server-only         | server-only         | seat-unchanged
play          | not-a-seat-of-yours | bad-table           | not-a-seat-of-yours | not-a-seat-of-yours
draw          | not-a-seat-of-yours | yes                 | not-a-seat-of-yours | not-a-seat-of-yours
pass          | not-a-seat-of-yours | must-draw           | not-a-seat-of-yours | not-a-seat-of-yours
timeout       | server-only         | server-only         | server-only         | yes
hint          | not-a-seat-of-yours | yes                 | not-a-seat-of-yours | yes
hand-over     | server-only         | server-only         | server-only         | yes
next-round    | not-seated          | round-running       | round-running       | round-running
call          | wrong-game          | wrong-game          | wrong-game          | wrong-game
call, program | wrong-game          | wrong-game          | wrong-game          | wrong-game
tap           | wrong-game          | wrong-game          | wrong-game          | wrong-game
close         | wrong-stage         | wrong-stage         | wrong-stage         | yes""",
    "over": """
leave         | not-a-seat-of-yours | yes                 | not-a-seat-of-yours | yes
return        | not-a-seat-of-yours | seat-unchanged      | not-a-seat-of-yours | seat-unchanged
back          | server-only         | server-only         | server-only         | seat-unchanged
play          | not-a-seat-of-yours | match-over          | not-a-seat-of-yours | not-a-seat-of-yours
draw          | not-a-seat-of-yours | match-over          | not-a-seat-of-yours | not-a-seat-of-yours
pass          | not-a-seat-of-yours | match-over          | not-a-seat-of-yours | not-a-seat-of-yours
timeout       | server-only         | server-only         | server-only         | match-over
hint          | not-a-seat-of-yours | match-over          | not-a-seat-of-yours | match-over
hand-over     | server-only         | server-only         | server-only         | match-over
next-round    | not-seated          | match-over          | match-over          | match-over
call          | wrong-game          | wrong-game          | wrong-game          | wrong-game
call, program | wrong-game          | wrong-game          | wrong-game          | wrong-game
tap           | wrong-game          | wrong-game          | wrong-game          | wrong-game
rematch       | not-seated          | yes                 | yes                 | yes
close         | not-host            | not-host            | yes                 | yes""",
    "racing": """
leave         | not-a-seat-of-yours | yes                 | not-a-seat-of-yours | yes
return        | not-a-seat-of-yours | seat-unchanged      | not-a-seat-of-yours | seat-unchanged
sit-in        | not-seated          | wrong-game          | wrong-game          | wrong-game
sit-in, gone  | not-seated          | wrong-game          | wrong-game          | wrong-game
back          | server-only         | server-only         | server-only         | seat-unchanged
play          | wrong-game          | wrong-game          | wrong-game          | wrong-game
draw          | wrong-game          | wrong-game          | wrong-game          | wrong-game
pass          | wrong-game          | wrong-game          | wrong-game          | wrong-game
timeout       | wrong-game          | wrong-game          | wrong-game          | wrong-game
hint          | wrong-game          | wrong-game          | wrong-game          | wrong-game
hand-over     | wrong-game          | wrong-game          | wrong-game          | wrong-game
next-round    | wrong-game          | wrong-game          | wrong-game          | wrong-game
call          | not-a-seat-of-yours | yes                 | not-a-seat-of-yours | yes
call, program | server-only         | server-only         | server-only         | not-the-caller
tap           | not-a-seat-of-yours | caller-only-calls   | not-a-seat-of-yours | caller-only-calls
close         | wrong-stage         | wrong-stage         | wrong-stage         | yes""",
    "raced": """
leave         | not-a-seat-of-yours | yes                 | not-a-seat-of-yours | yes
return        | not-a-seat-of-yours | seat-unchanged      | not-a-seat-of-yours | seat-unchanged
back          | server-only         | server-only         | server-only         | seat-unchanged
play          | wrong-game          | wrong-game          | wrong-game          | wrong-game
draw          | wrong-game          | wrong-game          | wrong-game          | wrong-game
pass          | wrong-game          | wrong-game          | wrong-game          | wrong-game
timeout       | wrong-game          | wrong-game          | wrong-game          | wrong-game
hint          | wrong-game          | wrong-game          | wrong-game          | wrong-game
hand-over     | wrong-game          | wrong-game          | wrong-game          | wrong-game
next-round    | wrong-game          | wrong-game          | wrong-game          | wrong-game
call          | not-a-seat-of-yours | race-over           | not-a-seat-of-yours | race-over
call, program | server-only         | server-only         | server-only         | race-over
tap           | not-a-seat-of-yours | caller-only-calls   | not-a-seat-of-yours | caller-only-calls
rematch       | not-seated          | yes                 | yes                 | yes
close         | not-host            | not-host            | yes                 | yes""",
    "closed": """
""",
}


def told(room: Room) -> str:
    lines = []
    for name, command in COMMANDS.items():
        answers = [apply(room, command, by) for by in SENDERS.values()]
        said = [answer.code if isinstance(answer, Refusal) else "yes" for answer in answers]
        if set(said) != {"wrong-stage"}:
            lines.append(" | ".join([f"{name:13}", *(f"{word:19}" for word in said)]).rstrip())
    return "\n".join(lines)


@pytest.mark.parametrize("stage", ROOMS)
def test_who_may_do_what(stage: str) -> None:
    assert told(ROOMS[stage]()) == TABLES[stage].strip()
