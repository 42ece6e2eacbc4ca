/** Chooses how emails are sent: through the configured mail server, or else into the outbox. */
import { readSender, type Sender } from './address.ts';
import { outboxMailer } from './outbox.ts';
import { SmtpCarrier } from './smtp-carrier.ts';
import { smtpMailer } from './smtp.ts';
import type { Mailer } from './mailer.ts';

interface MailSettings {
  readonly smtpUrl: string | undefined;
  readonly mailFrom: string | undefined;
  /** address at which mail servers report failures */
  readonly mailBounces?: string | undefined;
}

/** Returns the sender of an installation's email. */
export function senderOf({ mailFrom }: Pick<MailSettings, 'mailFrom'>): Sender {
  const sender = readSender(mailFrom ?? 'Rollcall <rollcall@localhost>');
  if (!sender) throw new Error('MAIL_FROM is not an email address');
  return sender;
}

/** Returns the carrier for emails; null: there is no mail server, and they are kept. */
export const createMailCarrier = ({
  smtpUrl,
  smtpConnections,
}: {
  smtpUrl: string | undefined;
  smtpConnections: number;
}): SmtpCarrier | null => (smtpUrl === undefined ? null : new SmtpCarrier(smtpUrl, smtpConnections));

export function createMailer({ smtpUrl, mailFrom, mailBounces }: MailSettings): Mailer {
  const sender = senderOf({ mailFrom });
  return smtpUrl === undefined
    ? outboxMailer(sender)
    : smtpMailer({ url: smtpUrl, sender, bounces: mailBounces ?? null });
}
