"""The game: a command in, events or a refusal out. No clock, no chance, no input or output in here.

>>> from tilerummy.rulesets import ruleset
>>> events = begin(ruleset("sabra"), players=2, seed="00" * 32)
>>> state = fold(events)
>>> state.version, len(state.pool), [len(rack) for rack in state.racks]
(2, 78, [14, 14])
>>> apply(state, Pass(state.turn))
Refusal(code='must-draw', violations=())
>>> fold(apply(state, Draw(state.turn)), state).turn != state.turn
True
"""

import re
from collections import Counter
from collections.abc import Sequence

from tilerummy import scoring
from tilerummy.deal import StartDraw, deal, draw_for_start, tidy_word
from tilerummy.legality import Verdict, check, settle
from tilerummy.melds import Draft, Meld, Table
from tilerummy.rulesets import BadRuleset, JokerGoes, Ruleset, Stalemate, Starter
from tilerummy.rulesets import Timeout as TimeoutRule
from tilerummy.solver import Query, can_lay
from tilerummy.state import (
    HINT_LEVELS,
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
    fold,
)
from tilerummy.tiles import Tile

__all__ = ["MAX_ROUNDS", "REFUSALS", "advise", "apply", "begin", "commit", "fold", "is_bot_name", "is_proper"]

MAX_ROUNDS = 99

REFUSALS = (
    "no-such-seat",
    "not-your-turn",
    "illegal",
    "bad-table",
    "pool-empty",
    "no-star",
    "must-draw",
    "round-over",
    "round-running",
    "match-over",
    "seat-unchanged",
    "bad-bot",
    "bad-hint",
)
"""Every code that a refusal may carry."""


def begin(
    rules: Ruleset,
    *,
    players: int,
    seed: str,
    words: Sequence[str] = (),
    rounds: int = 1,
    first: int = 0,
    bots: Sequence[str | None] = (),
) -> tuple[Event, ...]:
    """Set up a match and deal its first round; `first` is who starts where the host says so (junior)."""
    rules.check_players(players)
    if not 1 <= rounds <= MAX_ROUNDS:
        raise BadRuleset("rounds", f"a match has 1 to {MAX_ROUNDS} rounds, not {rounds}")
    if not 0 <= first < players:
        raise BadRuleset("first", f"a seat from 0 to {players - 1}, not {first}")
    every_word = tuple(tidy_word(word) for word in words) + ("",) * (players - len(words))
    held = tuple(bots) + (None,) * (players - len(bots))
    if len(every_word) > players or len(held) > players:
        raise BadRuleset("words" if len(every_word) > players else "bots", f"there are {players} players")
    if not all(map(is_bot_name, held)):
        raise BadRuleset("bots", "a bot's name has up to 40 letters, digits, dots and dashes")
    started = Started(rules, players, rounds, first, seed, every_word, held)
    return (started, *_new_round(fold([started])))


def apply(state: State, command: Command) -> tuple[Event, ...] | Refusal:
    """Return what a command makes happen, or why it makes nothing happen."""
    if isinstance(command, NextRound):
        if state.phase is Phase.PLAYING:
            return Refusal("round-running")
        return Refusal("match-over") if state.phase is Phase.MATCH_OVER else _new_round(state)
    if not 0 <= command.seat < state.players:
        return Refusal("no-such-seat")
    if isinstance(command, HandOver):
        if state.phase is Phase.MATCH_OVER:
            return Refusal("match-over")
        if state.bots[command.seat] == command.bot:
            return Refusal("seat-unchanged")
        if not is_bot_name(command.bot):
            return Refusal("bad-bot")
        return (HandedOver(command.seat, command.bot),)
    if state.phase is not Phase.PLAYING:
        return Refusal("match-over" if state.phase is Phase.MATCH_OVER else "round-over")
    if command.seat != state.turn:
        return Refusal("not-your-turn")
    if isinstance(command, HintUsed):
        if command.level not in HINT_LEVELS:
            return Refusal("bad-hint")
        return (HintGiven(command.seat, command.level),)
    event = _turn(state, command)
    if isinstance(event, Refusal):
        return event
    return (event, *_endings(fold([event], state), command.seat))


