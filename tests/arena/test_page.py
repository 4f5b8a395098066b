"""The report as a page: well-formed, complete, and in need of nothing else."""

import re
from collections import Counter
from dataclasses import replace
from itertools import pairwise
from xml.etree import ElementTree

import pytest

from tests.arena.runs import settings
from tilerummy.arena import Report, Settings, contest, read_seats, round_robin, sequential
from tilerummy.arena.page import page, time_texts
from tilerummy.arena.plots import Curve, Histogram, Rating, curves, histograms, ladder, ticks
from tilerummy.arena.provenance import Provenance
from tilerummy.arena.ratings import Estimate
from tilerummy.texts import LANGUAGES


@pytest.fixture(scope="module")
def report() -> Report:
    entrants, lineups = round_robin(read_seats("random,novice,x=novice,cmd:/nowhere/<script>&amp;", 20))
    return contest(Settings(entrants, lineups, 2, 7)).report()


def tree(written: str) -> ElementTree.Element:
    """The page, read strictly; it is XML as well as HTML."""
    return ElementTree.fromstring(written.removeprefix("<!DOCTYPE html>\n"))


@pytest.mark.parametrize("lang", LANGUAGES)
def test_it_is_well_formed_in_every_language(report: Report, lang: str) -> None:
    root = tree(page(report, lang, 1.5))
    assert root.get("lang") == lang
    tags = Counter(element.tag for element in root.iter())
    assert tags["svg"] == 3
    assert tags["section"] == 7
    assert tags["polyline"] == 3  # of those who had a turn
    texts = " ".join(root.itertext())
    for name in ("random", "novice", "x", "cmd:/nowhere/<script>&amp;"):
        assert name in texts
    assert not re.search(r"[\[\]{}]", " ".join(text for part in root.iter("section") for text in part.itertext()))


def test_it_needs_nothing_else(report: Report) -> None:
    written = page(report, "en", 1.5)
    root = tree(written)
    assert {element.tag for element in root.iter()}.isdisjoint({"script", "link", "img", "iframe", "object", "base"})
    for element in root.iter():
        assert not {"src", "href", "srcset", "action"}.intersection(element.keys())
    for outside in ("http:", "https:", "//", "url(", "@import"):
        assert outside not in written.replace("/nowhere", "")
    assert "prefers-color-scheme: dark" in written


def test_every_colour_has_a_style(report: Report) -> None:
    written = page(report, "en", 1.5)
    styles, _, body = written.partition("</style>")
    used_classes = {name for one in re.findall(r'class="([^"]*)"', body) for name in one.split()}
    assert used_classes - {"name", "figures"} <= set(re.findall(r"\.([a-z]+[0-9]*)\b", styles))
    used = set(re.findall(r"var\((--[a-z0-9]+)\)", written))
    defined = set(re.findall(r"(--[a-z0-9]+):", written))
    assert used <= defined | {"--c"}


def test_a_test_and_a_crash_are_told() -> None:
    run = settings("gone=cmd:/nowhere,random", 2)
    written = page(contest(run, sprt=sequential(run, 0, 10)).report(), "en", 1)
    assert "gone crashed: /nowhere cannot be started: No such file or directory" in written
    assert "The test has not decided within 1 deal whether gone is stronger than random by 10 Elo or by 0" in written


def test_one_bot_alone_has_a_report() -> None:
    run = settings("random,random", 1)
    root = tree(page(contest(run).report(), "en", 1))
    assert sum(element.tag == "svg" for element in root.iter()) == 2  # no ladder of one


# The plots


def places(svg: str, tag: str, attribute: str) -> list[float]:
    return [float(str(one.get(attribute))) for one in ElementTree.fromstring(svg).iter(tag)]


def test_ticks_are_round() -> None:
    assert ticks(0, 10, 5) == [0, 2, 4, 6, 8, 10]
    assert ticks(-0.3, 0.3, 3) == [-0.2, 0, 0.2]
    assert ticks(7, 7, 5) == [7]


def test_the_ladder_is_to_scale() -> None:
    rows = [Rating("low", 0, Estimate(-100, -150, -50)), Rating("high", 1, Estimate(100, 50, 150))]
    drawn = ladder(rows, "Elo", "Strength")
    high, low = places(drawn, "circle", "cx")
    assert places(drawn, "circle", "cy") == sorted(places(drawn, "circle", "cy"))
    whiskers = [one for one in ElementTree.fromstring(drawn).iter("line") if "whisker" in str(one.get("class"))]
    for whisker, middle in zip(whiskers, (high, low), strict=True):
        left, right = float(str(whisker.get("x1"))), float(str(whisker.get("x2")))
        assert (left + right) / 2 == pytest.approx(middle, abs=0.2)
        assert right - left == pytest.approx((high - low) / 2, abs=0.2)
    assert "+100 ± 50" in drawn
    assert "±" not in ladder([Rating("a", 0, Estimate(0, None, None))], "Elo", "Strength")


def test_bars_are_as_tall_as_their_share() -> None:
    rows = [Histogram("a", 0, Counter({-40: 1, 40: 3})), Histogram("b", 1, Counter({0: 4}))]
    drawn = histograms(rows, "score", "Scores")
    one, three, four = places(drawn, "rect", "height")
    assert three == pytest.approx(3 * one, abs=0.2)
    assert four == pytest.approx(4 * one, abs=0.2)
    assert histograms([Histogram("a", 0, Counter({5: 2}))], "score", "Scores").count("<rect") == 1


def test_a_curve_and_its_name_have_its_colour() -> None:
    drawn = ElementTree.fromstring(curves([Curve(f"bot {at}", at, (14, 7, at)) for at in range(6)], "turns", "Racks"))
    for at in range(6):
        own = [one for one in drawn.iter() if f"c{at}" in str(one.get("class")).split()]
        assert sorted({str(one.get("class")).split()[0] for one in own}) == ["curve", "dot", "lead", "name"]
        assert len({one.get("stroke-dasharray") for one in own if "curve" in str(one.get("class"))}) == 1
        assert [one.text for one in own if one.tag == "text"] == [f"bot {at}"]
    assert curves([], "turns", "Racks").startswith("<svg")


def test_the_slowest_move_and_where_it_was_made_are_told(report: Report) -> None:
    slowest = max(report.bots, key=lambda one: one.slowest)
    origin = Provenance("2026-01-02T03:04:05+00:00", "1.2.3", "CPython 9.9", "Plan 9", 77)
    texts = list(tree(page(report, "en", 1.5, origin)).itertext())
    assert "ms at most" in texts
    assert time_texts(slowest)[1] in texts
    for fact in ("2026-01-02T03:04:05+00:00", "tilerummy 1.2.3, CPython 9.9", "Plan 9", "77"):
        assert fact in texts
    assert time_texts(replace(slowest, moves=4, seconds=1.0, slowest=0.6789)) == ("250.0", "679")
    assert time_texts(replace(slowest, moves=0)) == ("–", "–")


def test_names_do_not_lie_upon_each_other() -> None:
    drawn = curves([Curve(f"bot {number}", 0, (14, 7, 2 + number / 10)) for number in range(8)], "turns", "Racks")
    heights = sorted(
        float(str(one.get("y")))
        for one in ElementTree.fromstring(drawn).iter("text")
        if "name" in str(one.get("class"))
    )
    assert len(heights) == 8
    assert min(after - before for before, after in pairwise(heights)) >= 16.9
