import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { areas, compile, LANGUAGES, ownTexts, sharedTexts, SOON } from './messages.js';

type Text = string | string[] | Record<string, string>;

const SOURCE = fileURLToPath(new URL('../src/', import.meta.url));
const own = Object.entries(ownTexts());
/** A call whose arguments are written out; of one that passes something else on nothing can be said. */
const CALL = /\bt\(\s*'([^']+)'\s*(?:,\s*\{([^{}]*)\}\s*)?[,)]\s*(?!\w)/g;
/** What a ruleset tells by itself. */
const FIELDS = new Set(['fourth', 'jokers', 'numbers', 'opening', 'stars', 'copies', 'joker_value', 'joker_leaves']);

/** The forms of a text with their names, the name of what chooses among them included. */
function forms(text: Text): [string, string][] {
  return typeof text === 'string' ? [['', text]] : Object.entries(text);
}

const names = (text: Text): string[] => forms(text).map(([name]) => name);

function argumentsOf(text: Text): string[] {
  const asked = forms(text).flatMap(([name, form]) =>
    name === 'by' ? [form] : [...form.matchAll(/\{(\w+)[:}]/g)].map((match) => match[1] ?? ''),
  );
  return [...new Set(asked)].sort();
}

function sources(): { name: string; text: string }[] {
  return readdirSync(SOURCE, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(svelte|ts)$/.test(name) && !name.endsWith('.test.ts') && !name.endsWith('keys.ts'))
    .map((name) => ({ name, text: readFileSync(SOURCE + name, 'utf8') }));
}

