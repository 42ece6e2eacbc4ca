/**
 * The words that a business uses in texts for its customers: a class may be a session, a lesson or a flow. Texts for
 * customers are written with `say` and these words, and become sentences where they are printed, in the words of that
 * business:
 *
 * say`${A.membership} is needed to book this ${one.event}.`
 *
 * Where the words are already known, on a page, they are strings: `const { one, a } = site.tenant.words`. Pure.
 */

import { dayText, momentText } from './spoken-time.ts';

/** The words that texts for customers use, each with its default in singular and plural. */
export const VOCABULARY = {
  event: ['event', 'events'],
  class: ['class', 'classes'],
  appointment: ['appointment', 'appointments'],
  rental: ['rental', 'rentals'],
  course: ['course', 'courses'],
  session: ['session', 'sessions'],
  booking: ['booking', 'bookings'],
  waitlist: ['waitlist', 'waitlists'],
  spot: ['spot', 'spots'],
  instructor: ['instructor', 'instructors'],
  venue: ['venue', 'venues'],
  room: ['room', 'rooms'],
  membership: ['membership', 'memberships'],
  gift_card: ['gift card', 'gift cards'],
  store: ['store', 'stores'],
  customer: ['customer', 'customers'],
} as const satisfies Record<string, readonly [one: string, many: string]>;

export type Word = keyof typeof VOCABULARY;

export const WORDS = Object.keys(VOCABULARY) as readonly Word[];

export type Article = 'a' | 'an';

/** A business's own word. */
interface OwnWord {
  readonly singular: string;
  readonly plural: string;
  /** null: derived from its sound, see `articleOf` */
  readonly article: Article | null;
}

export type OwnWords = Readonly<Partial<Record<Word, OwnWord>>>;

/** Forms of a word in a sentence: `class`, `classes`, `a class`, and each at the beginning of a sentence. */
export const FORMS = ['one', 'many', 'a', 'One', 'Many', 'A'] as const;
type Form = (typeof FORMS)[number];
type Forms<T> = Readonly<Record<Form, Readonly<Record<Word, T>>>>;

/** The words for the schedule types: an event that is taught, arranged or rented. */
const EVENT_WORDS = { class: 'class', appointment: 'appointment', room_rental: 'rental', course: 'session' } as const;
export type EventKind = keyof typeof EVENT_WORDS;

/** Returns the word for an event of this schedule type. */
export const wordOf = (kind: EventKind): Word => EVENT_WORDS[kind];

// Words that start with a vowel letter and a consonant sound, and the reverse.
const LIKE_CONSONANT = /^(?:eu|ewe|one\b|once|oui|u(?=[bcfhjkqrst][aeiou])|uni(?!n|m))/i;
const LIKE_VOWEL = /^(?:[aeiou]|hour|honou?r|honest|heir|(?:8\d*|1[18])(?!\d))/i;
// Up to three capitals are pronounced letter by letter: "an MRI", "a UV lamp".
const SPELT = /^[A-Z][A-Z\d]{0,2}(?![\p{L}\d])/u;
const SPELT_LIKE_VOWEL = /^[AEFHILMNORSX]/;

/** Returns the article of a word, by its pronunciation. A business sets it where this rule is wrong. */
export const articleOf = (given: string): Article => {
  const word = given.normalize('NFD').replaceAll(/\p{M}/gu, '');
  if (SPELT.test(word)) return SPELT_LIKE_VOWEL.test(word) ? 'an' : 'a';
  return LIKE_VOWEL.test(word) && !LIKE_CONSONANT.test(word) ? 'an' : 'a';
};

const capitalised = (text: string): string => {
  const [first = ''] = text;
  return first.toUpperCase() + text.slice(first.length);
};

const mapped = <T>(valueOf: (word: Word) => T): Record<Word, T> =>
  Object.fromEntries(WORDS.map((word) => [word, valueOf(word)])) as Record<Word, T>;

/**
 * Translates texts for customers. It looks them up by their English source: `This {one_event} is full.`, with `{0}`,
 * `{1}` and so on for values.
 */
export interface Speaker {
  /** returns a day or a moment in the reader's format */
  when(when: When): string;
  /** null: the text has no translation in this language, and stays English */
  say(source: string, holes: readonly string[]): string | null;
}

/** The words of one business in all their forms, built once when the business is read. */
export class Words implements Forms<string> {
  readonly one: Readonly<Record<Word, string>>;
  readonly many: Readonly<Record<Word, string>>;
  readonly a: Readonly<Record<Word, string>>;
  readonly One: Readonly<Record<Word, string>>;
  readonly Many: Readonly<Record<Word, string>>;
  readonly A: Readonly<Record<Word, string>>;
  readonly #own: OwnWords;
  readonly #tellsKinds: boolean;
  /** translates texts for the person who reads them; null: they read English */
  readonly speaker: Speaker | null;
  readonly #about = new Map<EventKind, Words>();

  /** `tellsKinds` false: an event is called an event, regardless of its kind. */
  constructor(
    own: OwnWords = {},
    { tellsKinds = true, speaker = null }: { tellsKinds?: boolean; speaker?: Speaker | null } = {},
  ) {
    this.#own = own;
    this.#tellsKinds = tellsKinds;
    this.speaker = speaker;
    this.one = mapped((word) => own[word]?.singular ?? VOCABULARY[word][0]);
    this.many = mapped((word) => own[word]?.plural ?? VOCABULARY[word][1]);
    this.a = mapped((word) => `${own[word]?.article ?? articleOf(this.one[word])} ${this.one[word]}`);
    this.One = mapped((word) => capitalised(this.one[word]));
    this.Many = mapped((word) => capitalised(this.many[word]));
    this.A = mapped((word) => capitalised(this.a[word]));
  }

