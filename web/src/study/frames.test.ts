import { describe, expect, it } from 'vitest';
import { plain, writeMeld } from '../game/tiles';
import type { HintStep } from '../protocol';
import { frames, type Frame } from './frames';
import { readPosition } from './position';

const step = (verb: string, pieces: string, source: number | null, target: number | null, were = pieces): HintStep => ({
  verb,
  pieces,
  source,
  target,
  were,
});

function shown(frame: Frame | undefined): string {
  const melds = frame?.melds.map((meld) => writeMeld(meld.pieces.map((one) => ({ ...one, tile: plain(one.tile) }))));
  return `${melds?.join(' | ')} / ${frame?.rack.join(' ')}`;
}

function pictures(line: string, steps: HintStep[]): Frame[] {
  const position = readPosition(line);
  if (!position) throw new Error(line);
  return frames(position.melds, position.rack, steps);
}

describe('a play as pictures', () => {
  it('moves tiles from meld to meld and from the rack', () => {
    const found = pictures('sabra / b8 b9 b10 | r1 r2 r3 / b11 k8 y8 / all', [
      step('lay', 'b11', null, 0),
      step('move', 'b8', 0, 2),
      step('lay', 'k8 y8', null, 2),
    ]);
    expect(found.map(shown)).toEqual([
      'b8 b9 b10 | r1 r2 r3 / b11 k8 y8',
      'b8 b9 b10 b11 | r1 r2 r3 / k8 y8',
      'b9 b10 b11 | r1 r2 r3 | b8 / k8 y8',
      'b9 b10 b11 | r1 r2 r3 | b8 k8 y8 / ',
    ]);
    expect([...(found[3]?.laid ?? [])]).toEqual(['b11', 'k8', 'y8']);
    expect([...(found[2]?.moved ?? [])]).toEqual(['b8']);
  });

  it('lets a freed joker lie alone until it is laid again', () => {
    const found = pictures('classic / k3 j=k4 k5 / k4 k8 k9 / all', [
      step('swap', 'k4', null, 0),
      step('lay', 'k8 k9', null, 1),
      step('move', 'j=k10', 0, 1, 'j=k4'),
    ]);
    expect(found.map(shown)).toEqual([
      'k3 j=k4 k5 / k4 k8 k9',
      'k3 k4 k5 | j / k8 k9',
      'k3 k4 k5 | j | k8 k9 / ',
      'k3 k4 k5 | k8 k9 j=k10 / ',
    ]);
    expect(found[1]?.melds[1]?.freed).toBe(true);
  });

  it('turns a joker in its meld, and takes one to the rack', () => {
    const turned = pictures('sabra / b6 b7 j=b8 / b4 / all', [
      step('turn', 'j=b5', 0, 0, 'j=b8'),
      step('lay', 'b4', null, 0),
    ]);
    expect(shown(turned.at(-1))).toBe('b4 j=b5 b6 b7 / ');
    const kept = pictures('junior / r3 r4 j=r5 / r5 / all', [
      step('swap', 'r5', null, 0),
      step('take', 'j', 0, null, 'j=r5'),
    ]);
    expect(shown(kept.at(-1))).toBe('r3 r4 r5 / j');
  });

  it('keeps every tile, whichever copy moves', () => {
    const found = pictures('sabra / r4 r5 r6 r7 r8 / r6 / all', [
      step('move', 'r7 r8', 0, 1),
      step('lay', 'r6', null, 1),
    ]);
    const all = found.map((frame) =>
      [...frame.melds.flatMap((meld) => meld.pieces.map((piece) => piece.tile)), ...frame.rack].toSorted(),
    );
    for (const tiles of all) expect(tiles).toEqual(all[0]);
  });
});
