import { listKept, readKept } from '../kernel/mail/outbox.ts';
import { CommandFailure, say, wholeId, type Command } from './command.ts';
import { withDatabase } from './installation.ts';
import { table } from './table.ts';

export const listMail: Command = {
  name: 'mail list',
  summary: 'List the mail that was kept because no SMTP_URL is set, the newest first; times are in UTC',
  async run() {
    const mails = await withDatabase((db) => listKept(db));
    say(table(['id', 'provider', 'at', 'to', 'subject'], mails.map((m) => [String(m.id), String(m.provider_id), new Date(m.created_at).toISOString().slice(0, 16), m.recipient, m.subject])));
    return 0;
  },
};

export const showMail: Command = {
  name: 'mail show',
  summary: 'Print a mail that was kept',
  details: 'The links in it work: whoever has them is taken for the person that they were meant for.',
  positionals: ['ID'],
  async run({ positionals }) {
    const id = wholeId(positionals[0], 'ID');
    const mail = await withDatabase((db) => readKept(db, id));
    if (!mail) throw new CommandFailure(`There is no mail ${id}. Remedy: see "rollcall mail list"; mail is kept for a week.`);
    say(`From: ${mail.sender}\nTo: ${mail.recipient}\nSubject: ${mail.subject}\nDate: ${new Date(mail.created_at).toISOString()}\n\n${mail.text_part}`);
    return 0;
  },
};
