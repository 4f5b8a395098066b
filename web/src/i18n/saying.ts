/**
 * What is said with the compiled texts of one language, by the rules of the program's own `texts/saying.py`.
 *
 * A compiled text is a string, or a function of a context that fills in the rulebook's words, the arguments and the
 * fields of the ruleset.
 */

import { colourOf, isJoker, numberOf, readFace, readMeld, type Colour, type Tile } from '../game/tiles';
import type { Rules } from '../game/rules';

export const LANGUAGES = ['en', 'fr', 'nl', 'de'] as const;
export type Language = (typeof LANGUAGES)[number];
export type Group = 'violations' | 'short' | 'refusals' | 'events' | 'steps' | 'phrases';
export type Args = Readonly<Record<string, unknown>>;
/** A ruleset as far as sentences need it: whose words, and the fields that a text may name. */
export type Wording = Pick<Rules, 'id' | 'fourthColour'> & Partial<Rules>;

export type Message = string | ((context: Context) => string);
type Table = Readonly<Record<string, Message>>;

/** All texts of a language, as the compiler of messages writes them. */
export interface Messages {
  readonly lang: Language;
  readonly words: Table;
  readonly books: Readonly<Record<string, Table>>;
  readonly colours: Readonly<Record<string, { readonly name: string; readonly 'of a tile': string }>>;
  readonly tiles: Readonly<Record<'name' | 'joker' | 'the' | 'and' | 'or', string>>;
  readonly shared: Readonly<Record<Group, Table>>;
  readonly own: Table;
}

/** What is said where no table is near: everybody's words. */
export const NO_RULEBOOK: Wording = { id: '', fourthColour: 'yellow' };

const SENTENCES = ['violations', 'refusals', 'events', 'steps'] as const;

/** A text, filled. */
export function fill(message: Message, args: Args, rules: Wording, messages: Messages): string {
  return typeof message === 'string' ? message : message(new Context(messages, rules, args));
}

/** A sentence of the page's own; its key is that of an area's file. */
export function ownSentence(key: string, args: Args, rules: Wording, messages: Messages): string {
  return fill(found(messages.own, key, messages), args, rules, messages);
}

/** A sentence that program and page share. */
export function sharedSentence(group: Group, code: string, args: Args, rules: Wording, messages: Messages): string {
  return fill(found(messages.shared[group], code, messages), args, rules, messages);
}

/** What a violation, refusal, event or step says, whichever of them the code belongs to. */
export function anySentence(code: string, args: Args, rules: Wording, messages: Messages): string {
  const group = SENTENCES.find((one) => code in messages.shared[one]) ?? SENTENCES[0];
  return sharedSentence(group, code, args, rules, messages);
}

/** The rulebook's own word: `run` is a séquence, a suite, a série or a combinaison. */
export function wordOf(key: string, rules: Wording, messages: Messages): string {
  const own = messages.books[rules.id];
  return fill(own?.[key] ?? found(messages.words, key, messages), {}, rules, messages);
}

/** A colour as people say it; the rulebook decides what the fourth one is called. */
export function colourName(colour: Colour, rules: Wording, messages: Messages): string {
  return colourTexts(colour, rules, messages).name;
}

