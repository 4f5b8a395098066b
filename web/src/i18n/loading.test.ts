import { beforeEach, describe, expect, it, vi } from 'vitest';

const SOON = 'shell.back';
const LATER = 'rules.title';

let i18n: typeof import('.');

/** Texts that come when they are told to. */
function slow(name: string): { come: () => void; fail: () => void } {
  let come = (): void => undefined;
  let fail = (): void => undefined;
  const gate = new Promise<void>((resolve, reject) => {
    come = resolve;
    fail = () => reject(new Error('offline'));
  });
  gate.catch(() => undefined);
  vi.doMock(`virtual:messages/${name}`, async (original) => {
    await gate;
    return original<object>();
  });
  return { come, fail };
}

beforeEach(async () => {
  vi.resetModules();
  for (const lang of ['en', 'fr', 'nl', 'de']) {
    vi.doUnmock(`virtual:messages/${lang}`);
    vi.doUnmock(`virtual:messages/later-${lang}`);
  }
  i18n = await import('.');
});

describe('the texts of a language', () => {
  it('are those of the way to a game, until a screen says more', async () => {
    await i18n.loadLanguage('en');
    expect(i18n.t(SOON)).toBe('Back');
    expect(() => i18n.t(LATER)).toThrow(LATER);

    expect(await i18n.withTexts(Promise.resolve('screen'))).toBe('screen');
    expect(i18n.t(LATER)).toBe('The rules');
    expect(i18n.t(SOON)).toBe('Back');
  });

  it('are all there for a page that begins at another screen', async () => {
    const screen = i18n.withTexts(Promise.resolve('screen'));
    await i18n.loadLanguage('de');
    await screen;
    expect(i18n.t(LATER)).toBe('Die Regeln');
  });

  it('are taken whole in the next language too', async () => {
    await i18n.loadLanguage('en');
    await i18n.withTexts(Promise.resolve());
    await i18n.loadLanguage('fr');
    expect([i18n.language(), i18n.t(LATER)]).toEqual(['fr', 'Les règles']);
  });

  it('keep a screen waiting', async () => {
    const later = slow('later-en');
    await i18n.loadLanguage('en');
    let shown = false;
    const screen = i18n.withTexts(Promise.resolve()).then(() => (shown = true));
    await new Promise((resolve) => setTimeout(resolve));
    expect(shown).toBe(false);
    later.come();
    await screen;
    expect(i18n.t(LATER)).toBe('The rules');
  });

  it('are those of the last language that was asked for, when a screen is shown', async () => {
    const later = slow('later-en');
    await i18n.loadLanguage('en');
    const screen = i18n.withTexts(Promise.resolve());
    const language = i18n.loadLanguage('nl');
    later.come();
    await screen;
    expect([i18n.language(), i18n.t(LATER)]).toEqual(['nl', 'De regels']);
    await language;
    expect(i18n.language()).toBe('nl');
  });

  it('are whole for a screen that comes while the language does', async () => {
    const french = slow('fr');
    await i18n.loadLanguage('en');
    const language = i18n.loadLanguage('fr');
    const screen = i18n.withTexts(Promise.resolve());
    french.come();
    await language;
    expect([i18n.language(), i18n.t(LATER)]).toEqual(['fr', 'Les règles']);
    await screen;
  });

  it('stay as they are where a language does not come', async () => {
    const french = slow('fr');
    await i18n.loadLanguage('en');
    const language = i18n.loadLanguage('fr');
    french.fail();
    await expect(language).rejects.toThrow();
    await i18n.withTexts(Promise.resolve());
    expect([i18n.language(), i18n.t(LATER)]).toEqual(['en', 'The rules']);
  });

  it('fail with the screen that needs them', async () => {
    slow('later-en').fail();
    await i18n.loadLanguage('en');
    await expect(i18n.withTexts(Promise.resolve())).rejects.toThrow();
    expect(i18n.t(SOON)).toBe('Back');
  });
});
