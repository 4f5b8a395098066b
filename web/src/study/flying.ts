/** Things that fly from one place of the page to another; nothing moves for who wants no motion. */

import { mount, unmount } from 'svelte';
import Star from '../table/Star.svelte';

const WAY = 560;

/** From the middle of one thing to the middle of another. */
function way(from: DOMRect, to: DOMRect): [number, number] {
  return [
    to.left + to.width / 2 - from.left - from.width / 2,
    to.top + to.height / 2 - from.top - from.height / 2,
  ];
}

/** Let what lies in its new place come from where it was. */
export function flyTile(place: HTMLElement, from: DOMRect, calm: boolean): void {
  if (calm) return;
  const to = place.getBoundingClientRect();
  const [x, y] = way(to, from);
  place.style.position = 'relative';
  place.style.zIndex = '2';
  const flight = place.animate(
    [
      { transform: `translate(${x}px, ${y}px) scale(${from.width / to.width})` },
      { transform: 'none' },
    ],
    { duration: WAY, easing: 'cubic-bezier(0.2, 0.7, 0.2, 1)' },
  );
  flight.onfinish = () => {
    place.style.zIndex = '';
  };
}

/** A star leaves a place and flies to whoever won it. */
export function flyStar(place: HTMLElement, home: HTMLElement, calm: boolean): void {
  if (calm) return;
  const [from, to] = [place.getBoundingClientRect(), home.getBoundingClientRect()];
  const flying = document.createElement('div');
  Object.assign(flying.style, {
    position: 'fixed',
    left: `${from.left + from.width / 2 - 24}px`,
    top: `${from.top + from.height / 2 - 24}px`,
    zIndex: '35',
    color: 'var(--accent)',
    pointerEvents: 'none',
    filter: 'drop-shadow(0 3px 8px rgb(0 0 0 / 0.4))',
  });
  flying.style.setProperty('--star', '48px');
  document.body.append(flying);
  const star = mount(Star, { target: flying, props: { smiling: false } });
  const [x, y] = way(from, to);
  const flight = flying.animate(
    [
      { transform: 'scale(0.2) rotate(-90deg)', opacity: 0 },
      { transform: 'translateY(-40px) scale(1.3) rotate(20deg)', opacity: 1, offset: 0.35 },
      { transform: `translate(${x}px, ${y}px) scale(0.4) rotate(200deg)`, opacity: 1 },
    ],
    { duration: 1100, delay: WAY / 2, easing: 'cubic-bezier(0.4, 0, 0.3, 1)', fill: 'backwards' },
  );
  flight.onfinish = flight.oncancel = () => {
    void unmount(star);
    flying.remove();
  };
}
