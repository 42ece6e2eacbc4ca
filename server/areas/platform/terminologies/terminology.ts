/** A word of a business as callers see it, and how it is stored. */
import { boolean, listOf, object, oneOf, text } from '../../../kernel/base/fields/kinds.ts';
import { sql } from '../../../kernel/base/db/sql.ts';
import { articleOf, VOCABULARY, type Article, type Word } from '../../../kernel/base/values/words.ts';
import type { Work } from '../../../kernel/work/unit/work.ts';

/** The language of `singular` and `plural`. Words in other languages are stored for websites of the business. */
export const TEXT_LOCALE = 'en';

const MAX_LETTERS = 40;
const MAX_TRANSLATIONS = 50;

/**
 * Letters, digits and the characters used between them in names: nothing that a page, an email or a template interprets
 * as markup.
 */
const PLAIN = /^[\p{L}\p{N}](?:[\p{L}\p{M}\p{N} '’&/().,+\p{Join_Control}-]*[\p{L}\p{M}\p{N}).])?$/u;
const LOCALE = /^[a-z]{2,3}(-[A-Z][a-z]{3})?(-([A-Z]{2}|\d{3}))?$/;

const wordText = () =>
  text({
    max: MAX_LETTERS,
    pattern: PLAIN,
    hint: "Must be a plain word or a few, for example private lesson. Only letters, digits, spaces and ' & / ( ) . , + - are allowed.",
  });

const translation = object({
  locale: text({ max: 15, pattern: LOCALE, hint: 'Must be a language tag, for example fr or pt-BR.' }).means(
    'language',
  ),
  singular: wordText(),
  plural: wordText(),
});

export const shape = {
  id: oneOf(Object.keys(VOCABULARY) as Word[]),
  description: text().describe('Meaning of the word.'),
  singular: wordText().describe('As it stands in the middle of a sentence: in lower case, unless it is a name.'),
  plural: wordText(),
  article: oneOf(['a', 'an']).describe('The article before the singular.'),
  default_singular: text(),
  default_plural: text(),
  customised: boolean().describe('True if the business uses its own words.'),
  translations: listOf(translation, { max: MAX_TRANSLATIONS }).describe(
    'Words in other languages, for sites of yours that are written in them. Our own texts use your words in English only.',
  ),
};

/** The properties that callers may send; null restores the default. */
export const bodyShape = {
  singular: shape.singular.nullable(),
  plural: wordText().nullable(),
  article: oneOf(['a', 'an']).nullable().optional().describe('Null means that we choose it by the sound of the word.'),
  translations: listOf(translation, { max: MAX_TRANSLATIONS }).optional().describe('Replaces the whole list.'),
};

const DESCRIPTIONS: Record<Word, string> = {
  event: 'Anything that can be booked, where a text is about several kinds',
  class: 'Something to take part in with others, with the schedule type class',
  appointment: 'A time with an instructor, with the schedule type appointment',
  rental: 'A room for a time, with the schedule type room_rental',
  course: 'Several sessions that belong together, with the schedule type course',
  session: 'One date of a course',
  booking: 'What somebody has who booked',
  waitlist: 'The list for what is full',
  spot: 'A place in what is booked, or on its waitlist',
  instructor: 'The person who teaches or guides',
  venue: 'The place where it happens',
  room: 'A part of a venue',
  membership: 'What is bought to book with',
  gift_card: 'Account credit for somebody else, with a code',
  store: 'Where products are sold',
  customer: 'A person who books and buys',
};

interface OwnText {
  readonly singular: string;
  readonly plural: string;
  readonly article: Article | null;
}

export interface Translation {
  readonly locale: string;
  readonly singular: string;
  readonly plural: string;
}

/** The stored form of one word; `own` is null for the default. */
export interface Stored {
  readonly own: OwnText | null;
  readonly translations: readonly Translation[];
}

export const NOTHING_STORED: Stored = { own: null, translations: [] };

export function shown(word: Word, { own, translations }: Stored) {
  const [one, many] = VOCABULARY[word];
  const singular = own?.singular ?? one;
  return {
    id: word,
    description: DESCRIPTIONS[word],
    singular,
    plural: own?.plural ?? many,
    article: own?.article ?? articleOf(singular),
    default_singular: one,
    default_plural: many,
    customised: own !== null,
    translations,
  };
}

interface Row extends OwnText, Translation {
  readonly word: Word;
}

/** Reads the business's own words in one statement. */
export async function readStored({ tx, providerId }: Pick<Work, 'tx' | 'providerId'>): Promise<Map<Word, Stored>> {
  const rows = await tx.rows<Row>(
    sql`SELECT word, locale, singular, plural, article FROM terminology WHERE provider_id = ${providerId}
      ORDER BY word, locale`,
  );
  const stored = new Map<Word, Stored>();
  for (const { word, locale, singular, plural, article } of rows) {
    const { own, translations } = stored.get(word) ?? NOTHING_STORED;
    stored.set(
      word,
      locale === TEXT_LOCALE
        ? { own: { singular, plural, article }, translations }
        : { own, translations: [...translations, { locale, singular, plural }] },
    );
  }
  return stored;
}
