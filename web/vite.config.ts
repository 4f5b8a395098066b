import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vitest/config';
import { ahead } from './scripts/ahead.js';
import { messages } from './scripts/messages.js';
import { offline } from './scripts/offline.js';

const server = process.env.TILERUMMY_SERVER ?? 'http://127.0.0.1:8000';
// The server lets in only pages of its own host.
const proxied = { target: server, changeOrigin: true, headers: { origin: server } };

// What every screen needs.
const BASE = /node_modules|src\/(i18n|net|parts|\w+\.|game\/(tiles|rules)\.|table\/(Mark|Star|Tile)\.)/;

export default defineConfig({
  plugins: [messages(), svelte(), ahead('home', 'table'), offline()],
  server: {
    strictPort: true,
    proxy: { '/api': proxied, '/ws': { ...proxied, ws: true } },
    fs: { allow: ['..'] },
  },
  build: {
    target: ['chrome123', 'edge123', 'firefox125', 'safari17.5'],
    outDir: '../src/tilerummy/server/page',
    emptyOutDir: true,
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 250,
    rolldownOptions: {
      checks: { bundlerTimings: false },
      // One chunk of what every screen needs, one of the table and one of the first screen, rather than a dozen crumbs of
      // each: packed, they are smaller. Everything else comes with the screen that asks for it.
      output: {
        codeSplitting: {
          groups: [
            { name: 'base', priority: 2, test: BASE },
            { name: 'table', priority: 1, test: /src\/(game|play|table|screens\/Play)/ },
            { name: 'home', test: /src\/screens\/Home/ },
          ],
        },
      },
    },
  },
  test: {
    include: ['src/**/*.test.ts', 'scripts/**/*.test.ts'],
  },
});
