/** The port that mail leaves by. Who writes mail knows this file alone. */
import type { Transaction } from '../db/database.ts';

export interface Mail {
  /** the business in whose name it is sent */
  readonly providerId: number;
  /** what the business is called: shown beside the sender's address */
  readonly fromName: string;
  /** one address */
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  /** names it in reports of its failure: 32 lower-case hexadecimal digits that nobody can guess; absent: none are read */
  readonly token?: string;
}

/** The mail server does not take mail to this address, and says that trying again is of no use. */
export class AddressRefused extends Error {}

export interface Mailer {
  /**
   * Hands the mail over; resolves once it was taken. `tx` is the transaction of the work that sends it: mail that is
   * kept instead of being sent is kept with it.
   * @throws Error when it was not taken: the job that sends tries again
   * @throws AddressRefused when it never will be
   */
  send(tx: Transaction, mail: Mail): Promise<void>;
  /** resolves when nothing is open any more */
  close(): Promise<void>;
}
