/** The screens, each of which is loaded when it is first shown. */

import type { Component } from 'svelte';
import { withTexts } from './i18n';
import type { Route } from './route';

export type Screen = Component<Record<string, unknown>>;

const SCREENS: Readonly<Record<Route['screen'], () => Promise<{ default: unknown }>>> = {
  home: () => import('./screens/Home.svelte'),
  make: () => withTexts(import('./screens/Make.svelte')),
  join: () => withTexts(import('./screens/Join.svelte')),
  room: () => import('./screens/Room.svelte'),
  rules: () => withTexts(import('./screens/Rules.svelte')),
  solver: () => withTexts(import('./screens/Solver.svelte')),
  settings: () => withTexts(import('./screens/Settings.svelte')),
  link: () => withTexts(import('./screens/Link.svelte')),
  'not-found': () => withTexts(import('./screens/NotFound.svelte')),
};

/** The screen of a route; its properties are what the route has besides the name. */
export async function loadScreen(name: Route['screen']): Promise<Screen> {
  const loaded = await SCREENS[name]();
  return loaded.default as Screen;
}
