/** Colors by WCAG 2: their luminance, and text colors that are readable on them. Written `#rrggbb`. */

/** Minimum contrast for text of any size, WCAG 2.2 level AA. */
export const READABLE = 4.5;

export const isColor = (text: string): boolean => /^#[0-9a-f]{6}$/i.test(text);

type Channels = readonly [number, number, number];

const channels = (color: string): Channels =>
  [1, 3, 5].map((at) => parseInt(color.slice(at, at + 2), 16)) as unknown as Channels;
const written = (parts: Channels): string => `#${parts.map((c) => c.toString(16).padStart(2, '0')).join('')}`;

const linear = (c: number): number => (c / 255 <= 0.04045 ? c / 255 / 12.92 : ((c / 255 + 0.055) / 1.055) ** 2.4);

/** Returns the relative luminance: 0 (black) to 1 (white). */
function luminance(color: string): number {
  const [r, g, b] = channels(color);
  return 0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b);
}

/** Returns the contrast: 1 (equal) to 21 (black and white). */
export function contrast(a: string, b: string): number {
  const [light, dark] = [luminance(a), luminance(b)].toSorted((x, y) => y - x);
  return (light + 0.05) / (dark + 0.05);
}

/** Returns black or white, whichever is easier to read on the color: one of them always has a contrast above 4.5. */
export const textOn = (color: string): string =>
  contrast('#ffffff', color) >= contrast('#000000', color) ? '#ffffff' : '#000000';

/** Returns the color itself if it is readable on `paper`, otherwise the nearest readable one towards black or white. */
export function readableOn(paper: string, color: string): string {
  const end = channels(textOn(paper));
  const start = channels(color);
  for (let step = 0; step < 100; step++) {
    const mixed = written(start.map((c, i) => Math.round(c + ((end[i] - c) * step) / 100)) as unknown as Channels);
    if (contrast(mixed, paper) >= READABLE) return mixed;
  }
  return written(end);
}
