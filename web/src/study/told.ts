/** What is wrong with an entered position, in words. */

import { say, t } from '../i18n';
import type { Rules } from '../game/rules';
import type { Problem } from './position';

export function toldProblem(problem: Problem, rules: Rules): string {
  switch (problem.code) {
    case 'unreadable':
      return t('solver.unreadable', { word: problem.word }, rules);
    case 'too-many':
      return t('solver.too-many', { tile: problem.tile, most: problem.most }, rules);
    case 'not-in-set':
      return t('solver.not-in-set', { tile: problem.tile }, rules);
    case 'too-many-melds':
      return t('solver.too-many-melds', {}, rules);
    case 'meld': {
      const reason = say('short', problem.broken.reason, problem.broken.args, rules);
      return t('solver.bad-meld', { number: problem.meld + 1, reason }, rules);
    }
  }
}
