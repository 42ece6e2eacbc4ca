/**
 * Texts whose English is in the code, in the other languages, with the same keys. Their merge fields are those of the
 * English text, see `kernel/base/values/template.ts`.
 */
import { LANGUAGES, type Language } from './languages.ts';
import { byLanguage, textsOf, type Texts, type TranslatedPart } from './texts.ts';

export type Translations = Readonly<Partial<Record<Language, Texts>>>;

const OTHERS = (Object.keys(LANGUAGES) as Language[]).filter((language) => language !== 'en');

/** Returns the texts of a part of `server/texts/messages`. A language is read on first use. */
export const readTranslations = (part: TranslatedPart): Translations =>
  byLanguage((language) => textsOf('messages', part, language), OTHERS);
