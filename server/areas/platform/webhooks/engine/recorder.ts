/**
 * The recorder of attempts, which writes many results in one call. Results that could not be recorded are kept and
 * retried, and count as in flight until then: while the database is down, nothing more is sent.
 */
import { webhookDeliveryFeed, type PAUSED_BY } from '../feed.ts';
import { disable, pause } from '../writes.ts';
import { instant, json, sql } from '../../../../kernel/base/db/sql.ts';
import { backgroundWork } from '../../../../kernel/work/unit/background-work.ts';
import type { Attempted, Due } from './message.ts';
import type { EngineContext } from '../../../../kernel/work/unit/engine.ts';
import type { Key } from './due.ts';
import type { Transaction } from '../../../../kernel/base/db/database.ts';
import type { Work } from '../../../../kernel/work/unit/work.ts';

interface Outcome {
  readonly key: Key;
  readonly due: Due;
  readonly status: 'delivered' | 'pending' | 'parked' | 'cancelled';
  readonly failures: number;
  /** epoch milliseconds; for a delivery that has ended, the time of its end */
  readonly next: number;
  readonly body: string | null;
  /** null if nothing was sent */
  readonly attempted: Attempted | null;
  /** called when it is recorded */
  readonly written: () => void;
}

/** Decision about a destination. */
type Verdict =
  | { readonly key: Key; readonly verdict: 'gone' }
  | {
      readonly key: Key;
      readonly verdict: 'pause';
      readonly cause: (typeof PAUSED_BY)[number];
      readonly reason: string;
    };

const AT_ONCE = 500;
const RETRY_MS = 500;

export class Recorder {
  readonly #context: EngineContext;
  #outcomes: Outcome[] = [];
  #verdicts: Verdict[] = [];
  #running: Promise<void> | null = null;
  #abandoned = false;

  constructor(context: EngineContext) {
    this.#context = context;
  }

  add(outcome: Outcome): void {
    this.#outcomes.push(outcome);
    this.#start();
  }

  judge(verdict: Verdict): void {
    this.#verdicts.push(verdict);
    this.#start();
  }

  /**
   * Resolves when everything is recorded. With `abandon` it tries at most once more: the database may be gone for good.
   */
  async settled({ abandon }: { abandon: boolean }): Promise<void> {
    this.#abandoned = abandon;
    await this.#running;
  }

  #start(): void {
    this.#running ??= this.#run().finally(() => {
      this.#running = null;
      if (!this.#abandoned && (this.#outcomes.length > 0 || this.#verdicts.length > 0)) this.#start();
    });
  }

  async #run(): Promise<void> {
    // Results of the same turn are written together.
    await new Promise(setImmediate);
    while (this.#outcomes.length > 0 || this.#verdicts.length > 0) {
      try {
        await this.#portion();
      } catch (err) {
        if (this.#abandoned) return;
        this.#context.log.warn({ err }, 'what webhooks came to could not be written; will try again');
        await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
      }
    }
  }

  async #portion(): Promise<void> {
    const portion = this.#outcomes.slice(0, AT_ONCE);
    const plain = portion.filter((o) => o.status !== 'parked');
    if (plain.length > 0)
      await this.#context.db.acrossTenants('what webhooks of every business came to is written together', (tx) =>
        write(tx, plain),
      );
    this.#done(plain);
    for (const outcome of portion.filter((o) => o.status === 'parked')) {
      await this.#park(outcome);
      this.#done([outcome]);
    }
    for (const verdict of this.#verdicts) {
      await this.#apply(verdict);
      this.#verdicts = this.#verdicts.filter((v) => v !== verdict);
    }
  }

  #done(outcomes: readonly Outcome[]): void {
    if (outcomes.length === 0) return;
    const gone = new Set(outcomes);
    this.#outcomes = this.#outcomes.filter((o) => !gone.has(o));
    for (const { written } of outcomes) written();
  }

  /**
   * Notifies the business of a parked delivery, except if that delivery reports a parked one: otherwise it would never
   * end.
   */
  #park(outcome: Outcome): Promise<void> {
    return this.#work(outcome.key.provider, async (work) => {
      const [parked] = await write(work.tx, [outcome]);
      if (parked && outcome.due.kind !== webhookDeliveryFeed.parked.kind)
        work.record(webhookDeliveryFeed.parked, outcome.due.id, {
          webhook_delivery: outcome.due.id,
          webhook_destination: outcome.key.destination,
        });
    });
  }

  #apply(verdict: Verdict): Promise<void> {
    const { provider, destination } = verdict.key;
    return this.#work(provider, async (work) => {
      const row = await work.tx.one(
        sql`SELECT * FROM webhook_destination WHERE provider_id = ${provider} AND id = ${destination}
          AND deleted_at IS NULL AND status = 'active' FOR UPDATE`,
      );
      if (!row) return;
      work.touch('webhook_destination', destination, row);
      if (verdict.verdict === 'gone') await disable(work, destination);
      else await pause(work, destination, verdict.cause, verdict.reason);
    });
  }

  async #work(provider: number, act: (work: Work) => Promise<void>): Promise<void> {
    await backgroundWork(this.#context, provider, 'webhooks', act);
  }
}

