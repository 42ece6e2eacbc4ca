import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { book, feedEnd, feedSince, newCustomers, newEvent } from '../../test/schedule-world.ts';
import { DAY_MS, HoldWorld, NOON } from '../../test/hold-world.ts';
import { endHoldsOf } from './index.ts';
import { limit } from '../../test/membership-world.ts';

let h: HoldWorld;
before(async () => {
  h = await HoldWorld.start();
});
beforeEach(() => h.world.setNow(NOON));
after(() => h.close());

const monthly = (over: object = {}, limits: object[] = []) => h.m.recurring(limits, { price: '30.00', ...over });

test('a membership is put on hold from a day to come: it shows what it is, and the membership names it', async () => {
  const { customer, held } = await h.holder(await h.m.pack(5));
  const since = await feedEnd(h.world);
  const answer = await h.ask({ customer_membership: held, start_date: '2026-06-20', days: 10 });
  const id = answer.body.id;
  const { created_at, ...shown } = answer.body;
  assert.deepEqual(shown, {
    object: 'customer_membership_hold', id, customer_membership: held, active: false, status: 'upcoming', start_date: '2026-06-20', end_date: '2026-06-29', days_to_add: null,
    prorate_usage: true, disable_prorates: false, extend_expirations: false, made_by: 'staff', previous_expiration_date: null, ended_at: null,
  });
  assert.ok(created_at);
  const membership = await h.get(`/customer_memberships/${held}?expand=active_hold`);
  assert.deepEqual([membership.status, membership.active_hold.id, membership.active_hold.end_date], ['active', id, '2026-06-29']);
  assert.deepEqual((await feedSince(h.world, since)).map((f) => [f.kind, f.payload]), [
    ['customer_membership_hold.created', { customer_membership_hold: id, customer_membership: held, customer, start_date: '2026-06-20', end_date: '2026-06-29' }],
  ]);
  const [entry] = (await h.get(`/audit_entries?object=customer_membership_hold&object_id=${id}`)).results;
  assert.deepEqual([entry.action, entry.after.start_date], ['POST /customer_membership_holds', '2026-06-20']);
});

test('one that begins today holds at once, and one that is ended today lets it go on at once', async () => {
  const { held } = await h.holder(await h.m.pack(5));
  const since = await feedEnd(h.world);
  const id = await h.hold(held, '2026-06-10', null);
  assert.equal(await h.statusOf(held), 'hold');
  h.world.setNow(NOON + 3 * DAY_MS);
  const ended = await h.end(id);
  assert.deepEqual([ended.status, ended.body.status, ended.body.active_hold], [200, 'active', null], ended.text);
  const shown = await h.get(`/customer_membership_holds/${id}`);
  assert.deepEqual([shown.status, shown.active, shown.end_date, shown.ended_at !== null], ['ended', false, '2026-06-12', true]);
  assert.deepEqual((await feedSince(h.world, since)).map((f) => f.kind), ['customer_membership_hold.created', 'customer_membership.held', 'customer_membership_hold.ended', 'customer_membership.resumed']);
  assert.deepEqual([(await h.end(id)).body.code, (await h.edit(id, { days_to_add: 3 })).body.code], ['already_ended', 'already_ended']);
});

test('on days of a hold nothing is booked with it, before and after it is; explain says why', async () => {
  const { customer, held } = await h.holder(await h.m.pack(5));
  await h.hold(held, '2026-06-12', '2026-06-14');
  const answers = [];
  for (const days of [1, 2, 4, 5]) {
    const { id: event } = await newEvent(h.world, h.m.place, { in: days * 24 });
    const answer = await book(h.world, event, customer);
    answers.push(answer.status === 200 ? 'booked' : answer.body.code);
    if (days === 2) {
      const { rules } = await h.get(`/events/${event}/explain?customer=${customer}`);
      assert.deepEqual(rules.filter((r: any) => !r.passed).map((r: any) => r.code), ['membership_on_hold']);
    }
  }
  assert.deepEqual(answers, ['booked', 'membership_on_hold', 'membership_on_hold', 'booked']);
});

test('usage is prorated by the days of the hold unless it is said otherwise, and shows the holds', async () => {
  const { membership } = await monthly({}, [limit('billing_period', 10)]);
  const [one, other] = [await h.holder(membership), await h.holder(membership)];
  await h.hold(one.held, '2026-06-16', '2026-06-30');
  await h.hold(other.held, '2026-06-16', '2026-06-30', { prorate_usage: false });
  const usage = async (held: number) => (await h.get(`/customer_memberships/${held}/usage?date=2026-06-15`)).usage_periods[0];
  const { max_uses, prorate_adjustment } = await usage(one.held);
  assert.deepEqual([max_uses, prorate_adjustment], [5, { active_days: 15, total_days: 30, original_max_uses: 10, prorated_max_uses: 5, holds: [{ start_date: '2026-06-16', end_date: '2026-06-30' }] }]);
  assert.deepEqual([(await usage(other.held)).max_uses, (await usage(other.held)).prorate_adjustment], [10, null]);
});

test('what is paid for days on hold comes back, and the rest of a period that began on hold is charged', async () => {
  const { held } = await h.holder((await monthly()).membership);
  const id = await h.hold(held, '2026-06-25', '2026-08-19');
  assert.deepEqual(await h.standing(held), ['credit 15.00 2026-06-25 hold', 'charge 20.32 2026-08-20 reactivation']);
  const said = await h.get(`/customer_membership_holds/${id}/payment_resolution`);
  assert.deepEqual(
    [said.prorate_strategy, said.start_billing_period.credit.string, said.start_billing_period.held_days, said.reactivation_billing_period.charge.string, said.reactivation_billing_period.start_date],
    ['days', '15.00', 15, '20.32', '2026-08-10'],
  );
  assert.deepEqual([said.resolution.type, said.resolution.amount.string, said.resolution.due_date], ['charge', '5.32', '2026-08-20']);
  assert.match(said.resolution.explanation, /Credit of 15\.00: 15 of 30 days .* Charge of 20\.32: 10 of 31 days/);
  const { components, paths } = (await (await fetch(`${h.world.url}/api/v2/openapi.json`)).json()) as any;
  for (const name of ['ReactivationBillingPeriod', 'Resolution', 'StartBillingPeriod']) assert.equal(components.schemas[name].type, 'object');
  const schema = paths['/customer_membership_holds/{id}/payment_resolution'].get.responses['200'].content['application/json'].schema;
  assert.deepEqual(schema.required.toSorted(), ['prorate_strategy', 'reactivation_billing_period', 'resolution', 'start_billing_period']);
  assert.equal(schema.properties.resolution.$ref, '#/components/schemas/Resolution');
});
