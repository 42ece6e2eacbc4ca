/**
 * Texts in several languages, in ICU syntax, all with the same keys. English is the source; tests check that the others
 * have its keys and placeholders.
 */
import { IntlMessageFormat } from 'intl-messageformat';
import { FORMS, WORDS, type Words } from '../values/words.ts';
import { withJoinedPrefixes } from '../values/text/hebrew.ts';
import type { Language, Reader } from './languages.ts';
import { byLanguage, textsOf, type App, type Part, type TextKey } from './texts.ts';

/** Values for the placeholders of a message. */
export type Holes = Readonly<Record<string, string | number | Date>>;

/** Prints messages for one reader. */
export type Say<Key extends string> = (key: Key, holes?: Holes) => string;

/** Returns the name of the placeholder for a word in one of its forms. */
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

/** limit for one page */
const MAX_CACHED_TEXTS = 1000;

export class Catalog<Key extends string> {
  readonly languages: Readonly<Record<Language, Readonly<Record<Key, string>>>>;
  /** created when a message is first printed; at most one for each message and language */
  readonly #made = new Map<string, IntlMessageFormat>();

  constructor(languages: Readonly<Record<Language, Readonly<Record<Key, string>>>>) {
    this.languages = languages;
  }

  /** Returns the messages of a part of an app. */
  static read<A extends App, P extends Part<A>>(app: A, part: P): Catalog<TextKey<A, P>> {
    return new Catalog(byLanguage((language) => textsOf(app, part, language) as Record<TextKey<A, P>, string>));
  }

  /** Returns a catalog with the messages of both. */
  and<More extends string>(more: Catalog<More>): Catalog<Key | More> {
    return new Catalog(
      byLanguage(
        (language) =>
          ({ ...this.languages[language], ...more.languages[language] }) as unknown as Record<Key | More, string>,
      ),
    );
  }

  /**
   * Returns a function that prints messages. Numbers are in the language's format; days and times are formatted
   * beforehand, for the reader's locale. `words` are those of the business: English messages have placeholders for
   * them, such as `{Many_membership}`. Other languages would need declension, so their messages use the usual words.
   */
  for({ language }: Reader, words: Words): Say<Key> {
    const messages = this.languages[language];
    const given = language === 'en' ? holesFor(words) : null;
    // A page repeats messages: three hundred classes have 19 spots left.
    const said = new Map<string, string>();
    return (key, holes) => {
      const message = messages[key];
      // Most messages have no placeholders and no choices.
      if (!message.includes('{') && !message.includes("'")) return message;
      const asked = holes === undefined ? key : key + JSON.stringify(holes);
      const known = said.get(asked);
      if (known !== undefined) return known;
      const id = `${language} ${key}`;
      let made = this.#made.get(id);
      if (!made) this.#made.set(id, (made = new IntlMessageFormat(message, language, undefined, { ignoreTag: true })));
      const text = made.format(Object.assign(Object.create(given), holes)) as string;
      // A time may end with a full stop of its own at the end of the sentence: "until 6:00 p.m."
      const ended = withJoinedPrefixes(text.replaceAll(/(?<!\.)\.\.(?!\.)/g, '.'));
      if (said.size < MAX_CACHED_TEXTS) said.set(asked, ended);
      return ended;
    };
  }
}
