import { listKept, readKept } from '../kernel/base/mail/outbox.ts';
import { CommandFailure, say, wholeId, type Command } from './command.ts';
import { withDatabase } from './installation.ts';
import { table } from './table.ts';

export const listMail: Command = {
  name: 'mail list',
  summary: 'List emails that were kept, not sent, because SMTP_URL is not set; newest first, times in UTC',
  async run() {
    const mails = await withDatabase((db) => listKept(db));
    say(
      table(
        ['id', 'provider', 'at', 'to', 'subject'],
        mails.map((m) => [
          String(m.id),
          String(m.provider_id),
          new Date(m.created_at).toISOString().slice(0, 16),
          m.recipient,
          m.channel === 'sms' ? '(text message)' : m.subject,
        ]),
      ),
    );
    return 0;
  },
};

export const showMail: Command = {
  name: 'mail show',
  summary: 'Print an email that was kept',
  details: 'Its links work for anyone who opens them, so keep the output to yourself.',
  positionals: ['ID'],
  options: { html: { type: 'boolean', description: 'print only the HTML part, to open in a browser' } },
  async run({ positionals, options }) {
    const id = wholeId(positionals[0], 'ID');
    const mail = await withDatabase((db) => readKept(db, id));
    if (!mail)
      throw new CommandFailure(
        `There is no email ${id}. Remedy: see "rollcall mail list"; emails are kept for a week.`,
      );
    if (options.html) {
      if (mail.html_part === '') throw new CommandFailure('A text message has no HTML part. Remedy: leave out --html.');
      say(mail.html_part);
      return 0;
    }
    say(
      `From: ${mail.sender}\nTo: ${mail.recipient}\nSubject: ${mail.subject}\nDate: ${new Date(mail.created_at).toISOString()}\n\n${mail.text_part}`,
    );
    return 0;
  },
};
