/**
 * Reasons for what becomes of rows, in the language of the reader. They are stored in English, because a job writes
 * them without knowing who will read them, and translated when they are read: by their source, with `{0}` for values.
 */
import { ENGLISH, readerOf, type Language } from '../../../kernel/base/languages/languages.ts';
import { readTranslations } from '../../../kernel/base/languages/translations.ts';
import type { Issue } from './kinds/index.ts';

export const TRANSLATIONS = readTranslations('imports/reasons');

interface Pattern {
  readonly matches: RegExp;
  readonly text: string;
}

interface Known {
  readonly whole: ReadonlyMap<string, string>;
  readonly patterns: readonly Pattern[];
}

const HOLE = /\{\d\}/;
const known = new Map<Language, Known>();

function knownIn(language: Language): Known {
  const found = known.get(language);
  if (found) return found;
  const texts = Object.entries(TRANSLATIONS[language] ?? {});
  // "the customer in line {0}" is tried before "the customer {0}", which matches the same reason.
  const patterns = texts
    .filter(([source]) => HOLE.test(source))
    .toSorted(([a], [b]) => b.length - a.length)
    .map(([source, text]) => ({
      matches: new RegExp(`^${source.split(HOLE).map(RegExp.escape).join('(.+?)')}$`, 's'),
      text,
    }));
  const made = { whole: new Map(texts), patterns };
  known.set(language, made);
  return made;
}

const uncapitalised = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1);

/** Returns a reason in this language; one without a translation, such as a refusal of the database, stays English. */
export function reasonIn(language: Language, reason: string): string {
  if (language === ENGLISH.language) return reason;
  const { whole, patterns } = knownIn(language);
  const exact = whole.get(reason);
  if (exact !== undefined) return exact;
  for (const { matches, text } of patterns) {
    const values = matches.exec(reason)?.slice(1);
    if (!values) continue;
    const said = values.map((value) => whole.get(value) ?? whole.get(uncapitalised(value)) ?? value);
    return text.replaceAll(/\{(\d)\}/g, (_, n: string) => said[Number(n)]);
  }
  return reason;
}

/** Returns a known source in this language, with its values, which are never read as texts. */
export function fillIn(language: Language, source: string, ...values: readonly string[]): string {
  const text = TRANSLATIONS[language]?.[source] ?? source;
  return text.replaceAll(/\{(\d)\}/g, (_, n: string) => values[Number(n)]);
}

/** Returns the language of `accept-language`, or else English. */
export const languageOf = (accepts: string | undefined): Language => readerOf(accepts, null, ENGLISH).language;

/** Returns issues with their reasons in this language. */
export const issuesIn = (language: Language, issues: readonly Issue[]): readonly Issue[] =>
  language === ENGLISH.language
    ? issues
    : issues.map((issue) => ({ ...issue, reason: reasonIn(language, issue.reason) }));
