/** What the table says about a draft: on the button, beside it, and to those who do not see it. */

import { capital, meldName, say, sentence, t, tileName, type Wording } from '../i18n';
import { meldPieces, type DraftMeld } from '../game/draft';
import { judge, readings } from '../game/melds';
import type { Rules } from '../game/rules';
import { faceText, isFaceDown, isJoker, type Face, type Tile } from '../game/tiles';
import type { TableState } from '../table/types';
import type { Desk } from './desk.svelte';
import type { Film } from './film.svelte';
import { worthTelling, type ShortReason } from './verdict';

/** Why a play is not possible, as short as it fits on a button. */
export function shortText(short: ShortReason, mayDraw: boolean, rules: Wording): string {
  switch (short.why) {
    case 'nothing':
      return t(mayDraw ? 'table.why-nothing' : 'table.why-nothing-left', {}, rules);
    case 'unfinished':
      return t('table.why-unfinished', { count: short.count }, rules);
    case 'opening':
      return t('table.why-opening', { points: short.points, needed: short.needed }, rules);
    case 'locked':
      return t('table.why-locked');
    case 'adding':
      return t('table.why-adding');
    case 'joker':
      return t('table.why-joker');
    case 'lost':
      return t('table.why-lost');
    case 'not-allowed':
      return t('table.why-not-allowed');
  }
}

/** Whole sentences about what is in the way, the server's own words first. */
export function sentencesOf(desk: Desk, rules: Wording): string[] {
  const { refusal, state, verdict, dropped } = desk;
  if (refusal) {
    const broken = refusal.violations.map(({ code, args }) => say('violations', code, args, rules));
    return broken.length > 0 ? broken : [refused(refusal.code, rules)];
  }
  if (state?.refused) {
    const tile = state.refused.tiles.join(' ');
    return [t(state.refused.reason === 'joker-stays' ? 'table.joker-stays' : 'table.table-tile', { tile }, rules)];
  }
  if (dropped.length > 0) return [t('table.dropped', { laid: dropped.join(' ') }, rules)];
  if (verdict.may !== 'no') return [];
  return worthTelling(verdict.violations).map(({ code, args }) => say('violations', code, args, rules));
}

const OURS: ReadonlySet<string> = new Set(['gone', 'unavailable', 'failed', 'too-many', 'bad-message']);

function refused(code: string, rules: Wording): string {
  return OURS.has(code) ? t('table.failed') : sentence(code, {}, rules);
}

type Carried = Pick<TableState, 'target' | 'dragging' | 'melds' | 'rack'>;

/** A tile for those who do not see it; a hint may point at it. */
export function tileLabel(tile: Tile, as: Face | null, rules: Wording, hinted = false): string {
  if (isFaceDown(tile)) return t('table.face-down', {}, rules);
  const name = tileName(tile, rules);
  const label = as ? t('table.joker-as', { joker: name, face: tileName(faceText(as), rules) }) : name;
  return hinted ? t('table.hinted', { label }) : label;
}

/** A meld for those who do not see it, with the note that stands beside it. */
export function meldLabel(meld: DraftMeld, rules: Rules, note = ''): string {
  if (meld.tiles.some(isFaceDown)) return t('table.meld-hidden', { count: meld.tiles.length }, rules);
  const judged = judge(meldPieces(meld), rules);
  const name = meldName(meld.tiles, rules);
  const label = judged.ok ? t(`table.meld-${judged.kind}`, { name }, rules) : capital(name);
  return note === '' ? label : t('table.meld-noted', { label, note });
}

/** The melds whose jokers could stand for something else, with what a button for it says. */
export function turnLabels(desk: Pick<Desk, 'own' | 'changed' | 'laid'>, rules: Rules): Map<number, string> {
  const { own, changed, laid } = desk;
  const mine = own.filter(
    (meld) =>
      changed.has(meld.id) &&
      meld.tiles.some((tile) => isJoker(tile) && laid.has(tile)) &&
      readings(meld.tiles, rules).length > 1,
  );
  return new Map(mine.map((meld) => [meld.id, t('table.turn-joker', {}, rules)]));
}

/** Where what is in the hand would go, for those who do not see it: beside which tile, and in which meld. */
export function targetLabel({ target, dragging, melds, rack }: Carried, rules: Wording): string {
  if (target === null) return '';
  if (target.to === 'new') return t('table.over-new', {}, rules);
  const line = target.to === 'rack' ? rack : (melds.find((one) => one.id === target.meld)?.tiles ?? []);
  const staying = line.filter((tile) => !dragging?.tiles.includes(tile));
  const [left, right] = [staying[target.index - 1], staying[target.index]];
  const tile = left ?? right;
  const beside = tile ? t(left ? 'table.over-left' : 'table.over-right', { tile }, rules) : '';
  const where =
    target.to === 'rack' ? t('table.over-rack', {}, rules) : t('table.over-meld', { meld: line.join(' ') }, rules);
  return [beside, where].filter(Boolean).join('. ');
}

/** What a step of a film shows; empty before the first. */
export function filmText(film: Film, rules: Wording): string {
  const step = film.now?.step;
  if (!step) return '';
  return t(`table.film-${step.verb}`, { laid: step.tiles.filter((tile) => !isFaceDown(tile)).join(' ') }, rules);
}

/** Whose play a film shows. */
export function filmTitle(seat: number | null, names: readonly string[], own: number | null): string {
  if (seat === null) return t('table.film-hint');
  return seat === own ? t('table.film-own') : t('table.film-play', { name: names[seat] ?? '' });
}
