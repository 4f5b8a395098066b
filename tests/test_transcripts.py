"""Whole games, told line by line: any change of behaviour shows here."""

import pytest

from tests.kit.transcripts import FOLDER, NAMES, path, replay
from tilerummy.rulesets import RULESETS, TILESETS


@pytest.mark.parametrize("name", NAMES)
def test_a_transcript_plays_as_it_is_written(name: str) -> None:
    written = path(name).read_text()
    assert replay(written).splitlines() == written.splitlines()


def test_no_transcript_is_missing() -> None:
    """One for each ruleset, for each tile set that is registered, and for the simplified race."""
    told = [path(name).read_text() for name in NAMES]
    games = {story.split("game: ", 1)[1].split(maxsplit=1)[0] for story in told}
    assert games == {*RULESETS, "junior-simplified"}
    sets = {name.removeprefix("sabra-") for name in NAMES if name.startswith("sabra-")}
    assert sets | {"standard", "junior"} == set(TILESETS)
    assert sorted(file.stem for file in FOLDER.glob("*.txt")) == sorted(NAMES)


EVENTS = (
    *("laid ", "drew ", "passed", "opens", "buzzer", "restored", "ran out of time", "penalty "),
    *("had a hint", "is played by a person", "is played by greedy", "finished", "nobody finished", "match over"),
    *("refused: illegal", "refused: not-your-turn", "refused: bad-table", "refused: must-draw", "refused: bad-hint"),
)


@pytest.mark.parametrize("event", EVENTS)
def test_the_transcripts_tell_of_everything(event: str) -> None:
    assert any(event in path(name).read_text() for name in NAMES)
