/** The pointer on the table: what a press, a drag, a tap make of the state. */

import type { Tile } from '../game/tiles';
import { cancel, drop, extend, hover, pickUp, pickUpMeld, select, selectMeld, send, tap } from './board';
import * as drag from './drag';
import type { Scene } from './drag';
import type { Mover } from './motion';
import type { Point, TableState } from './types';

/** The kind of change that a gesture makes. */
export type How = 'select' | 'lift' | 'hover' | 'drop' | 'cancel';

/** The table that the pointer is on. */
export interface Ground {
  readonly mover: Mover;
  readonly element: () => HTMLElement | undefined;
  readonly state: () => TableState;
  readonly scene: () => Scene;
  /** Whether nobody may touch it now. */
  readonly shut: () => boolean;
  readonly set: (next: TableState, how: How) => void;
  /** Pull the felt, where not all of it is seen. */
  readonly pull: (by: number) => void;
  /** The mouse rests here, or a pen above it. */
  readonly rest: (at: Point) => void;
}

/** A second tap on the same tile within this time sends it, in milliseconds. */
const DOUBLE = 320;
/** What a finger holds is seen above it, by this share of a tile; a little less of it counts for where it goes. */
const ABOVE_FINGER = 0.62;
const AIM = 0.75;

export class Pointer {
  readonly #ground: Ground;
  #press: drag.Press | null = null;
  #hold: ReturnType<typeof setTimeout> | undefined;
  #frame = 0;
  #at: Point = { x: 0, y: 0 };
  /** Measured when a press begins: asking in the middle of a drag would make the browser lay everything out. */
  #corner: Point = { x: 0, y: 0 };
  /** The tiles in the hand, and where each is from the pointer. */
  #formation: readonly { readonly tile: Tile; readonly by: Point }[] = [];
  #lift = 0;
  #pulled: number | null = null;
  #tapped: { readonly tile: Tile; readonly time: number } | null = null;

  constructor(ground: Ground) {
    this.#ground = ground;
  }

  measure = (): void => {
    const box = this.#ground.element()?.getBoundingClientRect();
    if (box) this.#corner = { x: box.left, y: box.top };
  };

