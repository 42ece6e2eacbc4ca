/** Memberships on hold, for tests: everything through the interface, and the resulting rows from the database. */
import assert from 'node:assert/strict';
import { beside } from '../storm.ts';
import { bill } from './billed.ts';
import { book, newCustomers, newEvent } from '../schedule-world.ts';
import { MembershipWorld } from './membership-world.ts';
import { settleDue } from '../../areas/memberships/customer-memberships/index.ts';
import { startWorld, type ApiAnswer, type World } from '../world.ts';
import type pg from 'pg';

export const DAY_MS = 86_400_000;

/** Noon of 10 June 2026 in Toronto. */
export const NOON = Date.parse('2026-06-10T16:00Z');

export class HoldWorld {
  readonly world: World;
  readonly m: MembershipWorld;
  readonly owner: pg.Client;

  constructor(world: World, m: MembershipWorld, owner: pg.Client) {
    this.world = world;
    this.m = m;
    this.owner = owner;
  }

  static async start(): Promise<HoldWorld> {
    const world = await startWorld();
    world.setNow(NOON);
    return new HoldWorld(world, await MembershipWorld.of(world), await beside(world.databaseUrl));
  }

  async close(): Promise<void> {
    await this.owner.end();
    await this.world.close();
  }

  async get(path: string, as = this.world.machine): Promise<any> {
    const answer = await this.world.get(path, { as });
    assert.equal(answer.status, 200, answer.text);
    return answer.body;
  }

  ask(body: object, query = '', as = this.world.machine): Promise<ApiAnswer> {
    return this.world.post(`/customer_membership_holds${query}`, { as, body });
  }

  edit(hold: number, body: object, query = '', as = this.world.machine): Promise<ApiAnswer> {
    return this.world.patch(`/customer_membership_holds/${hold}${query}`, { as, body });
  }

  end(hold: number, body: object = {}, query = '', as = this.world.machine): Promise<ApiAnswer> {
    return this.world.post(`/customer_membership_holds/${hold}/end${query}`, { as, body });
  }

  /** Creates a hold for these days and returns its id; `end` null means no end date. */
  async hold(owned: number, start: string, end: string | null, over: object = {}): Promise<number> {
    const answer = await this.ask({ customer_membership: owned, start_date: start, end_date: end, ...over });
    assert.equal(answer.status, 201, answer.text);
    return answer.body.id;
  }

  /** Creates a customer with a membership that is billed today. */
  async holder(membership: number, over: Record<string, unknown> = {}): Promise<{ customer: number; owned: number }> {
    const [customer] = await newCustomers(this.world, 1);
    const { id: owned } = await this.m.give(customer, membership, over);
    await bill(this.world, owned);
    return { customer, owned };
  }

  /** Books the customer into a new event that many days from now. Returns the ids of the event and the attendance. */
  async booked(customer: number, days: number, over: object = {}): Promise<{ event: number; attendance: number }> {
    const { id: event } = await newEvent(this.world, this.m.place, { in: days * 24, ...over });
    const answer = await book(this.world, event, customer);
    assert.equal(answer.status, 200, answer.text);
    return { event, attendance: answer.body.attendance };
  }

  rows(text: string, values: unknown[] = []): Promise<any[]> {
    return this.owner.query(text, values).then((answer) => answer.rows);
  }

  statusOf = async (owned: number): Promise<string> => (await this.get(`/customer_memberships/${owned}`)).status;

  /** Returns the charges and credits that are not voided, as `credit 20.00 2026-06-16 hold`. */
  async standing(owned: number): Promise<string[]> {
    const { results } = await this.get(`/account_entries?customer_membership=${owned}&voided=false&sort=id`);
    return results.map((a: any) => `${a.kind} ${a.amount.string} ${a.due_date} ${a.reason}`);
  }

  /** Runs the calendar work that is due now. */
  settle(): Promise<void> {
    return this.world.work(this.world.harbour, settleDue);
  }
}
