/** Converts a message of the ledger to the bytes that are passed to a mail server. */
import { headerLine, isMailAddress, messageIdOf, reportAddress } from '../../../kernel/base/mail/address.ts';
import { letterheadOf, type LetterheadRow } from '../../../kernel/base/mail/letterhead.ts';
import { messageToken, unsubscribeToken } from './tokens.ts';
import { unsubscribeAt, writeMail, type MailParts } from '../../../kernel/base/mail/layout.ts';
import type { CalendarPart } from './queue.ts';
import type { Installation } from '../../../kernel/work/unit/installation.ts';
import type { Language } from '../../../kernel/base/languages/languages.ts';
import type { Letter } from '../../../kernel/base/mail/smtp-carrier.ts';

export interface Written extends LetterheadRow {
  readonly provider_id: number;
  readonly id: number;
  readonly purpose: 'transactional' | 'marketing';
  readonly address: string;
  readonly subject: string | null;
  readonly text: string;
  readonly html_part: string | null;
  /** label of the main link */
  readonly button: string | null;
  readonly language: Language;
  readonly calendar: CalendarPart | null;
  readonly headers: Readonly<Record<string, string>> | null;
}

/** The address can't be that of a mailbox: retrying would not help. */
export class NoAddress extends Error {}

export const unsubscribeUrl = (
  { baseUrl, box }: Pick<Installation, 'baseUrl' | 'box'>,
  { provider_id, id }: Pick<Written, 'provider_id' | 'id'>,
): string => `${baseUrl}/unsubscribe/${unsubscribeToken(box, provider_id, id)}`;

/** Returns subject, text and HTML as they are shown; unsolicited messages end with the link to unsubscribe. */
export const partsOf = (installation: Pick<Installation, 'baseUrl' | 'box'>, m: Written): MailParts =>
  writeMail(letterheadOf(m, installation.baseUrl), {
    subject: headerLine(m.subject ?? '', 300),
    text: m.text,
    html: m.html_part,
    button: m.button,
    ownLinks: `${installation.baseUrl}/`,
    language: m.language,
    ...(m.purpose === 'marketing' && { unsubscribe: unsubscribeUrl(installation, m) }),
  });

/** Returns a text message as it is shown; news end with the link to unsubscribe. */
export const smsText = (installation: Pick<Installation, 'baseUrl' | 'box'>, m: Written): string =>
  m.purpose === 'transactional'
    ? m.text
    : `${m.text.trimEnd()}\n\n${unsubscribeAt(m.language, unsubscribeUrl(installation, m))}`;

/** Writes the email. @throws NoAddress */
export async function writeLetter(installation: Installation, m: Written, now: number): Promise<Letter> {
  if (!isMailAddress(m.address)) throw new NoAddress('the recipient has no valid email address');
  const { messages, box } = installation;
  const token = messageToken(box, m.provider_id, m.id);
  const { subject, text, html } = partsOf(installation, m);
  const unsubscribe = m.purpose === 'marketing' && {
    'List-Unsubscribe': `<${unsubscribeUrl(installation, m)}>`,
    'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
  };
  // Loaded with the first letter: it is large, and few services send one soon.
  const { default: MailComposer } = await import('nodemailer/lib/mail-composer');
  const mail = new MailComposer({
    from: { name: headerLine(m.business) || messages.sender.name, address: messages.sender.address },
    to: { name: '', address: m.address },
    ...(m.contact_email !== null &&
      isMailAddress(m.contact_email) && { replyTo: { name: headerLine(m.business), address: m.contact_email } }),
    subject,
    text,
    html,
    date: new Date(now),
    // Stays the same at every attempt, so that duplicates are recognizable.
    messageId: messageIdOf(messages.sender, token),
    headers: { ...m.headers, 'Auto-Submitted': 'auto-generated', ...unsubscribe },
    ...(m.calendar && { icalEvent: { method: m.calendar.method, filename: 'event.ics', content: m.calendar.content } }),
    disableFileAccess: true,
    disableUrlAccess: true,
  }).compile();
  return { from: reportAddress(messages.bounces, messages.sender, token), to: m.address, raw: await mail.build() };
}
