/** Texts of receipts beyond those of invoices, in every language. `en.json` is the source. */
import type en from './messages/en.json';
import { Catalog, type Say } from '../../../../kernel/base/languages/catalog.ts';
import { DEFAULT_WORDS } from '../../../../kernel/base/values/words.ts';
import type { Reader } from '../../../../kernel/base/languages/languages.ts';

type Key = keyof typeof en;

export const RECEIPT_MESSAGES = Catalog.read<Key>(new URL('./messages/', import.meta.url));

export const receiptSay = (reader: Reader): Say<Key> => RECEIPT_MESSAGES.for(reader, DEFAULT_WORDS);
