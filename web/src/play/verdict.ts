/** Whether what lies on the table can be played, and what stands in its way: one short reason, and all sentences. */

import type { Advice, ViolationSeen } from '../protocol';

/** As short as it fits on a button. */
export type ShortReason =
  | { readonly why: 'nothing' }
  | { readonly why: 'unfinished'; readonly count: number }
  | { readonly why: 'opening'; readonly points: number; readonly needed: number }
  | { readonly why: 'locked' | 'adding' | 'joker' | 'lost' | 'not-allowed' };

export type Verdict =
  /** `checking`: nothing speaks against it here, and the server has not answered yet. */
  | { readonly may: 'yes' | 'checking' }
  | { readonly may: 'no'; readonly short: ShortReason; readonly violations: readonly ViolationSeen[] };

export interface Judged {
  /** Rack tiles that are laid. */
  readonly laid: number;
  /** Melds that are none. */
  readonly broken: number;
  /** The points of melds of one's own tiles, and how many it takes; null once opened. */
  readonly towards: { readonly points: number; readonly needed: number } | null;
  /** The server's opinion of exactly this table. */
  readonly advice: Advice | null;
  readonly connected: boolean;
}

/** What is wrong here and now is told at once; rules that need the server's eye follow when it has answered. */
export function verdictOf({ laid, broken, towards, advice, connected }: Judged): Verdict {
  const violations = advice?.violations ?? [];
  if (laid === 0) return no({ why: 'nothing' }, violations);
  if (broken > 0) return no({ why: 'unfinished', count: broken }, violations);
  if (towards && towards.points < towards.needed) return no({ why: 'opening', ...towards }, violations);
  if (!connected) return no({ why: 'lost' }, []);
  if (!advice) return { may: 'checking' };
  const [first] = violations;
  return first ? no(shortOf(first), violations) : { may: 'yes' };
}

function no(short: ShortReason, violations: readonly ViolationSeen[]): Verdict {
  return { may: 'no', short, violations };
}

function shortOf({ code, args }: ViolationSeen): ShortReason {
  switch (code) {
    case 'lay-one':
      return { why: 'nothing' };
    case 'meld':
      return { why: 'unfinished', count: 1 };
    case 'opening':
      return { why: 'opening', points: Number(args.points), needed: Number(args.needed) };
    case 'table-locked':
      return { why: 'locked' };
    case 'no-rearranging':
      return { why: 'adding' };
    case 'joker-swap':
    case 'joker-meld-split':
    case 'joker-keep':
    case 'joker-new-meld':
      return { why: 'joker' };
    default:
      return { why: 'not-allowed' };
  }
}

/** The violations that a player cannot see by looking at the melds: those are worth their sentences. That a meld has to
 * stay together follows from its joker, which one sentence tells. */
export function worthTelling(violations: readonly ViolationSeen[]): ViolationSeen[] {
  const jokers = new Set(violations.filter(({ code }) => code === 'joker-swap').map(({ args }) => args.meld));
  return violations.filter(
    ({ code, args }) =>
      !['meld', 'lay-one', 'opening', 'conserve'].includes(code) &&
      !(code === 'joker-meld-split' && jokers.has(args.meld)),
  );
}
