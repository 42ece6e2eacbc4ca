/**
 * Texts in several languages: a file of messages for each, in the syntax of ICU, all with the same keys. English is the
 * source; the tests hold the others to its keys and to what stands in its holes.
 */
import { IntlMessageFormat } from 'intl-messageformat';
import { readFileSync } from 'node:fs';
import { FORMS, WORDS, type Words } from '../values/words.ts';
import { LANGUAGES, type Language, type Reader } from './languages.ts';

export type Messages = Readonly<Record<string, string>>;

/** Whatever stands in a hole of a message. */
export type Holes = Readonly<Record<string, string | number | Date>>;

/** Prints messages to one reader. */
export type Say<Key extends string> = (key: Key, holes?: Holes) => string;

/** The name of a hole for a word in one of its forms. */
export const wordHole = (form: (typeof FORMS)[number], word: (typeof WORDS)[number]): string => `${form}_${word}`;

const known = new WeakMap<Words, Holes>();

function holesFor(words: Words): Holes {
  let holes = known.get(words);
  if (!holes) {
    holes = Object.fromEntries(FORMS.flatMap((form) => WORDS.map((word) => [wordHole(form, word), words[form][word]])));
    known.set(words, holes);
  }
  return holes;
}

/** of one page */
const MOST_SAID = 1000;

export class Catalog<Key extends string> {
  readonly languages: Readonly<Record<Language, Readonly<Record<Key, string>>>>;
  /** made when a message is first printed; as many as there are messages, in each language */
  readonly #made = new Map<string, IntlMessageFormat>();

  constructor(languages: Readonly<Record<Language, Readonly<Record<Key, string>>>>) {
    this.languages = languages;
  }

  /**
   * The messages in a folder: `en.json`, `de.json` and so on. `Key` is what `en.json` says: `keyof typeof en` of an import of
   * it.
   */
  static read<Key extends string>(folder: URL): Catalog<Key> {
    const read = (language: string) => JSON.parse(readFileSync(new URL(`${language}.json`, folder), 'utf8'));
    return new Catalog(
      Object.fromEntries(Object.keys(LANGUAGES).map((language) => [language, read(language)])) as Record<
        Language,
        Record<Key, string>
      >,
    );
  }

  /** What both say. */
  and<More extends string>(more: Catalog<More>): Catalog<Key | More> {
    return new Catalog(
      Object.fromEntries(
        Object.keys(LANGUAGES).map((language) => [
          language,
          { ...this.languages[language as Language], ...more.languages[language as Language] },
        ]),
      ) as Record<Language, Record<Key | More, string>>,
    );
  }

  /**
   * Numbers in messages are written as in the language; days and times are printed beforehand, as where the reader is.
   * `words` are those of the business: English messages have them in holes such as `{Many_membership}`. In other languages
   * they would have to be declined, so the messages say what things are usually called.
   */
  for({ language }: Reader, words: Words): Say<Key> {
    const messages = this.languages[language];
    const given = language === 'en' ? holesFor(words) : null;
    // A page says the same of many: three hundred classes have 19 spots left.
    const said = new Map<string, string>();
    return (key, holes) => {
      const message = messages[key];
      // Most messages have no holes, and nothing to choose.
      if (!message.includes('{') && !message.includes("'")) return message;
      const asked = holes === undefined ? key : key + JSON.stringify(holes);
      const known = said.get(asked);
      if (known !== undefined) return known;
      const id = `${language} ${key}`;
      let made = this.#made.get(id);
      if (!made) this.#made.set(id, (made = new IntlMessageFormat(message, language, undefined, { ignoreTag: true })));
      const text = made.format(Object.assign(Object.create(given), holes)) as string;
      // A time may end in a stop of its own, and end the sentence: "until 6:00 p.m."
      const ended = text.replaceAll(/(?<!\.)\.\.(?!\.)/g, '.');
      if (said.size < MOST_SAID) said.set(asked, ended);
      return ended;
    };
  }
}
