/** The port for sending email. Code that writes email depends on this file alone. */
import type { Transaction } from '../db/database.ts';

export interface Mail {
  /** the business that sends it */
  readonly providerId: number;
  /** name of the business, shown with the sender's address */
  readonly fromName: string;
  /** one address */
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  /**
   * identifies it in failure reports: 32 unguessable lower-case hexadecimal digits; absent: no reports are processed
   */
  readonly token?: string;
}

/** The mail server permanently refuses email to this address. */
export class AddressRefused extends Error {}

export interface Mailer {
  /**
   * Hands the email over; resolves once it was accepted. `tx` is the transaction of the work that sends it: an email
   * that is kept instead of sent is stored in it.
   * @throws Error if it was not accepted: the sending job retries
   * @throws AddressRefused if it never will be
   */
  send(tx: Transaction, mail: Mail): Promise<void>;
  /** resolves when all connections are closed */
  close(): Promise<void>;
}
