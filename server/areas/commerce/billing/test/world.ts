/** Members who pay by the month, for tests. Sales and payments through the interface. */
import assert from 'node:assert/strict';
import { CheckoutWorld } from '../../checkouts/test/world.ts';
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

  /** Somebody who owns a recurring plan: 40.00 a month from today, unless the plan says something else. */
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

  /** Saves a card: the id of the payment method. */
  async card(customer: number, scenario = 'success'): Promise<number> {
    const checkout = await this.c.open(customer);
    await this.c.add(checkout, { item_type: 'CLASS_DRP', event: await this.c.event() });
    await this.c.pay(checkout, { payment_processor: this.c.sandbox, save_payment_method: true, scenario });
    const { results } = await this.read(`/payment_methods?customer=${customer}&sort=-id`);
    return results[0].id;
  }
}
