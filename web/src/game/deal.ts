/** The fair shuffle, dealt again in the page: docs/deal.md has the recipe. */

import { hmacSha256, sha256 } from './sha256';
import { allTiles, isJoker, numberOf, readMeld, tilesOf, type Tile } from './tiles';

/** What the recipe needs to know of the rules. */
export interface DealRules {
  readonly numbers: number;
  readonly copies: number;
  readonly jokers: number;
  /** How many tiles each player is dealt. */
  readonly deal: number;
  readonly clockwise: boolean;
  /** Whether the host says who starts, so that nothing is drawn for it. */
  readonly hostStarts: boolean;
}

export interface StartDraw {
  readonly seat: number;
  readonly tile: Tile;
}

export interface Deal {
  /** By seat. */
  readonly racks: readonly (readonly Tile[])[];
  /** In the order in which it is drawn. */
  readonly pool: readonly Tile[];
}

/** How a round began and ended, as a view shows it once it is over. */
export interface PlayedRound {
  readonly starter: number;
  readonly draws: readonly (readonly StartDraw[])[];
  readonly table: readonly string[];
  readonly racks: readonly string[];
  readonly pool_size: number;
}

/** A match that is over, as a view shows it, with its last round. */
export interface PlayedMatch extends PlayedRound {
  readonly seed: string | null;
  readonly commitment: string;
  readonly words: readonly string[];
  readonly players: number;
  readonly round: number;
}

/** The deal again, and whether each thing that was seen of it fits; null where there was nothing to compare. */
export interface DealCheck {
  /** Whether the seed is the one that was promised before the match. */
  readonly seed: boolean;
  /** Whether the tiles that were drawn for the start are these. */
  readonly start: boolean | null;
  /** Whether this device's rack was dealt so. */
  readonly rack: boolean | null;
  /** Whether every tile that was ever taken from the pool, and none that was not, is on the table or on a rack. */
  readonly tiles: boolean;
  readonly deal: Deal;
  readonly draws: readonly (readonly StartDraw[])[];
}

const SCHEME = 'tilerummy-1';
const WORD = 2 ** 32;

type Fields = Readonly<Record<string, boolean | number | string>>;

/** What the recipe needs, from a ruleset and a match's house rules as the server tells them. */
export function dealRulesOf(ruleset: { readonly fields: Fields }, house: Fields = {}): DealRules {
  const fields = { ...ruleset.fields, ...house };
  return {
    numbers: Number(fields.numbers),
    copies: Number(fields.copies),
    jokers: Number(fields.jokers),
    deal: Number(fields.deal),
    clockwise: fields.direction !== 'counter-clockwise',
    hostStarts: fields.starter === 'host',
  };
}

