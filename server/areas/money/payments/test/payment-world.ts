/** Payments without a purchase: a payee for tests that can refuse the money, and a business that is paid. */
import { createProcessor, payees, startPayment, type NewPayment, type Payee } from '../index.ts';
import { driveAll } from '../engine.ts';
import { ownContext } from '../../../../test/own-context.ts';
import { post } from '../../ledger/index.ts';
import { Problem } from '../../../../kernel/base/problem.ts';
import { sql } from '../../../../kernel/base/db/sql.ts';
import { startWorld, type World } from '../../../../test/world.ts';
import { tryPayment, tryRefund } from '../sync.ts';
import type { Outside } from '../context.ts';
import type { Work } from '../../../../kernel/work/unit/work.ts';
import { DEFAULT_WORDS } from '../../../../kernel/base/values/words.ts';

/** Calls of the test payee, in order: `paid 7`, `failed 7`. */
export const received: string[] = [];
/** Payers whose payments are refused, and how. */
export const gone = new Map<number, 'answer' | 'refusal' | 'crash'>();

/** Amount that is always refused, in any process. */
export const UNWANTED = 1313;

const TEST_PAYEE: Payee = {
  name: 'test_sale',
  description: 'For tests.',
  resource: 'customer',
  async paid(work, payment) {
    const how = gone.get(payment.payer);
    // Written before the refusal, which must roll it back.
    await sell(work, payment.payer, payment.id, payment.amount, payment.processor);
    if (how === 'crash') throw new Error('the payee fell over');
    if (how === 'refusal') throw new Problem('conflict', { staff: 'Full.', customer: 'The last spot has gone.' });
    if (how === 'answer' || payment.amount === UNWANTED) return { taken: false, why: 'The last spot has gone.' };
    received.push(`paid ${payment.id}`);
    return { taken: true };
  },
  async failed(_work, payment, why) {
    received.push(`failed ${payment.id}: ${why}`);
  },
  async giveBack(work, payment, amount, why) {
    const { n } = (await work.tx.one<{ n: number }>(
      sql`SELECT count(*) AS n FROM ledger_transaction
        WHERE provider_id = ${work.providerId} AND kind LIKE 'test_credit%' AND object_id = ${payment.id}`,
    ))!;
    await post(work, {
      kind: `test_credit_${'x'.repeat(n + 1)}`,
      about: { object: 'payment', id: payment.id },
      explanation: why,
      lines: [
        { account: 'revenue', detail: 'flat_fee', amount },
        { account: 'unapplied', customer: payment.payer, amount: -amount },
      ],
    });
    return payment.id;
  },
};

const sell = (work: Work, payer: number, payment: number, amount: number, processor: number): Promise<void> =>
  post(work, {
    kind: 'test_sale',
    about: { object: 'payment', id: payment },
    explanation: `Payment ${payer} of ${payment}.`,
    lines: [
      { account: 'clearing', detail: String(processor), amount },
      { account: 'revenue', detail: 'flat_fee', amount: -amount },
    ],
  });

/** Connects the payee. Applies to registries that are created later, as by a test's first request. */
export const connectPayee = (): void => {
  if (!payees.items.includes(TEST_PAYEE)) payees.connect([...payees.items, TEST_PAYEE]);
};

export class PaymentWorld {
  readonly world: World;
  readonly sandbox: number;
  readonly desk: number;

  constructor(world: World, sandbox: number, desk: number) {
    this.world = world;
    this.sandbox = sandbox;
    this.desk = desk;
  }

  static async start(): Promise<PaymentWorld> {
    // Ids in another database start from 1 too.
    received.length = 0;
    const world = await startWorld({ own: true });
    await world.get('/payment_processors', { as: world.machine });
    connectPayee();
    return PaymentWorld.at(world);
  }

