/**
 * The choice of the font for a letter. The first font has most alphabets and the currency signs; for other scripts
 * there is one font each, whose file is read when a text needs it. Chinese and Korean fonts are split into many files,
 * each with some of the letters.
 */
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { readFileSync } from 'node:fs';

export type Weight = 'regular' | 'bold';

/**
 * PDF/A forbids the fonts built into PDF readers. Always refer to a font by its file: by another name, each use would
 * read the file again.
 */
export const FONTS: Readonly<Record<Weight, string>> = {
  regular: fileURLToPath(new URL('fonts/DejaVuSans.ttf', import.meta.url)),
  bold: fileURLToPath(new URL('fonts/DejaVuSans-Bold.ttf', import.meta.url)),
};

const EMOJI = 'noto-emoji';
/** Fonts by script, including the punctuation that it shares with others. */
const FAMILIES: readonly (readonly [letters: RegExp, family: string])[] = [
  [/[\p{scx=Hani}\p{scx=Hira}\p{scx=Kana}\p{scx=Bopo}\u3000-\u303f\uff00-\uffef]/u, 'noto-sans-sc'],
  [/\p{scx=Hang}/u, 'nanum-gothic'],
  [/\p{scx=Thai}/u, 'noto-sans-thai'],
  [/\p{scx=Deva}/u, 'noto-sans-devanagari'],
  [/\p{scx=Beng}/u, 'noto-sans-bengali'],
  [/\p{scx=Taml}/u, 'noto-sans-tamil'],
  [/\p{scx=Telu}/u, 'noto-sans-telugu'],
  [/\p{scx=Gujr}/u, 'noto-sans-gujarati'],
  [/\p{scx=Guru}/u, 'noto-sans-gurmukhi'],
  [/\p{scx=Knda}/u, 'noto-sans-kannada'],
  [/\p{scx=Mlym}/u, 'noto-sans-malayalam'],
  [/\p{scx=Sinh}/u, 'noto-sans-sinhala'],
  [/\p{scx=Khmr}/u, 'noto-sans-khmer'],
  [/\p{scx=Mymr}/u, 'noto-sans-myanmar'],
  [/\p{scx=Ethi}/u, 'noto-sans-ethiopic'],
  [/\p{Extended_Pictographic}|\p{Regional_Indicator}/u, EMOJI],
];
/** They join letters or select variants, and need no glyph of their own. */
const JOINING = /\u200c|\u200d|\ufe0e|\ufe0f/gu;
/** Signs with emoji presentation, by default or selected; a text font may have them too, but smaller. */
const AS_EMOJI = /\p{Emoji_Presentation}|\ufe0f/u;

type Range = readonly [from: number, to: number];
interface Slice {
  readonly name: string;
  readonly ranges: readonly Range[];
}

const resolve = createRequire(import.meta.url).resolve;
const known = new Map<string, readonly Slice[]>();

/** Returns the files of a family, with the letters that each contains. */
function slicesOf(family: string): readonly Slice[] {
  let slices = known.get(family);
  if (slices) return slices;
  const ranges = JSON.parse(readFileSync(resolve(`@fontsource/${family}/unicode.json`), 'utf8')) as Record<
    string,
    string
  >;
  slices = Object.entries(ranges).map(([name, list]) => ({
    name: name.replaceAll(/[[\]]/g, ''),
    ranges: list.split(',').map((range): Range => {
      const [from, to = from] = range.trim().replace('U+', '').split('-');
      return [Number.parseInt(from.replaceAll('?', '0'), 16), Number.parseInt(to.replaceAll('?', 'F'), 16)];
    }),
  }));
  known.set(family, slices);
  return slices;
}

function fileOf(family: string, cluster: string, weight: Weight): string | null {
  // All in one file: joined emoji must have all their parts in the same font.
  if (family === EMOJI) return resolve(`@fontsource/${EMOJI}/files/${EMOJI}-emoji-400-normal.woff`);
  const letters = [...cluster.replaceAll(JOINING, '')].map((letter) => letter.codePointAt(0)!);
  const slice = slicesOf(family).find(({ ranges }) =>
    letters.every((letter) => ranges.some(([from, to]) => from <= letter && letter <= to)),
  );
  const face = weight === 'bold' ? 700 : 400;
  return slice ? resolve(`@fontsource/${family}/files/${family}-${slice.name}-${face}-normal.woff`) : null;
}

/**
 * Returns the font of a letter. `has`: whether the first font has a code point. If no font has the letter, the first
 * one prints its empty box.
 */
export function fontOf(cluster: string, weight: Weight, has: (codePoint: number) => boolean): string {
  const first = FONTS[weight];
  const whole = [...cluster.replaceAll(JOINING, '')].every((letter) => has(letter.codePointAt(0)!));
  if (whole && !AS_EMOJI.test(cluster)) return first;
  const found = FAMILIES.find(([letters]) => letters.test(cluster));
  return (found && fileOf(found[1], cluster, weight)) ?? first;
}
