/**
 * A stand-in for Stripe: a real server with the parts of its API that we use, its hosted page, and its messages. Tests
 * open accounts, let customers pay, and inject every kind of failure.
 */
import http from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { Account } from './account.ts';
import { answerApi } from './api.ts';
import { answerPage } from './pages.ts';
import { Faults } from './faults.ts';
import { readForm, type Form } from './form.ts';
import { IdempotencyKeys, type Answer } from './keys.ts';
import { Messages } from './messages.ts';
import { Refusal } from './refusal.ts';
import { newId } from './objects.ts';
import { START } from '../../../../../test/clock.ts';

export interface Asked {
  readonly account: string;
  /** for example `POST /v1/refunds` */
  readonly request: string;
  readonly headers: http.IncomingHttpHeaders;
  readonly form: Form;
}

export class StripeStandIn {
  readonly faults = new Faults();
  readonly asked: Asked[] = [];
  /** in epoch milliseconds */
  now: () => number = () => START;
  /** called when Stripe has acted, before it responds */
  acted: (request: string) => Promise<void> | void = () => {};
  readonly #accounts = new Map<string, Account>();
  readonly #messages = new Map<Account, Messages>();
  readonly #keys = new Map<Account, IdempotencyKeys>();
  readonly #server = http.createServer((request, response) => void this.#handle(request, response));

  async listen(): Promise<this> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    return this;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    await Promise.all([...this.#messages.values()].map((messages) => messages.settled()));
    this.#server.closeAllConnections();
    this.#server.close();
  }

  account(key: string): Account {
    const known = this.#accounts.get(key);
    if (known) return known;
    const now = () => this.now();
    const messages = new Messages(now);
    const account = new Account(key, this.url, now, (_, type, object) => messages.tell(type, object));
    this.#accounts.set(key, account);
    this.#messages.set(account, messages);
    this.#keys.set(account, new IdempotencyKeys());
    return account;
  }

  messages(key: string): Messages {
    return this.#messages.get(this.account(key))!;
  }

  /** Forgets all keys, as Stripe does after some days: their requests can be made again. */
  forgetKeys(): void {
    for (const keys of this.#keys.values()) keys.forget();
  }

  requests(beginning: string): Asked[] {
    return this.asked.filter(({ request }) => request.startsWith(beginning));
  }

  async #handle(request: http.IncomingMessage, response: http.ServerResponse): Promise<void> {
    let text = '';
    for await (const piece of request.setEncoding('utf8')) text += piece;
    const url = new URL(request.url!, this.url);
    const name = `${request.method} ${url.pathname}`;
    if (!url.pathname.startsWith('/v1/')) {
      const page = answerPage([...this.#accounts.values()], request.method!, url.pathname);
      if (page && 'location' in page) return void response.writeHead(303, { location: page.location }).end();
      return void response
        .writeHead(page?.status ?? 404, { 'content-type': 'text/html' })
        .end(page?.html ?? 'Not found');
    }
    const form = readForm(request.method === 'GET' ? url.search.slice(1) : text);
    const key = /^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1] ?? '';
    this.asked.push({ account: key, request: name, headers: request.headers, form });
    const fault = this.faults.next(name);
    const answered = this.#answer(key, name, form, text, String(request.headers['idempotency-key'] ?? ''), fault);
    await this.acted(name);
    if (fault === 'silent') return;
    if (fault === 'lose_answer') return void request.socket.destroy();
    response
      .writeHead(answered.status, {
        'content-type': 'application/json',
        'request-id': newId('req_'),
        'stripe-version': String(request.headers['stripe-version']),
        ...(answered.replayed && { 'idempotent-replayed': 'true' }),
        // For most of its errors, Stripe says that a retry is of no use.
        ...(answered.status >= 500 && { 'stripe-should-retry': 'false' }),
      })
      .end(JSON.stringify(answered.body));
  }

  #answer(
    key: string,
    name: string,
    form: Form,
    text: string,
    idempotencyKey: string,
    fault: string | null,
  ): Answer & { replayed?: boolean } {
    const account = this.#accounts.get(key);
    if (!account) return failure(401, 'invalid_request_error', `Invalid API Key provided: ${key.slice(0, 8)}****`);
    if (fault === 'rate_limited') return failure(429, 'invalid_request_error', 'Too many requests.', 'rate_limit');
    if (fault === 'error_before') return failure(500, 'api_error', 'An unknown error occurred.');
    const keys = this.#keys.get(account)!;
    const asked = `${name}?${text}`;
    try {
      const before = idempotencyKey ? keys.replay(idempotencyKey, asked) : null;
      if (before) return { ...before, replayed: true };
    } catch (error) {
      return refused(error);
    }
    const acted = act(account, name, form);
    const answer = fault === 'error_after' ? failure(500, 'api_error', 'An unknown error occurred.') : acted;
    // A request that was refused before it took effect is not remembered.
    if (idempotencyKey && (answer.status < 400 || answer.status === 402 || answer.status >= 500))
      keys.keep(idempotencyKey, asked, answer);
    return answer;
  }
}

function act(account: Account, name: string, form: Form): Answer {
  try {
    return { status: 200, body: answerApi(account, name, form) };
  } catch (error) {
    return refused(error);
  }
}

function refused(error: unknown): Answer {
  if (error instanceof Refusal) return { status: error.status, body: { error: error.error } };
  throw error;
}

const failure = (status: number, type: string, message: string, code?: string): Answer => ({
  status,
  body: { error: { type, message, code } },
});