  static async at(world: World): Promise<PaymentWorld> {
    const made = await world.work(world.harbour, async (work) => [
      await createProcessor(work, { kind: 'sandbox', name: 'Sandbox' }),
      await createProcessor(work, { kind: 'offline', name: 'Cash' }),
    ]);
    return new PaymentWorld(world, made[0], made[1]);
  }

  close(): Promise<void> {
    gone.clear();
    return this.world.close();
  }

  /** Starts a payment of a new customer, unless one is named. */
  async start(
    o: Partial<NewPayment> & { gone?: 'answer' | 'refusal' | 'crash' } = {},
  ): Promise<{ id: number; payer: number }> {
    const payer = o.payer ?? (await this.world.newCustomer());
    if (o.gone) gone.set(payer, o.gone);
    const id = await this.world.work(this.world.harbour, (work) =>
      startPayment(work, {
        processor: this.sandbox,
        payer,
        amount: 1000,
        payee: { name: 'test_sale', id: payer },
        description: 'A class',
        returnTo: 'https://example.com/back',
        cancelTo: 'https://example.com/stop',
        ...o,
      }),
    );
    return { id, payer };
  }

  get outside(): Outside {
    const { world } = this;
    const { db, registry, installation } = world.app;
    const tenant = { providerId: world.harbour, zone: 'America/Toronto', currency: 'CAD', words: DEFAULT_WORDS };
    return { db, registry, installation, tenant, now: world.now };
  }

  drive = async (id: number) => (await tryPayment(this.outside, id)).state;
  driveRefund = async (id: number) => (await tryRefund(this.outside, id))?.state;

  /** Starts a payment and calls the processor once. */
  async paid(o: Parameters<PaymentWorld['start']>[0] = {}): Promise<{ id: number; payer: number }> {
    const one = await this.start(o);
    await this.drive(one.id);
    return one;
  }

  /** Does the engine's work until nothing is due. */
  async settle(): Promise<void> {
    const own = ownContext(this.world);
    for (let turn = 0; turn < 50; turn++) if (!(await driveAll(own))) return;
    throw new Error('payments are never done');
  }

  async play(id: number, event: string, message: 'sent' | 'lost' = 'sent') {
    return this.world.post(`/sandbox/payments/${id}`, { as: this.world.machine, body: { event, message } });
  }

  payment = async (id: number, query = ''): Promise<any> =>
    (await this.world.get(`/payments/${id}${query}`, { as: this.world.machine })).body;

  refunds = async (id: number): Promise<any[]> =>
    (await this.world.get(`/payment_refunds?payment=${id}&sort=id`, { as: this.world.machine })).body.results;

  /** Returns ledger balances for these payments by account, for example `clearing`, in minor units. */
  async balances(payments: readonly number[]): Promise<Record<string, number>> {
    const rows = await this.rows<{ account: string; amount: number }>(sql`
      SELECT l.account, sum(l.amount_minor)::bigint AS amount FROM ledger_line l
      JOIN ledger_transaction t ON t.provider_id = l.provider_id AND t.id = l.transaction_id
      WHERE l.provider_id = ${this.world.harbour} AND (
        (t.object = 'payment' AND t.object_id = ANY(${payments}::bigint[])) OR
        (t.object = 'payment_refund' AND t.object_id IN (SELECT id FROM payment_refund
          WHERE payment_id = ANY(${payments}::bigint[]))) OR
        (t.object = 'payment_dispute' AND t.object_id IN (SELECT id FROM payment_dispute
          WHERE payment_id = ANY(${payments}::bigint[]))))
      GROUP BY l.account HAVING sum(l.amount_minor) <> 0 ORDER BY l.account`);
    return Object.fromEntries(rows.map(({ account, amount }) => [account, amount]));
  }

  rows<T extends object>(query: ReturnType<typeof sql>): Promise<T[]> {
    return this.world.app.db.transaction(this.world.harbour, (tx) =>
      tx.rows<T & Record<string, unknown>>(query),
    ) as Promise<T[]>;
  }
}
