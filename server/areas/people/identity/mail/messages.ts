/** Messages of emails about accounts, in every language. `en.json` is the source. */
import type en from './messages/en.json';
import { Catalog, type Say } from '../../../../kernel/base/languages/catalog.ts';

export type MailKey = keyof typeof en;
export type SayMail = Say<MailKey>;

export const ACCOUNT_MAILS = Catalog.read<MailKey>(new URL('./messages/', import.meta.url));
