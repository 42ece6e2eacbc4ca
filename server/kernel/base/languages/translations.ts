/**
 * Texts whose English is in the code, in the other languages: a file for each, with the same keys. Their merge fields are
 * those of the English text, see `kernel/base/values/template.ts`.
 */
import { readFileSync } from 'node:fs';
import { LANGUAGES, type Language } from './languages.ts';

type Texts = Readonly<Record<string, string>>;

export type Translations = Readonly<Partial<Record<Language, Texts>>>;

const textsIn = (folder: URL, language: string): Texts =>
  JSON.parse(readFileSync(new URL(`${language}.json`, folder), 'utf8')) as Texts;

/**
 * Returns a function that reads the texts of one language on first use: for texts that few people read, in one or two
 * languages.
 */
export function translationsOnDemand(folder: URL): (language: Language) => Texts {
  const known = new Map<Language, Texts>();
  return (language) => {
    const before = known.get(language);
    if (before) return before;
    const texts = textsIn(folder, language);
    known.set(language, texts);
    return texts;
  };
}

/** Reads the texts in a folder: `de.json`, `fr.json` and so on. */
export const readTranslations = (folder: URL): Translations =>
  Object.fromEntries(
    Object.keys(LANGUAGES)
      .filter((language) => language !== 'en')
      .map((language) => [language, textsIn(folder, language)]),
  );
