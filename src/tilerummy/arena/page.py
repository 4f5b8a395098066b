"""The report as a page: one file that needs nothing else, light or dark as its reader likes it."""

from collections.abc import Sequence
from html import escape
from typing import Final

from tilerummy.arena.figures import around, number, within
from tilerummy.arena.plots import COLOURS, Curve, Histogram, Rating, curves, histograms, ladder
from tilerummy.arena.provenance import Provenance
from tilerummy.arena.ratings import Estimate
from tilerummy.arena.settings import Entrant, searches
from tilerummy.arena.tally import BotReport, ErrorReport, Report
from tilerummy.rulesets import Ruleset, house_text
from tilerummy.texts import terminal, title

__all__ = ["fault_text", "page", "score_text", "sprt_arguments", "time_texts"]

_LIGHT: Final = ("#1f6feb", "#d1471b", "#0f8a5f", "#8a3ffc", "#b3861b", "#c2255c", "#0b7285", "#5c5f66")
_DARK: Final = ("#6ea8fe", "#ff8a65", "#4fd1a1", "#b794f6", "#e6c15c", "#f783ac", "#5fd3e6", "#b0b6bf")

_STYLE: Final = """
:root { color-scheme: light dark; --ground: #f6f4ef; --card: #ffffff; --ink: #22252a; --soft: #676d76; --line: #e4e1d8;
  --strong: #b9b5a8; --good: #0f8a5f; --bad: #c0341d; LIGHT }
@media (prefers-color-scheme: dark) { :root { --ground: #15181c; --card: #1e2227; --ink: #e8e6e1; --soft: #9aa1ab;
  --line: #2f353c; --strong: #59616b; --good: #4fd1a1; --bad: #ff8a65; DARK } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--ground); color: var(--ink); font: 16px/1.5 system-ui, sans-serif;
  font-variant-numeric: tabular-nums; }
main { max-width: 900px; margin: 0 auto; padding: 2.5rem 1.25rem 4rem; }
h1 { font-size: 1.9rem; line-height: 1.2; margin: 0 0 .3rem; letter-spacing: -.01em; overflow-wrap: anywhere; }
h2 { font-size: 1.1rem; margin: 0 0 .2rem; }
p { margin: .2rem 0 1rem; color: var(--soft); max-width: 68ch; }
section { background: var(--card); border: 1px solid var(--line); border-radius: 14px; padding: 1.25rem 1.4rem;
  margin-top: 1.25rem; overflow-x: auto; }
table { border-collapse: collapse; width: 100%; }
th, td { padding: .45rem .6rem; text-align: right; border-bottom: 1px solid var(--line); white-space: nowrap; }
th { color: var(--soft); font-weight: 500; font-size: .85rem; }
th:first-child, td:first-child, .words td { text-align: left; }
tbody tr:last-child td { border-bottom: 0; }
td small { display: block; color: var(--soft); line-height: 1.2; }
td:first-child { font-weight: 600; }
.words td { white-space: normal; overflow-wrap: anywhere; }
.words td:first-child { color: var(--soft); font-weight: 400; white-space: nowrap; }
.bad { color: var(--bad); font-weight: 600; }
.swatch { display: inline-block; width: .7em; height: .7em; border-radius: 50%; margin-right: .5em;
  vertical-align: baseline; }
svg { display: block; width: 100%; min-width: 520px; height: auto; margin-top: .6rem;
  font: 13px system-ui, sans-serif; }
svg text { fill: var(--ink); dominant-baseline: central; }
svg .tick, svg .axis { fill: var(--soft); font-size: 12px; }
svg .value { font-size: 12px; fill: var(--soft); }
svg .grid { stroke: var(--line); } svg .zero { stroke: var(--strong); } svg .floor { stroke: var(--strong); }
svg .whisker { stroke-width: 3; stroke-linecap: round; opacity: .45; stroke: var(--c); }
svg .dot { fill: var(--c); } svg .bar { fill: var(--c); opacity: .75; }
svg .curve { fill: none; stroke: var(--c); stroke-width: 2.5; stroke-linejoin: round; }
svg .lead { stroke: var(--c); fill: none; stroke-width: 1.25; opacity: .8; stroke-dasharray: 2 4; }
svg .own { fill: var(--c); font-weight: 600; }
.long { max-height: 26rem; overflow-y: auto; }
svg .mean { stroke: var(--ink); stroke-dasharray: 3 3; }
@media print { body { background: none; } section { break-inside: avoid; } .long { max-height: none; } }
"""


