/**
 * A webhook receiver as a business would write it: a real server that verifies signatures with a third-party library.
 */
import http from 'node:http';
import { mock } from 'node:test';
import { once } from 'node:events';
import { Webhook } from 'standardwebhooks';
import type { AddressInfo } from 'node:net';

export interface Received {
  readonly path: string;
  readonly id: string;
  readonly headers: http.IncomingHttpHeaders;
  readonly text: string;
  /** the feed items of the body */
  readonly items: any[];
}

type Answer = { status: number; headers?: Record<string, string>; body?: string } | 'never';

export class Receiver {
  readonly received: Received[] = [];
  /** returns the response; gets the request, and how often its id has arrived before */
  answer: (received: Received, before: number) => Answer | Promise<Answer> = () => ({ status: 204 });
  readonly #server: http.Server;
  readonly #seen = new Map<string, number>();

  constructor() {
    this.#server = http.createServer(async (request, response) => {
      let text = '';
      for await (const piece of request.setEncoding('utf8')) text += piece;
      const id = String(request.headers['webhook-id']);
      const received = {
        path: request.url!,
        id,
        headers: request.headers,
        text,
        items: JSON.parse(text).feed_items,
      };
      const before = this.#seen.get(id) ?? 0;
      this.#seen.set(id, before + 1);
      this.received.push(received);
      const answer = await this.answer(received, before);
      if (answer !== 'never') response.writeHead(answer.status, answer.headers).end(answer.body);
    });
  }

  async listen(): Promise<this> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    return this;
  }

  url(path = '/'): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}${path}`;
  }

  at(path: string): Received[] {
    return this.received.filter((r) => r.path === path);
  }

  close(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }
}

/**
 * Throws unless one of the signatures was made with this secret at about this time. The time is passed in because the
 * library reads the machine's clock.
 */
export function verify(secret: string, { text, headers }: Received, now: number): unknown {
  mock.timers.enable({ apis: ['Date'], now });
  try {
    return new Webhook(secret).verify(text, headers as Record<string, string>);
  } finally {
    mock.timers.reset();
  }
}

/** Checks a signature regardless of the time: the library refuses signatures that were not made just now. */
export const isSignedWith = (secret: string, { text, headers, id }: Received): boolean =>
  String(headers['webhook-signature'])
    .split(' ')
    .includes(new Webhook(secret).sign(id, new Date(Number(headers['webhook-timestamp']) * 1000), text));
