/** Sizes of tiles in steps, so that a table does not change a little with every move. */

/** The next smaller step: small tiles by one pixel, larger ones by two and four. */
export function sizeStep(tile: number): number {
  const step = tile <= 32 ? 1 : tile <= 48 ? 2 : 4;
  return tile - (tile % step);
}
