/** Parts that all businesses of an installation share, created once at startup. */
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
  /** base URL for people and programs, without a trailing slash */
  readonly baseUrl: string;
  readonly box: SecretBox;
  readonly passwords: Passwords;
  readonly mailer: Mailer;
  /** for requests that businesses cause */
  readonly outbound: Outbound;
  /** looks up the TXT records of a name */
  readonly resolveTexts: ResolveTexts;
  /** prefixes of our own headers, such as `service` */
  readonly headerWords: readonly string[];
  readonly messages: MessageRoutes;
  /** phone wallets that passes can be created for */
  readonly wallets: Wallets;
  /** files outside the database */
  readonly files: FileStore;
  /** the other cells of the installation; null: there are none */
  readonly cells: OtherCells | null;
}

/** The carriers for messages to people. */
interface MessageRoutes {
  readonly sender: Sender;
  /** address for failure reports of mail servers, to which each message adds its token; null: the sender's own */
  readonly bounces: string | null;
  /** null: no mail server is configured, and emails are kept */
  readonly mail: Carrier<Letter> | null;
  readonly sms: Carrier<TextMessage> | null;
  /** emails that one business may send as broadcasts in a month; null: any number */
  readonly emailQuota: number | null;
  /** text messages that one business may send in a month; null: any number */
  readonly smsQuota: number | null;
  /** ISO 3166 codes of countries that text messages may go to, in addition to the business's own; null: any */
  readonly smsCountries: readonly string[] | null;
  /** the secret with which the SMS service signs its calls */
  readonly smsToken: string | null;
  /** folder for records that another process on this machine needs after a process was killed */
  readonly dataDir: string;
}
