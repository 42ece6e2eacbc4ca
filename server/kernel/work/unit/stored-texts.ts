/**
 * Texts that are stored once and read by everyone, such as the description of a payment or of a line of an invoice.
 * They are in the language of the business, with its days and amounts.
 */
import { Catalog, type Say } from '../../base/languages/catalog.ts';
import { ENGLISH, type Reader } from '../../base/languages/languages.ts';
import { plainDateIn, spokenAmount, spokenDateIn } from '../../base/languages/spoken.ts';
import type { EventKind } from '../../base/values/words.ts';
import type { TextKey } from '../../base/languages/texts.ts';
import type { Tenant } from './work.ts';

const TEXTS = Catalog.read('messages', 'stored');

/** Returns a stored text by its key. */
export type SayStored = StoredTexts['say'];

export interface StoredTexts {
  readonly say: Say<TextKey<'messages', 'stored'>>;
  /** returns a calendar date with its weekday */
  readonly day: (date: string) => string;
  /** returns a calendar date without its weekday */
  readonly date: (date: string) => string;
  readonly amount: (minor: number) => string;
}

/** `kind`: the kind of event that the texts are about. `reader`: reads a message with such texts now. */
export function storedTexts(
  { tenant }: { readonly tenant: Tenant },
  about: { readonly kind?: EventKind; readonly reader?: Reader } = {},
): StoredTexts {
  const { currency } = tenant;
  const words = about.kind === undefined ? tenant.words : tenant.words.about(about.kind);
  const reader: Reader = about.reader ?? tenant.reader ?? ENGLISH;
  return {
    say: TEXTS.for(reader, words),
    day: (date) => spokenDateIn(reader, date),
    date: (date) => plainDateIn(reader, date),
    amount: (minor) => spokenAmount(reader, { minor, currency }),
  };
}
