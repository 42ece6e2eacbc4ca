/** What is the same of a message in every language: what stands in its holes, and that it can be said of every number. */
import assert from 'node:assert/strict';
import { IntlMessageFormat } from 'intl-messageformat';
import { bareWord } from './customer-texts.ts';
import { isLanguage, LANGUAGES, type Language } from '../kernel/base/languages/languages.ts';
import { FORMS, WORDS } from '../kernel/base/values/words.ts';
import { wordHole, type Catalog } from '../kernel/base/languages/catalog.ts';

interface Part {
  readonly type: number;
  readonly value?: string;
  readonly options?: Readonly<Record<string, { readonly value: readonly Part[] }>>;
}

/** of `intl-messageformat` */
const [LITERAL, PLURAL] = [0, 6];

function walk(parts: readonly Part[], see: (part: Part) => void): void {
  for (const part of parts) {
    see(part);
    for (const option of Object.values(part.options ?? {})) walk(option.value, see);
  }
}

/** Numbers by which all whole numbers of every language we have can be told apart. */
const NUMBERS = [...Array.from({ length: 200 }, (_, n) => n), 1000, 1_000_000, 1_000_001];

/** What a business calls things, which English messages take from it. */
const OF_WORDS = new Set(FORMS.flatMap((form) => WORDS.map((word) => wordHole(form, word))));

const partsOf = (message: string, language: string): Part[] =>
  new IntlMessageFormat(message, language, undefined, { ignoreTag: true }).getAst() as unknown as Part[];

/** In letters, as it stands on a page: of what depends on a number, the longest; a hole counts as its name in braces. */
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

/** English says nothing that a business names itself in words of its own. */
function checkWords(key: string, message: string): void {
  assert.equal(bareWord(message.replaceAll(/\{(?:\w+)\}/g, 'x')), null, `${key}: ${message}`);
}

/**
 * Each language says everything, about the same things, and in its own words; `alike`: keys that may be as in English.
 * `forStaff`: people who call things what everybody in their trade does.
 */
export function checkCatalog(
  { languages }: Pick<Catalog<string>, 'languages'>,
  alike: readonly string[],
  { forStaff = false } = {},
): void {
  assert.deepEqual(Object.keys(languages).toSorted(), Object.keys(LANGUAGES).toSorted());
  const { en } = languages;
  // Staff read "Selected: 3" where a language would have to decline what is counted.
  const named = (hole: string): string => (forStaff ? hole.split(' ')[1] : hole);
  if (!forStaff) for (const [key, message] of Object.entries(en)) checkWords(key, message);
  for (const [language, messages] of Object.entries(languages)) {
    assert.ok(isLanguage(language));
    assert.deepEqual(Object.keys(messages), Object.keys(en), `${language} has the keys of English, in their order`);
    for (const [key, message] of Object.entries(messages)) {
      assert.match(message, /^\S(?:.*\S)?$/s, `${language} ${key}`);
      const holes = (text: string, of: Language) => [...new Set(holesOf(text, of).map(named))].toSorted();
      assert.deepEqual(holes(message, language), holes(en[key], 'en'), `${language} ${key}: ${message}`);
      // A label that is three times as long does not fit into its place.
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
