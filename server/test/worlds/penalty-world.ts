/**
 * Penalty systems for tests, and customers who cancel late or don't attend. The feed is read when a test asks for it.
 */
import assert from 'node:assert/strict';
import { MembershipWorld } from './membership-world.ts';
import { newCustomers, newEvent } from '../schedule-world.ts';
import { readAll } from '../own-context.ts';
import { penalties } from '../../areas/memberships/penalties/index.ts';
import { startWorld, type ApiAnswer, type World, type WorldOptions } from '../world.ts';

export const NOON = Date.parse('2026-06-10T16:00Z');
export const TWO_FREE = { price: '10.00', max_infractions: 2, days: 30 };

export interface Holder {
  readonly customer: number;
  readonly owned: number;
  readonly membership: number;
  readonly system: number;
}

export interface Booking {
  readonly event: number;
  readonly attendance: number;
}

type Owned = Pick<Holder, 'owned'>;
type Booker = Pick<Holder, 'customer'>;

/** Records the strikes and penalties for everything so far, as a worker does. */
export const readPenalties = (world: World): Promise<void> => readAll(world, penalties.readers![0]);

export class PenaltyWorld {
  readonly world: World;
  readonly m: MembershipWorld;

  private constructor(world: World, m: MembershipWorld) {
    this.world = world;
    this.m = m;
  }

  static async start(options?: WorldOptions): Promise<PenaltyWorld> {
    return PenaltyWorld.of(await startWorld(options));
  }

  static async of(world: World): Promise<PenaltyWorld> {
    return new PenaltyWorld(world, await MembershipWorld.of(world));
  }

  close = (): Promise<void> => this.world.close();

  read = (): Promise<void> => readPenalties(this.world);

  async get(path: string, as = this.world.machine): Promise<any> {
    const answer = await this.world.get(path, { as });
    assert.equal(answer.status, 200, answer.text);
    return answer.body;
  }

  async made(path: string, body: object): Promise<any> {
    const answer = await this.post(path, body);
    assert.equal(answer.status, 201, answer.text);
    return answer.body;
  }

  post = (path: string, body: object = {}, as = this.world.machine): Promise<ApiAnswer> =>
    this.world.post(path, { as, body });
  patch = (path: string, body: object): Promise<ApiAnswer> => this.world.patch(path, { as: this.world.machine, body });

  system(membership: number, over: object = {}): Promise<any> {
    return this.made('/membership_penalty_systems', {
      name: 'House rules',
      memberships: [membership],
      late_cancel_or_no_show_rule: TWO_FREE,
      ...over,
    });
  }

  /**
   * Creates a customer with a pack of ten under a penalty system, at a given time. For a second customer in a test,
   * pass `world.now`, because time must not go back to before a rule.
   */
  async holder({
    at = NOON,
    over = {},
    allotment = {},
  }: { at?: number; over?: object; allotment?: Record<string, unknown> } = {}): Promise<Holder> {
    this.world.setNow(at);
    const [customer] = await newCustomers(this.world, 1);
    const membership = await this.m.pack(10, {}, allotment);
    const owned = (await this.m.give(customer, membership)).id;
    return { customer, owned, membership, system: (await this.system(membership, over)).id };
  }

  /** Books an event that many hours from now. */
  async booked({ customer }: Booker, hours = 24): Promise<Booking> {
    const { id: event } = await newEvent(this.world, this.m.place, { in: hours });
    const answer = await this.post(`/events/${event}/register`, { customer });
    assert.equal(answer.status, 200, answer.text);
    return { event, attendance: answer.body.attendance };
  }

  cancel = (event: number, customer: number, query = '', late = true): Promise<ApiAnswer> =>
    this.post(`/events/${event}/unregister${query}`, { customer, is_late_cancel: late });

  /** Books and cancels late, this many times. */
  async cancelLate(of: Booker, n = 1): Promise<Booking[]> {
    const all: Booking[] = [];
    for (let i = 0; i < n; i++) {
      const booking = await this.booked(of);
      assert.equal((await this.cancel(booking.event, of.customer)).status, 200);
      all.push(booking);
    }
    return all;
  }

  async mark({ attendance }: Pick<Booking, 'attendance'>, status: string): Promise<void> {
    const answer = await this.patch(`/attendances/${attendance}`, { status });
    assert.equal(answer.status, 200, answer.text);
  }

  forgive = (strike: number, body: object = {}, query = '', as = this.world.machine): Promise<ApiAnswer> =>
    this.post(`/membership_strikes/${strike}/forgive${query}`, body, as);

  /** Returns strikes in the order of their bookings. */
  strikes = async ({ owned }: Owned, query = ''): Promise<any[]> =>
    (await this.get(`/membership_strikes?customer_membership=${owned}${query}`)).results.toSorted(
      (a: any, b: any) => a.attendance - b.attendance || a.id - b.id,
    );
  statuses = async (of: Owned): Promise<string[]> => (await this.strikes(of)).map((strike) => strike.status);
  penalties = async ({ owned }: Owned): Promise<any[]> =>
    (await this.get(`/membership_penalties?customer_membership=${owned}&sort=id`)).results;
  /** Returns charges that are not voided. */
  owed = async ({ owned }: Owned): Promise<any[]> =>
    (await this.get(`/account_entries?customer_membership=${owned}&reason=penalty&voided=false`)).results;
}
