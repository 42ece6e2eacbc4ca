/** Texts of the pages of gift cards, account credit and open charges, in every language. */
import type { TextKey } from '../../../kernel/base/languages/texts.ts';
import { amountIn, dayIn } from '../../../kernel/base/languages/times.ts';
import { Catalog, type Say } from '../../../kernel/base/languages/catalog.ts';
import { FORM_MESSAGES, type FormKey } from '../../../kernel/pages/messages.ts';
import { FRAME, type FrameKey, writtenWith, type Written, type At } from '../frame/index.ts';

type Key = TextKey<'pages', 'accounts/wallet'> | FormKey | FrameKey;

export const WALLET = FRAME.and(FORM_MESSAGES).and(Catalog.read('pages', 'accounts/wallet'));

export type WalletSay = Say<Key>;
export type WalletWritten = Written<Key>;

export const walletFor = (visit: At): WalletWritten => writtenWith(visit, WALLET);

/** Returns a function that formats the business's minor units for the reader. */
export const amountsFor = ({ site }: At, { reader }: WalletWritten) => {
  const { currency } = site.tenant;
  return (minor: number): string => amountIn(reader.locale, { minor, currency });
};

/** Formats a calendar date (YYYY-MM-DD) for the reader. */
export const dateIn = ({ reader }: WalletWritten, date: string): string =>
  dayIn(reader.locale, Date.parse(`${date}T12:00Z`), 'UTC');
