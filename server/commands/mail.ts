import { findTenant } from '../areas/platform/providers/index.ts';
import { listKept, readKept } from '../kernel/mail/outbox.ts';
import { MOST_REPORT_BYTES, takeBounce } from '../areas/communication/messages/index.ts';
import { registry } from '../app.ts';
import { Tenants } from '../kernel/access/tenants.ts';
import { CommandFailure, say, textOption, wholeId, type Command } from './command.ts';
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
  summary: 'Process a bounce report of a mail server, one email on standard input',
  details:
    'For a pipe of the mail server that receives email for MAIL_BOUNCES. Anything that is not a bounce report, or not about email of this service, is ignored. Exit code 75 means: try again later.',
  options: {
    to: {
      type: 'string',
      value: 'ADDRESS',
      description: 'the address that the report was sent to, with its "+" part; defaults to the one in its headers',
    },
  },
  async run(given) {
    const raw = await readInput(MOST_REPORT_BYTES);
    if (!raw) {
      say('too large');
      return 0;
    }
    try {
      say(
        await withDatabase((db) =>
          takeBounce(
            { db, tenants: new Tenants(db, findTenant), registry: registry(), now: Date.now },
            raw,
            textOption(given, 'to') ?? null,
          ),
        ),
      );
      return 0;
    } catch (error) {
      console.error(`rollcall mail bounce: ${(error as Error).message}`);
      return TRY_AGAIN;
    }
  },
};
