/**
 * Translations of refusals and explanations for customers. The English text is in the code, with the words of the
 * business (`say`); each area keeps the translations of its own texts, by their English source.
 */
import { IntlMessageFormat } from 'intl-messageformat';
import { ENGLISH, readerOf, type Language, type Reader } from './languages.ts';
import { spokenDay, spokenMoment } from './spoken.ts';
import { withJoinedPrefixes } from '../values/text/hebrew.ts';
import type { Speaker } from '../values/words.ts';
import type { Translations } from './translations.ts';

export class Speakers {
  readonly #all: readonly Translations[];
  /** collected when somebody first reads the language */
  readonly #texts = new Map<Language, ReadonlyMap<string, string>>();
  /** created when a text is first printed */
  readonly #made = new Map<string, IntlMessageFormat>();

  constructor(all: readonly Translations[]) {
    this.#all = all;
  }

  #textsIn(language: Language): ReadonlyMap<string, string> {
    let texts = this.#texts.get(language);
    if (!texts) {
      texts = new Map(this.#all.flatMap((one) => Object.entries(one[language] ?? {})));
      this.#texts.set(language, texts);
    }
    return texts;
  }

  /** Returns the speaker for a reader; null: they read English of no region, in which the texts are written. */
  for(reader: Reader): Speaker | null {
    if (reader.locale === ENGLISH.locale) return null;
    const texts = this.#textsIn(reader.language);
    return {
      when: ({ at, zone, isDay }) => (isDay ? spokenDay : spokenMoment)(reader, at, zone),
      say: (source, holes) => {
        const text = texts.get(source);
        if (text === undefined) return null;
        if (!text.includes('{')) return text;
        const id = `${reader.language} ${source}`;
        let made = this.#made.get(id);
        if (!made)
          this.#made.set(id, (made = new IntlMessageFormat(text, reader.language, undefined, { ignoreTag: true })));
        return withJoinedPrefixes(made.format(Object.fromEntries(holes.map((hole, i) => [i, hole]))) as string);
      },
    };
  }

  /**
   * Returns the speaker for an API request: the first language in `accept-language` that is available, or else English.
   */
  asked(accepts: string | undefined): Speaker | null {
    return accepts === undefined ? null : this.for(readerOf(accepts, null, ENGLISH));
  }
}
