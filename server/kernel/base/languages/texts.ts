/**
 * The texts of the service: one file for each language and app (`server/texts/pages`, `server/texts/messages`), grouped
 * by part. The file of a language is read when somebody first reads that language.
 */
import { readFileSync } from 'node:fs';
import { LANGUAGES, type Language } from './languages.ts';
import type messages from '../../../texts/messages/en.json';
import type pages from '../../../texts/pages/en.json';
import type translated from '../../../texts/messages/de.json';

interface English {
  readonly pages: typeof pages;
  readonly messages: typeof messages;
}

export type App = keyof English;
/** the parts of an app whose English is in its file too */
export type Part<A extends App> = keyof English[A] & string;
export type TextKey<A extends App, P extends Part<A>> = keyof English[A][P] & string;
/** the parts of messages in any language, including those whose English is in the code */
export type TranslatedPart = keyof typeof translated & string;

export type Texts = Readonly<Record<string, string>>;

const FOLDER = new URL('../../../texts/', import.meta.url);
const known = new Map<string, Readonly<Record<string, Texts>>>();

/** Returns the texts of one part in one language, by key. */
export function textsOf(app: App, part: string, language: Language): Texts {
  const file = `${app}/${language}.json`;
  let all = known.get(file);
  if (!all) known.set(file, (all = JSON.parse(readFileSync(new URL(file, FOLDER), 'utf8')) as Record<string, Texts>));
  return all[part]!;
}

/** Returns an object with a value for each language, made when it is first read. */
export function byLanguage<T>(
  make: (language: Language) => T,
  languages = Object.keys(LANGUAGES) as Language[],
): Readonly<Record<Language, T>> {
  const made = {} as Record<Language, T>;
  for (const language of languages)
    Object.defineProperty(made, language, {
      configurable: true,
      enumerable: true,
      get() {
        const value = make(language);
        Object.defineProperty(made, language, { value, enumerable: true });
        return value;
      },
    });
  return made;
}
