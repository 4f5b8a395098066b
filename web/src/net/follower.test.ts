import { beforeEach, describe, expect, it } from 'vitest';
import type { Snapshot, Update } from '../protocol';
import { Follower } from './follower';

const snapshot = (version: number): Snapshot => ({ type: 'snapshot', version, view: { version }, you: {} }) as Snapshot;
const update = (first: number, version: number): Update => {
  const events = Array.from({ length: version - first + 1 }, (_, at) => ({ version: first + at, at: 0, event: null }));
  return { type: 'update', version, events, view: { version } } as Update;
};
const heartbeat = (version: number) => ({ type: 'heartbeat', version, now: 0 }) as const;

describe('following a room', () => {
  let room: Follower;
  beforeEach(() => {
    room = new Follower();
    room.take(snapshot(5));
  });

  it('takes what is next', () => {
    expect(room.take(update(6, 7))?.version).toBe(7);
    expect(room.version).toBe(7);
    expect(room.behind).toBe(false);
  });

  it('passes over what is old', () => {
    expect(room.take(update(4, 5))).toBeNull();
    expect(room.take(snapshot(4))).toBeNull();
    expect(room.version).toBe(5);
  });

  it('takes of an update only what it does not have', () => {
    const found = room.take(update(4, 7));
    expect(found?.type === 'update' && found.events.map(({ version }) => version)).toEqual([6, 7]);
  });

  it('is behind after a gap, and after a later heartbeat, until it has caught up', () => {
    expect(room.take(update(8, 8))).toBeNull();
    expect(room.behind).toBe(true);
    room.take(snapshot(8));
    expect(room.behind).toBe(false);
    room.take(heartbeat(8));
    expect(room.behind).toBe(false);
    room.take(heartbeat(9));
    expect(room.behind).toBe(true);
  });

  it('takes a snapshot again, for who one is may have changed', () => {
    expect(room.take(snapshot(5))).not.toBeNull();
  });

  it('keeps what was told before the first snapshot for it', () => {
    const late = new Follower();
    expect(late.take(update(3, 5))).toBeNull();
    expect(late.behind).toBe(false);
    const found = late.take(snapshot(5));
    expect(found && 'past' in found && found.past?.map(({ version }) => version)).toEqual([3, 4, 5]);
    expect(late.take(snapshot(5))).not.toHaveProperty('past');
  });

  it('believes the first snapshot of a new connection, even of a server that has forgotten something', () => {
    room.reconnected();
    expect(room.take(snapshot(3))?.version).toBe(3);
    expect(room.take(snapshot(2))).toBeNull();
  });
});