/** The hash that is published before the deal. */
export function commitment(seed: string): string {
  return Array.from(sha256(bytesOf(`${SCHEME}:${seed}`)), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** A player's word as it is hashed. */
export function tidyWord(word: string): string {
  return word.normalize('NFC').trim();
}

/** The items in the order that the seed, the words and the label give. */
export function shuffle<Item>(seed: string, words: readonly string[], label: string, items: readonly Item[]): Item[] {
  const numbers = stream(keyOf(seed), [label, ...words.map(tidyWord)].join('\n'));
  const order = [...items];
  for (let place = order.length - 1; place > 0; place -= 1) {
    const other = below(place + 1, numbers);
    [order[place], order[other]] = [order[other] as Item, order[place] as Item];
  }
  return order;
}

/** Draw for the start: jokers draw again, ties draw again among the tied. */
export function drawForStart(
  seed: string,
  words: readonly string[],
  rules: DealRules,
  round: number,
  seats: readonly number[],
): StartDraw[][] {
  const pile = startPile(seed, words, rules, round);
  const drawings: StartDraw[][] = [];
  let tied = seats;
  while (tied.length > 1) {
    const drawn: StartDraw[] = [];
    const best = new Map<number, number>();
    let waiting = tied;
    while (waiting.length) {
      const now = waiting.map((seat): StartDraw => ({ seat, tile: next(pile) }));
      drawn.push(...now);
      for (const { seat, tile } of now) best.set(seat, numberOf(tile) ?? 0);
      waiting = now.filter(({ tile }) => isJoker(tile)).map(({ seat }) => seat);
    }
    drawings.push(drawn);
    const highest = Math.max(...best.values());
    tied = tied.filter((seat) => best.get(seat) === highest);
  }
  return drawings;
}

/** Deal a round: each seat, in turn order, takes its tiles from the front; the rest is the pool. */
export function deal(
  seed: string,
  words: readonly string[],
  rules: DealRules,
  round: number,
  order: readonly number[],
): Deal {
  const tiles = shuffle(seed, words, `round ${round} deal`, tilesIn(rules));
  const racks: Tile[][] = order.map(() => []);
  order.forEach((seat, place) => {
    racks[seat] = tiles.slice(place * rules.deal, (place + 1) * rules.deal);
  });
  return { racks, pool: tiles.slice(order.length * rules.deal) };
}

/** The seats in the order of play. */
export function turnOrder(starter: number, players: number, clockwise: boolean): number[] {
  const step = clockwise ? 1 : players - 1;
  return Array.from({ length: players }, (_, turn) => (starter + turn * step) % players);
}

/** Deal the last round of a match again and compare; `rack` is what this device saw itself being dealt. */
export function checkDeal(
  match: PlayedMatch,
  rules: DealRules,
  seen: { seat: number; rack: string } | null = null,
): DealCheck | null {
  const { seed, words, round, players, starter } = match;
  if (seed === null) return null;
  const dealt = deal(seed, words, rules, round, turnOrder(starter, players, rules.clockwise));
  const seats = Array.from({ length: players }, (_, seat) => seat);
  const draws = rules.hostStarts ? [] : drawForStart(seed, words, rules, round, seats);
  const laid = match.table.flatMap((meld) => readMeld(meld).map(({ tile }) => tile));
  const out = [...match.racks.flatMap(tilesOf), ...laid];
  const left = dealt.pool.slice(dealt.pool.length - match.pool_size);
  return {
    seed: commitment(seed) === match.commitment,
    start: rules.hostStarts ? null : JSON.stringify(drawn(draws)) === JSON.stringify(drawn(match.draws)),
    rack: seen && sameTiles(tilesOf(seen.rack), dealt.racks[seen.seat] ?? []),
    tiles: sameTiles([...out, ...left], tilesIn(rules)),
    deal: dealt,
    draws,
  };
}

/** Whether every earlier round that this device saw the end of was the seed's, too; by round. */
export function checkRounds(
  match: PlayedMatch,
  rules: DealRules,
  ends: Readonly<Record<number, PlayedRound>>,
  racks: Readonly<Record<number, { seat: number; rack: string }>>,
): { readonly round: number; readonly fits: boolean }[] {
  return Object.entries(ends)
    .map(([number, end]) => ({ round: Number(number), end }))
    .filter(({ round }) => round < match.round)
    .map(({ round, end }) => {
      const found = checkDeal({ ...match, ...end, round }, rules, racks[round] ?? null);
      return { round, fits: found !== null && found.start !== false && found.rack !== false && found.tiles };
    });
}

function drawn(draws: readonly (readonly StartDraw[])[]): (string | number)[][] {
  return draws.map((drawing) => drawing.flatMap(({ seat, tile }) => [seat, tile]));
}

function sameTiles(some: readonly Tile[], others: readonly Tile[]): boolean {
  return some.toSorted().join(' ') === others.toSorted().join(' ');
}

function tilesIn({ numbers, copies, jokers }: DealRules): Tile[] {
  return allTiles(numbers, copies, jokers);
}

function* startPile(seed: string, words: readonly string[], rules: DealRules, round: number): Generator<Tile, never> {
  for (let turn = 1; ; turn += 1) yield* shuffle(seed, words, `round ${round} start ${turn}`, tilesIn(rules));
}

function* stream(key: Uint8Array, text: string): Generator<number, never> {
  for (let block = 0; ; block += 1) {
    const digest = new DataView(hmacSha256(key, bytesOf(`${SCHEME}\n${block}\n${text}`)).buffer);
    for (let start = 0; start < 32; start += 4) yield digest.getUint32(start);
  }
}

/** A number below the limit, each equally likely. */
function below(limit: number, numbers: Generator<number, never>): number {
  const even = WORD - (WORD % limit);
  for (;;) {
    const number = next(numbers);
    if (number < even) return number % limit;
  }
}

function next<Item>(items: Generator<Item, never>): Item {
  return items.next().value;
}

function keyOf(seed: string): Uint8Array {
  return Uint8Array.from(seed.match(/../g) ?? [], (digits) => Number.parseInt(digits, 16));
}

function bytesOf(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}
