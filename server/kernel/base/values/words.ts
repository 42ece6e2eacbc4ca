/**
 * What a business calls what its customers read about: a class may be a session, a lesson or a flow. Texts for customers
 * are written with `say` and these words, and become sentences where they are printed, in the words of that business:
 *
 *     say`${A.membership} is needed to book this ${one.event}.`
 *
 * Where the words are known already, on a page, they are strings: `const { one, a } = site.tenant.words`. Pure.
 */

import { dayText, momentText } from './spoken-time.ts';

/** The words that texts for customers use, each with its default: one of it, and several. */
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

/** What a business calls it. */
export interface OwnWord {
  readonly singular: string;
  readonly plural: string;
  /** null: by its sound, see `articleOf` */
  readonly article: Article | null;
}

export type OwnWords = Readonly<Partial<Record<Word, OwnWord>>>;

/** How a word stands in a sentence: `class`, `classes`, `a class`, and the same where a sentence begins with it. */
export const FORMS = ['one', 'many', 'a', 'One', 'Many', 'A'] as const;
type Form = (typeof FORMS)[number];
type Forms<T> = Readonly<Record<Form, Readonly<Record<Word, T>>>>;

/** What is taught, arranged or rented at a time, as the schedule types say it, and the word for it. */
const EVENT_WORDS = { class: 'class', appointment: 'appointment', room_rental: 'rental', course: 'session' } as const;
export type EventKind = keyof typeof EVENT_WORDS;

/** The word for an event of this schedule type. */
export const wordOf = (kind: EventKind): Word => EVENT_WORDS[kind];

// Written with a vowel and spoken with a consonant, and the other way round.
const LIKE_CONSONANT = /^(?:eu|ewe|one\b|once|oui|u(?=[bcfhjkqrst][aeiou])|uni(?!n|m))/i;
const LIKE_VOWEL = /^(?:[aeiou]|hour|honou?r|honest|heir|(?:8\d*|1[18])(?!\d))/i;
// Up to three capitals are spoken letter by letter: "an MRI", "a UV lamp".
const SPELT = /^[A-Z][A-Z\d]{0,2}(?![\p{L}\d])/u;
const SPELT_LIKE_VOWEL = /^[AEFHILMNORSX]/;

/** The article before a word, by how it is spoken. A business says it itself where this rule is wrong. */
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
 * Says texts for customers in another language. It knows them by their English source: `This {one_event} is full.`, with
 * `{0}`, `{1}` and so on for values.
 */
export interface Speaker {
  /** a day or a moment, as it is written where the reader is */
  when(when: When): string;
  /** null: the text is not said in this language, and stays English */
  say(source: string, holes: readonly string[]): string | null;
}

/** The words of one business in all their forms, made once when the business is read. */
export class Words implements Forms<string> {
  readonly one: Readonly<Record<Word, string>>;
  readonly many: Readonly<Record<Word, string>>;
  readonly a: Readonly<Record<Word, string>>;
  readonly One: Readonly<Record<Word, string>>;
  readonly Many: Readonly<Record<Word, string>>;
  readonly A: Readonly<Record<Word, string>>;
  readonly #own: OwnWords;
  readonly #tellsKinds: boolean;
  /** says texts in the language of the person who reads them; null: they read English */
  readonly speaker: Speaker | null;
  readonly #about = new Map<EventKind, Words>();

  /** `tellsKinds` false: an event is called an event, of whatever kind it is. */
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

  /** The same for somebody who reads another language; null: English. */
  spokenBy(speaker: Speaker | null): Words {
    return speaker === this.speaker ? this : new Words(this.#own, { tellsKinds: this.#tellsKinds, speaker });
  }

  /** The same for a text about an event of this kind: what it calls an event is called what it is. */
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

/** What staff and programs read, at every business: the names of the interface. */
export const INTERFACE_WORDS = new Words({}, { tellsKinds: false });

/** Of a business that set none. */
export const DEFAULT_WORDS = new Words();

/** Of a business with these of its own. */
export const wordsOf = (own: OwnWords): Words => (Object.keys(own).length === 0 ? DEFAULT_WORDS : new Words(own));

/** A word where it stands in a text. */
interface WordAt {
  readonly form: Form;
  readonly word: Word;
}

/** A day or a moment where it stands in a text, written as where the reader is. */
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

/** `Friday, 17 July 2026, 18:00` */
export const moment = (at: number, zone: string): When => new When(at, zone, false);

/** A calendar date: `Friday, 17 July 2026`. */
export const day = (date: string): When => new When(Date.parse(`${date}T00:00Z`), 'UTC', true);

type Part = string | number | WordAt | When | Said;

/**
 * A text that becomes a sentence in the words of a business. What stands in its holes is never taken for a word. It is
 * data: two that say the same are equal.
 */
export class Said {
  readonly parts: readonly Part[];
  /** the event that it is about is of this kind; null: any, or it is said around it */
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
  /** What a translation knows it by. */
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
  /** The same about an event of this kind. */
  about(kind: EventKind): Said {
    return new Said(this.parts, kind);
  }
  /** For logs. */
  toString(): string {
    return this.in(INTERFACE_WORDS);
  }
}

const wordIn = (part: Part): WordAt | null => {
  if (typeof part !== 'object' || part instanceof When) return null;
  if (!(part instanceof Said)) return part;
  return part.parts.length === 1 ? wordIn(part.parts[0]) : null;
};

/** Not of the sentence itself. A text that is a whole sentence of its own stands in it as a value, too. */
const isValue = (part: Part): part is Exclude<Part, string> => typeof part !== 'string' && wordIn(part) === null;

function printed(part: Part, words: Words): string {
  if (typeof part !== 'object') return String(part);
  if (part instanceof Said) return part.in(words);
  return part instanceof When ? whenIn(words, part) : words[part.form][part.word];
}

const whenIn = ({ speaker }: Words, when: When): string =>
  speaker?.when(when) ?? (when.isDay ? dayText : momentText)(when.at, when.zone);

/** A text as it was written: plain, where no word of a business stands in it. */
export type Text = string | Said;

export const textIn = (words: Words, text: Text): string =>
  typeof text === 'string' ? (words.speaker?.say(text, []) ?? text) : text.in(words);

/** Writes a text with words, and with values, that may be such texts themselves. */
export const say = (strings: TemplateStringsArray, ...values: readonly (Text | number | When)[]): Said =>
  new Said(strings.flatMap((text, i) => (i === 0 ? [text] : [valueOf(values[i - 1]), text])));

/** A string that is filled in is a value, never a part of the sentence. */
const valueOf = (value: Text | number | When): Part => (typeof value === 'string' ? new Said([value]) : value);

const ofForm = (form: Form): Readonly<Record<Word, Said>> => mapped((word) => new Said([{ form, word }]));

/** The words as they stand in texts: `one.class`, `many.class`, `a.class`; capitals begin a sentence. */
export const [one, many, a, One, Many, A] = FORMS.map(ofForm);
