/** Checkouts and the things they sell, for tests. Everything goes through the interface. */
import assert from 'node:assert/strict';
import { beside, until } from '../../../../test/storm.ts';
import { checkLedger } from '../../../money/ledger/index.ts';
import { driveAll } from '../../../money/payments/engine.ts';
import { MembershipWorld } from '../../../../test/worlds/membership-world.ts';
import { newCode } from '../../discount-codes/test/seeds.ts';
import { newEvent, newOffering } from '../../../../test/schedule-world.ts';
import { slug } from '../../../../test/seeds.ts';
import type { ApiAnswer, World } from '../../../../test/world.ts';
import type pg from 'pg';
import { DEFAULT_WORDS } from '../../../../kernel/base/values/words.ts';

type Body = Record<string, unknown>;

export class CheckoutWorld {
  readonly world: World;
  readonly m: MembershipWorld;
  /** ids of payment processors */
  readonly sandbox: number;
  readonly desk: number;
  /** connection that sees every row */
  readonly owner: pg.Client;

  private constructor(parts: Pick<CheckoutWorld, 'world' | 'm' | 'sandbox' | 'desk' | 'owner'>) {
    this.world = parts.world;
    this.m = parts.m;
    this.sandbox = parts.sandbox;
    this.desk = parts.desk;
    this.owner = parts.owner;
  }

  static async of(world: World): Promise<CheckoutWorld> {
    const processor = async (kind: string, name: string): Promise<number> => {
      const made = await world.post('/payment_processors', { as: world.machine, body: { kind, name } });
      assert.equal(made.status, 201, made.text);
      return made.body.id;
    };
    return new CheckoutWorld({
      world,
      m: await MembershipWorld.of(world),
      sandbox: await processor('sandbox', 'Card'),
      desk: await processor('offline', 'Cash'),
      owner: await beside(world.databaseUrl),
    });
  }

  async close(): Promise<void> {
    await this.owner.end();
    await this.world.close();
  }

  ask(method: string, path: string, body?: Body, as: string = this.world.machine): Promise<ApiAnswer> {
    return this.world.ask(method, path, { as, body });
  }

