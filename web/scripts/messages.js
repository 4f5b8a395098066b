// The page's texts, compiled: two modules of strings and small functions a language, by the rules of
// src/tilerummy/texts/saying.py. A Vite plugin serves them: `virtual:messages/en` has what is said from the first screen
// to a game, `virtual:messages/later-en` what only other screens say.

import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * A sentence, sentences of which some are said, or forms.
 * @typedef {string | string[] | {[form: string]: string}} Text
 */

export const LANGUAGES = ['en', 'fr', 'nl', 'de'];
/** What the page says itself; the rules are told by the server, and the terminal is none of its business. */
export const GROUPS = ['violations', 'short', 'refusals', 'events', 'steps', 'phrases'];
/** The page's own texts that are asked for from the first screen to a game; a test looks that none is forgotten. */
export const SOON = /^(home|join|net|shell|table)\.|^make\.(race$|bot-)|^settings\.(language|sound|too-many|voice)$/;

const OWN = fileURLToPath(new URL('../texts/', import.meta.url));
const SHARED = fileURLToPath(new URL('../../src/tilerummy/texts/', import.meta.url));
const KEYS = fileURLToPath(new URL('../src/i18n/keys.ts', import.meta.url));
const VIRTUAL = 'virtual:messages/';
const LATER = 'later-';

/** How some arguments are told: tiles, a meld, either of some tiles, choices. @type {Record<string, string>} */
const KINDS = {
  foreign: 't',
  laid: 't',
  missing: 't',
  tile: 't',
  landing: 'm',
  meld: 'm',
  needs: 'e',
  choices: 'o',
};
const PART = /\[([^\]]+)\]|\{(\w+):([^|{}]*)\|([^|{}]*)\}|\{(\w+)\}/g;

/** @param {string} path @returns {any} */
const read = (path) => JSON.parse(readFileSync(path, 'utf8'));

/** The names of the areas, which are the names of their files. */
export function areas() {
  return readdirSync(OWN).filter((name) => name.endsWith('.json')).map((name) => basename(name, '.json')).sort();
}

/** The page's own texts: by key, then by language. @returns {Record<string, Record<string, Text>>} */
export function ownTexts() {
  const own = areas().flatMap((area) => {
    const texts = Object.entries(read(join(OWN, `${area}.json`)));
    return texts.map(([key, text]) => [`${area}.${key}`, text]);
  });
  return Object.fromEntries(own);
}

/** All texts that the program and the page share, of a language. @param {string} lang @returns {any} */
export function sharedTexts(lang) {
  return read(join(SHARED, `${lang}.json`));
}

/** A string as the inside of a template literal. @param {string} text */
const literal = (text) => text.replace(/[`\\]|\$\{/g, (sign) => `\\${sign}`);

/** @param {string} text @returns {string} the inside of a template literal */
function template(text) {
  let written = '';
  let last = 0;
  for (const match of text.matchAll(PART)) {
    const [all, word, count, one = '', many = '', name = ''] = match;
    written += literal(text.slice(last, match.index));
    last = match.index + all.length;
    if (word !== undefined) {
      const key = JSON.stringify(word.charAt(0).toLowerCase() + word.slice(1));
      written += word.charAt(0) === word.charAt(0).toLowerCase() ? `\${c.w(${key})}` : `\${c.W(${key})}`;
    } else if (count !== undefined) {
      written += `\${c.n('${count}')?\`${template(one)}\`:\`${template(many)}\`}`;
    } else {
      const kind = KINDS[name] ?? 'a';
      const said = `c.${kind}('${name}')`;
      written += written === '' && (kind === 't' || kind === 'm') ? `\${c.U(${said})}` : `\${${said}}`;
    }
  }
  return written + literal(text.slice(last));
}

/** @param {string} text */
const plain = (text) => text.search(PART) < 0;

/** @param {string} text */
const sentence = (text) => (plain(text) ? JSON.stringify(text) : `c=>\`${template(text)}\``);

