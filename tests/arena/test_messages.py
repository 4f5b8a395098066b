"""What the arena and a program say to each other: as told in docs/arena.md, and the same as at a server."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
from pydantic import BaseModel

from tests.arena.runs import settings, timeless
from tilerummy.arena import contest, messages
from tilerummy.game import apply, begin, fold
from tilerummy.protocol import MatchView, match_view, seen_match
from tilerummy.protocol.views import match_json
from tilerummy.rulesets import RULESETS, ruleset
from tilerummy.state import Draw
from tilerummy.view import view

ROOT = Path(__file__).parents[2]
DOCS = (ROOT / "docs" / "arena.md").read_text("utf-8")
EXAMPLE = ROOT / "examples" / "arena_bot.py"
FROM_ARENA: dict[str, type[BaseModel]] = {
    "hello": messages.Hello,
    "turn": messages.TurnToMove,
    "over": messages.Over,
}


def told(kind: str) -> list[str]:
    return [line for block in re.findall(rf"```json {kind}\n(.*?)```", DOCS, re.DOTALL) for line in block.splitlines()]


def test_the_documented_messages_are_right() -> None:
    from_arena = [json.loads(line) for line in told("arena")]
    assert [one["type"] for one in from_arena] == ["hello", "turn", "over"]
    for one in from_arena:
        model = FROM_ARENA[one["type"]]
        assert model.model_validate_json(json.dumps(one)).model_dump(mode="json") == one
    ready, *moves = told("bot")
    messages.read_ready(ready)
    assert [type(messages.read_move(move)).__name__ for move in moves] == ["Play", "Draw", "Pass"]


@pytest.mark.parametrize("rules", RULESETS)
def test_views_travel_and_come_back(rules: str) -> None:
    state = fold(begin(ruleset(rules, {"jokers": 3} if rules != "junior" else {}), players=3, seed="5e" * 32))
    for _ in range(4):
        for seat in (None, 0, 1, 2):
            travels = seen_match(view(state, seat))
            assert match_view(travels) == view(state, seat)
            assert travels.model_dump() == match_json(view(state, seat))
            assert MatchView.model_validate_json(travels.model_dump_json()) == travels
        events = apply(state, Draw(state.turn))
        assert isinstance(events, tuple)
        state = fold(events, state)


def test_the_example_plays_what_the_bot_of_ours_plays() -> None:
    """It asks the solver the same question, so that it has the same games."""
    assert len(EXAMPLE.read_text().splitlines()) <= 30
    ours = timeless(settings("x=points,random", 2))
    theirs = timeless(settings(f"x=cmd:{sys.executable} {EXAMPLE},random", 2))
    for one in (ours, theirs):
        one["bots"][0].pop("bot", None)
        one["bots"][0].pop("command", None)
    assert theirs == ours


@pytest.mark.parametrize("rules", ["rummy", "junior"])
def test_the_example_knows_every_ruleset(rules: str) -> None:
    report = contest(settings(f"x=cmd:{sys.executable} {EXAMPLE},random", 2, rules=rules)).report()
    assert report.errors == ()


def test_the_documented_program_plays(tmp_path: Path) -> None:
    """The one in docs/arena.md needs nothing but Python; isolated, it could not import us by chance either."""
    (program,) = re.findall(r"```python program\n(.*?)```", DOCS, re.DOTALL)
    path = tmp_path / "drawer.py"
    path.write_text(program)
    report = contest(settings(f"drawer=cmd:{sys.executable} -I -S {path},random", 2)).report()
    assert report.errors == ()
    assert report.bots[0].moves > 20


def test_the_core_needs_no_pydantic() -> None:
    code = (
        "import sys; sys.modules['pydantic'] = None\n"
        "from tilerummy.arena import *\n"
        "entrants, lineups = seated(read_seats('random,x=random'))\n"
        "print(contest(Settings(entrants, lineups, games=2)).report().games)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.stdout, done.stderr) == ("2\n", "")
