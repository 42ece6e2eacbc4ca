/** What is the same for every business of the installation, and made once at its start. */
import type { ResolveTexts } from '../../base/http-out/resolve.ts';
import type { Carrier } from '../../base/carrier.ts';
import type { Letter } from '../../base/mail/smtp-carrier.ts';
import type { FileStore } from '../../base/files/file-store.ts';
import type { Mailer } from '../../base/mail/mailer.ts';
import type { OtherCells } from './other-cells.ts';
import type { Outbound } from '../../base/http-out/outbound.ts';
import type { Passwords } from '../../base/passwords/index.ts';
import type { SecretBox } from '../../base/secret-box.ts';
import type { Sender } from '../../base/mail/address.ts';
import type { TextMessage } from '../../base/sms/twilio.ts';
import type { Wallets } from '../../base/passes/index.ts';

export interface Installation {
  /** the address that people and programs use, without a slash at its end */
  readonly baseUrl: string;
  readonly box: SecretBox;
  readonly passwords: Passwords;
  readonly mailer: Mailer;
  /** for requests that businesses cause */
  readonly outbound: Outbound;
  /** what name servers say of a name, in TXT records */
  readonly resolveTexts: ResolveTexts;
  /** the words that stand before the headers of our own, as `service` */
  readonly headerWords: readonly string[];
  readonly messages: MessageRoutes;
  /** of phones, for which there can be passes */
  readonly wallets: Wallets;
  /** what is kept as files beside the database */
  readonly files: FileStore;
  /** the other cells of it; null: there are none */
  readonly cells: OtherCells | null;
}

/** How messages to people leave. */
export interface MessageRoutes {
  readonly sender: Sender;
  /**
   * the address that mail servers report failures to, into which each message writes its token; null: the sender's own
   */
  readonly bounces: string | null;
  /** null: nothing is set to send them, and they are kept */
  readonly mail: Carrier<Letter> | null;
  readonly sms: Carrier<TextMessage> | null;
  /** e-mails that one business may send as broadcasts in a month; null: any number */
  readonly emailQuota: number | null;
  /** text messages that one business may send in a month; null: any number */
  readonly smsQuota: number | null;
  /** ISO 3166 codes of countries that text messages go to besides that of the business; null: any */
  readonly smsCountries: readonly string[] | null;
  /** the secret that the SMS service signs its calls with */
  readonly smsToken: string | null;
  /** for what must be known again by whoever goes on after a process that was killed on this machine */
  readonly dataDir: string;
}
