import { describe, expect, it } from 'vitest';
import truth from '../../../tests/truth/melds.json';
import plays from '../../../tests/truth/plays.json';
import { MELD_REASONS, judge, piecesOf, promising, readings } from './melds';
import { bestValue } from './points';
import { rules, type RulesetId } from './testkit';
import { faceText, readMeld, readTable, tilesOf, writeMeld, type Face } from './tiles';

interface Row {
  readonly meld: string;
  readonly ruleset: string;
  readonly reason: string | null;
  readonly choices?: string;
  readonly kind?: string;
  readonly text?: string;
  readonly faces?: readonly string[];
  readonly points?: number;
}

const ROWS: readonly Row[] = truth.melds;

function rulesOfRow(row: { readonly ruleset: string }) {
  return rules(row.ruleset as RulesetId);
}

describe('melds are judged as the engine judges them', () => {
  it.each(['sabra', 'junior'])('under %s', (ruleset) => {
    const rows = ROWS.filter((row) => row.ruleset === ruleset);
    expect(rows.length).toBeGreaterThan(300);
    const said = rows.map((row): Row => {
      const judged = judge(readMeld(row.meld), rulesOfRow(row));
      const about = { meld: row.meld, ruleset };
      if (!judged.ok) {
        return { ...about, reason: judged.reason, choices: String(judged.args.choices ?? '') };
      }
      const face = (one: Face): string => (judged.kind === 'group' ? String(one.number) : faceText(one));
      const text = writeMeld(piecesOf(judged));
      return { ...about, reason: null, kind: judged.kind, text, faces: judged.faces.map(face), points: judged.points };
    });
    expect(said).toEqual(rows);
  });

  it('in each table of the plays', () => {
    let broken = 0;
    for (const play of plays) {
      for (const [ruleset, codes] of Object.entries<readonly string[] | null>(play.codes)) {
        if (codes === null) {
          continue;
        }
        const all = readTable(play.after).every((meld) => judge(meld, rules(ruleset as RulesetId)).ok);
        expect([play.name, ruleset, all]).toEqual([play.name, ruleset, !codes.includes('meld')]);
        broken += all ? 0 : 1;
      }
    }
    expect(broken).toBeGreaterThan(3);
  });

  it('with no other reasons', () => {
    expect(new Set(ROWS.map((row) => row.reason))).toEqual(new Set([...MELD_REASONS, null]));
  });

  it('says how far the numbers go', () => {
    expect(judge(tilesOf('r12 r13 j'), rules())).toEqual({ ok: false, reason: 'beyond', args: { numbers: 13 } });
  });
});

describe('the best value', () => {
  it('is what the engine finds', () => {
    const found = truth.values.map((row) => ({ ...row, value: bestValue(tilesOf(row.tiles), rulesOfRow(row)) }));
    expect(found).toEqual(truth.values);
  });
});

describe('the readings of tiles with jokers', () => {
  it.each([
    ['r5 r6 j', 'sabra', ['r5 r6 j=r7', 'j=r4 r5 r6']],
    ['j r12 r13', 'sabra', ['j=r11 r12 r13']],
    ['r5 j r7', 'sabra', ['r5 j=r6 r7']],
    ["r5 j j'", 'sabra', ["r5 j=r6 j'=r7", "j=r4 r5 j'=r6", "j=r3 j'=r4 r5", "r5 j=5 j'=5"]],
    ["r5 j j'", 'junior', ["r5 j=r6 j'=r7", "j=r4 r5 j'=r6", "j=r3 j'=r4 r5"]],
    ['r5 b5 j', 'sabra', ['r5 b5 j=5']],
    ['r5 b5 j', 'junior', []],
    ['r5 r5 j', 'sabra', []],
    ['r5 j', 'sabra', []],
    ["j j' j''", 'sabra', []],
    ['r5 r6 r7', 'sabra', ['r5 r6 r7']],
    ['r1 r9 j', 'sabra', []],
  ])('%s under %s', (tiles, ruleset, texts) => {
    const found = readings(tilesOf(tiles), rules(ruleset as RulesetId));
    expect(found.map((meld) => writeMeld(piecesOf(meld)))).toEqual(texts);
  });
});

describe('tiles on their way to a meld', () => {
  it.each([
    ['r5', true, true],
    ['j', true, true],
    ['r5 r9', true, true],
    ['r5 b5', true, false],
    ['r5 b6', false, false],
    ["r5 r5'", false, false],
    ['r5 b5 k5 y5 j', false, false],
    ['', false, false],
  ])('%j', (tiles, sabra, junior) => {
    expect(promising(tilesOf(tiles), rules('sabra'))).toBe(sabra);
    expect(promising(tilesOf(tiles), rules('junior'))).toBe(junior);
  });
});
