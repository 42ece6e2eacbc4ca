/** Messages of the stand-in: signed as Stripe signs them, and delivered reliably or not, as a test requires. */
import { createHmac } from 'node:crypto';
import { newId, type Kept } from './objects.ts';

export interface Event {
  readonly id: string;
  readonly type: string;
  readonly created: number;
  readonly data: { readonly object: Record<string, any> };
  readonly [name: string]: unknown;
}

/** The address that receives the messages of an account. */
export interface Endpoint {
  readonly url: string;
  readonly secret: string;
}

interface Sent {
  readonly event: Event;
  /** null if there was no response */
  readonly status: number | null;
}

const TOLD_WITH = '2026-10-28.endive';

export class Messages {
  /** `hold`: they wait for `release`; `lose`: they never arrive */
  mode: 'send' | 'hold' | 'lose' = 'send';
  /** number of deliveries of each message */
  copies = 1;
  readonly endpoints: Endpoint[] = [];
  readonly events: Event[] = [];
  readonly held: Event[] = [];
  readonly sent: Sent[] = [];
  readonly #now: () => number;
  #sending: Promise<unknown>[] = [];

  constructor(now: () => number) {
    this.#now = now;
  }

  tell(type: string, object: Kept): void {
    const event: Event = {
      id: newId('evt_'),
      object: 'event',
      api_version: TOLD_WITH,
      created: Math.floor(this.#now() / 1000),
      data: { object: structuredClone(object) },
      livemode: false,
      pending_webhooks: this.endpoints.length,
      request: { id: newId('req_'), idempotency_key: null },
      type,
    };
    this.events.push(event);
    if (this.mode === 'hold') this.held.push(event);
    if (this.mode === 'send') for (let n = 0; n < this.copies; n++) this.#sending.push(this.send(event));
  }

  /** Sends the held messages, in the order that `arrange` returns. */
  async release(arrange = (events: readonly Event[]): readonly Event[] => events): Promise<Sent[]> {
    const sent: Sent[] = [];
    for (const event of arrange(this.held.splice(0))) sent.push(...(await this.send(event)));
    return sent;
  }

  /** Sends a message to every endpoint, regardless of the mode. */
  send(event: Event, at = this.#now()): Promise<Sent[]> {
    return Promise.all(this.endpoints.map((endpoint) => this.#post(endpoint, event, at)));
  }

  /** Waits until all messages, including those sent in the meantime, have been responded to. */
  async settled(): Promise<void> {
    while (this.#sending.length > 0) await Promise.all(this.#sending.splice(0));
  }

  async #post({ url, secret }: Endpoint, event: Event, at: number): Promise<Sent> {
    const body = JSON.stringify(event);
    const headers = {
      'content-type': 'application/json; charset=utf-8',
      'stripe-signature': signature(body, secret, at),
    };
    const answer = await fetch(url, { method: 'POST', headers, body, redirect: 'manual' }).catch(() => null);
    await answer?.arrayBuffer();
    const sent = { event, status: answer?.status ?? null };
    this.sent.push(sent);
    return sent;
  }
}

/** Returns the signature. `at`: epoch milliseconds. */
export function signature(body: string, secret: string, at: number): string {
  const seconds = Math.floor(at / 1000);
  return `t=${seconds},v1=${createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex')},v0=0`;
}
