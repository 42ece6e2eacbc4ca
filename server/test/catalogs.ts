/** Rules for the messages of every language: they have the same placeholders, and cover every number. */
import assert from 'node:assert/strict';
import { IntlMessageFormat } from 'intl-messageformat';
import { bareWord } from './pages/customer-texts.ts';
import { isLanguage, LANGUAGES, type Language } from '../kernel/base/languages/languages.ts';
import { FORMS, WORDS } from '../kernel/base/values/words.ts';
import { wordHole, type Catalog } from '../kernel/base/languages/catalog.ts';

interface Part {
  readonly type: number;
  readonly value?: string;
  readonly options?: Readonly<Record<string, { readonly value: readonly Part[] }>>;
}

/** element types of `intl-messageformat` */
const [LITERAL, PLURAL] = [0, 6];

function walk(parts: readonly Part[], see: (part: Part) => void): void {
  for (const part of parts) {
    see(part);
    for (const option of Object.values(part.options ?? {})) walk(option.value, see);
  }
}

/** Numbers that cover every plural category of whole numbers in all our languages. */
const NUMBERS = [...Array.from({ length: 200 }, (_, n) => n), 1000, 1_000_000, 1_000_001];

/** The words of a business, which English messages use as placeholders. */
const OF_WORDS = new Set(FORMS.flatMap((form) => WORDS.map((word) => wordHole(form, word))));

const partsOf = (message: string, language: string): Part[] =>
  new IntlMessageFormat(message, language, undefined, { ignoreTag: true }).getAst() as unknown as Part[];

/**
 * Returns the number of letters as on a page: for plurals, the longest variant; a placeholder counts as its name in
 * braces.
 */
const longest = (parts: readonly Part[]): number =>
  parts.reduce(
    (sum, { type, value, options }) =>
      sum +
      (options
        ? Math.max(...Object.values(options).map((option) => longest(option.value)))
        : type === LITERAL
          ? value!.length
          : (value?.length ?? 0) + 2),
    0,
  );

function holesOf(message: string, language: Language): string[] {
  const holes = new Set<string>();
  const parts = partsOf(message, language);
  const rules = new Intl.PluralRules(language);
  const categories = new Set(NUMBERS.map((n) => rules.select(n)));
  walk(parts, ({ type, value, options }) => {
    if (type !== LITERAL && value !== undefined && !OF_WORDS.has(value))
      holes.add(`${type === PLURAL ? 'number' : 'value'} ${value}`);
    if (type === PLURAL)
      for (const category of categories)
        assert.ok(options![category] ?? options!.other, `${language}: nothing is said of "${category}" in ${message}`);
    if (type === PLURAL && language === 'pl') assert.ok(options!.few && options!.many, message);
  });
  return [...holes].toSorted();
}

/** Checks that English messages have no fixed word for a thing that a business names itself. */
function checkWords(key: string, message: string): void {
  assert.equal(bareWord(message.replaceAll(/\{(?:\w+)\}/g, 'x')), null, `${key}: ${message}`);
}

/**
 * Checks that each language has every message, with the same placeholders, and in its own words. `alike`: keys whose
 * messages may equal the English ones. `forStaff`: for readers who use the common terms of the trade.
 */
export function checkCatalog(
  { languages }: Pick<Catalog<string>, 'languages'>,
  alike: readonly string[],
  { forStaff = false } = {},
): void {
  assert.deepEqual(Object.keys(languages).toSorted(), Object.keys(LANGUAGES).toSorted());
  const { en } = languages;
  // Staff read "Selected: 3" in languages that would have to decline the noun.
  const named = (hole: string): string => (forStaff ? hole.split(' ')[1] : hole);
  if (!forStaff) for (const [key, message] of Object.entries(en)) checkWords(key, message);
  for (const [language, messages] of Object.entries(languages)) {
    assert.ok(isLanguage(language));
    assert.deepEqual(Object.keys(messages), Object.keys(en), `${language} has the keys of English, in their order`);
    for (const [key, message] of Object.entries(messages)) {
      assert.match(message, /^\S(?:.*\S)?$/s, `${language} ${key}`);
      const holes = (text: string, of: Language) => [...new Set(holesOf(text, of).map(named))].toSorted();
      assert.deepEqual(holes(message, language), holes(en[key], 'en'), `${language} ${key}: ${message}`);
      // A label that is three times as long does not fit.
      assert.ok(
        longest(partsOf(message, language)) <= 12 + longest(partsOf(en[key], 'en')) * 2.2,
        `${language} ${key} is long: ${message}`,
      );
    }
    if (language === 'en') continue;
    const untranslated = Object.keys(en).filter((key) => messages[key] === en[key] && !alike.includes(key));
    assert.deepEqual(untranslated, [], `${language} is as in English`);
  }
}
