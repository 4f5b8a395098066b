/** The race for the youngest as the page needs it: what fits, what lies where, who has how many stars. */

import type { Wording } from '../i18n';
import { COLOURS, colourOf, numberOf, tileOf, tilesOf, type Tile } from '../game/tiles';
import type { RaceView } from '../protocol';

export const NUMBERS = 10;
/** The race has junior's words. */
export const RACE_RULES: Wording = { id: 'junior', fourthColour: 'yellow' };

export const ALL: readonly Tile[] = COLOURS.flatMap((colour) =>
  Array.from({ length: NUMBERS }, (_, at) => tileOf(colour, at + 1)),
);

export function placedIn(race: RaceView): Set<Tile> {
  return new Set(tilesOf(race.placed));
}

/** The tiles one lower and one higher than the row that the called tile is in. */
export function fitting(race: RaceView): Tile[] {
  const [colour, number] = race.called ? [colourOf(race.called), numberOf(race.called)] : [null, null];
  if (colour === null || number === null) return [];
  const there = placedIn(race);
  let [low, high] = [number, number];
  while (there.has(tileOf(colour, low - 1))) low -= 1;
  while (there.has(tileOf(colour, high + 1))) high += 1;
  return [low - 1, high + 1].filter((one) => one >= 1 && one <= NUMBERS).map((one) => tileOf(colour, one));
}

/** How the tiles lie about: mixed, and the same for everybody in a room and until its race is over. */
export function mixed(seed: string): Tile[] {
  return ALL.map((tile) => [hash(`${seed} ${tile}`), tile] as const)
    .toSorted(([a], [b]) => a - b)
    .map(([, tile]) => tile);
}

/** The tile after this one that still lies there, or else the one before it. */
export function nextLeft(order: readonly Tile[], placed: ReadonlySet<Tile>, tile: Tile): Tile | null {
  const at = order.indexOf(tile);
  return [...order.slice(at + 1), ...order.slice(0, at).toReversed()].find((one) => !placed.has(one)) ?? null;
}

function hash(text: string): number {
  let found = 2166136261;
  for (const letter of text) found = Math.imul(found ^ letter.charCodeAt(0), 16777619);
  // The last letters have to count as much as the first.
  return Math.imul(found ^ (found >>> 15), 2246822519) >>> 0;
}

export interface Standing {
  readonly seat: number;
  readonly stars: number;
  readonly won: boolean;
  readonly calls: boolean;
}

/** Everybody by their stars; who called comes last. */
export function raceResult(race: RaceView): Standing[] {
  return race.stars
    .map((stars, seat) => ({ seat, stars, won: race.winners.includes(seat), calls: race.caller === seat }))
    .toSorted((a, b) => Number(a.calls) - Number(b.calls) || b.stars - a.stars);
}

/** The widest tile at which so many fit into a box, within bounds. */
export function widest(count: number, width: number, height: number, gap: number, least: number, most: number): number {
  const RATIO = 1.32;
  for (let tile = most; tile > least; tile -= 1) {
    const columns = Math.floor((width + gap) / (tile + gap));
    const rows = Math.ceil(count / Math.max(1, columns));
    if (columns > 0 && rows * (tile * RATIO + gap) - gap <= height) return tile;
  }
  return least;
}
