/** Long texts of a business in several languages. */
import { invalid } from '../../../kernel/base/problem.ts';
import { LANGUAGES, type Language } from '../../../kernel/base/languages/languages.ts';
import { listOf, object, oneOf, text } from '../../../kernel/base/fields/kinds.ts';

const NAMES = Object.keys(LANGUAGES) as Language[];

/** A text in another language than that of the business. */
export interface Translation {
  readonly language: string;
  readonly text: string;
}

export const translations = (max: number) =>
  listOf(object({ language: oneOf(NAMES), text: text({ max }) }), { max: NAMES.length }).describe(
    'The text in other languages. People whose language is missing read `text`.',
  );

/** Refuses a language that is named twice. */
export function checkLanguages(given: readonly Translation[]): void {
  const twice = given.find(({ language }, i) => given.findIndex((other) => other.language === language) !== i);
  if (twice) throw invalid('translations', `The language “${twice.language}” appears twice. Remove one of them.`);
}

/** Returns the text in a language, or else that of the business. */
export const textFor = (text: string, given: readonly Translation[], language: string): string =>
  given.find((one) => one.language === language)?.text ?? text;
