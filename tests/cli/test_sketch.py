"""The table as it is rearranged in the terminal: what each kind of line does."""

from random import Random

import pytest

from tests.kit.build import at, seed
from tests.kit.cases import SETS, rules_of
from tests.kit.players import play_on
from tilerummy.cli.sketch import Misfit, Sketch, edit
from tilerummy.game import begin, fold
from tilerummy.melds import Draft, Meld, draft_text, read
from tilerummy.rulesets import Ruleset, ruleset
from tilerummy.state import Play
from tilerummy.tiles import text


def sketch(table: str, rack: str, id: str = "sabra") -> Sketch:
    """The start of a turn of an opened player, with this table and rack."""
    return Sketch.of(at(ruleset(id), rack, "", table=table))


def after(lines: str, table: str, rack: str, id: str = "sabra") -> tuple[str, str, str]:
    """The table, the rack and the loose tiles after lines that are separated by semicolons."""
    now = sketch(table, rack, id)
    for line in lines.split(";"):
        now = edit(now, line)
    return draft_text(now.melds), text(now.hand), text(now.loose)


@pytest.mark.parametrize(
    ("lines", "table", "rack", "expected"),
    [
        ("+ r1 r2 r3", "b8 b9 b10", "r1 r2 r3 k5", ("b8 b9 b10 | r1 r2 r3", "k5", "")),
        ("+R3, R1, R2", "", "r1 r2 r3", ("r1 r2 r3", "", "")),
        ("+ r1 r2 r3 | k5 k6 k7", "", "r1 r2 r3 k5 k6 k7", ("r1 r2 r3 | k5 k6 k7", "", "")),
        ("+ r1 r2 r3", "r1 r2 r3", "r1' r2' r3'", ("r1 r2 r3 | r1' r2' r3'", "", "")),
        ("r1 r2 r3", "r1 r2 r3", "r1' r2' r3'", ("r1 r2 r3 | r1' r2' r3'", "", "")),
        ("1 b8 b9 b10 b11", "b8 b9 b10", "b11", ("b8 b9 b10 b11", "", "")),
        ("1 + b11", "b8 b9 b10", "b11", ("b8 b9 b10 b11", "", "")),
        ("1 + b7", "b8 b9 b10", "b7", ("b7 b8 b9 b10", "", "")),
        ("1 + j", "b8 b9 b10", "j", ("b8 b9 b10 j=b11", "", "")),
        ("1 + j", "b11 b12 b13", "j", ("j=b10 b11 b12 b13", "", "")),
        ("1 + j", "b8 k8 y8", "j", ("b8 k8 y8 j=8", "", "")),
        ("1 b8 b9 b10 | k8 y8 r8", "b8 b9 b10", "k8 y8 r8", ("b8 b9 b10 | r8 k8 y8", "", "")),
        ("b9 b10 b11 | k8 y8 b8", "b8 b9 b10 | r1 r2 r3", "b11 k8 y8", ("b9 b10 b11 | r1 r2 r3 | b8 k8 y8", "", "")),
        ("r4 r5 r6 | r6 r7 r8", "r4 r5 r6 r7 r8", "r6'", ("r4 r5 r6 | r6' r7 r8", "", "")),
        # only what is named moves; of a run the two ends stay, each for itself
        ("r6 k6 b6", "r3 r4 r5 r6 r7 r8 r9", "k6 b6", ("r3 r4 r5 | r7 r8 r9 | r6 b6 k6", "", "")),
        ("b8 k8 y8", "b8 b9 b10 b11", "k8 y8", ("b9 b10 b11 | b8 k8 y8", "", "")),
        ("r5 k5 y5", "r5 b5 k5 y5", "", ("b5 | r5 k5 y5", "", "")),
        # the hand's own tile is taken where that leaves the table whole
        ("r4 r5 r6", "r5 r6 r7 r8", "r4 r6'", ("r6 r7 r8 | r4 r5 r6'", "", "")),
        # what is laid can be moved again, and goes back to the rack when it is taken out
        ("+ r1 r2 r3 r4; r4 k4 b4", "", "r1 r2 r3 r4 k4 b4", ("r1 r2 r3 | r4 b4 k4", "", "")),
        ("+ r1 r2 r3 r4; 1 - r4", "", "r1 r2 r3 r4", ("r1 r2 r3", "r4", "")),
        ("+ r1 r2 r3; 1 - r1 r2 r3", "", "r1 r2 r3", ("", "r1 r2 r3", "")),
        ("+ r1 r2 r3 r4; 1 r1 r2 r3", "", "r1 r2 r3 r4", ("r1 r2 r3", "r4", "")),
        # a joker that a rack tile replaced is loose, and then free for a new meld
        ("1 b6 b7 b8", "b6 b7 j", "b8 k1", ("b6 b7 b8", "k1", "j")),
        ("b6 b7 b8", "b6 b7 j", "b8 k1", ("b6 b7 b8", "k1", "j")),
        ("1 b6 b7 b8; + k1 k2 j", "b6 b7 j", "b8 k1 k2", ("b6 b7 b8 | k1 k2 j=k3", "", "")),
        ("1 - b8; 1 + b8", "b8 b9 b10 b11", "", ("b8 b9 b10 b11", "", "")),
        # jokers without a name find their place
        ("+ r5 r7 j", "", "r5 r7 j", ("r5 j=r6 r7", "", "")),
        ("+ r12 r13 j", "", "r12 r13 j", ("j=r11 r12 r13", "", "")),
        ("+ r5 j=r6 j=r7", "", "r5 j j'", ("r5 j=r6 j'=r7", "", "")),
        ("+ r5 j j", "", "r5 j j'", ("r5 j j'", "", "")),
        # a copy that is named is that copy
        ("+ r5' r6 r7", "", "r5 r5' r6 r7", ("r5' r6 r7", "r5", "")),
    ],
)
def test_lines(lines: str, table: str, rack: str, expected: tuple[str, str, str]) -> None:
    assert after(lines, table, rack) == expected


