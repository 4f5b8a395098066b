// Prints how many bytes of JavaScript and style the built page has, gzipped: file by file, and what it comes to.

import { readFileSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';

const BUILT = fileURLToPath(new URL('../../src/tilerummy/server/page/', import.meta.url));
const LANGUAGE = /^assets\/(en|fr|nl|de)-/;
/** What a language says on the screens that are not on the way to a game. */
const LATER = /^assets\/later-(en|fr|nl|de)-/;
const IMPORTED = /(?:from|import)\s*"\.\/([^"]+\.js)"/g;

/** @param {string} name */
const read = (name) => readFileSync(BUILT + name);
/** @param {number} bytes */
const kilo = (bytes) => `${(bytes / 1000).toFixed(1).padStart(7)} kB`;

const files = ['sw.js', ...readdirSync(`${BUILT}assets`).map((name) => `assets/${name}`)];
const sizes = new Map(
  files
    .filter((name) => /\.(js|css)$/.test(name))
    .map((name) => [name, gzipSync(read(name), { level: 9 }).length]),
);
const scripts = [...sizes.keys()].filter((name) => name.endsWith('.js'));

/** @param {Iterable<string>} names */
const weigh = (names) => [...names].reduce((sum, name) => sum + (sizes.get(name) ?? 0), 0);

/** What is loaded with some files, they included. @param {string[]} names */
function loaded(names) {
  const found = new Set(names);
  for (const name of found) {
    for (const [, other] of read(name).toString().matchAll(IMPORTED)) found.add(`assets/${other}`);
  }
  return found;
}

/** How much the longest of some texts weighs. @param {RegExp} texts */
const longest = (texts) => Math.max(...scripts.filter((name) => texts.test(name)).map((name) => weigh([name])));

/** The file of a screen. @param {string} screen */
const screen = (screen) => scripts.filter((name) => name.startsWith(`assets/${screen}-`));

const index = read('index.html').toString();
const first = scripts.filter((name) => index.includes(name));
const spoken = longest(LANGUAGE);
const later = longest(LATER);
const game = loaded([...first, ...screen('Home'), ...screen('Room'), ...screen('Play')]);
const page = scripts.filter((name) => !LANGUAGE.test(name) && !LATER.test(name));

for (const [name, bytes] of [...sizes].sort((a, b) => b[1] - a[1])) console.log(kilo(bytes), name);
console.log();
console.log(kilo(weigh(loaded(first)) + spoken), 'JavaScript before anything is seen, with the longest language');
console.log(kilo(weigh(game) + spoken), 'JavaScript from the first screen to a game');
console.log(kilo(weigh(page) + spoken + later), 'JavaScript of the whole page');
console.log(kilo(weigh(scripts)), 'JavaScript of the whole page in every language');
console.log(kilo(weigh([...sizes.keys()].filter((name) => name.endsWith('.css')))), 'style of the whole page');
