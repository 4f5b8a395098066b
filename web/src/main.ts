import { mount } from 'svelte';
import './style/tokens.css';
import './style/base.css';
import App from './App.svelte';
import { loadLanguage } from './i18n';
import { startOffline } from './offline.svelte';
import { route, startRouting } from './route';
import { loadScreen } from './screens';
import { settings } from './settings.svelte';

settings.start();
settings.show(document.documentElement);
startRouting();

const app = document.getElementById('app');
// Both are on their way at the same time; whether the screen arrives is told by the shell.
loadScreen(route.now.screen).catch(() => undefined);
try {
  await loadLanguage(settings.language);
  if (app) mount(App, { target: app });
  startOffline();
} catch {
  // Without any text there is one thing left to offer, in no language.
  const again = document.createElement('button');
  again.textContent = 'tilerummy ↻';
  again.addEventListener('click', () => location.reload());
  app?.replaceChildren(again);
}
