/**
 * One destination, while this engine has it: due deliveries are loaded a few at a time and sent in order, with limited
 * concurrency. A request counts as in flight until its result is recorded, so a crash repeats no more than the limit.
 */
import { attempt, bodyOf, headersOf, notSent, succeeded, type Attempted, type Due } from './message.ts';
import { MAX_FAILS_MS, restAfter, MAX_RETRY_AFTER_MS, retryAfter, waitAfter } from '../rules/retries.ts';
import { load, type Key, type LaneState } from './due.ts';
import { NotOpened } from '../../../../kernel/base/secret-box.ts';
import { openSecret } from '../secrets.ts';
import type { EngineContext } from '../../../../kernel/work/unit/engine.ts';
import type { Recorder } from './recorder.ts';
import type { Permits } from './permits.ts';

/** Concurrent requests to one destination; only one while something fails. */
const AT_ONCE = 4;
/** Requests to one destination whose result is not recorded yet. */
export const MAX_UNDER_WAY = 16;
const LOADED_AT_ONCE = 128;
/** Loaded deliveries are trusted for this long, so that a paused or changed destination is noticed. */
const TRUSTED_MS = 1000;
const SLOW_MS = 1000;
const POLL_MS = 250;

export interface LaneOptions {
  readonly context: EngineContext;
  readonly recorder: Recorder;
  readonly permits: Permits;
  /** limits concurrent loads, which share few connections */
  readonly loading: <T>(act: () => Promise<T>) => Promise<T>;
}

export class Lane {
  readonly key: Key;
  readonly #o: LaneOptions;
  #failures: number;
  #failingSince: number | null;
  #notBefore: number | null;
  #slow: boolean;
  #url = '';
  #secrets: readonly Buffer[] = [];
  #buffer: Due[] = [];
  #loadedAt = -Infinity;
  #loading = false;
  /** true if something may be due that isn't loaded */
  #hungry = true;
  readonly #underWay = new Set<number>();
  #sending = 0;
  /** number of requests in flight that take long */
  #overdue = 0;
  #closing = false;
  /** milliseconds by the clock of this process: until then no other engine has the destination */
  #heldUntil: number;
  #idleSince = performance.now();

  constructor(key: Key, state: LaneState, heldUntil: number, options: LaneOptions) {
    this.key = key;
    this.#o = options;
    this.#failures = state.failures;
    this.#failingSince = state.failing_since;
    this.#notBefore = state.not_before;
    this.#slow = state.slow;
    this.#heldUntil = heldUntil;
  }

