/** Changes to customer memberships, for tests: requests, their feed items, and the resulting state. */
import assert from 'node:assert/strict';
import { beside } from '../storm.ts';
import { bill } from './billed.ts';
import { ownContext } from '../own-context.ts';
import { backgroundWork } from '../../kernel/work/unit/background-work.ts';
import { feedSince, newCustomers, newEvent } from '../schedule-world.ts';
import { MembershipWorld } from './membership-world.ts';
import type { Work } from '../../kernel/work/unit/work.ts';
import type { World } from '../world.ts';
import type pg from 'pg';

type Body = Record<string, unknown>;

/** Hours in a day. */
const DAY = 24;

export class MemberWorld {
  readonly world: World;
  readonly m: MembershipWorld;
  /** connects as the owner, who sees everything */
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

  /** Sends a change of a customer membership as the machine. */
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

  /** Returns the effects of a dry run of a change. */
  async effects(
    id: number,
    what: string,
    body: Body = {},
  ): Promise<{ effect: string; object: string; id: number; detail: any }[]> {
    const answer = await this.ask(id, what, body, '?dry_run=true');
    assert.equal(answer.status, 200, answer.text);
    return answer.body.effects;
  }

  /** Creates a customer with this membership, billed. */
  async holder(membership: number, over: Body = {}): Promise<{ customer: number; id: number }> {
    const [customer] = await newCustomers(this.world, 1);
    const { id } = await this.m.give(customer, membership, over);
    await bill(this.world, id);
    return { customer, id };
  }

  /** Creates an event of the offering that many days from now, at the same time of day. */
  async event(days: number, over: Body = {}): Promise<number> {
    return (await newEvent(this.world, this.m.place, { in: days * DAY, ...over })).id;
  }

  async book(event: number, customer: number): Promise<number> {
    const answer = await this.world.post(`/events/${event}/register`, { as: this.world.machine, body: { customer } });
    assert.equal(answer.status, 200, answer.text);
    return answer.body.attendance;
  }

  /** Returns the status and the payer of a booking. */
  async booking(attendance: number): Promise<[string, number | null]> {
    const { status, customer_membership } = await this.get(`/attendances/${attendance}`);
    return [status, customer_membership];
  }

  /** Returns the feed items of a customer membership since an id, without uses of bookings. */
  async told(since: number, id: number): Promise<string[]> {
    const items = (await feedSince(this.world, since)).filter(
      (item) => item.payload.customer_membership === id && item.kind.startsWith('customer_membership.'),
    );
    return items
      .map((item) => item.kind.slice('customer_membership.'.length))
      .filter((kind) => !['used', 'credited'].includes(kind));
  }

  async accountEntries(
    id: number,
  ): Promise<{ kind: string; amount: string; reason: string; explanation: string; voided_at: string | null }[]> {
    const { results } = await this.get(`/account_entries?customer_membership=${id}`);
    return results.map((one: any) => ({ ...one, amount: one.amount.string }));
  }

  /**
   * Returns states that must never occur, whatever the order of requests, if the business cancels uncovered bookings:
   * future bookings paid by a membership that does not cover them, uses without a booking, more uses than were granted.
   */
  async membershipContradictions(): Promise<unknown[]> {
    const paid = `FROM attendance a JOIN event e ON e.provider_id = a.provider_id AND e.id = a.event_id
      JOIN entitlement_entry n ON n.provider_id = a.provider_id AND n.attendance_id = a.id AND n.open
      JOIN customer_membership cm ON cm.provider_id = n.provider_id AND cm.id = n.customer_membership_id WHERE a.status = 'registered' AND e.starts_at > $1`;
    const { rows } = await this.owner.query(
      `SELECT 'paid by what has ended' AS what, a.id ${paid}
        AND (cm.status IN ('cancelled', 'completed') OR cm.expiration_date < n.event_starts_on)
       UNION ALL SELECT 'paid by what has not begun', a.id ${paid} AND cm.start_date > n.event_starts_on
       UNION ALL SELECT 'paid by what rests', a.id ${paid}
         AND EXISTS (SELECT FROM customer_membership_hold h WHERE h.provider_id = cm.provider_id
         AND h.customer_membership_id = cm.id
         AND h.start_date <= n.event_starts_on AND (h.end_date IS NULL OR h.end_date >= n.event_starts_on))
       UNION ALL SELECT 'booked and not paid', a.id FROM attendance a WHERE a.status = 'registered' AND NOT a.comped
         AND NOT EXISTS (SELECT FROM entitlement_entry n WHERE n.provider_id = a.provider_id AND n.attendance_id = a.id
           AND n.open)
       UNION ALL SELECT 'paid and not booked', a.id FROM attendance a
         JOIN entitlement_entry n ON n.provider_id = a.provider_id AND n.attendance_id = a.id AND n.open
         WHERE a.status = 'not_registered'
       UNION ALL SELECT 'more uses than granted', cm.id FROM customer_membership cm
         JOIN membership_limit l ON l.provider_id = cm.provider_id AND l.membership_id = cm.membership_id
           AND l.period = 'total'
         WHERE l.max_uses < (SELECT -sum(e.amount) FROM entitlement_entry e WHERE e.provider_id = cm.provider_id
           AND e.customer_membership_id = cm.id)
       UNION ALL SELECT 'replaced by what is not there for it', o.id FROM customer_membership o
         JOIN customer_membership n ON n.provider_id = o.provider_id AND n.id = o.replaced_by_id
         WHERE n.customer_id <> o.customer_id OR o.cancellation_reason NOT IN ('upgraded', 'downgraded')
       UNION ALL SELECT 'more credited than was paid', o.id FROM customer_membership o
         JOIN account_entry a ON a.provider_id = o.provider_id AND a.customer_membership_id = o.replaced_by_id
         WHERE o.cancellation_reason = 'upgraded' AND a.reason = 'upgrade' AND a.amount_minor > o.billed_price_minor
       UNION ALL SELECT 'members counted wrong', m.id FROM membership m WHERE m.active_member_count <>
         (SELECT count(*) FROM customer_membership cm WHERE cm.provider_id = m.provider_id AND cm.membership_id = m.id
           AND cm.status IN ('active', 'hold'))`,
      [new Date(this.world.now).toISOString()],
    );
    return rows;
  }

  /** Runs a job as the worker does. */
  async job(run: (work: Work) => Promise<void>, providerId = this.world.harbour): Promise<void> {
    await backgroundWork(ownContext(this.world), providerId, 'job test', run);
  }
}
