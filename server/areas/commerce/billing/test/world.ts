/** Members who pay by the month, for tests. Sales and payments go through the interface. */
import assert from 'node:assert/strict';
import { billDueOf, takeStepsOf } from '../engine.ts';
import { numberFeedItems } from '../../../../kernel/work/feed/number.ts';
import { readPortion } from '../../../../kernel/work/worker/read-portion.ts';
import { settledReader } from '../collections.ts';
import { billOneAccount, findCharges } from '../charges.ts';
import { CheckoutWorld } from '../../checkouts/test/world.ts';
import { driveAll } from '../../../money/payments/engine.ts';
import { ownContext } from '../../../../test/own-context.ts';
import { backgroundWork } from '../../../../kernel/work/unit/background-work.ts';
import { renewDue } from '../../../memberships/customer-memberships/renewals/renew.ts';
import { row } from '../../../../test/schedule-world.ts';
import type { World } from '../../../../test/world.ts';

type Body = Record<string, unknown>;

export class BillingWorld {
  readonly c: CheckoutWorld;
  constructor(c: CheckoutWorld) {
    this.c = c;
  }

  static async of(world: World): Promise<BillingWorld> {
    return new BillingWorld(await CheckoutWorld.of(world));
  }

  get world(): World {
    return this.c.world;
  }
  get m() {
    return this.c.m;
  }

  close(): Promise<void> {
    return this.c.close();
  }

  async done(method: string, path: string, body?: Body, as?: string): Promise<any> {
    const answer = await this.c.ask(method, path, body, as);
    assert.ok(answer.status < 300, `${method} ${path}: ${answer.text}`);
    return answer.body;
  }
  refused(method: string, path: string, body?: Body, as?: string): Promise<any> {
    return this.c.refused(method, path, body, as);
  }
  read(path: string): Promise<any> {
    return this.c.read(path);
  }
  patch(path: string, body: Body, as?: string): Promise<any> {
    return this.done('PATCH', path, body, as);
  }

  async family(): Promise<{ parent: number; child: number }> {
    const family_id = await row(this.world, 'family', {});
    return {
      parent: await this.world.newCustomer({ family_id, family_role: 'manager' } as never),
      child: await this.world.newCustomer({ family_id, family_role: 'child' } as never),
    };
  }

  /** Creates a customer with a recurring plan: 40.00 a month from today, unless the plan says otherwise. */
  async member({ customer, plan = {}, over = {} }: { customer?: number; plan?: Body; over?: Body } = {}): Promise<{
    customer: number;
    id: number;
  }> {
    const owner = customer ?? (await this.world.newCustomer());
    const { membership } = await this.m.recurring([], plan);
    const { id } = await this.m.give(owner, membership, over);
    return { customer: owner, id };
  }

  async subscriptionOf(membership: number): Promise<any> {
    const { results } = await this.read(`/payment_subscriptions?customer_membership=${membership}`);
    assert.equal(results.length, 1);
    return results[0];
  }

  /** Begins all days until now, and bills everything that is due. */
  async bill(): Promise<void> {
    const own = ownContext(this.world);
    const { harbour } = this.world;
    let due = true;
    while (due) {
      await backgroundWork(own, harbour, 'test', renewDue);
      due = await billDueOf(own, (await own.tenants.of(harbour))!);
    }
  }

  /** Runs the dunning engine and the readers until now. */
  async dun(): Promise<void> {
    const own = ownContext(this.world);
    const tenant = (await own.tenants.of(this.world.harbour))!;
    let more = true;
    while (more) {
      while ((await numberFeedItems(this.world.app.db)) > 0);
      while ((await readPortion(own, settledReader, this.world.harbour)) === 'more');
      more = await takeStepsOf(own, tenant);
    }
  }

  /** Returns the messages that billing sent to a customer, in order. */
  async told(customer: number): Promise<string[]> {
    const { rows } = await this.c.owner.query(
      `SELECT kind FROM message WHERE provider_id = $1 AND customer_id = $2
         AND kind IN ('payment_retrying', 'payment_failed', 'membership_suspended', 'card_expires', 'invoice_reminder',
           'payment_method_requested') ORDER BY id`,
      [this.world.harbour, customer],
    );
    return rows.map(({ kind }) => kind);
  }

  /** Invoices the charges that are due, and continues their payments. */
  async charges(): Promise<void> {
    const own = ownContext(this.world);
    const { harbour } = this.world;
    await backgroundWork(own, harbour, 'test', findCharges);
    const { rows } = await this.c.owner.query(
      `SELECT (payload->>'customer')::int AS customer FROM graphile_worker._private_jobs WHERE key LIKE $1`,
      [`${harbour}:bill_account:%`],
    );
    for (const { customer } of rows)
      await backgroundWork(own, harbour, 'test', (work) => billOneAccount(work, { customer }));
    await this.c.owner.query(`UPDATE payment SET next_at = $2 WHERE provider_id = $1 AND status = 'started'`, [
      harbour,
      new Date(this.world.now),
    ]);
    while (await driveAll(own));
  }

  /** Returns the invoices of a customer with their full content, oldest first. */
  async invoices(payer: number): Promise<any[]> {
    const fields = 'line_items,adjustments,discounts,taxes,charges,applied_credits';
    return (await this.read(`/invoices?payer=${payer}&sort=id&expand=${fields}`)).results;
  }

  /** Saves a card and returns the id of the payment method. */
  async card(customer: number, scenario = 'success'): Promise<number> {
    const checkout = await this.c.open(customer);
    await this.c.add(checkout, { item_type: 'CLASS_DRP', event: await this.c.event() });
    await this.c.pay(checkout, { payment_processor: this.c.sandbox, save_payment_method: true, scenario });
    const { results } = await this.read(`/payment_methods?customer=${customer}&sort=-id`);
    return results[0].id;
  }
}