  get state(): LaneState {
    return {
      failures: this.#failures,
      failing_since: this.#failingSince,
      not_before: this.#notBefore,
      slow: this.#slow,
    };
  }
  get troubled(): boolean {
    return this.#slow || this.#failures > 0;
  }
  /** True if it can be released. */
  get done(): boolean {
    return this.#closing && this.#underWay.size === 0 && !this.#loading;
  }
  /**
   * True if there is nothing to send. Deliveries in flight are still due in the database, so it isn't polled all the
   * time.
   */
  get idle(): boolean {
    const nothing = !this.#closing && !this.#hungry && !this.#loading && this.#buffer.length === 0;
    return nothing && (this.#underWay.size === 0 || performance.now() - this.#loadedAt > POLL_MS);
  }
  idleFor(): number {
    return this.idle && this.#underWay.size === 0 ? performance.now() - this.#idleSince : 0;
  }

  /** Signals that there may be something to send. */
  wake(): void {
    this.#hungry = true;
    this.pump();
  }

  hold(until: number): void {
    this.#heldUntil = until;
  }

  /** Starts no more requests. */
  close(): void {
    this.#closing = true;
    this.#buffer = [];
    this.#o.permits.forget(this);
  }

  /** Sends as many deliveries as allowed now. */
  pump(): void {
    if (this.#closing) return;
    if (performance.now() > this.#heldUntil) return this.close();
    if (performance.now() - this.#loadedAt > TRUSTED_MS && this.#buffer.length > 0) {
      this.#buffer = [];
      this.#hungry = true;
    }
    while (this.#buffer.length > 0 && this.#mayBegin()) {
      if (!this.#o.permits.take(this, this.#slow)) return;
      void this.#send(this.#buffer.shift()!);
    }
    if (this.#buffer.length === 0 && this.#hungry && !this.#loading && this.#mayBegin()) void this.#load();
  }

  #mayBegin(): boolean {
    return this.#sending < (this.#failures > 0 ? 1 : AT_ONCE) && this.#underWay.size < MAX_UNDER_WAY;
  }

  async #load(): Promise<void> {
    const { context, recorder, loading } = this.#o;
    this.#loading = true;
    this.#hungry = false;
    try {
      const most = this.troubled ? AT_ONCE : LOADED_AT_ONCE;
      const found = await loading(() =>
        load(context.db, this.key, {
          installation: context.installation,
          now: context.now(),
          most,
          without: [...this.#underWay],
        }),
      );
      if (found.url === null) return this.close();
      this.#url = found.url;
      this.#secrets = found.sealed.map((sealed) =>
        openSecret(context.installation.box, this.key.provider, this.key.destination, sealed),
      );
      this.#loadedAt = performance.now();
      this.#buffer = [...found.due];
      this.#hungry = found.due.length === most;
      if (found.due.length === 0) this.#idleSince = performance.now();
    } catch (err) {
      if (err instanceof NotOpened)
        recorder.judge({
          key: this.key,
          verdict: 'pause',
          cause: 'secret',
          reason: 'Its secret can’t be read any more. Rotate the secret, then resume.',
        });
      else context.log.warn({ err }, 'webhooks of a destination could not be loaded; will try again');
      this.close();
    } finally {
      this.#loading = false;
    }
    this.pump();
  }

  async #send(due: Due): Promise<void> {
    const { context, permits } = this.#o;
    const [url, secrets] = [this.#url, this.#secrets];
    this.#underWay.add(due.id);
    this.#sending++;
    let late = false;
    const timer = setTimeout(() => {
      late = true;
      this.#overdue++;
      this.#setSlow(true);
    }, SLOW_MS);
    try {
      const tenant = await context.tenants.of(this.key.provider);
      const body = tenant && bodyOf(due, this.key.destination, tenant.zone);
      if (!body)
        return this.#record(
          due,
          { status: 'cancelled', failures: due.failures, next: context.now() },
          null,
          notSent(context.now()),
        );
      const headers = headersOf(due, body, secrets, context.installation.headerWords, context.now());
      this.#judge(due, body, await attempt(context.installation.outbound, { url, headers, body }, context.now));
    } catch (err) {
      // The database could not be asked for the time zone of the text: nothing was sent.
      context.log.warn({ err }, 'a webhook could not be sent; will try again');
      this.#underWay.delete(due.id);
      this.close();
    } finally {
      clearTimeout(timer);
      this.#sending--;
      if (late) this.#overdue--;
      permits.give(this.#slow);
      if (this.#overdue === 0 && !late) this.#setSlow(false);
      this.pump();
    }
  }

  #setSlow(slow: boolean): void {
    if (slow === this.#slow) return;
    this.#slow = slow;
    this.#o.permits.move(this.#sending, slow);
  }

  #judge(due: Due, body: string, attempted: Attempted): void {
    const now = this.#o.context.now();
    if (succeeded(attempted)) {
      this.#failures = 0;
      this.#failingSince = null;
      this.#notBefore = null;
      return this.#record(due, { status: 'delivered', failures: due.failures, next: now }, body, attempted);
    }
    const { answer } = attempted;
    if (answer?.status === 410) {
      this.#record(due, { status: 'cancelled', failures: due.failures + 1, next: now }, body, attempted);
      this.#o.recorder.judge({ key: this.key, verdict: 'gone' });
      return this.close();
    }
    const asked = retryAfter(answer?.headers['retry-after'], now);
    const failures = due.failures + 1;
    const wait = waitAfter(failures, Math.random(), asked);
    this.#record(
      due,
      wait === null ? { status: 'parked', failures, next: now } : { status: 'pending', failures, next: now + wait },
      body,
      attempted,
    );
    this.#failed(now, asked);
  }

  /** Applies a failure to the destination as a whole. */
  #failed(now: number, asked: number | null): void {
    this.#failures++;
    this.#failingSince ??= now;
    if (now - this.#failingSince >= MAX_FAILS_MS) {
      this.#o.recorder.judge({
        key: this.key,
        verdict: 'pause',
        cause: 'failing',
        reason: 'Nothing could be delivered for five days. Fix the receiver, then resume.',
      });
      return this.close();
    }
    const rest = Math.max(restAfter(this.#failures), Math.min(asked ?? 0, MAX_RETRY_AFTER_MS));
    if (rest === 0) return;
    this.#notBefore = now + rest;
    this.close();
  }

  #record(
    due: Due,
    what: { status: 'delivered' | 'pending' | 'parked' | 'cancelled'; failures: number; next: number },
    body: string | null,
    attempted: Attempted | null,
  ): void {
    if (attempted && body !== null)
      this.#o.context.metrics.webhook(what.status === 'delivered' || what.status === 'parked' ? what.status : 'failed');
    this.#o.recorder.add({
      key: this.key,
      due,
      ...what,
      body,
      attempted,
      written: () => {
        this.#underWay.delete(due.id);
        this.#idleSince = performance.now();
        this.pump();
      },
    });
  }
}
