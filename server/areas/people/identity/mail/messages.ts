/** Messages of emails about accounts, in every language. */
import type { TextKey } from '../../../../kernel/base/languages/texts.ts';
import { Catalog, type Say } from '../../../../kernel/base/languages/catalog.ts';

export type MailKey = TextKey<'messages', 'identity'>;
export type SayMail = Say<MailKey>;

export const ACCOUNT_MAILS = Catalog.read('messages', 'identity');