/** A tile as people say it, `red 5`; its copy and what a joker stands for are left out. Also a face: `r5`, `5`. */
export function tileName(which: Tile, rules: Wording, messages: Messages): string {
  const written = which.split('=')[0]?.replace(/'+$/, '') ?? '';
  if (written === 'j') return messages.tiles.joker;
  const face = readFace(written);
  return face.colour ? coloured(face.colour, String(face.number), rules, messages) : String(face.number);
}

/** Some tiles as people say them: `red 5-6-7, black 3, joker`. */
export function tilesName(written: string, rules: Wording, messages: Messages): string {
  const said: { colour: Colour | null; numbers: number[] }[] = [];
  for (const { tile } of readMeld(written)) {
    const last = said.at(-1);
    const colour = colourOf(tile);
    const number = numberOf(tile) ?? 0;
    if (last && colour && last.colour === colour && last.numbers.at(-1) === number - 1) last.numbers.push(number);
    else said.push({ colour, numbers: [number] });
  }
  return said
    .map(({ colour, numbers: some }) =>
      colour ? coloured(colour, some.join('-'), rules, messages) : messages.tiles.joker,
    )
    .join(', ');
}

/** A meld as people say it, also one that is none: `red 5-6-joker`, or `red 5, black 5, joker`. */
export function meldName(written: string, rules: Wording, messages: Messages): string {
  const tiles = readMeld(written).map((piece) => piece.tile);
  const colours = new Set(tiles.flatMap((tile) => colourOf(tile) ?? []));
  const [colour] = colours;
  if (colours.size !== 1 || colour === undefined || tiles.length < 2) return tilesName(written, rules, messages);
  const said = tiles.map((tile) => (isJoker(tile) ? messages.tiles.joker : String(numberOf(tile))));
  return coloured(colour, said.join('-'), rules, messages);
}

/** A list as people say it: `red, blue and black`. */
export function listOf(some: readonly string[], messages: Messages, last: 'and' | 'or' = 'and'): string {
  if (some.length < 2) return some.join('');
  return some.slice(0, -1).join(', ') + messages.tiles[last] + (some.at(-1) ?? '');
}

/** A text to be shown: a run that is named by its numbers, `red 5-6-7`, stays on one line; addresses are left alone. */
export function unbroken(text: string): string {
  return text.replace(/(?:^|[\s(])[\p{L}\d]+(?:-[\p{L}\d]+)+/gu, (run) => run.replaceAll('-', '-\u2060'));
}

export function capital(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}

/** What a compiled text asks for; the names are short because every text of every language has them in it. */
class Context {
  constructor(
    private readonly messages: Messages,
    private readonly rules: Wording,
    private readonly args: Args,
  ) {}

  /** The rulebook's word. */
  w(key: string): string {
    const own = this.messages.books[this.rules.id]?.[key] ?? found(this.messages.words, key, this.messages);
    return typeof own === 'string' ? own : own(this);
  }

  /** The same at the beginning of a sentence. */
  W(key: string): string {
    return capital(this.w(key));
  }

  /** Whether a number takes the singular. */
  n(name: string): boolean {
    const count = Math.abs(Number(this.value(name)));
    return this.messages.lang === 'fr' ? count < 2 : count === 1;
  }

  /** An argument as it is. */
  a(name: string): string {
    return String(this.value(name));
  }

  /** Tiles. */
  t(name: string): string {
    return tilesName(this.a(name), this.rules, this.messages);
  }

  /** A meld. */
  m(name: string): string {
    return meldName(this.a(name), this.rules, this.messages);
  }

  /** One of several tiles. */
  e(name: string): string {
    const { the } = this.messages.tiles;
    const some = this.a(name).split(/\s+/).filter((tile) => tile !== '');
    const named = some.map((tile) => the.replace('{tile}', tileName(tile, this.rules, this.messages)));
    return listOf(named, this.messages, 'or');
  }

  /** Choices in notation. */
  o(name: string): string {
    return this.a(name).replaceAll(' / ', this.messages.tiles.or);
  }

  /** A text that begins a sentence. */
  U(text: string): string {
    return capital(text);
  }

  /** The form that an argument chooses. */
  f(by: string, forms: Table): string {
    const form = found(forms, this.a(by), this.messages);
    return typeof form === 'string' ? form : form(this);
  }

  /** Those sentences of which no argument is empty. */
  l(sentences: readonly (readonly [readonly string[], Message])[]): string {
    return sentences
      .filter(([names]) => names.every((name) => this.known(name) !== ''))
      .map(([, message]) => (typeof message === 'string' ? message : message(this)))
      .join(' ');
  }

  private known(name: string): unknown {
    if (name === 'fourth') return colourTexts('y', this.rules, this.messages).name;
    if (name in this.args) return this.args[name];
    const field = name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
    return field in this.rules ? this.rules[field as keyof Wording] : undefined;
  }

  private value(name: string): unknown {
    const value = this.known(name);
    if (value === undefined || value === null) return missing(`argument ${name}`, this.messages);
    return value;
  }
}

export type { Context };

function coloured(colour: Colour, number: string, rules: Wording, messages: Messages): string {
  const name = colourTexts(colour, rules, messages)['of a tile'];
  return messages.tiles.name.replace('{colour}', name).replace('{number}', number);
}

function colourTexts(colour: Colour, rules: Wording, messages: Messages): { name: string; 'of a tile': string } {
  const key = colour === 'y' ? rules.fourthColour : colour;
  return messages.colours[key] ?? { name: key, 'of a tile': key };
}

function found(table: Table, key: string, messages: Messages): Message {
  return table[key] ?? missing(key, messages);
}

/** A text that is not there is a mistake of ours: tests stop at it, a game goes on with its code in its place. */
function missing(what: string, messages: Messages): string {
  if (!import.meta.env.PROD) throw new Error(`No text for ${what} in ${messages.lang}`);
  return what;
}