def commit(state: State, verdict: Verdict) -> tuple[Event, ...]:
    """Return what a play of the player to move makes happen that is known to be legal: nothing is judged here."""
    return (event := _played(state, verdict), *_endings(fold([event], state), event.seat))


def advise(state: State, table: Draft) -> Verdict:
    """Judge a draft of the player to move as a play would be judged."""
    seat = state.turn
    return check(
        state.table,
        state.racks[seat],
        table,
        state.rules,
        opened=state.opened[seat],
        all_opened=all(state.opened),
    )


def _turn(state: State, command: Play | Draw | Pass | Timeout) -> Event | Refusal:
    seat = command.seat
    match command:
        case Play():
            if not is_proper(command.table, state.rules):
                return Refusal("bad-table")
            verdict = advise(state, command.table)
            return _played(state, verdict) if verdict.legal else Refusal("illegal", verdict.violations)
        case Draw():
            if not state.pool:
                return Refusal("pool-empty")
            if _broke(state):
                return Refusal("no-star")
            return Drew(seat, state.pool[:1], 1 if state.rules.stars else 0)
        case Pass():
            return Passed(seat) if not state.pool or _broke(state) else Refusal("must-draw")
        case Timeout():
            return _timed_out(state, command.draft)


def is_bot_name(name: str | None) -> bool:
    """Whether a seat may be held by this: a bot's name, or None for its player."""
    return name is None or re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9._-]{0,39}", name) is not None


def _broke(state: State) -> bool:
    """junior, *Faut-il que je paye*: without a star there is nothing to pay a tile with."""
    return bool(state.rules.stars) and not state.stars[state.turn]


def is_proper(table: Draft, rules: Ruleset) -> bool:
    """Whether a proposed table is made of tiles that the ruleset has, none of them twice."""
    tiles = [piece.tile for written in table for piece in written]
    return len(set(tiles)) == len(tiles) and all(rules.has(tile) for tile in tiles)


def _played(state: State, verdict: Verdict, buzzer: bool = False) -> Played:
    seat = state.turn
    stars = 0
    if state.rules.stars:
        # junior, *Etoile*: one for each tile laid, one for each new meld, one for the last tile of the rack
        earlier = {tile for meld in state.table for tile in meld.tiles if not tile.is_joker}
        melds = [meld for meld in verdict.melds if isinstance(meld, Meld)]
        new = sum(earlier.isdisjoint(meld.tiles) for meld in melds)
        last = len(verdict.laid) == len(state.racks[seat]) and not verdict.taken
        stars = len(verdict.laid) + new + last
    return Played(
        seat=seat,
        table=settle(state.table, verdict.melds),
        laid=verdict.laid,
        taken=verdict.taken,
        points=verdict.points,
        stars=stars,
        opens=not state.opened[seat],
        buzzer=buzzer,
    )


# Time-outs


def _timed_out(state: State, draft: Draft | None) -> Event:
    """RULES, *Time-out*: the draft at that moment decides."""
    draft = draft and tuple(written for written in draft if written)
    if draft is None:
        return _penalised(state, state.table, state.rules.untouched_draws)
    if not is_proper(draft, state.rules):
        return _penalised(state, state.table, state.rules.timeout_draws, restored=True)
    verdict = advise(state, draft)
    if verdict.legal:
        return _played(state, verdict, buzzer=True)
    if _same(state.table, verdict.melds):
        return _penalised(state, state.table, state.rules.untouched_draws)
    return _unfinished(state, verdict)


def _same(table: Table, melds: Sequence[object]) -> bool:
    return Counter(table) == Counter(melds)


