import type { Language } from '../i18n';

/** Each language in its own words, so that whoever cannot read the page finds theirs. */
export const LANGUAGE_NAMES: Readonly<Record<Language, string>> = {
  en: 'English',
  fr: 'Français',
  nl: 'Nederlands',
  de: 'Deutsch',
};
