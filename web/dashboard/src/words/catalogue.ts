/**
 * Texts of one part of the dashboard: those under its name in `texts/en.json` and in the files of the other languages,
 * in ICU syntax, all with the same keys. English is bundled with the part; another language is loaded before the part
 * is shown.
 */
import { IntlMessageFormat } from 'intl-messageformat';
import { language } from './language.ts';
import type english from '../../texts/en.json';

/** The build parses messages with placeholders. */
type Message = string | ConstructorParameters<typeof IntlMessageFormat>[0];
type Messages = Readonly<Record<string, Message>>;
export type Holes = Readonly<Record<string, string | number | Date>>;
export type Say<Key extends string> = (key: Key, holes?: Holes) => string;

export interface Catalogue<Key extends string> {
  /** returns a text; placeholders are replaced by the values with their names */
  readonly say: Say<Key>;
  readonly has: (key: string) => boolean;
  /** resolves once the texts in the language of the user are loaded */
  readonly ready: Promise<void>;
}

type English = typeof english;

/** A Hebrew prefix is joined to a Hebrew word, and has a hyphen before digits and other alphabets. */
const HEBREW_PREFIX = /(?<![\p{L}\p{N}-])([ובכלמה]{1,2})-(?=\p{sc=Hebr})/gu;

/** Returns the texts of a part. The build passes the texts. */
export function catalogue<const P extends keyof English>(
  _part: P,
  english: Messages = {},
  others: Readonly<Record<string, () => Promise<Messages>>> = {},
): Catalogue<keyof English[P] & string> {
  let messages: Messages = english;
  const made = new Map<string, IntlMessageFormat>();
  const load = others[language];
  const ready = language === 'en' || !load ? Promise.resolve() : load().then((loaded) => void (messages = loaded));
  const say = (key: keyof English[P] & string, holes?: Holes): string => {
    const message = (messages[key] ?? english[key])!;
    if (typeof message === 'string') return message;
    let format = made.get(key);
    if (!format) made.set(key, (format = new IntlMessageFormat(message, language, undefined, { ignoreTag: true })));
    const text = format.format(holes) as string;
    return language === 'he' ? text.replaceAll(HEBREW_PREFIX, '$1') : text;
  };
  return { say, has: (key) => Object.hasOwn(english, key), ready };
}
