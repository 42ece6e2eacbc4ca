/** Email by a mail server, over a few connections that are kept open. */
import { isIP } from 'node:net';
import { headerLine, isMailAddress, messageIdOf, reportAddress, type Sender } from './address.ts';
import { AddressRefused, type Mailer } from './mailer.ts';
import type { Transporter } from 'nodemailer';
import type SMTPConnection from 'nodemailer/lib/smtp-connection';

const CONNECTIONS = 2;
const CONNECT_MS = 10_000;
const SILENT_MS = 15_000;
/** The transaction of the sending job waits for it, and the database ends a transaction that idles for a minute. */
const WHOLE_MS = 30_000;

interface SmtpOptions {
  /** smtp:// or smtps://, with credentials if needed */
  url: string;
  sender: Sender;
  /** address for failure reports; null: only to the sender */
  bounces?: string | null;
}

const isHere = (host: string): boolean =>
  host === 'localhost' || host === '[::1]' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'));

const BOUNDS = { connectionTimeout: CONNECT_MS, greetingTimeout: CONNECT_MS, socketTimeout: SILENT_MS };

/**
 * Returns true if encryption is required: a password is never sent in clear. Without one, encryption is used if the
 * server offers it.
 */
const needsTls = ({ protocol, hostname, username }: URL): boolean =>
  protocol === 'smtp:' && username !== '' && !isHere(hostname);

/** Returns the settings in the URL of a mail server, for a separate connection. */
export function smtpSettings(text: string): {
  options: SMTPConnection.Options;
  auth: SMTPConnection.AuthenticationType | null;
} {
  const url = new URL(text);
  const secure = url.protocol === 'smtps:';
  const options = {
    ...BOUNDS,
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: Number(url.port) || (secure ? 465 : 587),
    secure,
    requireTLS: needsTls(url),
  };
  const credentials = { user: decodeURIComponent(url.username), pass: decodeURIComponent(url.password) };
  return { options, auth: url.username === '' ? null : ({ credentials, ...credentials } as never) };
}

export function smtpMailer({ url, sender, bounces = null }: SmtpOptions): Mailer {
  let opening: Promise<Transporter> | undefined;
  // Loaded with the first mail: a service without a mail server does not need it.
  const open = () =>
    (opening ??= import('nodemailer').then(({ createTransport }) =>
      createTransport({
        url,
        pool: true,
        maxConnections: CONNECTIONS,
        ...BOUNDS,
        requireTLS: needsTls(new URL(url)),
        disableFileAccess: true,
        disableUrlAccess: true,
      } as never),
    ));
  return {
    async send(_tx, { fromName, to, subject, text, html, token }) {
      if (!isMailAddress(to)) throw new Error('the recipient is not an email address');
      const transport = await open();
      const sent = transport.sendMail({
        from: { name: headerLine(fromName) || sender.name, address: sender.address },
        // as an object: a list in a text would be split
        to: { name: '', address: to },
        subject: headerLine(subject),
        text,
        html,
        ...(token !== undefined && {
          messageId: messageIdOf(sender, token),
          envelope: { from: reportAddress(bounces, sender, token), to },
        }),
        headers: { 'Auto-Submitted': 'auto-generated' },
      });
      await within(WHOLE_MS, sent).catch((error: unknown) => {
        throw isFinal(error) ? new AddressRefused('the mail server refused the address of the recipient') : error;
      });
    },
    async close() {
      (await opening)?.close();
    },
  };
}

/** Returns true for a permanent failure of the recipient: RFC 5321, 4.2.1. */
const isFinal = (error: unknown): boolean => {
  const { command, responseCode } = error as { command?: string; responseCode?: number };
  return command === 'RCPT TO' && responseCode !== undefined && responseCode >= 500;
};

async function within<T>(ms: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new Error(`the mail server did not take the mail within ${ms / 1000} seconds`)),
      ms,
    );
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
