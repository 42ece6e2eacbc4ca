/** Texts of receipts beyond those of invoices, in every language. */
import type { TextKey } from '../../../../kernel/base/languages/texts.ts';
import { Catalog, type Say } from '../../../../kernel/base/languages/catalog.ts';
import { DEFAULT_WORDS } from '../../../../kernel/base/values/words.ts';
import type { Reader } from '../../../../kernel/base/languages/languages.ts';

type Key = TextKey<'messages', 'counter/sales'>;

const RECEIPT_MESSAGES = Catalog.read('messages', 'counter/sales');

export const receiptSay = (reader: Reader): Say<Key> => RECEIPT_MESSAGES.for(reader, DEFAULT_WORDS);
