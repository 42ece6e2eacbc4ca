/** What is the same for every business of the installation, and made once at its start. */
import type { Mailer } from './mail/mailer.ts';
import type { Outbound } from './http-out/outbound.ts';
import type { SecretBox } from './secret-box.ts';

export interface Installation {
  /** the address that people and programs use, without a slash at its end */
  readonly baseUrl: string;
  readonly box: SecretBox;
  readonly mailer: Mailer;
  /** for requests that businesses cause */
  readonly outbound: Outbound;
  /** the words that stand before the headers of our own, as `service` */
  readonly headerWords: readonly string[];
}
