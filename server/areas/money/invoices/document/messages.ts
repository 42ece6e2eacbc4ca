/** Texts of invoices and receipts, in every language. `en.json` is the source. */
import type en from './messages/en.json';
import { Catalog, type Say } from '../../../../kernel/base/languages/catalog.ts';
import { DEFAULT_WORDS } from '../../../../kernel/base/values/words.ts';
import type { Reader } from '../../../../kernel/base/languages/languages.ts';

type Key = keyof typeof en;

export const INVOICE_MESSAGES = Catalog.read<Key>(new URL('./messages/', import.meta.url));

export type InvoiceSay = Say<Key>;

export const invoiceSay = (reader: Reader): InvoiceSay => INVOICE_MESSAGES.for(reader, DEFAULT_WORDS);
