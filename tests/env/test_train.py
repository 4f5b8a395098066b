"""The training example, shortened: what it learns beats chance."""

import importlib.util
from pathlib import Path

from tilerummy.env import Chance, match

PATH = Path(__file__).parent.parent.parent / "examples" / "train.py"


def test_what_is_learnt_beats_chance() -> None:
    spec = importlib.util.spec_from_file_location("train", PATH)
    assert spec
    assert spec.loader
    example = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(example)
    weights = example.train(100, candidates=12)
    after = match(example.Linear(weights), Chance(), deals=60, seed=7, candidates=12)
    assert after.interval[0] > 0.5
    assert match(example.Linear(weights), "random", deals=5, seed=7, candidates=12).share > 0.9
    draw = len(weights) - 1
    assert weights[draw] == min(weights) < 0 < weights[0], "it has learnt to lay tiles"
