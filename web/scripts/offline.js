// Builds the worker of the offline shell, and tells it what it keeps: the address of every file that the page may need.

import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const WORKER = fileURLToPath(new URL('../worker/worker.ts', import.meta.url));
const ALWAYS = ['icon.svg', 'manifest.webmanifest'];
/** Letters that few names need are fetched when they are. */
const SELDOM = /latin-ext/;

/** The Vite plugin. @returns {import('vite').Plugin} */
export function offline() {
  let folder = '';
  return {
    name: 'offline',
    apply: 'build',
    enforce: 'post',
    configResolved(config) {
      folder = config.publicDir;
    },
    buildStart() {
      this.emitFile({ type: 'chunk', id: WORKER, fileName: 'sw.js' });
    },
    generateBundle(_, bundle) {
      const names = Object.keys(bundle).filter((name) => name.startsWith('assets/') && !SELDOM.test(name)).sort();
      const files = [...names, ...ALWAYS].map((name) => `/${name}`);
      const index = bundle['index.html'];
      const hash = createHash('sha256').update(names.join());
      if (index?.type === 'asset') hash.update(index.source);
      for (const name of ALWAYS) hash.update(readFileSync(`${folder}/${name}`));
      const worker = bundle['sw.js'];
      if (worker?.type !== 'chunk' || worker.imports.length > 0) this.error('the worker has to be one file');
      const known = `const VERSION=${JSON.stringify(hash.digest('hex').slice(0, 12))},FILES=${JSON.stringify(files)};`;
      worker.code = known + worker.code.replace(/export\s*\{\s*\};?/, '');
    },
  };
}
