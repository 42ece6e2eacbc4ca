/** Texts of invoices and receipts, in every language. */
import type { TextKey } from '../../../../kernel/base/languages/texts.ts';
import { Catalog, type Say } from '../../../../kernel/base/languages/catalog.ts';
import { DEFAULT_WORDS } from '../../../../kernel/base/values/words.ts';
import type { Reader } from '../../../../kernel/base/languages/languages.ts';

type Key = TextKey<'messages', 'invoices/document'>;

const INVOICE_MESSAGES = Catalog.read('messages', 'invoices/document');

export type InvoiceSay = Say<Key>;

export const invoiceSay = (reader: Reader): InvoiceSay => INVOICE_MESSAGES.for(reader, DEFAULT_WORDS);
