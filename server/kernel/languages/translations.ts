/**
 * Texts whose English is in the code, in the other languages: a file for each, with the same keys. Their merge fields are
 * those of the English text, see `kernel/values/template.ts`.
 */
import { readFileSync } from 'node:fs';
import { LANGUAGES, type Language } from './languages.ts';

export type Translations = Readonly<Partial<Record<Language, Readonly<Record<string, string>>>>>;

/** The texts in a folder: `de.json`, `fr.json` and so on. */
export const readTranslations = (folder: URL): Translations =>
  Object.fromEntries(
    Object.keys(LANGUAGES)
      .filter((language) => language !== 'en')
      .map((language) => [language, JSON.parse(readFileSync(new URL(`${language}.json`, folder), 'utf8'))]),
  );
