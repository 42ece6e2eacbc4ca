/** The people whom a business knows and emails about their accounts. Areas with records of them find them. */
import { Port, type Item } from '../../../../kernel/base/fields/port.ts';
import type { Work } from '../../../../kernel/work/unit/work.ts';

/** A person of the business whom an email is for. */
export interface MailReader {
  /** id of their record */
  readonly id: number;
  /** the language in which they read, for example `fr-CA`; null: that of the business */
  readonly locale: string | null;
}

/** Finds the reader by the id of the record, or by that of the account. */
interface FindsReaders extends Item {
  readonly find: (work: Work, by: { readonly id: number } | { readonly user: number }) => Promise<MailReader | null>;
}

export const mailReaders = new Port<FindsReaders>('finder of mail readers', () => 'customer');