def page(report: Report, lang: str, seconds: float, origin: Provenance | None = None) -> str:
    """The report as HTML, in a language."""
    return _Page(report, lang).whole(seconds, origin)


class _Page:
    def __init__(self, report: Report, lang: str) -> None:
        self.report = report
        self.lang = lang

    def say(self, key: str, **args: object) -> str:
        return terminal(f"arena-{key}", args, self.report.settings.rules, self.lang)

    def whole(self, seconds: float, origin: Provenance | None) -> str:
        report = self.report
        names = " · ".join(one.name for one in report.bots)
        sections = [
            self._table(),
            self._section("strength", "elo-note", self._ladder()) if len(report.bots) > 1 else "",
            self._section("scores", "scores-note", self._scores()),
            self._section("racks", "racks-note", self._racks()),
            self._pairs(),
            self._errors(),
            self._settings(seconds, origin),
        ]
        return (
            f'<!DOCTYPE html>\n<html lang="{self.lang}">\n<head>\n<meta charset="utf-8"/>\n'
            '<meta name="viewport" content="width=device-width, initial-scale=1"/>\n'
            f"<title>{escape(self.say('report'))}: {escape(names)}</title>\n<style>{_style()}</style>\n</head>\n"
            f"<body>\n<main>\n<header>\n<h1>{escape(names)}</h1>\n<p>{escape(self._played())}</p>\n</header>\n"
            f"{''.join(sections)}</main>\n</body>\n</html>\n"
        )

    def _played(self) -> str:
        report = self.report
        said = self.say("played", games=report.games, deals=report.deals, seed=report.settings.seed)
        if report.sprt is not None:
            said += " " + self.say("sprt", **sprt_arguments(report))
        return f"{title(report.settings.rules.id, self.lang)}. {said}"

    def _section(self, key: str, notes: str, body: str) -> str:
        said = " ".join(self.say(note) for note in notes.split())
        about = f"<p>{escape(said)}</p>\n" if said else ""
        return f"<section>\n<h2>{escape(self.say(key))}</h2>\n{about}{body}\n</section>\n"

    def _table(self) -> str:
        heads = ("bot", "games", "wins", "par", "score", "elo", "errors", "time", "slowest")
        rows = []
        for place, one in self._ranked():
            rows.append(
                [
                    f'<i class="swatch" style="background: var(--c{place % COLOURS})"></i>{escape(one.name)}',
                    str(one.games),
                    _cell(within(one.win_rate, 100, 1, "%")),
                    f"{100 * one.par:.1f}%",
                    _cell(score_text(one.score, self.report.settings.rules)),
                    _cell(around(one.elo, signed=True)),
                    f'<span class="bad">{one.errors}</span>' if one.errors else "0",
                    *time_texts(one),
                ]
            )
        return self._section("result", "intervals par-is", _grid([self.say(head) for head in heads], rows))

    def _ladder(self) -> str:
        rows = [Rating(one.name, place % COLOURS, one.elo) for place, one in enumerate(self.report.bots)]
        return ladder(rows, self.say("elo"), self.say("strength"))

    def _scores(self) -> str:
        rows = [Histogram(one.name, place % COLOURS, one.scores) for place, one in self._seen()]
        return histograms(rows, self.say("axis-score"), self.say("scores"))

    def _racks(self) -> str:
        rows = [Curve(one.name, place % COLOURS, one.rack) for place, one in self._seen() if one.moves]
        return curves(rows, self.say("axis-turn"), self.say("racks"))

    def _seen(self) -> list[tuple[int, BotReport]]:
        """Who played, the best first."""
        return [(place, one) for place, one in self._ranked() if one.games]

    def _ranked(self) -> list[tuple[int, BotReport]]:
        return sorted(enumerate(self.report.bots), key=lambda one: -one[1].elo.value)

    def _pairs(self) -> str:
        if len(self.report.bots) < 3:
            return ""
        shares: dict[tuple[str, str], Estimate] = {}
        for pair in self.report.pairs:
            value, low, high = pair.share
            shares[pair.one, pair.other] = pair.share
            turned = (None, None) if low is None or high is None else (1 - high, 1 - low)
            shares[pair.other, pair.one] = Estimate(1 - value, *turned)
        names = [one.name for _, one in self._ranked()]
        rows = [
            [
                escape(one),
                *(_cell(within(shares[one, other], 100, 0, "%")) if (one, other) in shares else "–" for other in names),
            ]
            for one in names
        ]
        return self._section("pairs", "pairs-note", _grid(["", *names], rows))

    def _errors(self) -> str:
        errors, rules = self.report.errors, self.report.settings.rules
        if not errors:
            return ""
        rows = [
            [self.say("deal-number", number=error.deal), escape(fault_text(error, rules, self.lang))]
            for error in errors
        ]
        return self._section(
            "faults", "faults-note", f'<div class="long" tabindex="0">{_grid([], rows, "words")}</div>'
        )

    def _settings(self, seconds: float, origin: Provenance | None) -> str:
        settings = self.report.settings
        rules = " ".join(filter(None, (settings.rules.id, house_text(settings.rules))))
        bots = "; ".join(f"{one.name} ({_told(one)})" for one in settings.entrants)
        facts = {
            "rules": rules,
            "bots": bots,
            "seed": str(settings.seed),
            "limit": f"{settings.move_time:g} s",
            "took": f"{seconds:.1f} s",
        }
        if origin is not None:
            facts |= {
                "version": f"tilerummy {origin.version}, {origin.python}",
                "date": origin.date,
                "machine": origin.platform,
                "cpus": str(origin.cpus),
            }
        return self._section(
            "settings", "", _grid([], [[self.say(key), escape(fact)] for key, fact in facts.items()], "words")
        )


