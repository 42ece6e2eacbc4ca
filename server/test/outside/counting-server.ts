/** A mail server for tests that kill the sender: counts which mail it has accepted, and how often. */
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';

/**
 * Accepts mail and counts it by recipient as soon as it receives the final dot: from then on the mail is delivered,
 * whether or not the response arrives.
 */
export class CountingServer {
  readonly taken = new Map<string, number>();
  readonly messageIds = new Map<string, Set<string>>();
  /** called when a mail has arrived; a returned promise delays the response */
  onMail: ((n: number) => Promise<void> | undefined) | undefined;
  onRecipient: (() => Promise<void> | undefined) | undefined;
  total = 0;
  readonly #server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    logger: false,
    closeTimeout: 100,
    onRcptTo: (_address, _session, done) => void Promise.resolve(this.onRecipient?.()).then(() => done()),
    onData: (stream, session, done) => {
      const to = session.envelope.rcptTo[0].address;
      let head = '';
      stream.on('data', (part: Buffer) => {
        if (head.length < 2000) head += part.toString('latin1');
      });
      stream.on('end', () => {
        this.taken.set(to, (this.taken.get(to) ?? 0) + 1);
        this.messageIds.set(
          to,
          (this.messageIds.get(to) ?? new Set()).add(/^Message-ID: (\S+)/im.exec(head)?.[1] ?? ''),
        );
        this.total += 1;
        void Promise.resolve(this.onMail?.(this.total)).then(() => done());
      });
    },
  });

  async listen(host = '127.0.0.1'): Promise<string> {
    this.#server.on('error', () => {});
    this.#server.listen(0, host);
    await once(this.#server.server, 'listening');
    return `smtp://${host}:${(this.#server.server.address() as AddressInfo).port}`;
  }

  close(): Promise<void> {
    return new Promise((resolve) => this.#server.close(() => resolve()));
  }
}