def test_a_kept_joker_in_junior() -> None:
    assert edit(sketch("r3 r4 j", "r5 b1", "junior"), "1 r3 r4 r5").verdict.legal


@pytest.mark.parametrize(
    ("line", "key"),
    [
        ("x5 r6", "unreadable"),
        ("r14", "unreadable"),
        ("hello", "unreadable"),
        ("1 + r99", "unreadable"),
        ("+", "nothing-typed"),
        ("1", "nothing-typed"),
        ("1 -", "nothing-typed"),
        ("|", "nothing-typed"),
        ("2 r1 r2 r3", "no-such-meld"),
        ("0 r1", "no-such-meld"),
        ("1 + r1 | r2", "one-meld"),
        ("1 - r1", "not-in-meld"),
        ("+ b8 b9 b10", "not-on-rack"),
        ("r1 r2 r3", "not-there"),
        ("1 + b8", "not-there"),
        ("+ k5' k6 k7", "not-there"),
    ],
)
def test_misfits(line: str, key: str) -> None:
    with pytest.raises(Misfit) as caught:
        edit(sketch("b8 b9 b10", "r1 k5 k6 k7"), line)
    assert caught.value.key == key


def alike(melds: Draft, rules: Ruleset) -> list[str]:
    """A table without its order and its copies."""
    found = [read(written, rules.numbers, rules.groups) for written in melds]
    return sorted(str(meld).replace("'", "") for meld in found if isinstance(meld, Meld))


@pytest.mark.parametrize("name", SETS)
def test_every_play_can_be_typed(name: str) -> None:
    """The new melds of a play, typed without copies, are a legal play; with what they replace, that play."""
    rules = rules_of(name)
    state = fold(begin(rules, players=rules.players, seed=seed(1)))
    count = 0
    for command, _, now in play_on(state, Random(1)):
        if isinstance(command, Play):
            count += 1
            typed = " | ".join(str(meld).replace("'", "") for meld in now.table if meld not in state.table)
            gone = [str(place) for place, meld in enumerate(state.table, 1) if meld not in now.table]
            assert edit(Sketch.of(state), typed).verdict.legal
            numbered = edit(Sketch.of(state), " ".join([*gone[:1], typed]))
            assert numbered.verdict.legal
            assert alike(numbered.melds, rules) == alike(command.table, rules)
        state = now
    assert count