/** A text as an expression: a string, or a function of a context. @param {Text} text @returns {string} */
export function compile(text) {
  if (typeof text === 'string') return sentence(text);
  if (Array.isArray(text)) {
    const said = text.map((form) => {
      const names = [...form.matchAll(/\{(\w+)\}/g)].map((match) => match[1]);
      return `[${JSON.stringify(names)},${sentence(form)}]`;
    });
    return `c=>c.l([${said.join()}])`;
  }
  const { by, ...forms } = text;
  return `c=>c.f('${by}',${table(forms)})`;
}

/** @param {Record<string, Text>} texts */
const table = (texts) =>
  `{${Object.entries(texts).map(([key, text]) => `${JSON.stringify(key)}:${compile(text)}`).join(',')}}`;

/** Its own texts in a language: those that are said soon, or the others. @param {string} lang @param {boolean} soon */
function ownTextsIn(lang, soon) {
  const own = Object.entries(ownTexts()).filter(([key]) => SOON.test(key) === soon);
  return Object.fromEntries(own.flatMap(([key, text]) => (text[lang] === undefined ? [] : [[key, text[lang]]])));
}

/** The module of a language. @param {string} lang */
export function compileLanguage(lang) {
  const shared = sharedTexts(lang);
  const books = Object.entries(shared.books).map(([id, words]) => `${JSON.stringify(id)}:${table(words)}`);
  return `export default {
lang:${JSON.stringify(lang)},
words:${table(shared.words)},
books:{${books.join(',')}},
colours:${JSON.stringify(shared.colours)},
tiles:${JSON.stringify(shared.tiles)},
shared:{${GROUPS.map((group) => `${group}:${table(shared[group])}`).join(',\n')}},
own:${table(ownTextsIn(lang, true))}
};
`;
}

/** The module of what a language says later. @param {string} lang */
export function compileLater(lang) {
  return `export default ${table(ownTextsIn(lang, false))};\n`;
}

/** Write the type of all keys; the file is not kept in the repository. */
export function writeKeys() {
  const keys = Object.keys(ownTexts());
  const written = [
    '// Generated from web/texts by scripts/messages.js; do not edit.',
    '',
    'export type Key =',
    ...keys.map((key, index) => `  | '${key}'${index === keys.length - 1 ? ';' : ''}`),
    '',
  ].join('\n');
  mkdirSync(new URL('../src/i18n/', import.meta.url), { recursive: true });
  let before = '';
  try {
    before = readFileSync(KEYS, 'utf8');
  } catch {
    // it is written for the first time
  }
  if (before !== written) writeFileSync(KEYS, written);
}

/** The Vite plugin. @returns {import('vite').Plugin} */
export function messages() {
  return {
    name: 'messages',
    buildStart() {
      writeKeys();
    },
    resolveId(id) {
      return id.startsWith(VIRTUAL) ? `\0${id}` : undefined;
    },
    load(id) {
      if (!id.startsWith(`\0${VIRTUAL}`)) return undefined;
      const name = id.slice(VIRTUAL.length + 1);
      const later = name.startsWith(LATER);
      const lang = later ? name.slice(LATER.length) : name;
      for (const area of areas()) this.addWatchFile(join(OWN, `${area}.json`));
      this.addWatchFile(join(SHARED, `${lang}.json`));
      return later ? compileLater(lang) : compileLanguage(lang);
    },
    hotUpdate({ file }) {
      if (!file.startsWith(OWN) && !file.startsWith(SHARED)) return undefined;
      writeKeys();
      const graph = this.environment.moduleGraph;
      for (const lang of LANGUAGES) {
        for (const name of [lang, LATER + lang]) {
          const module = graph.getModuleById(`\0${VIRTUAL}${name}`);
          if (module) graph.invalidateModule(module);
        }
      }
      this.environment.hot.send({ type: 'full-reload' });
      return [];
    },
  };
}
