export * from './index.svelte';
export { capital, LANGUAGES, NO_RULEBOOK, type Args, type Group, type Language, type Wording } from './saying';
export type { Key } from './keys';
