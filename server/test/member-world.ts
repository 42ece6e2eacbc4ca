/** Changing what customers hold, for tests: requests, what they tell, and what is then so. */
import assert from 'node:assert/strict';
import { beside } from './storm.ts';
import { endWork } from '../kernel/own-work.ts';
import { feedSince, newCustomers, newEvent } from './schedule-world.ts';
import { MembershipWorld } from './membership-world.ts';
import { ownViewer } from '../kernel/access/viewer.ts';
import { Tenants } from '../kernel/access/tenants.ts';
import { Work } from '../kernel/work.ts';
import type { World } from './world.ts';
import type pg from 'pg';

type Body = Record<string, unknown>;

/** Hours from one day to the next. */
const DAY = 24;

export class MemberWorld {
  readonly world: World;
  readonly m: MembershipWorld;
  /** sees everything */
  readonly owner: pg.Client;

  constructor(world: World, m: MembershipWorld, owner: pg.Client) {
    this.world = world;
    this.m = m;
    this.owner = owner;
  }

  static async of(world: World): Promise<MemberWorld> {
    return new MemberWorld(world, await MembershipWorld.of(world), await beside(world.databaseUrl));
  }

  async close(): Promise<void> {
    await this.owner.end();
    await this.world.close();
  }

  async get(path: string): Promise<any> {
    return (await this.world.get(path, { as: this.world.machine })).body;
  }

  /** A change of what somebody holds, as the machine asks for it. */
  ask(id: number, what: string, body: Body = {}, query = '') {
    return this.world.post(`/customer_memberships/${id}/${what}${query}`, { as: this.world.machine, body });
  }

  async change(id: number, what: string, body: Body = {}): Promise<any> {
    const answer = await this.ask(id, what, body);
    assert.equal(answer.status, 200, answer.text);
    return answer.body;
  }

  async refused(id: number, what: string, body: Body = {}): Promise<any> {
    const answer = await this.ask(id, what, body);
    assert.ok(answer.status >= 400, `${what} was not refused: ${answer.text}`);
    return answer.body;
  }

  /** What a change would do. */
  async effects(id: number, what: string, body: Body = {}): Promise<{ effect: string; object: string; id: number; detail: any }[]> {
    const answer = await this.ask(id, what, body, '?dry_run=true');
    assert.equal(answer.status, 200, answer.text);
    return answer.body.effects;
  }

  /** Somebody new who holds it. */
  async holder(membership: number, over: Body = {}): Promise<{ customer: number; id: number }> {
    const [customer] = await newCustomers(this.world, 1);
    const { id } = await this.m.give(customer, membership, over);
    return { customer, id };
  }

  /** An event of the offering in so many days, at this time of the day. */
  async event(days: number, over: Body = {}): Promise<number> {
    return (await newEvent(this.world, this.m.place, { in: days * DAY, ...over })).id;
  }

  async book(event: number, customer: number): Promise<number> {
    const answer = await this.world.post(`/events/${event}/register`, { as: this.world.machine, body: { customer } });
    assert.equal(answer.status, 200, answer.text);
    return answer.body.attendance;
  }

  /** Status and payer of a booking. */
  async booking(attendance: number): Promise<[string, number | null]> {
    const { status, customer_membership } = await this.get(`/attendances/${attendance}`);
    return [status, customer_membership];
  }

  /** What the feed tells of it since an id, uses of bookings aside. */
  async told(since: number, id: number): Promise<string[]> {
    const items = (await feedSince(this.world, since)).filter((item) => item.payload.customer_membership === id && item.kind.startsWith('customer_membership.'));
    return items.map((item) => item.kind.slice('customer_membership.'.length)).filter((kind) => !['used', 'credited'].includes(kind));
  }

  async adjustments(id: number): Promise<{ type: string; amount: string; reason: string; explanation: string; voided_at: string | null }[]> {
    const { results } = await this.get(`/membership_adjustments?customer_membership=${id}`);
    return results.map((one: any) => ({ ...one, amount: one.amount.string }));
  }

  /** As the worker runs a job. */
  job(run: (work: Work) => Promise<void>, providerId = this.world.harbour): Promise<void> {
    const { app } = this.world;
    return app.db.transaction(providerId, async (tx) => {
      const tenant = (await new Tenants(app.db).of(providerId))!;
      const work = new Work({ tx, tenant, viewer: ownViewer(providerId, 'job:test'), now: this.world.now, requestId: 'job', installation: app.installation });
      await run(work);
      await endWork(work, app.registry, 'job test');
    });
  }
}
