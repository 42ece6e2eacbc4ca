/** Chooses how mail leaves: by the mail server that is set, else into the outbox. */
import { readSender } from './address.ts';
import { outboxMailer } from './outbox.ts';
import { smtpMailer } from './smtp.ts';
import type { Mailer } from './mailer.ts';

export type { Mail, Mailer } from './mailer.ts';

export interface MailSettings {
  readonly smtpUrl: string | undefined;
  readonly mailFrom: string | undefined;
}

export function createMailer({ smtpUrl, mailFrom }: MailSettings): Mailer {
  const sender = readSender(mailFrom ?? 'Rollcall <rollcall@localhost>');
  if (!sender) throw new Error('MAIL_FROM is no mail address');
  return smtpUrl === undefined ? outboxMailer(sender) : smtpMailer({ url: smtpUrl, sender });
}