/** The files that are there from the first screen to a game, with their texts: what is loaded later is none of them. */
function wayToGame(): Map<string, string> {
  const found = new Map<string, string>();
  const waiting = ['main.ts', 'App.svelte', 'screens/Home.svelte', 'screens/Room.svelte', 'screens/Play.svelte'];
  for (const name of waiting) {
    if (found.has(name)) continue;
    const text = readFileSync(SOURCE + name, 'utf8');
    found.set(name, text);
    for (const [, asked = ''] of text.matchAll(/^\s*(?:import|export)\b(?! type)[^'"`;]*'(\.[^']+)'/gm)) {
      const path = join(dirname(name), asked);
      const file = [path, `${path}.ts`, `${path}.svelte.ts`, `${path}/index.ts`].find(
        (one) => /\.(svelte|ts)$/.test(one) && existsSync(SOURCE + one),
      );
      if (file) waiting.push(file);
      else if (!/\.(css|svg)$/.test(asked)) throw new Error(`${name} asks for ${asked}`);
    }
  }
  return found;
}

describe('the texts of the page', () => {
  it('are there in every language, with the same arguments and forms', () => {
    for (const [key, texts] of own) {
      expect(Object.keys(texts).sort(), key).toEqual([...LANGUAGES].sort());
      for (const lang of LANGUAGES) {
        const text = texts[lang] ?? '';
        expect(argumentsOf(text), `${key} in ${lang}`).toEqual(argumentsOf(texts.en ?? ''));
        expect(names(text), `${key} in ${lang}`).toEqual(names(texts.en ?? ''));
        for (const [, form] of forms(text)) {
          expect(form, `${key} in ${lang}`).toMatch(/^\S(.*\S)?$/s);
        }
      }
    }
  });

  it('has French spaces that do not break', () => {
    for (const [key, texts] of own) {
      for (const [name, form] of forms(texts.fr ?? '')) {
        // As in tests/texts/test_files.py.
        if (name !== 'by') expect(form, key).not.toMatch(/«[^\u00a0]| [;:!?»]|[\p{L}\d}\]][;!?»]/u);
      }
    }
  });

  it('names only words that there are', () => {
    for (const lang of LANGUAGES) {
      const words = new Set(Object.keys(sharedTexts(lang).words));
      for (const [key, texts] of own) {
        const named = forms(texts[lang] ?? '').flatMap(([, form]) => [...form.matchAll(/\[([^\]]+)\]/g)]);
        for (const [, word = ''] of named) {
          expect(words, `${key} in ${lang}`).toContain(word.charAt(0).toLowerCase() + word.slice(1));
        }
      }
    }
  });

  it('has every key that the source asks for', () => {
    const keys = new Set(own.map(([key]) => key));
    const asked = sources().flatMap(({ name, text }) =>
      [...text.matchAll(/\bt\(\s*'([^']+)'/g)].map((match) => ({ name, key: match[1] ?? '' })),
    );
    expect(asked.filter(({ key }) => !keys.has(key))).toEqual([]);
    expect(asked.length).toBeGreaterThan(10);
  });

  it('has no key that nothing asks for', () => {
    const all = sources().map(({ text }) => text).join('\n');
    // Keys are also put together: `rules.step-${kind}`.
    const begun = [...all.matchAll(/`([\w-]+\.[\w-]*)\$\{/g)].map((match) => match[1] ?? '');
    const used = (key: string): boolean => all.includes(`'${key}'`) || begun.some((start) => key.startsWith(start));
    expect(own.map(([key]) => key).filter((key) => !used(key))).toEqual([]);
  });

  it('has what is said from the first screen to a game before the game', () => {
    const files = wayToGame();
    const key = new RegExp(`['"\`]((?:${areas().join('|')})\\.[a-z][\\w-]*)(['"\`]|\\$\\{)`, 'g');
    const keys = own.map(([one]) => one);
    const late = [...files].flatMap(([name, text]) =>
      [...text.matchAll(key)].flatMap(([, asked = '', end]) => {
        const said = keys.filter((one) => (end === '${' ? one.startsWith(asked) : one === asked));
        return said.filter((one) => !SOON.test(one)).map((one) => `${name}: ${one}`);
      }),
    );
    expect(late).toEqual([]);
    const known = ['entry/bots.ts', 'play/Panels.svelte', 'parts/Button.svelte', 'screens/Rules.svelte'];
    expect(known.map((name) => files.has(name))).toEqual([true, true, true, false]);
  });

  it('gets every argument that it names', () => {
    const texts = new Map(own);
    const short = sources().flatMap(({ name, text }) =>
      [...text.matchAll(CALL)].flatMap(([all, key = '', said]) => {
        if (said === undefined && !all.trimEnd().endsWith(')')) return [];
        if (said?.includes('...')) return [];
        const given = new Set([...(said ?? '').matchAll(/(?:^|,)\s*'?(\w+)/g)].map((match) => match[1]));
        const asked = argumentsOf(texts.get(key)?.en ?? '');
        const missing = asked.filter((argument) => !given.has(argument) && !FIELDS.has(argument));
        return missing.map((argument) => `${name}: ${key} needs ${argument}`);
      }),
    );
    expect(short).toEqual([]);
  });

  it('says whose words it wants wherever it has some of a rulebook', () => {
    const worded = own.filter(([, texts]) => LANGUAGES.some((lang) => JSON.stringify(texts[lang]).includes('[')));
    const bare = sources().flatMap(({ name, text }) =>
      [...text.matchAll(/\bt\(\s*(?:'([^']+)'|`([^`$]+)\$\{[^`]*`(?: as Key)?)\s*(?:,\s*\{[^{}]*\}\s*)?\)/g)].flatMap(
        ([call, key, begun]) => {
          const of = worded.filter(([one]) => (key === undefined ? one.startsWith(begun ?? '') : one === key));
          return of.length > 0 ? [`${name}: ${call}`] : [];
        },
      ),
    );
    expect(bare).toEqual([]);
  });

  it('has no straight apostrophe', () => {
    for (const [key, texts] of own) {
      for (const lang of LANGUAGES) {
        for (const [, form] of forms(texts[lang] ?? '')) expect(form, `${key} in ${lang}`).not.toContain("'");
      }
    }
  });

  it('has no inline style, which the server forbids', () => {
    const styled = sources().filter(({ name, text }) => name.endsWith('.svelte') && /\sstyle="[^{]/.test(text));
    expect(styled.map(({ name }) => name)).toEqual([]);
  });
});

describe('the compiler', () => {
  it('leaves a plain text alone', () => {
    expect(compile('Play')).toBe('"Play"');
  });

  it('fills in words, arguments and plurals', () => {
    expect(compile('[Tile] {name}')).toBe("c=>`${c.W(\"tile\")} ${c.a('name')}`");
    expect(compile('{count:[tile]|[tiles]}')).toBe("c=>`${c.n('count')?`${c.w(\"tile\")}`:`${c.w(\"tiles\")}`}`");
    expect(compile('{laid}: {laid}')).toBe("c=>`${c.U(c.t('laid'))}: ${c.t('laid')}`");
  });

  it('writes no code that a text brings', () => {
    expect(compile('`${alert(1)}` \\ {name}')).toBe("c=>`\\`\\${alert(1)}\\` \\\\ ${c.a('name')}`");
  });

  it('chooses among forms', () => {
    expect(compile({ by: 'kind', run: 'A', group: 'B {n}' })).toBe(
      "c=>c.f('kind',{\"run\":\"A\",\"group\":c=>`B ${c.a('n')}`})",
    );
    expect(compile(['A', '{missing}.'])).toBe("c=>c.l([[[],\"A\"],[[\"missing\"],c=>`${c.U(c.t('missing'))}.`]])");
  });
});
