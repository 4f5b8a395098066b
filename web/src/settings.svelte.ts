/** What this device's people chose: kept in its storage, shown on <html>, so that style sheets can follow. */

import { LANGUAGES, type Language } from './i18n/saying';

const CHOICES = {
  language: LANGUAGES,
  theme: ['system', 'light', 'dark'],
  /** Every colour always has its mark; large ones help who goes by the mark alone. */
  marks: ['usual', 'large'],
  sound: ['on', 'off'],
  vibration: ['on', 'off'],
  /** Spoken prompts: at junior's tables, at every table, or never. */
  voice: ['junior', 'on', 'off'],
  motion: ['system', 'full', 'reduced'],
  /** The side of the table's actions. */
  hand: ['right', 'left'],
  tileSize: ['usual', 'small', 'large'],
} as const;

type Name = keyof typeof CHOICES;
export type Choice<N extends Name> = (typeof CHOICES)[N][number];
export type Theme = Choice<'theme'>;
export type Motion = Choice<'motion'>;

type Kept = { [N in Name]?: Choice<N> };

const PLACE = 'tilerummy.settings';

/** All that can be chosen for a setting, the usual first; of languages none is usual. */
export function choicesOf<N extends Name>(name: N): readonly Choice<N>[] {
  return CHOICES[name];
}

/** What of a stored text can be believed: anybody may have written it. */
export function readSettings(stored: string | null): Kept {
  let said: unknown;
  try {
    said = JSON.parse(stored ?? 'null');
  } catch {
    return {};
  }
  if (typeof said !== 'object' || said === null) return {};
  const known = Object.entries(said).filter(([name, value]) => {
    const choices: readonly unknown[] | undefined = Object.hasOwn(CHOICES, name) ? CHOICES[name as Name] : undefined;
    return choices?.includes(value);
  });
  return Object.fromEntries(known);
}

/** The first language of a browser's list that the page speaks. */
export function languageFor(wished: readonly string[]): Language {
  for (const wish of wished) {
    const found = LANGUAGES.find((lang) => lang === wish.toLowerCase().split('-')[0]);
    if (found) return found;
  }
  return 'en';
}

function stored(): string | null {
  try {
    return localStorage.getItem(PLACE);
  } catch {
    return null;
  }
}

class Settings {
  #kept = $state.raw<Kept>({});
  #wished: readonly string[] = [];
  #systemDark = $state(false);
  #systemCalm = $state(false);

  get language(): Language {
    return this.#kept.language ?? languageFor(this.#wished);
  }
  set language(value: Language) {
    this.#keep({ language: value });
  }

  get theme(): Theme {
    return this.#kept.theme ?? 'system';
  }
  set theme(value: Theme) {
    this.#keep({ theme: value });
  }

  get marks(): Choice<'marks'> {
    return this.#kept.marks ?? 'usual';
  }
  set marks(value: Choice<'marks'>) {
    this.#keep({ marks: value });
  }

  get sound(): boolean {
    return this.#kept.sound !== 'off';
  }
  set sound(on: boolean) {
    this.#keep({ sound: on ? 'on' : 'off' });
  }

  get vibration(): boolean {
    return this.#kept.vibration !== 'off';
  }
  set vibration(on: boolean) {
    this.#keep({ vibration: on ? 'on' : 'off' });
  }

  get voice(): Choice<'voice'> {
    return this.#kept.voice ?? 'junior';
  }
  set voice(value: Choice<'voice'>) {
    this.#keep({ voice: value });
  }

  get motion(): Motion {
    return this.#kept.motion ?? 'system';
  }
  set motion(value: Motion) {
    this.#keep({ motion: value });
  }

  get hand(): Choice<'hand'> {
    return this.#kept.hand ?? 'right';
  }
  set hand(value: Choice<'hand'>) {
    this.#keep({ hand: value });
  }

  get tileSize(): Choice<'tileSize'> {
    return this.#kept.tileSize ?? 'usual';
  }
  set tileSize(value: Choice<'tileSize'>) {
    this.#keep({ tileSize: value });
  }

  /** Whether it is dark, by choice or by the system's. */
  get dark(): boolean {
    return this.theme === 'system' ? this.#systemDark : this.theme === 'dark';
  }

  /** Whether things should move as little as possible, by choice or by the system's. */
  get calm(): boolean {
    return this.motion === 'system' ? this.#systemCalm : this.motion === 'reduced';
  }

  /** Read what is kept, and follow the system and this device's other tabs from now on. */
  start(): void {
    this.#kept = readSettings(stored());
    this.#wished = navigator.languages;
    follow('(prefers-color-scheme: dark)', (dark) => (this.#systemDark = dark));
    follow('(prefers-reduced-motion: reduce)', (calm) => (this.#systemCalm = calm));
    addEventListener('storage', (event) => {
      if (event.key === PLACE || event.key === null) this.#kept = readSettings(stored());
    });
  }

  /** Show the choices on <html>. */
  show(root: HTMLElement): void {
    root.lang = this.language;
    root.dataset.theme = this.dark ? 'dark' : 'light';
    root.dataset.motion = this.calm ? 'reduced' : 'full';
    root.dataset.marks = this.marks;
    root.dataset.hand = this.hand;
    root.dataset.tileSize = this.tileSize;
    // The bar around an installed page is of the felt that it meets.
    document.querySelector('meta[name="theme-color"]')?.setAttribute('content', this.dark ? '#0f2722' : '#1c4d41');
  }

  #keep(change: Kept): void {
    this.#kept = { ...this.#kept, ...change };
    try {
      localStorage.setItem(PLACE, JSON.stringify(this.#kept));
    } catch {
      // a device that keeps nothing still plays
    }
  }
}

function follow(query: string, tell: (matches: boolean) => void): void {
  const media = matchMedia(query);
  tell(media.matches);
  media.addEventListener('change', () => tell(media.matches));
}

export const settings = new Settings();
