/**
 * Which font has a letter. The first one has most alphabets and the currency signs; for others there is one for each script, of
 * which a file is read when a text needs it. Chinese and Korean come in many files, each with some of the letters.
 */
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { readFileSync } from 'node:fs';

export type Weight = 'regular' | 'bold';

/**
 * The fonts that PDF readers bring along may not be used here. Always named by their files: by another name, each use would
 * read the file again.
 */
export const FONTS: Readonly<Record<Weight, string>> = {
  regular: fileURLToPath(new URL('fonts/DejaVuSans.ttf', import.meta.url)),
  bold: fileURLToPath(new URL('fonts/DejaVuSans-Bold.ttf', import.meta.url)),
};

const EMOJI = 'noto-emoji';
/** By script, with the punctuation that it shares with others. */
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
/** They join or choose between letters, and need none of their own. */
const JOINING = /\u200c|\u200d|\ufe0e|\ufe0f/gu;
/** In colour where somebody has chosen; a font of letters may have it too, but smaller. */
const AS_EMOJI = /\p{Emoji_Presentation}|\ufe0f/u;

type Range = readonly [from: number, to: number];
interface Slice {
  readonly name: string;
  readonly ranges: readonly Range[];
}

const resolve = createRequire(import.meta.url).resolve;
const known = new Map<string, readonly Slice[]>();

/** The files of a family, by the letters that each has. */
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
  // All in one file: what is joined of several must find all of them.
  if (family === EMOJI) return resolve(`@fontsource/${EMOJI}/files/${EMOJI}-emoji-400-normal.woff`);
  const letters = [...cluster.replaceAll(JOINING, '')].map((letter) => letter.codePointAt(0)!);
  const slice = slicesOf(family).find(({ ranges }) =>
    letters.every((letter) => ranges.some(([from, to]) => from <= letter && letter <= to)),
  );
  const face = weight === 'bold' ? 700 : 400;
  return slice ? resolve(`@fontsource/${family}/files/${family}-${slice.name}-${face}-normal.woff`) : null;
}

/** `has`: whether the first font has a code point. Where no font has the letter, it is the first one, with its empty box. */
export function fontOf(cluster: string, weight: Weight, has: (codePoint: number) => boolean): string {
  const first = FONTS[weight];
  const whole = [...cluster.replaceAll(JOINING, '')].every((letter) => has(letter.codePointAt(0)!));
  if (whole && !AS_EMOJI.test(cluster)) return first;
  const found = FAMILIES.find(([letters]) => letters.test(cluster));
  return (found && fileOf(found[1], cluster, weight)) ?? first;
}
