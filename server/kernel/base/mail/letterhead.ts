/** The business's name, icon, color and address on every email. */
import { raw } from '../db/sql.ts';
import { readerIn, type Reader } from '../languages/languages.ts';
import { wordsOf, type OwnWords, type Words } from '../values/words.ts';

export interface Letterhead {
  readonly business: string;
  /** `#rrggbb`; null: it has none */
  readonly color: string | null;
  /** URL of its icon, derived from its logo; null: it has no picture */
  readonly icon: string | null;
  /** its language, or else its country's */
  readonly reader: Reader;
  /** its own words */
  readonly words: Words;
  /** lines below every email: the name, the address, and contact details; empty if the business has set none */
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

/** The columns of a letterhead, except for the existence of an icon; `b` is the row of the business. */
export const LETTERHEAD_COLUMNS = raw(
  'b.provider_id AS business_id, b.name AS business, b.brand_color, b.country AS business_country, b.language AS business_language, b.words AS business_words, b.address AS business_address, b.contact_email, b.contact_phone_number',
);

const joined = (parts: readonly (string | null | undefined)[], by: string): string =>
  parts
    .map((part) => part?.replaceAll(/\s+/g, ' ').trim())
    .filter(Boolean)
    .join(by);

/** Returns the icon's URL, large enough for high-density screens: emails show it at a third of that size. */
const iconAt = (baseUrl: string, business: number): string => `${baseUrl}/images/${business}/icon-96.png`;

/**
 * Returns the letterhead.
 * @param baseUrl base URL of the installation, without a trailing slash
 */
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
