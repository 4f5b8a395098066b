/** What to tell people when the server says no, or nothing. */

import { t } from '../i18n';
import { ApiError } from '../net/api';

/** A sentence for whatever went wrong with a request. */
export function problemText(error: unknown): string {
  if (!(error instanceof ApiError)) throw error;
  if (error.status === 0) return t('home.offline');
  if (error.status === 429) return t('home.slow-down');
  switch (error.code) {
    case 'bad-name':
      return t('home.bad-name');
    case 'full':
      return t('home.full');
    case 'too-many':
      return t('settings.too-many');
    default:
      return t('home.failed');
  }
}

/** A sentence for a table that cannot be joined. */
export function joinProblem(error: unknown, code: string): string {
  if (!(error instanceof ApiError)) throw error;
  if (error.status === 404) return t('join.not-found', { code });
  if (error.status === 429) return t('join.guessing');
  if (error.code === 'was-removed') return t('join.was-removed');
  if (error.code === 'no-spectators') return t('join.no-spectators');
  return problemText(error);
}
