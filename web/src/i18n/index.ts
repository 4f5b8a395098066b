export * from './index.svelte';
export { capital, LANGUAGES, NO_RULEBOOK, unbroken } from './saying';
export type { Args, Group, Language, Wording } from './saying';
export type { Key } from './keys';
