/** A mail server for tests: accepts and keeps all mail, so that tests read what people would. */
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';
import { hashOf } from '../../areas/people/identity/index.ts';
import { sql } from '../../kernel/base/db/sql.ts';
import { until } from '../storm.ts';
import type { World } from '../world.ts';

export interface ReceivedMail {
  /** sender of the envelope */
  readonly from: string;
  readonly to: string;
  readonly subject: string;
  /** the plain text part */
  readonly text: string;
  /** as received */
  readonly raw: string;
}

const PATIENCE_MS = 180_000;

export class Mailbox {
  readonly #server: SMTPServer;
  readonly #mails: ReceivedMail[] = [];
  readonly #refused = new Map<string, { code: number; message: string }>();
  #came = Promise.withResolvers<void>();
  #held: Promise<void> | null = null;

  private constructor() {
    this.#server = new SMTPServer({
      authOptional: true,
      disabledCommands: ['STARTTLS'],
      logger: false,
      onRcptTo: ({ address }, _session, done) => {
        const refusal = this.#refused.get(address);
        done(refusal ? Object.assign(new Error(refusal.message), { responseCode: refusal.code }) : null);
      },
      onData: (stream, session, done) => {
        const chunks: Buffer[] = [];
        stream.on('data', (chunk: Buffer) => void chunks.push(chunk));
        stream.on('end', async () => {
          this.#mails.push(
            read(
              Buffer.concat(chunks).toString('latin1'),
              session.envelope.rcptTo[0].address,
              (session.envelope.mailFrom || { address: '' }).address,
            ),
          );
          this.#came.resolve();
          this.#came = Promise.withResolvers();
          await this.#held;
          done();
        });
      },
    });
  }

  static async start(): Promise<Mailbox> {
    const mailbox = new Mailbox();
    mailbox.#server.listen(0, '127.0.0.1');
    await once(mailbox.#server.server, 'listening');
    return mailbox;
  }

  /** Returns the value for SMTP_URL. */
  get url(): string {
    return `smtp://127.0.0.1:${(this.#server.server.address() as AddressInfo).port}`;
  }

  /** Refuses mail to this recipient from now on; null stops that. */
  refuse(address: string, how: { code: number; message: string } | null): void {
    if (how) this.#refused.set(address, how);
    else this.#refused.delete(address);
  }

  /** Keeps incoming mail without responding from now on, until the returned function is called. */
  hold(): () => void {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#held = promise;
    return () => {
      this.#held = null;
      resolve();
    };
  }

  /** Returns all mail that has arrived so far. */
  get mails(): readonly ReceivedMail[] {
    return this.#mails;
  }

  /** Returns the next matching mail to this address, whether or not it has already arrived; each is returned once. */
  async next(to: string, subject: RegExp): Promise<ReceivedMail> {
    const late = Promise.withResolvers<'late'>();
    const timer = setTimeout(() => late.resolve('late'), PATIENCE_MS);
    for (let waited: unknown; ;) {
      const at = this.#mails.findIndex((mail) => mail.to === to && subject.test(mail.subject));
      if (at >= 0) {
        clearTimeout(timer);
        return this.#mails.splice(at, 1)[0];
      }
      if (waited === 'late')
        throw new Error(
          `No mail to ${to} with a subject like ${subject} came; there are: ${this.#mails.map((m) => `${m.to}: ${m.subject}`).join(', ') || 'none'}`,
        );
      waited = await Promise.race([this.#came.promise, late.promise]);
    }
  }

  /**
   * Returns the link of the next mail once it works: a mail may arrive a moment before the transaction that sent it has
   * ended.
   */
  async link({ app }: World, to: string, subject: RegExp, page: string): Promise<string> {
    const link = linkOf(await this.next(to, subject), page);
    const hash = hashOf(new URLSearchParams(link.split('?')[1]).get('ticket') ?? '');
    await until('the link works', () =>
      app.db.acrossTenants('a test waits for a link', (tx) =>
        tx.one(sql`SELECT 1 AS there FROM account_ticket WHERE secret_hash = ${hash}`),
      ),
    );
    return link;
  }

  /** Returns the code of the next mail with one to log in, once it works, see `link`. */
  async code({ app }: World, to: string): Promise<string> {
    const { subject } = await this.next(to, /^\d{6} is your code$/);
    await until('the code works', () =>
      app.db.acrossTenants('a test waits for a code', (tx) =>
        tx.one(sql`SELECT 1 AS there FROM sign_up_code WHERE email = ${to} AND code_hash IS NOT NULL`),
      ),
    );
    return subject.slice(0, 6);
  }

  close(): Promise<void> {
    return new Promise((resolve) => this.#server.close(() => resolve()));
  }
}

/** Returns the first link of a mail, without the address of the service. */
function linkOf({ text }: ReceivedMail, page: string): string {
  const url = [...text.matchAll(/https?:\/\/\S+/g)]
    .map(([found]) => new URL(found))
    .find(({ pathname }) => pathname.endsWith(`/${page}`));
  if (!url) throw new Error(`The mail has no link to ${page}:\n${text}`);
  return url.pathname + url.search;
}

function read(raw: string, to: string, from: string): ReceivedMail {
  const { headers, body } = part(raw);
  const parts = leaves({ headers, body });
  const plain = parts.find((p) => p.headers['content-type']?.startsWith('text/plain')) ?? parts[0];
  return { from, to, subject: words(headers.subject ?? ''), text: decoded(plain), raw };
}

interface Part {
  readonly headers: Record<string, string>;
  readonly body: string;
}

function part(text: string): Part {
  const end = text.indexOf('\r\n\r\n');
  const lines = text
    .slice(0, end)
    .replaceAll(/\r\n[ \t]+/g, ' ')
    .split('\r\n');
  const headers = Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]),
  );
  return { headers, body: text.slice(end + 4) };
}

/** Returns the parts that have content, however deeply nested. */
function leaves(whole: Part): Part[] {
  const boundary = /boundary="?([^";\r\n]+)"?/.exec(whole.headers['content-type'] ?? '')?.[1];
  if (!boundary) return [whole];
  return whole.body
    .split(`--${boundary}`)
    .slice(1, -1)
    .flatMap((text) => leaves(part(text.replace(/^\r\n/, ''))));
}

const unquoted = (text: string): string =>
  text
    .replaceAll(/=\r?\n/g, '')
    .replaceAll(/=([0-9A-F]{2})/gi, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)));

function decoded({ headers, body }: Part): string {
  const how = headers['content-transfer-encoding']?.toLowerCase();
  if (how === 'base64') return Buffer.from(body, 'base64').toString();
  return Buffer.from(how === 'quoted-printable' ? unquoted(body) : body, 'latin1').toString();
}

/** Decodes `=?UTF-8?Q?…?=` and `=?UTF-8?B?…?=`. */
const words = (text: string): string =>
  text.replaceAll(/=\?utf-8\?([qb])\?([^?]*)\?=\s*/gi, (_, how: string, word: string) =>
    how.toLowerCase() === 'b'
      ? Buffer.from(word, 'base64').toString()
      : Buffer.from(unquoted(word.replaceAll('_', ' ')), 'latin1').toString(),
  );
