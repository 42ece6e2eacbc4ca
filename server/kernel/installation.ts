/** What is the same for every business of the installation, and made once at its start. */
import type { Mailer } from './mail/mailer.ts';
import type { SecretBox } from './secret-box.ts';

export interface Installation {
  /** the address that people and programs use, without a slash at its end */
  readonly baseUrl: string;
  readonly box: SecretBox;
  readonly mailer: Mailer;
}
