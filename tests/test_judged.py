"""The truth about melds that the page reads is the engine's."""

import json

from tests.kit.judged import FILE, judge, worth
from tilerummy.texts import MELD_REASONS

TRUTH = json.loads(FILE.read_text("utf-8"))


def test_the_melds_are_judged_as_the_engine_judges_them() -> None:
    assert [judge(row["meld"], row["ruleset"]) for row in TRUTH["melds"]] == TRUTH["melds"]


def test_the_tiles_are_worth_what_the_engine_says() -> None:
    assert [worth(row["tiles"], row["ruleset"]) for row in TRUTH["values"]] == TRUTH["values"]


def test_every_reason_and_every_kind_is_there() -> None:
    rows = TRUTH["melds"]
    assert {row["reason"] for row in rows} == {*MELD_REASONS, None}
    assert {row["kind"] for row in rows if row["reason"] is None} == {"run", "group"}
    assert sum(row["reason"] is None for row in rows) > len(rows) / 4
    assert sum(row["value"] > 0 for row in TRUTH["values"]) > len(TRUTH["values"]) / 2