  async #done(method: string, path: string, body?: Body, as?: string): Promise<any> {
    const answer = await this.ask(method, path, body, as);
    assert.ok(answer.status < 300, `${method} ${path}: ${answer.text}`);
    return answer.body;
  }

  /** Returns the message of a refused request. */
  async refused(method: string, path: string, body?: Body, as?: string): Promise<any> {
    const answer = await this.ask(method, path, body, as);
    assert.ok(answer.status >= 400, `${method} ${path} was not refused: ${answer.text}`);
    return { status: answer.status, ...answer.body };
  }

  /** Creates an event of its own offering, which no membership covers. `price`: of a drop-in */
  async event({ price = '15.00', ...over }: Body & { price?: string } = {}): Promise<number> {
    const minor = Math.round(Number(price) * 100);
    const offering = await newOffering(this.world, { dropin_price_minor: minor });
    return (await newEvent(this.world, { ...this.m.place, offering }, over)).id;
  }

  /** Creates an event that this world's memberships cover. */
  async memberEvent(over: Body = {}): Promise<number> {
    return (await newEvent(this.world, this.m.place, over)).id;
  }

  /** Adds a joining fee to the plan. */
  async joiningFee(plan: number, amount: string): Promise<void> {
    await this.#done('POST', '/joining_fees', { name: 'Welcome kit', amount, plans: [plan] });
  }

  async open(customer: number, body: Body = {}, as?: string): Promise<string> {
    return (await this.#done('POST', '/checkouts', { customer, ...body }, as)).id;
  }

  add(id: string, body: Body, as?: string): Promise<any> {
    return this.#done('POST', `/checkouts/${id}/add_item`, body, as);
  }

  get(id: string, as?: string): Promise<any> {
    return this.#done('GET', `/checkouts/${id}`, undefined, as);
  }

  pay(id: string, body: Body = {}, as?: string): Promise<any> {
    return this.#done('POST', `/checkouts/${id}/pay`, body, as);
  }

  patch(id: string, body: Body, as?: string): Promise<any> {
    return this.#done('PATCH', `/checkouts/${id}`, body, as);
  }

  read(path: string): Promise<any> {
    return this.#done('GET', path);
  }

  /** Triggers an event at the sandbox. */
  play(payment: number, event: string, message: 'sent' | 'lost' = 'sent'): Promise<any> {
    return this.#done('POST', `/sandbox/payments/${payment}`, { event, message });
  }

  /** Returns how many payments of a checkout were begun. Other payees count their ids separately. */
  async payments(checkout: string): Promise<number> {
    const { rows } = await this.owner.query(
      `SELECT count(*)::int AS n FROM payment WHERE provider_id = $1 AND payee = 'checkout' AND payee_id = $2`,
      [this.world.harbour, checkout],
    );
    return rows[0].n;
  }

  /** Returns the seat counts of an event from the database. */
  async seats(event: number): Promise<{ attending: number; held: number }> {
    const { rows } = await this.owner.query(
      'SELECT attending_count AS attending, held_count AS held FROM event WHERE id = $1',
      [event],
    );
    return rows[0];
  }

  /** Books the event for another customer, without charge. */
  async book(event: number): Promise<void> {
    await this.#done('POST', `/events/${event}/register`, { customer: await this.world.newCustomer(), comped: true });
  }

  /**
   * Returns the final status of a checkout whose payment got this response. A busy server responds before it has
   * finished: then a worker finishes it.
   */
  async outcome(id: string, { status, code }: { status?: string; code?: string }): Promise<string> {
    // Paid by an earlier call that was told that the service is too busy, after the payment had begun.
    if (code === 'checkout_not_open') return (await this.get(id)).status;
    if (status !== 'pending') return status ?? code!;
    return until(`checkout ${id} is ended`, async () => {
      await this.owner.query(
        `UPDATE payment SET next_at = now() WHERE payee = 'checkout' AND payee_id = $1
          AND status NOT IN ('succeeded', 'failed')`,
        [id],
      );
      await driveAll(this.own());
      const { status: now } = await this.get(id);
      return now === 'pending' ? null : now;
    });
  }

  /** Returns the context of the payment engine. */
  own() {
    const { app, now } = this.world;
    const tenants = {
      of: async (providerId: number) => ({
        providerId,
        zone: 'America/Toronto',
        currency: 'CAD',
        words: DEFAULT_WORDS,
      }),
    };
    return { ...app, tenants, now: () => now, log: { error() {}, warn() {}, info() {} } } as never;
  }

  async balances(customer: number): Promise<Record<string, number>> {
    const { rows } = await this.owner.query(
      `SELECT account, amount_minor::int AS n FROM customer_balance
        WHERE customer_id = $1 AND account IN ('credit', 'credit_held') ORDER BY 1`,
      [customer],
    );
    return Object.fromEntries(rows.map(({ account, n }) => [account, n]));
  }

  /** Asserts that no money is lost, and that no seat is held for a checkout that has ended. */
  async balanced(): Promise<void> {
    assert.deepEqual(await this.world.work(this.world.harbour, checkLedger), []);
    const { rows } = await this.owner.query(
      `WITH ledger AS (SELECT t.id, l.amount_minor FROM ledger_transaction t
        JOIN ledger_line l ON l.provider_id = t.provider_id AND l.transaction_id = t.id WHERE t.provider_id = $1),
        k AS (SELECT * FROM checkout WHERE provider_id = $1), i AS (SELECT * FROM checkout_item WHERE provider_id = $1),
        p AS (SELECT * FROM payment WHERE provider_id = $1 AND payee = 'checkout')
      SELECT 'money without a payment or an invoice' AS what, id FROM ledger GROUP BY id HAVING sum(amount_minor) <> 0
      UNION ALL SELECT 'a seat held for nothing', h.id FROM seat_hold h JOIN i ON i.id = h.held_for_id
      JOIN k ON k.id = i.checkout_id
        WHERE h.provider_id = $1 AND h.held_for = 'checkout_item' AND k.status NOT IN ('open', 'pending')
      UNION ALL SELECT 'a use of a code held for nothing', u.id FROM discount_code_use u JOIN k ON k.id = u.checkout_id
        WHERE u.provider_id = $1 AND (u.state = 'used') <> (k.status = 'completed')
          AND k.status NOT IN ('open', 'pending')
      UNION ALL SELECT 'credit held for nothing', b.customer_id FROM customer_balance b
      WHERE b.provider_id = $1 AND b.account = 'credit_held'
        AND b.amount_minor <> 0 AND NOT EXISTS (SELECT FROM k
        WHERE k.customer_id = b.customer_id AND k.status = 'pending')
      UNION ALL SELECT 'paid and not booked', k.id FROM k JOIN p ON p.payee_id = k.id
        WHERE p.status = 'succeeded' AND p.taken AND k.status <> 'completed'
      UNION ALL SELECT 'charged for nothing', id FROM p
      WHERE status = 'succeeded' AND NOT taken AND refunded_minor <> amount_minor
      UNION ALL SELECT 'taken twice', k.id FROM k JOIN p ON p.payee_id = k.id WHERE p.taken GROUP BY k.id
      HAVING count(*) > 1
      UNION ALL SELECT 'completed and not fulfilled', k.id FROM k JOIN i ON i.checkout_id = k.id
        WHERE (k.status = 'completed') <> (i.result_id IS NOT NULL)`,
      [this.world.harbour],
    );
    assert.deepEqual(rows, []);
  }

  /** Creates a discount code with 20% off. */
  async code(over: Body = {}): Promise<string> {
    const code = slug().slice(0, 12).toUpperCase();
    await newCode(this.world, { code, discount_percent: '20', ...over });
    return code;
  }
}
