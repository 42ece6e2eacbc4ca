import { listKept, readKept } from '../kernel/mail/outbox.ts';
import { MOST_REPORT_BYTES, takeBounce } from '../areas/messages/index.ts';
import { registry } from '../app.ts';
import { Tenants } from '../kernel/access/tenants.ts';
import { CommandFailure, say, textOption, wholeId, type Command } from './command.ts';
import { withDatabase } from './installation.ts';
import { table } from './table.ts';

export const listMail: Command = {
  name: 'mail list',
  summary: 'List the mail that was kept, not sent, because SMTP_URL is not set; newest first, times in UTC',
  async run() {
    const mails = await withDatabase((db) => listKept(db));
    say(table(['id', 'provider', 'at', 'to', 'subject'], mails.map((m) => [String(m.id), String(m.provider_id), new Date(m.created_at).toISOString().slice(0, 16), m.recipient, m.channel === 'sms' ? '(text message)' : m.subject])));
    return 0;
  },
};

export const showMail: Command = {
  name: 'mail show',
  summary: 'Print a mail that was kept',
  details: 'Its links work for anyone who opens them, so keep the output to yourself.',
  positionals: ['ID'],
  options: { html: { type: 'boolean', description: 'print the HTML part alone, to open in a browser' } },
  async run({ positionals, options }) {
    const id = wholeId(positionals[0], 'ID');
    const mail = await withDatabase((db) => readKept(db, id));
    if (!mail) throw new CommandFailure(`There is no mail ${id}. Remedy: see "rollcall mail list"; mail is kept for a week.`);
    if (options.html) {
      if (mail.html_part === '') throw new CommandFailure('A text message has no HTML part. Remedy: leave out --html.');
      say(mail.html_part);
      return 0;
    }
    say(`From: ${mail.sender}\nTo: ${mail.recipient}\nSubject: ${mail.subject}\nDate: ${new Date(mail.created_at).toISOString()}\n\n${mail.text_part}`);
    return 0;
  },
};

/** What the mail server is to understand by it: keep the report and try again (EX_TEMPFAIL). */
const TRY_AGAIN = 75;

async function readInput(most: number): Promise<Buffer | null> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of process.stdin as AsyncIterable<Buffer>) {
    size += part.length;
    if (size <= most) parts.push(part);
  }
  return size <= most ? Buffer.concat(parts) : null;
}

export const mailBounce: Command = {
  name: 'mail bounce',
  summary: 'Take a report of a mail server, one mail on standard input, on mail that did not arrive',
  details: 'For a pipe of the mail server that receives what goes to MAIL_BOUNCES. What is no such report, or not on mail of this service, is passed over. Exit code 75: try again later.',
  options: { to: { type: 'string', value: 'ADDRESS', description: 'the address that the report came to, with its "+" part; else it is read from its headers' } },
  async run(given) {
    const raw = await readInput(MOST_REPORT_BYTES);
    if (!raw) {
      say('too large');
      return 0;
    }
    try {
      say(await withDatabase((db) => takeBounce({ db, tenants: new Tenants(db), registry: registry(), now: Date.now }, raw, textOption(given, 'to') ?? null)));
      return 0;
    } catch (error) {
      console.error(`rollcall mail bounce: ${(error as Error).message}`);
      return TRY_AGAIN;
    }
  },
};
