import { vitePreprocess } from '@sveltejs/vite-plugin-svelte';

/** @type {import('@sveltejs/vite-plugin-svelte').SvelteConfig} */
export default {
  preprocess: vitePreprocess({ script: false }),
  compilerOptions: {
    runes: true,
    // Every element of the page has it, so it is short; the same style may well have the same name.
    cssHash: ({ hash, css }) => `s${hash(css).slice(0, 5)}`,
  },
};
