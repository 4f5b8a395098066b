/** The end of a round or match as numbers: the score sheet, what a rack costs, who won. */

import type { Rules } from '../game/rules';
import { isJoker, numberOf, tilesOf, type Tile } from '../game/tiles';
import type { MatchView } from '../protocol';

/** A score as rulebooks write it: the winner's plus, the others' minus. */
export function signed(score: number): string {
  if (score === 0) return '0';
  return score > 0 ? `+${score}` : `−${-score}`;
}

/** What the tiles that are left on a rack cost: points, or a star each. */
export function rackCost(rack: readonly Tile[], rules: Pick<Rules, 'jokerValue' | 'stars'>): number {
  if (rules.stars > 0) return rack.length;
  return rack.reduce((sum, tile) => sum + (isJoker(tile) ? rules.jokerValue : (numberOf(tile) ?? 0)), 0);
}

export interface ScoreSheet {
  /** A row for each round: its number, then a cell for each seat. */
  readonly rows: readonly (readonly string[])[];
  /** A cell for each seat. */
  readonly totals: readonly string[];
}

/** The rulebooks whose score sheet has a row for each player; the others' have one for each round. */
const PLAYERS_DOWN: ReadonlySet<string> = new Set(['sabra']);

export function playersDown(ruleset: string): boolean {
  return PLAYERS_DOWN.has(ruleset);
}

export function sheetOf(match: MatchView, rules: Pick<Rules, 'stars'>): ScoreSheet {
  const said = rules.stars > 0 ? (stars: number) => `${stars} ★` : signed;
  return {
    rows: match.scores.map((scores, round) => [String(round + 1), ...scores.map(said)]),
    totals: totalsOf(match).map(said),
  };
}

export function totalsOf(match: MatchView): number[] {
  return Array.from({ length: match.players }, (_, seat) =>
    match.scores.reduce((sum, scores) => sum + (scores[seat] ?? 0), 0),
  );
}

/** Who won: the round, or the match when it is over; several where a match is drawn. */
export function winnersOf(match: MatchView): number[] {
  if (match.phase !== 'match-over') return match.winner === null ? [] : [match.winner];
  const totals = totalsOf(match);
  const most = Math.max(...totals);
  // A round of its own has one winner, also where totals are equal: the rulebook decides between them.
  if (match.rounds === 1 && match.winner !== null) return [match.winner];
  return totals.flatMap((total, seat) => (total === most ? [seat] : []));
}

export interface LeftOver {
  readonly seat: number;
  readonly rack: readonly Tile[];
  readonly cost: number;
}

/** The racks as they were left, the winner's first, then by what they cost. */
export function leftOvers(match: MatchView, rules: Pick<Rules, 'jokerValue' | 'stars'>): LeftOver[] {
  return match.racks
    .map((written, seat): LeftOver => {
      const rack = tilesOf(written);
      return { seat, rack, cost: rackCost(rack, rules) };
    })
    .toSorted((a, b) => Number(b.seat === match.winner) - Number(a.seat === match.winner) || a.cost - b.cost);
}
