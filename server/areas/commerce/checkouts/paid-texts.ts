/** Sentences about what a cancellation returned or lost, in every language: pages and emails say the same. */
import { amountIn } from '../../../kernel/base/languages/times.ts';
import { Catalog, type Say } from '../../../kernel/base/languages/catalog.ts';
import type { Paid } from './paid-bookings.ts';
import type { Reader } from '../../../kernel/base/languages/languages.ts';
import type { TextKey } from '../../../kernel/base/languages/texts.ts';

export type PaidKey = TextKey<'messages', 'checkouts/paid'>;

export const PAID_TEXTS = Catalog.read('messages', 'checkouts/paid');

/** Returns what a cancellation returned (`came`) or lost (`went`). */
export function returnedText(
  paid: Paid,
  how: 'came' | 'went',
  { say, reader, currency }: { readonly say: Say<PaidKey>; readonly reader: Reader; readonly currency: string },
): string {
  return paid.kind === 'visit'
    ? say(`money.${how}_visit`, { membership: paid.membership })
    : say(`money.${how}_${paid.kind}`, { price: amountIn(reader.locale, { minor: paid.amount, currency }) });
}
