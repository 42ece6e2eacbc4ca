/** Memberships and customer memberships for tests, all created through the interface. */
import assert from 'node:assert/strict';
import { newOffering, newVenue, row, type Place } from '../schedule-world.ts';
import { sql } from '../../kernel/base/db/sql.ts';
import type { World } from '../world.ts';

type Over = Record<string, unknown>;

const SOLD = {
  visible_to_customers: true,
  purchasable_only_by_provider: false,
  new_customers_only: false,
  allow_repeat_purchases: true,
};

/** Returns a limit of an allotment in the form of a request body. */
export const limit = (period: string, max: number, over: Over = {}) => ({
  period,
  type: 'limited',
  max_uses: max,
  offering_type_limits: [],
  ...over,
});

export class MembershipWorld {
  readonly world: World;
  readonly place: Place;
  readonly #category: number;

  constructor(world: World, place: Place, category: number) {
    this.world = world;
    this.place = place;
    this.#category = category;
  }

  static async of(world: World): Promise<MembershipWorld> {
    const [venue, offering] = [await newVenue(world), await newOffering(world)];
    return new MembershipWorld(world, { venue, offering }, await row(world, 'membership_category', { name: 'Passes' }));
  }

  /** Returns the offering that the memberships cover. */
  get offering(): number {
    return this.place.offering;
  }

  async #made(path: string, body: object, method: 'POST' | 'PUT' = 'POST'): Promise<any> {
    const answer = await this.world.ask(method, path, { as: this.world.machine, body });
    assert.ok(answer.status < 300, answer.text);
    return answer.body;
  }

  /** Creates a membership that covers only the offering, with this allotment. Returns its id. */
  async #sold(values: Over, limits: readonly object[], allotment: Over): Promise<number> {
    const { id } = await this.#made('/memberships', { ...SOLD, category: this.#category, ...values });
    await this.#made(`/memberships/${id}/allotment`, { types: ['event'], period_limits: limits, ...allotment }, 'PUT');
    await this.#made('/membership_registration_grants', {
      membership: id,
      registration_option: this.offering,
      on_allotment_price: '0',
    });
    return id;
  }

  pack(uses: number, over: Over = {}, allotment: Over = {}): Promise<number> {
    return this.#sold(
      { type: 'pack', name: `Pack of ${uses}`, one_time_fee: '120.00', ...over },
      [limit('total', uses)],
      allotment,
    );
  }

  prepaid(over: Over = {}, limits: readonly object[] = []): Promise<number> {
    return this.#sold({ type: 'prepaid_plan', name: 'Summer', one_time_fee: '200.00', ...over }, limits, {});
  }

  async recurring(
    limits: readonly object[] = [],
    plan: Over = {},
    over: Over = {},
    allotment: Over = {},
  ): Promise<{ membership: number; plan: number }> {
    const membership = await this.#sold({ type: 'recurring_plan', name: 'Club', ...over }, limits, allotment);
    const made = await this.#made('/membership_payment_plans', {
      membership,
      price: '40.00',
      billing_period_length: 1,
      billing_period_unit: 'months',
      ...plan,
    });
    return { membership, plan: made.id };
  }

  give(customer: number, membership: number, over: Over = {}): Promise<any> {
    return this.#made('/customer_memberships', { customer, membership, ...over });
  }

  share(customerMembership: number, customer: number): Promise<unknown> {
    const { harbour } = this.world;
    return this.world.work(harbour, ({ tx }) =>
      tx.run(
        sql`INSERT INTO customer_membership_share (provider_id, customer_membership_id, customer_id)
          VALUES (${harbour}, ${customerMembership}, ${customer})`,
      ),
    );
  }

  /** Returns the number of uses in the ledger. */
  async used(customerMembership: number): Promise<number> {
    const { harbour } = this.world;
    const found = await this.world.work(harbour, ({ tx }) =>
      tx.one<{ used: number }>(
        sql`SELECT -coalesce(sum(amount), 0)::int AS used FROM entitlement_entry WHERE provider_id = ${harbour}
          AND customer_membership_id = ${customerMembership}`,
      ),
    );
    return found!.used;
  }
}
