/** The texts of the chosen language. Whatever is said with these functions in a component follows the language. */

import type { Colour, Tile } from '../game/tiles';
import type { Key } from './keys';
import * as saying from './saying';
import { NO_RULEBOOK, type Args, type Group, type Language, type Messages, type Wording } from './saying';

/** What is said from the first screen to a game. */
const LOADERS: Readonly<Record<Language, () => Promise<{ default: Messages }>>> = {
  en: () => import('virtual:messages/en'),
  fr: () => import('virtual:messages/fr'),
  nl: () => import('virtual:messages/nl'),
  de: () => import('virtual:messages/de'),
};

/** What only other screens say. */
const LATER: Readonly<Record<Language, () => Promise<{ default: Messages['own'] }>>> = {
  en: () => import('virtual:messages/later-en'),
  fr: () => import('virtual:messages/later-fr'),
  nl: () => import('virtual:messages/later-nl'),
  de: () => import('virtual:messages/later-de'),
};

const LOCALES: Readonly<Record<Language, string>> = { en: 'en-GB', fr: 'fr-FR', nl: 'nl-NL', de: 'de-DE' };

let messages = $state.raw<Messages | null>(null);
let wanted: Language | null = null;
/** Whether some screen says what is not said on the way to a game; every language is then taken whole. */
let whole = false;

/** Take the texts of a language; the texts before stay until they are here. */
export async function loadLanguage(lang: Language): Promise<void> {
  wanted = lang;
  await take(lang);
}

/** A screen that says what is not said on the way to a game: it is here when its texts are. */
export async function withTexts<Loaded>(screen: Promise<Loaded>): Promise<Loaded> {
  whole = true;
  // At the very beginning the page waits for its language anyhow.
  const [loaded] = await Promise.all([screen, wanted && take(wanted)]);
  return loaded;
}

async function take(lang: Language): Promise<void> {
  const all = whole;
  try {
    const [{ default: texts }, later] = await Promise.all([LOADERS[lang](), all ? LATER[lang]() : null]);
    // Nothing on the screen has asked for any of these yet, so nothing needs to be told that they are there.
    Object.assign(texts.own, later?.default);
    if (wanted === lang && whole === all) messages = texts;
  } catch (error) {
    if (wanted === lang && messages) wanted = messages.lang;
    throw error;
  }
  // Perhaps something else was asked for meanwhile: who waits for texts shall find those.
  if (wanted && (wanted !== lang || whole !== all)) await take(wanted);
}

/** The language of the texts that are shown, which may differ from the wish while they are on their way. */
export function language(): Language {
  return now().lang;
}

/** The locale for numbers, dates and voices. */
export function locale(): string {
  return LOCALES[now().lang];
}

/** A sentence of the page: `t('home.play-now')`. */
export function t(key: Key, args: Args = {}, rules: Wording = NO_RULEBOOK): string {
  return saying.ownSentence(key, args, rules, now());
}

/** A sentence that the program shares with the page: `say('violations', 'lay-one', {}, rules)`. */
export function say(group: Group, code: string, args: Args = {}, rules: Wording = NO_RULEBOOK): string {
  return saying.sharedSentence(group, code, args, rules, now());
}

/** What a violation, refusal, event or step says, whichever the code belongs to. */
export function sentence(code: string, args: Args = {}, rules: Wording = NO_RULEBOOK): string {
  return saying.anySentence(code, args, rules, now());
}

/** The rulebook's own word for a `run`, `group`, `meld`, `tile`, `rack`, `pool`, `round` … */
export function word(key: string, rules: Wording = NO_RULEBOOK): string {
  return saying.wordOf(key, rules, now());
}

/** A colour as people say it: `red`. */
export function colourName(colour: Colour, rules: Wording = NO_RULEBOOK): string {
  return saying.colourName(colour, rules, now());
}

/** A tile as people say it: `red 5`. */
export function tileName(tile: Tile, rules: Wording = NO_RULEBOOK): string {
  return saying.tileName(tile, rules, now());
}

/** Tiles as people say them: `red 5-6-7, black 3, joker`. */
export function tilesName(tiles: string | readonly Tile[], rules: Wording = NO_RULEBOOK): string {
  return saying.tilesName(typeof tiles === 'string' ? tiles : tiles.join(' '), rules, now());
}

/** A meld as people say it: `red 5-6-joker`. */
export function meldName(tiles: string | readonly Tile[], rules: Wording = NO_RULEBOOK): string {
  return saying.meldName(typeof tiles === 'string' ? tiles : tiles.join(' '), rules, now());
}

/** A list as people say it: `red, blue and black`. */
export function listOf(some: readonly string[], last: 'and' | 'or' = 'and'): string {
  return saying.listOf(some, now(), last);
}

function now(): Messages {
  if (!messages) throw new Error('No language is loaded');
  return messages;
}
