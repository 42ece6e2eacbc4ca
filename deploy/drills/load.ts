/**
 * Bookings through the proxy, as a website's server sends them: limited concurrency, and a timeout for each request.
 * Every response is recorded, and no request is sent twice.
 */
import { setTimeout as pause } from 'node:timers/promises';
import type { Booked } from '../../server/test/processes/booking-storm.ts';

export interface LoadOptions {
  readonly url: string;
  readonly token: string;
  readonly customers: readonly number[];
  readonly events: readonly number[];
  /** the first pair of customer and event, so that no two loads book the same */
  readonly from: number;
  readonly callers: number;
}

const MAX_ROWS = 20_000;
const LONGEST_MS = 600_000;
/** Pause between two requests of a caller: leaves enough of two cores for everything else. */
const BETWEEN_MS = 80;
/** Timeout of a response: as long as the proxy waits. */
const ANSWER_MS = 70_000;
const CUT = 'stopped while it worked';

export class Load {
  readonly booked: Booked[] = [];
  /** when each booking was acknowledged, in the time of performance.now() */
  readonly at: number[] = [];
  /** when each of them was requested */
  readonly askedAt: number[] = [];
  /** number of 503 responses with Retry-After */
  refused = 0;
  /** number of those for which it is unknown whether they took effect */
  uncertain = 0;
  /** requests whose connection ended without a response, or for which the proxy reports this of the server's */
  cut = 0;
  /** responses that no client should ever get, in words */
  readonly wrong: string[] = [];
  /** number of pairs requested */
  asked = 0;
  readonly #options: LoadOptions;
  readonly #began = performance.now();
  readonly #callers: Promise<void[]>;
  #over = false;

  constructor(options: LoadOptions) {
    this.#options = options;
    this.#callers = Promise.all(Array.from({ length: options.callers }, () => this.#call()));
  }

  async #call(): Promise<void> {
    const { customers, events, from } = this.#options;
    while (!this.#over && this.asked < MAX_ROWS && performance.now() - this.#began < LONGEST_MS) {
      const n = from + this.asked++;
      const customer = customers[Math.floor(n / events.length) % customers.length];
      await this.#book(events[n % events.length], customer);
      await pause(BETWEEN_MS);
    }
  }

  async #book(event: number, customer: number): Promise<void> {
    const askedAt = performance.now();
    const answer = await fetch(`${this.#options.url}/api/v2/events/${event}/register`, {
      method: 'POST',
      headers: { authorization: `Bearer ${this.#options.token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ customer }),
      signal: AbortSignal.timeout(ANSWER_MS),
    }).catch(() => undefined);
    const text = await answer?.text().catch(() => undefined);
    if (!answer || text === undefined) {
      this.cut++;
    } else if (answer.status === 200) {
      this.booked.push({ event, customer, attendance: JSON.parse(text).attendance });
      this.at.push(performance.now());
      this.askedAt.push(askedAt);
    } else if (answer.status === 503 && answer.headers.has('retry-after')) {
      if (text.includes(CUT)) this.cut++;
      else this.refused++;
      if (text.includes('may or may not')) this.uncertain++;
    } else {
      this.wrong.push(`${answer.status} ${text.slice(0, 300)}`);
    }
  }

  /** Returns the longest time without an acknowledged booking since a moment, in milliseconds. */
  longestPause(since: number): number {
    const times = [since, ...this.at.filter((at) => at > since)];
    return Math.max(0, ...times.slice(1).map((at, i) => at - times[i]));
  }

  /** Returns the time of the first booking that was acknowledged after a moment. */
  firstAfter(moment: number): number | undefined {
    return this.at.find((at) => at > moment);
  }

  async stop(): Promise<void> {
    this.#over = true;
    await this.#callers;
  }
}
