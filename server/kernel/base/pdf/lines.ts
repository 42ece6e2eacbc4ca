/**
 * Layout of texts in any script as lines of runs, each with one font and direction, in visual order from left to right
 * (UAX #9). pdfkit alone uses one font for a text, and places words in their stored order. Pure.
 */
import * as bidiModule from 'bidi-js';

export interface Run {
  readonly text: string;
  readonly font: string;
}

export interface Line {
  /** as it is stored: what is read aloud and copied */
  readonly text: string;
  readonly runs: readonly Run[];
  readonly width: number;
}

export interface Measures {
  readonly fontOf: (cluster: string) => string;
  readonly widthOf: (run: Run) => number;
}

/** Scripts from right to left: Hebrew, Arabic and its relatives, N’Ko, Adlam, and the marks for direction. */
export const RIGHT_TO_LEFT =
  /[\u0590-\u08ff\u200f\u202b\u202e\u2067\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

// Typed like its module for bundlers, but in Node it is one function.
const bidi = (bidiModule.default as unknown as () => bidiModule.Bidi)();
const clusters = new Intl.Segmenter(undefined, { granularity: 'grapheme' });
const words = new Intl.Segmenter(undefined, { granularity: 'word' });

/** Closing signs stay with the text before them, and opening signs with the text after them. */
const OPENING = /^[\p{Ps}\p{Pi}¿¡$£€]+$/u;
const LETTERS = /[\p{L}\p{N}]/u;
const ALPHABET = /[\p{sc=Latn}\p{sc=Grek}\p{sc=Cyrl}\p{sc=Hebr}\p{sc=Arab}\p{N}]/u;
/** `d'accord`, `a@b`, `1/2`: signs within a word. */
const isJoiner = (text: string): boolean => /^[.,:/@'’_&+]$/u.test(text);
const BLANK = /^\s+$/u;

/** Returns the offsets at which a line may begin. */
function breaksOf(text: string): number[] {
  const found: number[] = [];
  let before = '';
  for (const { segment, index } of words.segment(text)) {
    const begins = before !== '' && !BLANK.test(segment);
    const closes = !LETTERS.test(segment) && !OPENING.test(segment) && !/\p{So}/u.test(segment);
    // Alphabetic text only breaks at a blank or a hyphen.
    const apart = BLANK.test(before) || before === '-' || !(ALPHABET.test(before) && ALPHABET.test(segment));
    if (begins && apart && (BLANK.test(before) || (!closes && !OPENING.test(before) && !isJoiner(before))))
      found.push(index);
    before = segment;
  }
  return found;
}

interface Piece extends Run {
  readonly level: number;
}

/** Returns pieces with one font and one level, in their stored order. */
function piecesOf(text: string, levels: Uint8Array, from: number, to: number, { fontOf }: Measures): Piece[] {
  const pieces: { text: string; font: string; level: number }[] = [];
  for (const { segment, index } of clusters.segment(text.slice(from, to))) {
    const level = levels[from + index];
    const last = pieces.at(-1);
    const font = fontOf(segment);
    if (last && last.font === font && last.level === level) last.text += segment;
    else pieces.push({ text: segment, font, level });
  }
  return pieces;
}

/** Reverses right-to-left pieces, from the innermost level outwards (rule L2). */
function asSeen(pieces: readonly Piece[]): Piece[] {
  const seen = [...pieces];
  const highest = Math.max(0, ...seen.map(({ level }) => level));
  for (let level = highest; level > 0; level--)
    for (let i = 0; i < seen.length; i++) {
      let end = i;
      while (end < seen.length && seen[end].level >= level) end++;
      if (end > i + 1) seen.splice(i, end - i, ...seen.slice(i, end).toReversed());
      i = Math.max(i, end - 1);
    }
  return seen;
}

/**
 * Prepares a right-to-left piece: mirrors its brackets, and reverses signs. Letters of such scripts are reversed when
 * they are shaped.
 */
function turned({ text, font, level }: Piece): Run {
  if (level % 2 === 0) return { text, font };
  const all = [...clusters.segment(text)].map(({ segment }) => bidi.getMirroredCharacter(segment) ?? segment);
  return { text: (RIGHT_TO_LEFT.test(text) ? all : all.toReversed()).join(''), font };
}

export function linesOf(text: string, width: number, measures: Measures): Line[] {
  return text.split('\n').flatMap((paragraph) => {
    const { levels } = bidi.getEmbeddingLevels(paragraph);
    const widthOf = (from: number, to: number): number =>
      piecesOf(paragraph, levels, from, to, measures).reduce((sum, piece) => sum + measures.widthOf(piece), 0);
    const trimmed = (from: number, to: number): number => from + paragraph.slice(from, to).trimEnd().length;
    const lines: Line[] = [];
    const put = (from: number, to: number): void => {
      const end = trimmed(from, to);
      const runs = asSeen(piecesOf(paragraph, levels, from, end, measures)).map(turned);
      lines.push({
        text: paragraph.slice(from, end),
        runs,
        width: runs.reduce((sum, run) => sum + measures.widthOf(run), 0),
      });
    };
    const fits = (from: number, to: number): boolean => widthOf(from, trimmed(from, to)) <= width;
    let from = 0;
    let last = 0;
    const take = (at: number): void => {
      if (!fits(from, at) && last > from) {
        put(from, last);
        from = last;
      }
      // A word that is wider than the line continues on the next one.
      while (!fits(from, at)) {
        let end = from;
        for (const { segment, index } of clusters.segment(paragraph.slice(from, at))) {
          if (index > 0 && widthOf(from, from + index + segment.length) > width) break;
          end = from + index + segment.length;
        }
        if (end >= at) break;
        put(from, end);
        from = end;
      }
      last = at;
    };
    for (const at of [...breaksOf(paragraph), paragraph.length]) take(at);
    put(from, paragraph.length);
    return lines;
  });
}
