import { describe, expect, it } from 'vitest';
import { routeOf } from './route';

describe('routeOf', () => {
  it.each([
    ['/', { screen: 'home' }],
    ['/new', { screen: 'make' }],
    ['/new/', { screen: 'make' }],
    ['/join', { screen: 'join', code: null }],
    ['/join/KMPR7', { screen: 'join', code: 'KMPR7' }],
    ['/room/hT3kQ0aXw2Zs', { screen: 'room', id: 'hT3kQ0aXw2Zs' }],
    ['/rules', { screen: 'rules', ruleset: null }],
    ['/rules/junior-simplified', { screen: 'rules', ruleset: 'junior-simplified' }],
    ['/solver', { screen: 'solver' }],
    ['/settings', { screen: 'settings' }],
  ])('%s', (path, route) => {
    expect(routeOf(path)).toEqual(route);
  });

  it('finds the token of a link behind the hash, where no server sees it', () => {
    expect(routeOf('/link', '#abc_-1')).toEqual({ screen: 'link', token: 'abc_-1' });
    expect(routeOf('/link')).toEqual({ screen: 'link', token: '' });
  });

  it.each(['/room', '/nothing', '/new/x', '/rules/a/b', '/join/%3Cb%3E', '/room/a.b', '/settings/x'])(
    'does not know %s',
    (path) => {
      expect(routeOf(path)).toEqual({ screen: 'not-found' });
    },
  );
});
