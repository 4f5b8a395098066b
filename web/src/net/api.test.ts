import { beforeEach, describe, expect, it } from 'vitest';
import { Api, ApiError } from './api';

let asked: { url: string; init: RequestInit }[];
let answer: () => Response | Promise<Response>;
let api: Api;

const json = (body: unknown, status = 200, headers: Record<string, string> = {}): Response =>
  new Response(JSON.stringify(body), { status, headers });

async function failure(promise: Promise<unknown>): Promise<ApiError> {
  try {
    await promise;
  } catch (error) {
    if (error instanceof ApiError) return error;
    throw error;
  }
  throw new Error('it went well');
}

beforeEach(() => {
  asked = [];
  answer = () => json({});
  api = new Api({
    base: 'http://here',
    fetch: async (input, init) => {
      asked.push({ url: String(input), init: init ?? {} });
      return answer();
    },
  });
});

describe('a request', () => {
  it('carries its body and its query', async () => {
    await api.newRoom({ ruleset: 'classic', players: 3 });
    await api.rooms({ limit: 5, stage: ['lobby', 'playing'] });
    await api.record('x/y', 2);
    await api.rules('sabra', 'fr', { opening: 20, timed: false });
    expect(asked.map(({ url }) => url)).toEqual([
      'http://here/api/rooms',
      'http://here/api/rooms?limit=5&stage=lobby&stage=playing',
      'http://here/api/rooms/x%2Fy/record?match=2',
      'http://here/api/rulesets/sabra/rules?lang=fr&house=opening%3D20&house=timed%3Dfalse',
    ]);
    expect(asked[0]?.init).toMatchObject({
      method: 'POST',
      body: '{"ruleset":"classic","players":3}',
      credentials: 'same-origin',
    });
    expect(asked[1]?.init.body).toBeUndefined();
  });

  it('says the language, as it is now', async () => {
    let lang = 'fr';
    const said = (): (string | null)[] => asked.map(({ init }) => new Headers(init.headers).get('Accept-Language'));
    api = new Api({
      lang: () => lang,
      fetch: async (input, init) => {
        asked.push({ url: String(input), init: init ?? {} });
        return json({});
      },
    });
    await api.me();
    lang = 'de';
    await api.newRoom({});
    expect(said()).toEqual(['fr', 'de']);
    expect(new Headers(asked[1]?.init.headers).get('Content-Type')).toBe('application/json');
  });

  it('is made once where the answer stays the same, and again where there was none', async () => {
    answer = () => json([], 200);
    await Promise.all([api.rulesets(), api.rulesets()]);
    await api.rulesets();
    expect(asked).toHaveLength(1);
    answer = () => json({}, 503);
    await failure(api.bots());
    answer = () => json([]);
    expect(await api.bots()).toEqual([]);
  });
});

describe('an error', () => {
  it('is told by its code', async () => {
    answer = () => json({ error: { code: 'bad-setup', field: 'house.opening', message: 'too much' } }, 422);
    const error = await failure(api.newRoom({}));
    expect(error).toMatchObject({ status: 422, code: 'bad-setup', field: 'house.opening', message: 'too much' });
    expect(error.passing).toBe(false);
  });

  it('says when to come back', async () => {
    const body = { error: { code: 'slow-down', field: null, message: '' } };
    answer = () => json(body, 429, { 'Retry-After': '30' });
    expect(await failure(api.me())).toMatchObject({ code: 'slow-down', retryAfter: 30, passing: true });
  });

  it('is ours where the server says nothing that can be read', async () => {
    answer = () => new Response('<html>', { status: 502, statusText: 'Bad Gateway' });
    expect(await failure(api.me())).toMatchObject({ status: 502, code: 'unreadable', passing: true });
    answer = () => new Response('<html>');
    expect(await failure(api.me())).toMatchObject({ code: 'unreadable' });
  });

  it('is ours where there is no server', async () => {
    answer = () => Promise.reject(new TypeError('failed to fetch'));
    expect(await failure(api.me())).toMatchObject({ status: 0, code: 'offline', passing: true });
    answer = () => Promise.reject(new DOMException('late', 'TimeoutError'));
    expect(await failure(api.me())).toMatchObject({ status: 0, code: 'timed-out' });
  });
});
