/** Whose mail it is: the name, the icon, the color and the address that stand on every mail of a business. */
import { raw } from '../db/sql.ts';
import { readerIn, type Reader } from '../languages/languages.ts';
import { wordsOf, type OwnWords, type Words } from '../values/words.ts';

export interface Letterhead {
  readonly business: string;
  /** `#rrggbb`; null: it has none */
  readonly color: string | null;
  /** address of its icon, made of its logo; null: it has no picture */
  readonly icon: string | null;
  /** its language, else the one of its country */
  readonly reader: Reader;
  /** what it calls things */
  readonly words: Words;
  /** what stands below every mail, a line each: the name, the address, and how to reach the business; empty: it says nothing of them */
  readonly footer: readonly string[];
}

export interface LetterheadRow {
  readonly business_id: number;
  readonly has_icon: boolean;
  /** name of the business */
  readonly business: string;
  readonly brand_color: string | null;
  readonly business_country: string;
  readonly business_language: string | null;
  readonly business_words: OwnWords;
  readonly business_address: Readonly<Record<string, string | null>> | null;
  readonly contact_email: string | null;
  readonly contact_phone_number: string | null;
}

/** What a letterhead is made of, but whether there is an icon; `b` is the row of the business. */
export const LETTERHEAD_COLUMNS = raw(
  'b.provider_id AS business_id, b.name AS business, b.brand_color, b.country AS business_country, b.language AS business_language, b.words AS business_words, b.address AS business_address, b.contact_email, b.contact_phone_number',
);

const joined = (parts: readonly (string | null | undefined)[], by: string): string =>
  parts
    .map((part) => part?.replaceAll(/\s+/g, ' ').trim())
    .filter(Boolean)
    .join(by);

/** Large enough for screens with several points to a pixel: mails show it at a third of that. */
const iconAt = (baseUrl: string, business: number): string => `${baseUrl}/images/${business}/icon-96.png`;

/** @param baseUrl the address of the installation, without a slash at its end */
export function letterheadOf(row: LetterheadRow, baseUrl: string): Letterhead {
  const { business, brand_color, business_address: at, contact_email, contact_phone_number } = row;
  const address = [
    at?.street,
    at?.street_secondary,
    joined([at?.postal_code, at?.city], ' '),
    at?.region === at?.city ? null : at?.region,
  ];
  const reach = [joined(address, ', '), joined([contact_email, contact_phone_number], ' · ')].filter(Boolean);
  return {
    business,
    color: brand_color,
    icon: row.has_icon ? iconAt(baseUrl, row.business_id) : null,
    reader: readerIn(row.business_country, row.business_language),
    words: wordsOf(row.business_words),
    footer: reach.length === 0 ? [] : [business, ...reach],
  };
}
