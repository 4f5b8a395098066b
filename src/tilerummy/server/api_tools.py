"""What needs no room, by REST: what there is to choose from, and the solver's and the judge's answers."""

from collections.abc import Callable
from dataclasses import fields
from enum import StrEnum
from functools import cache
from typing import Annotated, Any, ParamSpec, TypeVar

from fastapi import APIRouter, Path, Query, Request
from pydantic import Field

from tilerummy.bots import BOTS, elo
from tilerummy.contract import BadInput, Case, judged, read_case, read_query, solved
from tilerummy.protocol import (
    MAX_RULES,
    PHRASES,
    BotInfo,
    CheckAnswer,
    CheckRequest,
    Message,
    PhraseInfo,
    RulesetInfo,
    SolveAnswer,
    SolveRequest,
    ToldRules,
    schema,
)
from tilerummy.rulesets import RULESETS
from tilerummy.server.errors import BODY, Problem, declared
from tilerummy.server.parts import Here, Parts
from tilerummy.server.setups import tilesets_of
from tilerummy.server.telling import GAMES, told_play, told_rules
from tilerummy.server.thinking import PATIENCE, Busy, TooHard, within
from tilerummy.solver import Query as Position
from tilerummy.solver import solve
from tilerummy.solver.search import is_rare
from tilerummy.texts import LANGUAGES, phrase, title
from tilerummy.tiles import shorten

__all__ = ["Language", "best_play", "bots", "check", "phrases", "protocol_schema", "router", "rules", "rulesets"]

router = APIRouter(prefix="/api", tags=["tools"], responses=declared("slow-down"))


class Language(StrEnum):
    """The languages that there are texts in."""

    EN = "en"
    FR = "fr"
    NL = "nl"
    DE = "de"


_P = ParamSpec("_P")
_R = TypeVar("_R")
_schema = cache(schema)  # it takes a while, and few ask for it

_Lang = Annotated[Language, Query(description="The language of sentences.")]
_Game = Annotated[str, Path(max_length=40, description=f"A ruleset, or the race: {', '.join(GAMES)}.")]
_House = Annotated[
    list[Annotated[str, Field(min_length=1, max_length=60)]] | None,
    Query(max_length=MAX_RULES, description="House rules as `field=value`, as often as there are any."),
]


@router.get("/rulesets", summary="The rulesets")
async def rulesets() -> list[RulesetInfo]:
    """Each with its fields, which house rules may change, its title in every language, and its tile sets."""
    return [
        RulesetInfo(
            id=rules.id,
            titles={lang: title(rules.id, lang) for lang in LANGUAGES},
            fields={one.name: getattr(rules, one.name) for one in fields(rules) if one.name != "id"},
            tilesets=tilesets_of(rules.id),
        )
        for rules in RULESETS.values()
    ]


@router.get(
    "/rulesets/{ruleset}/rules",
    summary="The rules of a game, told",
    responses=declared("not-found", "bad-input", "busy"),
)
async def rules(
    here: Here, request: Request, ruleset: _Game, lang: _Lang = Language.EN, house: _House = None
) -> ToldRules:
    """In our own words and its rulebook's, with examples to draw; what we decided and house rules change is marked."""
    if ruleset not in GAMES:
        reason = f"no rules are called {shorten(ruleset)}; there are {', '.join(GAMES)}"
        raise Problem(404, f"ruleset: {reason}", field="ruleset")
    if not house:
        return told_rules(ruleset, (), str(lang))
    here.limits.check("solves", request.state.address)
    try:
        return await _think(here, told_rules, ruleset, tuple(house), str(lang))
    except BadInput as error:
        raise _problem(error) from None


@router.get("/bots", summary="The bots that can be seated")
async def bots() -> list[BotInfo]:
    """Each by its name, with its strength."""
    return [BotInfo(name=bot.name, description=bot.description, elo=elo(bot.name)) for bot in BOTS.values()]


