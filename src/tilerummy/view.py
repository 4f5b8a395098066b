"""What a seat may know: the only form in which a state leaves the server.

>>> from tilerummy.game import begin, fold
>>> from tilerummy.rulesets import ruleset
>>> state = fold(begin(ruleset("sabra"), players=2, seed="00" * 32))
>>> mine, watching = view(state, 0), view(state, None)
>>> len(mine.rack), mine.rack_sizes, watching.rack, mine.seed
(14, (14, 14), (), None)
"""

from dataclasses import dataclass

from tilerummy.deal import StartDraw, commitment
from tilerummy.melds import Draft, Piece, Table
from tilerummy.rulesets import Ruleset
from tilerummy.state import Phase, State
from tilerummy.tiles import Tile

__all__ = ["SeenDraft", "View", "seen_draft", "view"]

SeenDraft = tuple[tuple[Piece | None, ...], ...]
"""A draft as somebody sees it; None is a tile that lies face down."""


@dataclass(frozen=True, slots=True)
class View:
    """A match as one seat, or a spectator, sees it."""

    seat: int | None
    version: int
    rules: Ruleset
    players: int
    rounds: int
    round: int
    phase: Phase
    draws: tuple[tuple[StartDraw, ...], ...]
    starter: int
    turn: int
    table: Table
    draft: SeenDraft | None
    rack: tuple[Tile, ...]
    rack_sizes: tuple[int, ...]
    racks: tuple[tuple[Tile, ...], ...]  # everybody's, once the round is over
    pool_size: int
    opened: tuple[bool, ...]
    stars: tuple[int, ...]
    passes: int
    bots: tuple[str | None, ...]
    hints: tuple[int, ...]
    scores: tuple[tuple[int, ...], ...]
    winner: int | None
    commitment: str
    words: tuple[str, ...]
    seed: str | None  # once the match is over


def view(state: State, seat: int | None, draft: Draft | None = None) -> View:
    """Return what this seat may know, or a spectator (None); `draft` is what the player to move is arranging."""
    if seat is not None and not 0 <= seat < state.players:
        raise ValueError(f"there is no seat {seat}")
    over = state.phase is not Phase.PLAYING
    return View(
        seat=seat,
        version=state.version,
        rules=state.rules,
        players=state.players,
        rounds=state.rounds,
        round=state.round,
        phase=state.phase,
        draws=state.draws,
        starter=state.starter,
        turn=state.turn,
        table=state.table,
        draft=seen_draft(state, seat, draft),
        rack=() if seat is None else state.racks[seat],
        rack_sizes=tuple(len(rack) for rack in state.racks),
        racks=state.racks if over else (),
        pool_size=len(state.pool),
        opened=state.opened,
        stars=state.stars,
        passes=state.passes,
        bots=state.bots,
        hints=state.hints,
        scores=state.scores,
        winner=state.winner,
        commitment=commitment(state.seed),
        words=state.words,
        seed=state.seed if state.phase is Phase.MATCH_OVER else None,
    )


def seen_draft(state: State, seat: int | None, draft: Draft | None) -> SeenDraft | None:
    """Show the tiles that everybody knows; whatever else a draft holds lies face down for the others."""
    if draft is None or state.phase is not Phase.PLAYING:
        return None
    known = {tile for meld in state.table for tile in meld.tiles}
    if seat == state.turn:
        known.update(state.racks[state.turn])
    return tuple([tuple([piece if piece.tile in known else None for piece in written]) for written in draft])
