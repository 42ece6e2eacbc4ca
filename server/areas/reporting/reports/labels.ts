/**
 * Labels of reports, columns and filters. In English they are derived from the names; in other languages they are
 * stored (`labels/`), by the English label. Common parts are stored once: `{0} ID` is any label that ends in “ID”.
 */
import { isLanguage, LANGUAGES, type Language } from '../../../kernel/base/languages/languages.ts';
import { labelOf } from './names.ts';
import { oneOf } from '../../../kernel/base/fields/kinds.ts';
import { readTranslations } from '../../../kernel/base/languages/translations.ts';

export const TRANSLATIONS = readTranslations('reports/labels');

/** English words for filter suffixes: people don't understand `gte`. */
const BOUNDS: Readonly<Record<string, string>> = {
  Timeframe: 'Period',
  '{0} gte': '{0}: from',
  '{0} lte': '{0}: to',
  '{0} timeframe': '{0}: period',
};

const LAST_WORDS = /^(.+) (ID|name|email|thumbnail url|month|year|gte|lte|timeframe)$/;

function translated(label: string, texts: Readonly<Record<string, string>>): string | undefined {
  const whole = texts[label];
  if (whole !== undefined) return whole;
  const [, of, last] = LAST_WORDS.exec(label) ?? [];
  const pattern = texts[`{0} ${last}`];
  if (of === undefined || pattern === undefined) return undefined;
  const known = translated(of, texts);
  return known && pattern.replace('{0}', known);
}

/** Returns undefined if that language has no translation. */
export const translationOf = (language: Language, name: string): string | undefined =>
  translated(labelOf(name), TRANSLATIONS[language] ?? {});

/** Returns the label of a report or a column. */
export const labelIn = (language: Language, name: string): string => translationOf(language, name) ?? labelOf(name);

export function filterLabelIn(language: Language, name: string): string {
  if (language !== 'en') return labelIn(language, name);
  const label = labelOf(name);
  const [, of, last] = LAST_WORDS.exec(label) ?? [];
  return BOUNDS[label] ?? BOUNDS[`{0} ${last}`]?.replace('{0}', of) ?? label;
}

export const languageField = () =>
  oneOf(Object.keys(LANGUAGES).filter(isLanguage)).describe(
    'The language of labels, descriptions, definitions and the words for values.',
  );
