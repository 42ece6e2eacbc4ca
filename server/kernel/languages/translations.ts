/**
 * Texts whose English is in the code, in the other languages: a file for each, with the same keys. Their merge fields are
 * those of the English text, see `kernel/values/template.ts`.
 */
import { readFileSync } from 'node:fs';
import { LANGUAGES, type Language } from './languages.ts';

export type Translations = Readonly<Partial<Record<Language, Readonly<Record<string, string>>>>>;

/** The texts of one language, read when somebody first asks for it: for what few ever read, in one or two languages. */
export function translationsOnDemand(folder: URL): (language: Language) => Readonly<Record<string, string>> {
  const known = new Map<Language, Readonly<Record<string, string>>>();
  return (language) => {
    const before = known.get(language);
    if (before) return before;
    const texts = JSON.parse(readFileSync(new URL(`${language}.json`, folder), 'utf8')) as Record<string, string>;
    known.set(language, texts);
    return texts;
  };
}

/** The texts in a folder: `de.json`, `fr.json` and so on. */
export const readTranslations = (folder: URL): Translations =>
  Object.fromEntries(
    Object.keys(LANGUAGES)
      .filter((language) => language !== 'en')
      .map((language) => [language, JSON.parse(readFileSync(new URL(`${language}.json`, folder), 'utf8'))]),
  );