def _unfinished(state: State, verdict: Verdict) -> Event:
    """Keep of an unfinished draft what the rulebook keeps; every loose tile goes to the player's rack."""
    rules = state.rules
    kept = tuple(meld for meld in verdict.melds if isinstance(meld, Meld))
    lying = {tile for meld in kept for tile in meld.tiles}
    loose = tuple(tile for meld in state.table for tile in meld.tiles if tile not in lying)
    back = (
        rules.timeout is TimeoutRule.RESTORE
        or verdict.foreign
        # classic, *Comment jouer*: loose tiles of the table go back to where they lay
        or (rules.timeout is TimeoutRule.KEEP_OWN and loose)
        # a joker that has to be played into a new meld at once may not go to the rack
        or (rules.joker_goes is JokerGoes.NEW_MELD and any(tile.is_joker for tile in loose))
    )
    if not back:
        judged = advise(state, tuple(meld.pieces for meld in kept))
        broken = {violation.code for violation in judged.violations} - {"lay-one"}
        broken.discard("conserve")  # what is missing from the table is loose
        if _same(state.table, kept):
            broken.discard("opening")
        if not broken:
            return _penalised(state, settle(state.table, kept), rules.timeout_draws, judged.laid, loose)
    return _penalised(state, state.table, rules.timeout_draws, restored=True)


def _penalised(
    state: State,
    table: Table,
    draws: int,
    laid: tuple[Tile, ...] = (),
    taken: tuple[Tile, ...] = (),
    *,
    restored: bool = False,
) -> Event:
    penalty = state.pool[:draws]
    if state.rules.stars and table == state.table:
        # Where stars are paid a time-out with nothing laid is a turn without a play: a star and a tile, or a pass.
        return Passed(state.turn) if not state.pool or _broke(state) else Drew(state.turn, state.pool[:1], 1)
    return TimedOut(
        seat=state.turn,
        table=table,
        laid=laid,
        taken=taken,
        penalty=penalty,
        opens=bool(laid) and not state.opened[state.turn],
        restored=restored,
        passed=not penalty and not laid,
    )


# Rounds


def _new_round(state: State) -> tuple[Event, ...]:
    number, rules = state.round + 1, state.rules
    draws: tuple[tuple[StartDraw, ...], ...] = ()
    starter = state.first
    if rules.starter is Starter.HIGHEST:
        draws = draw_for_start(state.seed, state.words, rules, number, range(state.players))
        starter = max((draw for draw in draws[-1]), key=lambda draw: draw.tile.number).seat
    order = [(starter + rules.step * place) % state.players for place in range(state.players)]
    dealt = deal(state.seed, state.words, rules, number, order)
    began = RoundBegan(number, draws, starter, dealt.racks, dealt.pool)
    return (began, *_endings(fold([began], state), starter))


def _endings(state: State, mover: int) -> tuple[Event, ...]:
    """End the round, and the match, when this turn was the last."""
    if not state.racks[mover]:
        finisher: int | None = mover
    elif state.passes >= state.players or _stuck(state):
        finisher = None
    else:
        return ()
    rules = state.rules
    if rules.stars:
        outcome = scoring.star_outcome(state.stars, state.racks, finisher, state.order)
    elif finisher is None:
        outcome = scoring.stuck(state.racks, state.order, rules)
    else:
        outcome = scoring.Outcome(finisher, scoring.finished(state.racks, finisher, rules))
    ended = RoundEnded(state.round, finisher, outcome.winner, outcome.scores)
    if state.round < state.rounds:
        return (ended,)
    totals = scoring.match_totals((*state.scores, outcome.scores), state.players)
    return (ended, MatchEnded(totals, scoring.match_winners(totals)))


def _stuck(state: State) -> bool:
    """club, *Fin de la manche*: until "un premier joueur ne puisse plus déposer ni piocher"; proven, not claimed."""
    if state.rules.stalemate is not Stalemate.ONE_STUCK or state.pool:
        return False
    query = Query(
        rules=state.rules,
        table=state.table,
        rack=state.racks[state.turn],
        opened=state.opened[state.turn],
        all_opened=all(state.opened),
    )
    return not can_lay(query)