  /** Returns the same words for a reader of another language; null: English. */
  spokenBy(speaker: Speaker | null): Words {
    return speaker === this.speaker ? this : new Words(this.#own, { tellsKinds: this.#tellsKinds, speaker });
  }

  /** Returns the same words for a text about an event of this kind, which replaces the word "event". */
  about(kind: EventKind): Words {
    if (!this.#tellsKinds) return this;
    let words = this.#about.get(kind);
    if (!words) {
      const word = wordOf(kind);
      const own = this.#own[word] ?? {
        singular: VOCABULARY[word][0],
        plural: VOCABULARY[word][1],
        article: null,
      };
      words = new Words({ ...this.#own, event: own }, { speaker: this.speaker });
      this.#about.set(kind, words);
    }
    return words;
  }
}

/** The words of the interface, for staff and programs at every business. */
export const INTERFACE_WORDS = new Words({}, { tellsKinds: false });

/** The words of a business that set none. */
export const DEFAULT_WORDS = new Words();

/** Returns the words of a business with its own ones. */
export const wordsOf = (own: OwnWords): Words => (Object.keys(own).length === 0 ? DEFAULT_WORDS : new Words(own));

/** A word in a text. */
interface WordAt {
  readonly form: Form;
  readonly word: Word;
}

/** A day or a moment in a text, printed in the reader's format. */
export class When {
  readonly at: number;
  readonly zone: string;
  readonly isDay: boolean;
  constructor(at: number, zone: string, isDay: boolean) {
    this.at = at;
    this.zone = zone;
    this.isDay = isDay;
  }
}

/** Returns a moment in a text: `Friday, 17 July 2026, 18:00` */
export const moment = (at: number, zone: string): When => new When(at, zone, false);

/** Returns a calendar date in a text: `Friday, 17 July 2026`. */
export const day = (date: string): When => new When(Date.parse(`${date}T00:00Z`), 'UTC', true);

type Part = string | number | WordAt | When | Said;

/**
 * A text that becomes a sentence in the words of a business. Its values are never taken for words. It is data: two
 * equal texts are equal.
 */
export class Said {
  readonly parts: readonly Part[];
  /** the kind of the event that it concerns; null: any, or its context defines it */
  readonly kind: EventKind | null;
  constructor(parts: readonly Part[], kind: EventKind | null = null) {
    this.parts = parts;
    this.kind = kind;
  }
  in(words: Words): string {
    const received = this.kind === null ? words : words.about(this.kind);
    const spoken = received.speaker?.say(
      this.source,
      this.parts.filter(isValue).map((part) => printed(part, received)),
    );
    return spoken ?? this.parts.map((part) => printed(part, received)).join('');
  }
  /** The key of its translation. */
  get source(): string {
    let values = 0;
    return this.parts
      .map((part) => {
        const word = wordIn(part);
        if (word) return `{${word.form}_${word.word}}`;
        return isValue(part) ? `{${values++}}` : part;
      })
      .join('');
  }
  /** Returns the same text about an event of this kind. */
  about(kind: EventKind): Said {
    return new Said(this.parts, kind);
  }
  /** Returns the text for logs. */
  toString(): string {
    return this.in(INTERFACE_WORDS);
  }
}

const wordIn = (part: Part): WordAt | null => {
  if (typeof part !== 'object' || part instanceof When) return null;
  if (!(part instanceof Said)) return part;
  return part.parts.length === 1 ? wordIn(part.parts[0]) : null;
};

/**
 * Returns true for a value, as opposed to a part of the sentence. A text that is a complete sentence can be a value,
 * too.
 */
const isValue = (part: Part): part is Exclude<Part, string> => typeof part !== 'string' && wordIn(part) === null;

function printed(part: Part, words: Words): string {
  if (typeof part !== 'object') return String(part);
  if (part instanceof Said) return part.in(words);
  return part instanceof When ? whenIn(words, part) : words[part.form][part.word];
}

const whenIn = ({ speaker }: Words, when: When): string =>
  speaker?.when(when) ?? (when.isDay ? dayText : momentText)(when.at, when.zone);

/** A text in source form: a plain string if it contains no word of a business. */
export type Text = string | Said;

export const textIn = (words: Words, text: Text): string =>
  typeof text === 'string' ? (words.speaker?.say(text, []) ?? text) : text.in(words);

/** Returns a text with words and values; the values may be such texts themselves. */
export const say = (strings: TemplateStringsArray, ...values: readonly (Text | number | When)[]): Said =>
  new Said(strings.flatMap((text, i) => (i === 0 ? [text] : [valueOf(values[i - 1]), text])));

/** Returns a value for a template. A string there is a value, never a part of the sentence. */
const valueOf = (value: Text | number | When): Part => (typeof value === 'string' ? new Said([value]) : value);

const ofForm = (form: Form): Readonly<Record<Word, Said>> => mapped((word) => new Said([{ form, word }]));

/** The words in texts: `one.class`, `many.class`, `a.class`; capitals begin a sentence. */
export const [one, many, a, One, Many, A] = FORMS.map(ofForm);