  down = (event: PointerEvent): void => {
    if (this.#ground.shut() || (event.pointerType === 'mouse' && event.button !== 0)) return;
    const at = event.target instanceof Element ? event.target : null;
    const handle = at?.closest<HTMLElement>('[data-handle]') ?? null;
    if (at?.closest('button') && !handle) return;
    this.measure();
    const point = this.#pointOf(event);
    const hit: drag.Hit = handle
      ? { on: 'meld', meld: Number(handle.dataset.handle), index: 0 }
      : drag.hitAt(this.#ground.scene(), point);
    event.preventDefault();
    this.#ground.element()?.setPointerCapture(event.pointerId);
    this.#follow(drag.down(this.#press, event.pointerId, kindOf(event), hit, point, event.timeStamp), event);
    const long = event.timeStamp + drag.LONG_PRESS;
    clearTimeout(this.#hold);
    this.#hold = setTimeout(() => this.#follow(drag.wait(this.#press, long), null), drag.LONG_PRESS);
  };

  move = (event: PointerEvent): void => {
    if (this.#press !== null) this.#follow(drag.move(this.#press, event.pointerId, this.#pointOf(event)), event);
    else if (event.pointerType !== 'touch' && !this.#ground.shut()) this.#ground.rest(this.#pointOf(event));
  };

  up = (event: PointerEvent): void => {
    clearTimeout(this.#hold);
    this.#follow(drag.up(this.#press, event.pointerId, this.#pointOf(event)), event);
  };

  cancel = (): void => {
    clearTimeout(this.#hold);
    this.#follow(drag.stop(this.#press), null);
  };

  /** A click that no pointer made taps a tile: by voice, by a switch, by a screen reader. */
  click = (event: MouseEvent): void => {
    const { state, shut, set } = this.#ground;
    const on = event.target instanceof Element ? event.target.closest<HTMLElement>('[data-tile]') : null;
    const tile = on?.dataset.tile;
    if (event.detail !== 0 || tile === undefined || shut()) return;
    const now = state();
    const next = tap({ ...now, focus: { on: 'tile', tile } }, { on: 'tile', tile });
    set(next, next.history !== now.history || next.order !== now.order ? 'drop' : 'select');
  };

  #pointOf(event: PointerEvent): Point {
    return { x: event.clientX - this.#corner.x, y: event.clientY - this.#corner.y };
  }

  #follow({ press, gesture }: drag.PointerStep, event: PointerEvent | null): void {
    this.#press = press;
    switch (gesture.is) {
      case 'lift':
        this.#at = gesture.at;
        this.#lifted(gesture.hit, gesture.start, event?.pointerType === 'touch');
        break;
      case 'move':
        this.#at = gesture.at;
        if (this.#frame === 0) this.#frame = requestAnimationFrame(() => this.#moved());
        break;
      case 'drop':
        this.#at = gesture.at;
        this.#dropped();
        break;
      case 'tap':
        this.#tap(gesture.hit, gesture.at, event?.shiftKey ?? false);
        break;
      case 'hold':
        this.#held(gesture.hit);
        break;
      case 'cancel':
        this.#ended();
        if (this.#ground.state().dragging) this.#ground.set(cancel(this.#ground.state()), 'cancel');
        break;
      case 'nothing':
        break;
    }
  }

  #lifted(hit: drag.Hit, start: Point, touch: boolean): void {
    const { state, mover, set } = this.#ground;
    const now = state();
    if (hit.on === 'felt') this.#pulled = start.y;
    let next = now;
    if (hit.on === 'tile') next = pickUp(now, hit.tile, 'pointer', this.#at);
    else if (hit.on === 'meld') next = pickUpMeld(now, hit.meld, 'pointer', this.#at);
    const { dragging } = next;
    if (dragging === null || next === now) return;
    const anchor = mover.now(dragging.held) ?? { ...start, width: 0, height: 0 };
    const heldAt = dragging.tiles.indexOf(dragging.held);
    this.#formation = dragging.tiles.map((tile, index) => ({
      tile,
      by: { x: anchor.x - start.x + (index - heldAt) * anchor.width * 1.04, y: anchor.y - start.y },
    }));
    this.#lift = touch ? anchor.height * ABOVE_FINGER : 0;
    set(next, 'lift');
    this.#moved();
  }

  /** One step of a drag: a transform for each tile in the hand, a little geometry, a state if the target changes. */
  #moved(): void {
    this.#frame = 0;
    const { state, scene, mover, set, pull } = this.#ground;
    if (this.#pulled !== null) {
      pull(this.#pulled - this.#at.y);
      this.#pulled = this.#at.y;
      return;
    }
    const now = state();
    if (now.dragging === null) {
      this.#formation = [];
      return;
    }
    const { x, y } = this.#at;
    for (const { tile, by } of this.#formation) mover.carry(tile, x + by.x, y + by.y - this.#lift);
    const { tiles, meld } = now.dragging;
    const target = drag.targetAt(scene(), { x, y: y - this.#lift * AIM }, tiles, meld);
    const next = hover(now, now.may === 'arrange' && target?.to !== 'rack' ? null : target);
    if (next.target !== now.target) set(next, 'hover');
  }

  #dropped(): void {
    this.#moved();
    this.#ended();
    const now = this.#ground.state();
    if (now.dragging) this.#ground.set(drop(now), 'drop');
  }

  #ended(): void {
    if (this.#frame !== 0) cancelAnimationFrame(this.#frame);
    this.#frame = 0;
    this.#formation = [];
    this.#pulled = null;
  }

  #tap(hit: drag.Hit, at: Point, shift: boolean): void {
    const { state, scene, mover, set } = this.#ground;
    if (hit.on === 'nothing') return;
    const now = hit.on === 'tile' ? { ...state(), focus: { on: 'tile' as const, tile: hit.tile } } : state();
    if (hit.on === 'tile') {
      const { tile } = hit;
      mover.element(tile)?.focus({ preventScroll: true });
      if (this.#again(tile)) {
        set(send(now.selection.includes(tile) ? now : select(now, tile), tile), 'drop');
        return;
      }
      if (shift) {
        set(extend(now, tile), 'select');
        return;
      }
    }
    const target = drag.targetAt(scene(), at, now.selection);
    const next = tap(now, hit, target && target.to !== 'new' ? target.index : undefined);
    const dropped = next.history !== now.history || next.order !== now.order;
    if (dropped) this.#tapped = null; // a tap that puts down is not the first half of a double tap
    set(next, dropped ? 'drop' : 'select');
  }

  #again(tile: Tile): boolean {
    const time = performance.now();
    const again = this.#tapped?.tile === tile && time - this.#tapped.time < DOUBLE;
    this.#tapped = again ? null : { tile, time };
    return again;
  }

  /** A long press on a meld takes all of it: whoever moves on drags it by the tile that was pressed. */
  #held(hit: drag.Hit): void {
    const meld = hit.on === 'tile' || hit.on === 'meld' ? hit.meld : null;
    if (meld !== null) this.#ground.set(selectMeld(this.#ground.state(), meld), 'select');
  }
}

function kindOf({ pointerType }: PointerEvent): drag.PointerKind {
  return pointerType === 'touch' || pointerType === 'pen' ? pointerType : 'mouse';
}
