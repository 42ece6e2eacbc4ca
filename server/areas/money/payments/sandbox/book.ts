/**
 * The sandbox's own records. It plays a remote service, so it has transactions of its own, and finds earlier requests
 * by their key alone.
 */
import { instant, sql } from '../../../../kernel/base/db/sql.ts';
import { scenarioOf } from './scenarios.ts';
import type { News, Outcome, PaymentRequest, ProcessorContext, RefundOutcome, RefundRequest } from '../processor.ts';
import type { Transaction } from '../../../../kernel/base/db/database.ts';

export interface Charge {
  readonly id: number;
  readonly key: string;
  readonly amount_minor: number;
  readonly scenario: string;
  readonly state: Outcome['state'];
  readonly why: string | null;
  readonly holder: string;
  readonly keeps_method: boolean;
  readonly return_to: string;
  readonly cancel_to: string;
  readonly description: string;
}

export interface Refund {
  readonly id: number;
  readonly key: string;
  readonly amount_minor: number;
  readonly state: RefundOutcome['state'];
}

/** The records of one business, in one transaction. */
export class Book {
  readonly #tx: Transaction;
  readonly #c: Pick<ProcessorContext, 'provider' | 'processor' | 'now'>;

  #silent = false;

  constructor(tx: Transaction, c: Pick<ProcessorContext, 'provider' | 'processor' | 'now'>) {
    this.#tx = tx;
    this.#c = c;
  }

  /** Opens a charge, or returns the existing one with the same key. It is locked in both cases. */
  async open(
    p: PaymentRequest,
    state: Outcome['state'],
    why: string | null,
  ): Promise<{ charge: Charge; isNew: boolean }> {
    const { provider, processor, now } = this.#c;
    // The no-op update returns the existing row. Only an existing row has been locked by a transaction (xmax), which
    // tells it from a new one.
    const { is_new: isNew, ...charge } = (await this.#tx.one<Charge & { is_new: boolean }>(
      sql`
        INSERT INTO sandbox_charge (provider_id, processor_id, key, amount_minor, scenario, state, why, holder,
          keeps_method, return_to, cancel_to, description, created_at)
          VALUES (${provider}, ${processor}, ${p.key}, ${p.amount}, ${p.scenario ?? 'success'}, ${state}, ${why},
            ${p.customer.name}, ${p.saveMethod},
            ${p.returnTo}, ${p.cancelTo}, ${p.description}, ${instant(now)})
          ON CONFLICT ON CONSTRAINT sandbox_charge_once
          DO UPDATE SET key = excluded.key RETURNING *, xmax = 0 AS is_new`,
    ))!;
    return { charge, isNew };
  }

  /** Returns the charge and locks it: nothing else changes it in the meantime. */
  byKey(key: string): Promise<Charge | undefined> {
    const { provider, processor } = this.#c;
    return this.#tx.one<Charge>(
      sql`SELECT * FROM sandbox_charge WHERE provider_id = ${provider} AND processor_id = ${processor} AND key = ${key}
        FOR UPDATE`,
    );
  }

  byId(id: number): Promise<Charge | undefined> {
    const { provider, processor } = this.#c;
    return this.#tx.one<Charge>(
      sql`SELECT * FROM sandbox_charge WHERE provider_id = ${provider} AND processor_id = ${processor} AND id = ${id}
        FOR UPDATE`,
    );
  }

  async become(charge: Charge, state: Outcome['state'], why: string | null): Promise<Charge> {
    await this.#tx.run(
      sql`UPDATE sandbox_charge SET state = ${state}, why = ${why}
        WHERE provider_id = ${this.#c.provider} AND id = ${charge.id}`,
    );
    return { ...charge, state, why };
  }

  refunds(charge: Charge): Promise<Refund[]> {
    return this.#tx.rows<Refund>(
      sql`SELECT * FROM sandbox_refund WHERE provider_id = ${this.#c.provider} AND charge_id = ${charge.id}
        ORDER BY id`,
    );
  }

  async addRefund(charge: Charge, { key, amount }: RefundRequest, state: Refund['state']): Promise<Refund> {
    return (await this.#tx.one<Refund>(
      sql`INSERT INTO sandbox_refund (provider_id, charge_id, key, amount_minor, state, created_at)
          VALUES (${this.#c.provider}, ${charge.id}, ${key}, ${amount}, ${state}, ${instant(this.#c.now)}) RETURNING *`,
    ))!;
  }

  async refundBecomes(refund: Refund, state: Refund['state']): Promise<Refund> {
    await this.#tx.run(
      sql`UPDATE sandbox_refund SET state = ${state} WHERE provider_id = ${this.#c.provider} AND id = ${refund.id}`,
    );
    return { ...refund, state };
  }

  /** Sets the state of the dispute; a charge has at most one. */
  async dispute(charge: Charge, state: 'open' | 'lost' | 'won'): Promise<void> {
    await this.#tx.run(
      sql`INSERT INTO sandbox_dispute (provider_id, charge_id, amount_minor, state, created_at)
          VALUES (${this.#c.provider}, ${charge.id}, ${charge.amount_minor}, ${state}, ${instant(this.#c.now)})
          ON CONFLICT (provider_id, charge_id) DO UPDATE SET state = excluded.state`,
    );
  }

  async isDisputed(charge: Charge): Promise<boolean> {
    const found = await this.#tx.one(
      sql`SELECT FROM sandbox_dispute WHERE provider_id = ${this.#c.provider} AND charge_id = ${charge.id}`,
    );
    return found !== undefined;
  }

  /** Suppresses all messages from now on. */
  beSilent(): void {
    this.#silent = true;
  }

  /** Enqueues a message, unless the scenario suppresses it. */
  send(charge: Charge, type: string, news: News): void {
    if (this.#silent || scenarioOf(charge.scenario).silent) return;
    this.#tx.later(
      sql`INSERT INTO sandbox_message (provider_id, processor_id, body, next_at, created_at)
          VALUES (${this.#c.provider}, ${this.#c.processor}, ${JSON.stringify({ type, news: [news] })},
            ${instant(this.#c.now)}, ${instant(this.#c.now)})`,
    );
  }
}

/** Runs `act` in one transaction of the sandbox. */
export const inBook = <T>(c: ProcessorContext, act: (book: Book) => Promise<T>): Promise<T> =>
  c.db.transaction(c.provider, (tx) => act(new Book(tx, c)));