/**
 * Writes results and returns the ids of the deliveries that it changed. Repeating it changes nothing, because the
 * number of attempts has advanced: so a COMMIT without a response can be retried. A successful delivery counts even if
 * something else has written since.
 */
async function write(tx: Transaction, outcomes: readonly Outcome[]): Promise<number[]> {
  const of = <T>(pick: (outcome: Outcome) => T): T[] => outcomes.map(pick);
  const rows = await tx.rows<{ id: number }>(sql`
    WITH outcome AS MATERIALIZED (
      SELECT * FROM unnest(
        ${of((o) => o.key.provider)}::bigint[], ${of((o) => o.due.id)}::bigint[], ${of((o) => o.due.attempts)}::int[],
        ${of((o) => o.status)}::text[], ${of((o) => o.failures)}::int[], ${of((o) => instant(o.next))}::timestamptz[],
        ${of((o) => o.body)}::text[],
        ${of((o) => (o.attempted ? instant(o.attempted.startedAt) : null))}::timestamptz[],
        ${of((o) => o.attempted?.durationMs ?? null)}::int[],
        ${of((o) => o.attempted?.answer?.status ?? null)}::int[],
        ${of((o) => (o.attempted?.answer ? json(o.attempted.answer.headers) : null))}::jsonb[],
        ${of((o) => o.attempted?.answer?.body ?? null)}::text[], ${of((o) => o.attempted?.error ?? null)}::text[]
      ) AS o (provider_id, id, before, status, failures, next, body, started_at, duration_ms, response_status,
      response_headers, response_body, error)
    ), changed AS (
      UPDATE webhook_delivery d SET attempts = d.attempts + CASE WHEN o.started_at IS NULL THEN 0 ELSE 1 END,
        failures = o.failures, status = o.status, next_attempt_at = o.next,
        ended_at = CASE WHEN o.status = 'pending' THEN NULL ELSE o.next END, body = coalesce(d.body, o.body)
      FROM outcome o WHERE d.provider_id = o.provider_id AND d.id = o.id
        AND (o.status = 'delivered' AND d.status <> 'delivered' OR d.status = 'pending' AND d.attempts = o.before)
      RETURNING d.provider_id, d.id
    ), attempt AS (
      INSERT INTO webhook_attempt (provider_id, delivery_id, started_at, duration_ms, response_status, response_headers,
        response_body, error)
      SELECT o.provider_id, o.id, o.started_at, o.duration_ms, o.response_status, o.response_headers,
        o.response_body, o.error
      FROM outcome o JOIN changed USING (provider_id, id) WHERE o.started_at IS NOT NULL
    )
    SELECT id FROM changed`);
  return rows.map((row) => row.id);
}
