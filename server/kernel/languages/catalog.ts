/**
 * Texts in several languages: a file of messages for each, in the syntax of ICU, all with the same keys. English is the
 * source; the tests hold the others to its keys and to what stands in its holes.
 */
import { IntlMessageFormat } from 'intl-messageformat';
import type { Language, Reader } from './languages.ts';

export type Messages = Readonly<Record<string, string>>;

/** Whatever stands in a hole of a message. */
export type Holes = Readonly<Record<string, string | number | Date>>;

/** Prints messages to one reader. */
export type Say<Key extends string> = (key: Key, holes?: Holes) => string;

export class Catalog<Key extends string> {
  readonly languages: Readonly<Record<Language, Readonly<Record<Key, string>>>>;
  /** made when a message is first printed; as many as there are messages, in each language */
  readonly #made = new Map<string, IntlMessageFormat>();

  constructor(languages: Readonly<Record<Language, Readonly<Record<Key, string>>>>) {
    this.languages = languages;
  }

  /** Numbers in messages are written as in the language; days and times are printed beforehand, as where the reader is. */
  for({ language }: Reader): Say<Key> {
    const messages = this.languages[language];
    return (key, holes) => {
      const message = messages[key];
      // Most messages have no holes, and nothing to choose.
      if (!message.includes('{') && !message.includes("'")) return message;
      const id = `${language} ${key}`;
      let made = this.#made.get(id);
      if (!made) this.#made.set(id, (made = new IntlMessageFormat(message, language, undefined, { ignoreTag: true })));
      return made.format(holes) as string;
    };
  }
}
