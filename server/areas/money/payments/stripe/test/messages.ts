/** Messages of the stand-in: signed as Stripe signs, and sent well or badly, as a test wants. */
import { createHmac } from 'node:crypto';
import { newId, type Kept } from './objects.ts';

export interface Event {
  readonly id: string;
  readonly type: string;
  readonly created: number;
  readonly data: { readonly object: Record<string, any> };
  readonly [name: string]: unknown;
}

/** Where messages of an account go. */
export interface Endpoint {
  readonly url: string;
  readonly secret: string;
}

interface Sent {
  readonly event: Event;
  /** null: there was no answer */
  readonly status: number | null;
}

const TOLD_WITH = '2026-10-28.endive';

export class Messages {
  /** `hold`: they wait for `release`; `lose`: they never come */
  mode: 'send' | 'hold' | 'lose' = 'send';
  /** how often each is sent */
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

  /** Sends what is held, in the order that `arrange` makes of it. */
  async release(arrange = (events: readonly Event[]): readonly Event[] => events): Promise<Sent[]> {
    const sent: Sent[] = [];
    for (const event of arrange(this.held.splice(0))) sent.push(...(await this.send(event)));
    return sent;
  }

  /** Sends one to every endpoint, whatever the mode. */
  send(event: Event, at = this.#now()): Promise<Sent[]> {
    return Promise.all(this.endpoints.map((endpoint) => this.#post(endpoint, event, at)));
  }

  /** Once all that was sent has been answered, and what was sent meanwhile. */
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

/** `at`: epoch ms. */
export function signature(body: string, secret: string, at: number): string {
  const seconds = Math.floor(at / 1000);
  return `t=${seconds},v1=${createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex')},v0=0`;
}
