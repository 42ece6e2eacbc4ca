/** Pictures that are known by their address alone. Pure. */
import { addressesOf, type Stored } from './addresses.ts';
import { sizesUpTo } from './draw.ts';

const ADDRESS = /\/images\/([1-9]\d{0,14})\/([A-Za-z0-9_-]{22})\/([1-9]\d{0,4})\.(jpg|png)$/;

/**
 * The picture of the business behind the address that an image names as its own (`url`), in all of its sizes; null: the
 * address leads elsewhere. How high it is is not known: each is shown as a square.
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
