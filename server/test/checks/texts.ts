/** The three stores of texts, for the tests of all texts. Each has one file for each language, grouped by part. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { IntlMessageFormat } from 'intl-messageformat';
import { LANGUAGES, type Language } from '../../kernel/base/languages/languages.ts';

export const ROOT = fileURLToPath(new URL('../../../', import.meta.url));

export const STORES = ['server/texts/pages', 'server/texts/messages', 'web/dashboard/texts'] as const;
export type Store = (typeof STORES)[number];

export type Texts = Readonly<Record<string, string>>;

export const ALL = Object.keys(LANGUAGES) as Language[];
export const OTHERS = ALL.filter((language) => language !== 'en');

/** Returns the texts of a store in one language, by part. */
export const textsOf = (store: Store, language: Language): Readonly<Record<string, Texts>> =>
  JSON.parse(readFileSync(`${ROOT}${store}/${language}.json`, 'utf8')) as Record<string, Texts>;

interface Piece {
  readonly type: number;
  readonly value?: string;
  readonly options?: Readonly<Record<string, { readonly value: readonly Piece[] }>>;
}

/** Element types of `intl-messageformat`. */
const [LITERAL, PLURAL] = [0, 6];

const parse = (message: string, language: Language): readonly Piece[] =>
  new IntlMessageFormat(message, language, undefined, { ignoreTag: true }).getAst() as unknown as Piece[];

const every = (pieces: readonly Piece[]): Piece[] =>
  pieces.flatMap((piece) => [piece, ...Object.values(piece.options ?? {}).flatMap(({ value }) => every(value))]);

/** Returns the names of the placeholders of a message, each with `number` if it chooses a plural form. */
export const placeholdersOf = (message: string, language: Language): string[] =>
  [
    ...new Set(
      every(parse(message, language))
        .filter(({ type, value }) => type !== LITERAL && value !== undefined)
        .map(({ type, value }) => `${type === PLURAL ? 'number' : 'value'} ${value}`),
    ),
  ].toSorted();

/**
 * Returns the number of letters as on a page: for plurals, the longest variant; a placeholder counts as its name in
 * braces.
 */
export const lengthOf = (message: string, language: Language): number => longest(parse(message, language));

const longest = (pieces: readonly Piece[]): number =>
  pieces.reduce(
    (sum, { type, value, options }) =>
      sum +
      (options
        ? Math.max(...Object.values(options).map((option) => longest(option.value)))
        : type === LITERAL
          ? value!.length
          : (value?.length ?? 0) + 2),
    0,
  );

/** Numbers that cover every plural category of whole numbers in all our languages. */
const NUMBERS = [...Array.from({ length: 200 }, (_, n) => n), 1000, 1_000_000, 1_000_001];

/** Returns the plural categories that a message lacks. Polish has `other` only for fractions, so it needs every one. */
export function missingPlurals(message: string, language: Language): string[] {
  const rules = new Intl.PluralRules(language);
  const categories = [...new Set(NUMBERS.map((n) => rules.select(n)))];
  return every(parse(message, language))
    .filter(({ type }) => type === PLURAL)
    .flatMap(({ options }) =>
      categories.filter((one) => !(one in options!) && (language === 'pl' ? one !== 'one' : !('other' in options!))),
    );
}