@router.get("/phrases", summary="What players can say to each other")
async def phrases() -> list[PhraseInfo]:
    """A fixed list, so that every language understands it, and children may play."""
    return [PhraseInfo(phrase=code, texts={lang: phrase(code, lang) for lang in LANGUAGES}) for code in PHRASES]


@router.get(
    "/schema",
    summary="The protocol as JSON Schema",
    responses={
        200: {
            "description": "A JSON Schema of the draft 2020-12.",
            "content": {"application/json": {"schema": {"required": ["$schema", "$id", "$defs", "anyOf"]}}},
        }
    },
)
async def protocol_schema() -> dict[str, Any]:
    """Of every message that a room's socket takes and sends, and of every body of this API."""
    return _schema()


@router.post("/check", summary="Is this play legal?", responses=declared(*BODY, "too-hard", "busy"))
async def check(here: Here, request: Request, wish: CheckRequest, lang: _Lang = Language.EN) -> CheckAnswer:
    """Every rule that the play breaks, at once; an illegal play is an answer, not an error."""
    try:
        case = read_case(_given(wish))
    except BadInput as error:
        raise _problem(error) from None
    here.limits.check("solves", request.state.address)
    try:
        # Tiles that are not told apart may have come from so many places that this takes longer than anybody lives.
        answer = await _think(here, _judge, case, str(lang))
    except TooHard:
        raise _too_hard(here, request, "after", "tell equal tiles apart (r5 and r5'), and it is easy") from None
    return CheckAnswer.model_validate(answer)


@router.post("/solve", summary="The best play of a position", responses=declared(*BODY, "too-hard", "busy"))
async def best_play(here: Here, request: Request, wish: SolveRequest, lang: _Lang = Language.EN) -> SolveAnswer:
    """The most tiles, or the most points; no play is better, and that is proven."""
    try:
        query = read_query(_given(wish))
    except BadInput as error:
        raise _problem(error) from None
    if is_rare(query.rules) and any(meld.jokers for meld in query.table):
        raise Problem(
            422,
            "these joker rules are mixed as in no rulebook, which takes too long to solve here; "
            "`tilerummy solve` does it on your own machine",
            code="too-hard",
            field="house",
        )
    here.limits.check("solves", request.state.address)
    try:
        with here.metrics.thinking("solve"):
            answer = await _think(here, _solve, query, str(lang))
    except TooHard:
        raise _too_hard(here, request, "rack", "`tilerummy solve` does it on your own machine") from None
    return SolveAnswer.model_validate(answer)


async def _think(here: Parts, function: Callable[_P, _R], *args: _P.args, **kwargs: _P.kwargs) -> _R:
    """Let it be thought about in turn: whoever plays goes before whoever asks."""
    try:
        return await here.thinker.run_aside(function, *args, **kwargs)
    except Busy:
        sorry = "too many questions are waiting for an answer; try again in a moment"
        raise Problem(503, sorry, code="busy", headers={"Retry-After": "2"}) from None


def _solve(query: Position, lang: str) -> dict[str, object]:
    return within(PATIENCE, _solved, query, lang)


def _solved(query: Position, lang: str) -> dict[str, object]:
    solution = solve(query, follow=True)
    return solved(query, solution, lang, steps=False) | told_play(query, solution, lang)


def _judge(case: Case, lang: str) -> dict[str, object]:
    return within(PATIENCE, judged, case, lang)


def _too_hard(here: Parts, request: Request, field: str, instead: str) -> Problem:
    """Who asks what takes so long does not ask again at once."""
    here.limits.drain("solves", request.state.address)
    return Problem(422, f"this takes too long here; {instead}", code="too-hard", field=field)


def _given(wish: Message) -> dict[str, object]:
    return wish.model_dump(exclude_unset=True, exclude_none=True)


def _problem(error: BadInput) -> Problem:
    return Problem(422, str(error), field=error.field)
