/** Pictures identified only by their address. Pure. */
import { addressesOf, type Stored } from './addresses.ts';
import { sizesUpTo } from './draw.ts';

const ADDRESS = /\/images\/([1-9]\d{0,14})\/([A-Za-z0-9_-]{22})\/([1-9]\d{0,4})\.(jpg|png)$/;

/**
 * Returns the business's picture at the address that an image has as its own (`url`), in all sizes; null if the address
 * is a different one. The height is unknown: each is shown as a square.
 */
export function pictureAt(url: string, provider: number) {
  const [, of, key, largest, fallback] = ADDRESS.exec(url) ?? [];
  if (Number(of) !== provider) return null;
  const width = Number(largest);
  return addressesOf(
    { provider, key, widths: sizesUpTo(width), width, height: width, fallback: fallback as Stored['fallback'] },
    '',
  );
}