def fault_text(error: ErrorReport, rules: Ruleset, lang: str) -> str:
    """What a bot did, in one sentence."""
    args = {"name": error.bot or ", ".join(dict.fromkeys(error.lineup)), "fault": error.reason, "detail": error.detail}
    return terminal("arena-fault", args, rules, lang)


def sprt_arguments(report: Report) -> dict[str, object]:
    """What the sentence about a test needs."""
    test = report.sprt
    assert test is not None
    return {
        "verdict": test.verdict or "none",
        "name": report.bots[0].name,
        "other": report.bots[1].name,
        "low": f"{test.elo0 + 0.0:g}",
        "high": f"{test.elo1 + 0.0:g}",
        "llr": number(test.llr, 2),
        "deals": test.deals,
    }


def _style() -> str:
    style = _STYLE
    for word, colours in (("LIGHT", _LIGHT), ("DARK", _DARK)):
        style = style.replace(word, " ".join(f"--c{place}: {colour};" for place, colour in enumerate(colours)))
    own = "".join(f".c{place} {{ --c: var(--c{place}); }}\n" for place in range(COLOURS))
    return style + own


def _told(one: Entrant) -> str:
    who = " ".join(one.command) if one.command else one.bot or ""
    return f"{who}, {one.budget}" if one.command or searches(who) else who


def score_text(score: Estimate, rules: Ruleset) -> tuple[str, str]:
    """A mean score and its interval; stars have a bound, points have none."""
    return within(score, 1, 1) if rules.stars else around(score, 1)


def time_texts(one: BotReport) -> tuple[str, str]:
    """Milliseconds for a move: on average, and at most."""
    if not one.moves:
        return "–", "–"
    return number(1000 * one.seconds / one.moves, 1), number(1000 * one.slowest, 0 if one.slowest >= 0.1 else 1)


def _cell(said: tuple[str, str]) -> str:
    value, reach = said
    return f"{value}<small>{reach}</small>" if reach else value


def _grid(heads: Sequence[str], rows: Sequence[Sequence[str]], kind: str = "") -> str:
    head = f"<thead><tr>{''.join(f'<th>{escape(one)}</th>' for one in heads)}</tr></thead>" if heads else ""
    body = "".join(f"<tr>{''.join(f'<td>{cell}</td>' for cell in row)}</tr>\n" for row in rows)
    return f'<table class="{kind or "figures"}">{head}<tbody>\n{body}</tbody></table>'
