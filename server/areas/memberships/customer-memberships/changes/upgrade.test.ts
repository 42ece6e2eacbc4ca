import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { completeOver } from '../renewals/complete.ts';
import { feedEnd, feedSince } from '../../../../test/schedule-world.ts';
import { limit } from '../../../../test/worlds/membership-world.ts';
import { MemberWorld } from '../../../../test/worlds/member-world.ts';
import { renewDue } from '../renewals/renew.ts';
import { sql } from '../../../../kernel/base/db/sql.ts';
import { startWorld, type World } from '../../../../test/world.ts';

const NOON = '2026-06-10T16:00Z';

let world: World;
let w: MemberWorld;
before(async () => {
  world = await startWorld();
  w = await MemberWorld.of(world);
});
after(() => w.close());

const at = (time: string) => world.setNow(Date.parse(time));
const shown = async (id: number) => {
  const { status, start_date, expiration_date, cancellation_reason } = await w.get(`/customer_memberships/${id}`);
  return [status, start_date, expiration_date, cancellation_reason];
};
const keepBookings = (policy: 'keep' | 'cancel') =>
  world.work(world.harbour, ({ tx }) =>
    tx.run(sql`UPDATE provider SET bookings_without_membership = ${policy} WHERE provider_id = ${world.harbour}`),
  );

test('an upgrade ends the old membership yesterday, begins the new one today, and credits the remaining days', async () => {
  at(NOON);
  const { id, customer } = await w.holder((await w.m.recurring()).membership, { start_date: '2026-06-01' });
  const big = await w.m.recurring([], { price: '90.00' });
  const since = await feedEnd(world);
  const next = await w.change(id, 'upgrade', { membership: big.membership });
  assert.deepEqual(await shown(id), ['cancelled', '2026-06-01', '2026-06-09', 'upgraded']);
  assert.deepEqual(
    [next.customer, next.membership, next.start_date, next.renewal_date, next.billed_price.string],
    [customer, big.membership, '2026-06-10', '2026-07-10', '90.00'],
  );
  // 21 of 30 days of 40.00.
  const [credit, ...more] = await w.accountEntries(next.id);
  assert.deepEqual([credit.kind, credit.amount, credit.reason, more], ['credit', '28.00', 'upgrade', []]);
  assert.equal(
    credit.explanation,
    'Upgrade from “Club” to “Club”: 21 of 30 days of what was billed, $40.00, were left.',
  );
  const items = (await feedSince(world, since)).map((f) => [f.kind, f.payload]);
  assert.deepEqual(
    items.find(([kind]) => kind === 'customer_membership.upgraded'),
    ['customer_membership.upgraded', { customer_membership: id, customer, replaced_by: next.id, credit: '28.00' }],
  );
  assert.deepEqual([await w.told(since, id), await w.told(since, next.id)], [['upgraded'], ['created']]);
  const audited = async (of: number) =>
    (await w.get(`/audit_entries?object=customermembership&object_id=${of}`)).results[0].action;
  assert.deepEqual(
    [await audited(id), await audited(next.id)],
    ['POST /customer_memberships/{id}/upgrade', 'POST /customer_memberships/{id}/upgrade'],
  );
});

test('a credit above the first price of the new membership remains, and its explanation says so', async () => {
  at(NOON);
  const { id } = await w.holder(await w.m.prepaid({ duration: 30, duration_unit: 'days', one_time_fee: '300.00' }));
  const fixed = await w.m.recurring([], { fixed_billing_day_of_month: 25, price: '62.00' });
  const next = await w.change(id, 'upgrade', { membership: fixed.membership });
  const [{ amount, explanation }, rest] = await w.accountEntries(next.id);
  // 15 of the 31 days from 25 May to 24 June.
  assert.deepEqual([amount, rest.amount], ['30.00', '270.00']);
  assert.match(
    explanation,
    /30 of 30 days .* \$270\.00 of it is more than the first price of “Club”, \$30\.00, and remains as a credit\.$/,
  );
});

test('the remaining uses of a pack are credited, including those of bookings that move to the new membership', async () => {
  at(NOON);
  const { id, customer } = await w.holder(await w.m.pack(10));
  const past = await w.book(await w.event(1 / 24), customer);
  const future = [await w.book(await w.event(2), customer), await w.book(await w.event(4), customer)];
  at('2026-06-11T16:00Z');
  const next = await w.change(id, 'upgrade', { membership: (await w.m.recurring()).membership });
  assert.deepEqual(
    (await w.accountEntries(next.id)).map((a) => a.amount),
    ['40.00', '68.00'],
  );
  assert.deepEqual(await w.booking(past), ['registered', id]);
  for (const one of future) assert.deepEqual(await w.booking(one), ['registered', next.id]);
  assert.deepEqual([await w.m.used(id), await w.m.used(next.id)], [1, 2]);
});

test('bookings that the new membership cannot pay for are cancelled or kept, as set by the business, and the earliest are paid first', async () => {
  at(NOON);
  const small = await w.m.pack(2);
  for (const policy of ['cancel', 'keep'] as const) {
    await keepBookings(policy);
    const { id, customer } = await w.holder(await w.m.pack(10));
    const [late, first, second] = [
      await w.book(await w.event(9), customer),
      await w.book(await w.event(3), customer),
      await w.book(await w.event(5), customer),
    ];
    const next = await w.change(id, 'upgrade', { membership: small });
    assert.deepEqual(
      [await w.booking(first), await w.booking(second)],
      [
        ['registered', next.id],
        ['registered', next.id],
      ],
    );
    assert.deepEqual(await w.booking(late), policy === 'keep' ? ['registered', id] : ['not_registered', null]);
    assert.deepEqual([await w.m.used(id), await w.m.used(next.id)], [policy === 'keep' ? 1 : 0, 2]);
    assert.equal((await w.accountEntries(next.id))[0].amount, policy === 'keep' ? '108.00' : '120.00');
  }
  await keepBookings('cancel');
});

const all = async (text: string, ...values: unknown[]) => (await w.owner.query(text, values)).rows;

/** Reads everything that an upgrade or a downgrade may write, with a name in place of the new id. */
async function written(old: number, next: number): Promise<unknown> {
  const state = {
    owned: await all(
      `SELECT id, status, start_date::text, expiration_date::text, cancellation_reason, is_set_for_cancellation,
        replaced_by_id FROM customer_membership WHERE id IN ($1, $2) ORDER BY id`,
      old,
      next,
    ),
    money: await all(
      `SELECT kind, amount_minor, reason, explanation, due_on::text FROM account_entry
        WHERE customer_membership_id IN ($1, $2) ORDER BY id`,
      old,
      next,
    ),
    bookings: await all(
      `SELECT a.id, a.status, n.customer_membership_id AS payer FROM attendance a
        LEFT JOIN entitlement_entry n ON n.provider_id = a.provider_id AND n.attendance_id = a.id AND n.open
       WHERE a.customer_id = (SELECT customer_id FROM customer_membership WHERE id = $1) ORDER BY a.id`,
      old,
    ),
  };
  return JSON.parse(JSON.stringify(state).replaceAll(new RegExp(`"${next}"`, 'g'), '"new"'));
}

test('a dry run lists exactly the effects of an upgrade: what ends and begins, the money, and the result for each booking', async () => {
  at(NOON);
  const { id, customer } = await w.holder(await w.m.pack(10));
  const bookings = [await w.book(await w.event(2), customer), await w.book(await w.event(4), customer)];
  const body = { membership: await w.m.pack(1, { one_time_fee: '20.00' }) };
  const untouched = await written(id, 0);
  const effects = await w.effects(id, 'upgrade', body);
  assert.deepEqual(await written(id, 0), untouched);
  const next = await w.change(id, 'upgrade', body);
  const of = (name: string) => effects.filter((e) => e.effect === name);
  const [created] = of('customer_membership_created');
  const done: any = await written(id, next.id);
  assert.deepEqual(
    done.owned.map((h: any) => [h.status, h.start_date, h.expiration_date, h.cancellation_reason]),
    [
      ['cancelled', '2026-06-10', of('membership_upgraded')[0].detail.last_day, 'upgraded'],
      ['active', created.detail.start_date, created.detail.expiration_date, null],
    ],
  );
  assert.equal(of('membership_upgraded')[0].detail.replaced_by, created.id);
  assert.deepEqual(
    done.money.map((a: any) => [Number(a.amount_minor), a.reason, a.explanation, a.due_on]),
    of('credit').map(({ detail: d }) => [d.amount_minor, d.reason, d.explanation, d.due_date]),
  );
  const kept = of('booking_kept').map((e) => [String(e.id), 'registered', 'new']);
  const gone = of('booking_cancelled').map((e) => [String(e.id), 'not_registered', null]);
  assert.deepEqual(
    done.bookings.map((b: any) => [b.id, b.status, b.payer]),
    [...kept, ...gone],
  );
  assert.deepEqual(
    [...of('booking_kept'), ...of('booking_cancelled')].map((e) => e.id),
    bookings,
  );
  assert.deepEqual(effects.map((e) => e.effect).toSorted(), [
    'booking_cancelled',
    'booking_kept',
    'credit',
    'customer_membership_created',
    'membership_credited',
    'membership_credited',
    'membership_upgraded',
    'membership_used',
  ]);
});

test('a price change from the next period on does not change the credit for the current one', async () => {
  at(NOON);
  const { id } = await w.holder((await w.m.recurring()).membership, { start_date: '2026-06-10' });
  await w.owner.query('UPDATE customer_membership SET billed_price_minor = 90000 WHERE id = $1', [id]);
  const next = await w.change(id, 'upgrade', { membership: await w.m.pack(3) });
  assert.deepEqual(
    (await w.accountEntries(next.id)).map((a) => [a.amount, a.explanation.includes('40.00')]),
    [['40.00', true]],
  );
});

test('a period that has begun but was not reported is reported before the upgrade ends it', async () => {
  at(NOON);
  const { id } = await w.holder((await w.m.recurring()).membership);
  at('2026-07-10T16:00Z');
  const since = await feedEnd(world);
  const next = await w.change(id, 'upgrade', { membership: await w.m.pack(3) });
  assert.deepEqual(await w.told(since, id), ['renewed', 'upgraded']);
  assert.equal((await w.accountEntries(next.id))[0].amount, '40.00');
  await w.job(renewDue);
  assert.deepEqual(await w.told(since, id), ['renewed', 'upgraded']);
});

test('a membership bought today or beginning later ends unused, and the new one is shared with the same people', async () => {
  at(NOON);
  const { id } = await w.holder(await w.m.prepaid({ duration: 30, duration_unit: 'days', shareable: true }), {
    start_date: '2026-07-01',
  });
  const friend = await world.newCustomer();
  await w.m.share(id, friend);
  const since = await feedEnd(world);
  const next = await w.change(id, 'upgrade', {
    membership: (await w.m.recurring([], {}, { shareable: true })).membership,
  });
  assert.deepEqual(await shown(id), ['cancelled', '2026-07-01', '2026-07-01', 'upgraded']);
  assert.deepEqual(
    [next.shared_with, (await w.accountEntries(next.id)).map((a) => a.amount)],
    [[friend], ['40.00', '160.00']],
  );
  assert.deepEqual(await w.told(since, next.id), ['created', 'shared']);
  const alone = await w.change(next.id, 'upgrade', { membership: await w.m.pack(3) });
  assert.deepEqual(alone.shared_with, []);
});

test('an upgrade is refused if there is nothing to replace, for the same membership, and for one that may not be bought', async () => {
  at(NOON);
  const { membership, plan } = await w.m.recurring();
  const { id } = await w.holder(membership);
  assert.ok((await w.refused(id, 'upgrade', { membership })).field_errors.membership);
  assert.ok((await w.refused(id, 'upgrade', { membership, plan })).field_errors.membership);
  const other = (
    await world.post('/membership_payment_plans', {
      as: world.machine,
      body: { membership, price: '400.00', billing_period_length: 12, billing_period_unit: 'months' },
    })
  ).body.id;
  assert.ok(
    (await w.refused(id, 'upgrade', { membership: await w.m.pack(3, { for_sale: false }) })).field_errors.membership,
  );
  assert.ok((await w.refused(id, 'upgrade', { membership: await w.m.pack(3), plan })).field_errors.plan);
  const next = await w.change(id, 'upgrade', { membership, plan: other });
  assert.equal(next.payment_plan, other);
  assert.match((await w.refused(id, 'upgrade', { membership: await w.m.pack(3) })).message, /was cancelled/);
});

test('a downgrade begins when the current membership ends: the new one exists immediately, takes later bookings, and nothing is paid back', async () => {
  at(NOON);
  const { id, customer } = await w.holder((await w.m.recurring([], { price: '90.00' })).membership, {
    start_date: '2026-06-01',
  });
  const [soon, later] = [await w.book(await w.event(5), customer), await w.book(await w.event(25), customer)];
  const since = await feedEnd(world);
  const body = { membership: (await w.m.recurring([limit('month', 4)])).membership };
  const effects = await w.effects(id, 'downgrade', body);
  assert.deepEqual(
    effects.map((e) => e.effect),
    ['customer_membership_created', 'downgrade_scheduled', 'membership_credited', 'membership_used', 'booking_kept'],
  );
  assert.deepEqual(effects[1].detail, { replaced_by: effects[0].id, last_day: '2026-06-30' });
  const next = await w.change(id, 'downgrade', body);
  assert.deepEqual([next.status, next.start_date, next.renewal_date], ['active', '2026-07-01', '2026-08-01']);
  assert.deepEqual(await shown(id), ['active', '2026-06-01', '2026-06-30', 'downgraded']);
  assert.deepEqual(
    [await w.booking(soon), await w.booking(later)],
    [
      ['registered', id],
      ['registered', next.id],
    ],
  );
  assert.deepEqual([await w.accountEntries(id), await w.accountEntries(next.id)], [[], []]);
  for (const what of ['cancel', 'upgrade', 'downgrade'])
    assert.match(
      (await w.refused(id, what, what === 'cancel' ? {} : { membership: await w.m.pack(1) })).message,
      /take the downgrade back/,
      what,
    );
  at('2026-07-01T16:00Z');
  await w.job(renewDue);
  await w.job(completeOver);
  assert.deepEqual(
    [await w.told(since, id), await w.told(since, next.id)],
    [['downgrade_scheduled', 'downgraded'], ['created']],
  );
  const [item] = (await feedSince(world, since)).filter((f) => f.kind === 'customer_membership.downgraded');
  assert.deepEqual([item.payload.replaced_by, (await shown(id))[0]], [next.id, 'cancelled']);
});

test('reactivating the old membership undoes a downgrade: the new one is removed, and bookings return to the old one', async () => {
  at(NOON);
  const { id, customer } = await w.holder((await w.m.recurring()).membership, { start_date: '2026-06-01' });
  const later = await w.book(await w.event(25), customer);
  const next = await w.change(id, 'downgrade', { membership: await w.m.pack(3) });
  assert.deepEqual(await w.booking(later), ['registered', next.id]);
  const since = await feedEnd(world);
  await w.change(id, 'reactivate');
  assert.deepEqual([await shown(id), (await shown(next.id))[3]], [['active', '2026-06-01', null, null], 'mistake']);
  assert.deepEqual(await w.booking(later), ['registered', id]);
  assert.deepEqual([await w.told(since, id), await w.told(since, next.id)], [['reactivated'], ['cancelled']]);
  assert.deepEqual([await w.m.used(id), await w.m.used(next.id)], [1, 0]);
});

test('a membership that has no end or has not begun cannot be downgraded, and one with an end is replaced after its last day', async () => {
  at(NOON);
  const body = { membership: await w.m.pack(3) };
  assert.match((await w.refused((await w.holder(await w.m.pack(10))).id, 'downgrade', body)).message, /no last day/);
  assert.match(
    (
      await w.refused(
        (await w.holder((await w.m.recurring()).membership, { start_date: '2026-06-11' })).id,
        'downgrade',
        body,
      )
    ).message,
    /starts on 2026-06-11/,
  );
  const { id } = await w.holder(await w.m.prepaid({ duration: 20, duration_unit: 'days' }));
  assert.equal((await w.change(id, 'downgrade', body)).start_date, '2026-06-30');
  const cancelled = await w.holder((await w.m.recurring()).membership);
  await w.change(cancelled.id, 'cancel');
  assert.match((await w.refused(cancelled.id, 'downgrade', body)).message, /Reactivate it first/);
  assert.equal((await w.change(cancelled.id, 'upgrade', body)).status, 'active', 'now is before its end');
});

/** Creates a monthly plan of 30.00 begun on 1 June, on hold for these days; the time is noon of 10 June. */
async function onHold(
  start_date: string,
  end_date: string | null,
): Promise<{ id: number; customer: number; hold: number }> {
  at('2026-06-01T16:00Z');
  const owned = await w.holder((await w.m.recurring([], { price: '30.00' })).membership);
  const answer = await world.post('/customer_membership_holds', {
    as: world.machine,
    body: { customer_membership: owned.id, start_date, end_date },
  });
  assert.equal(answer.status, 201, answer.text);
  at(NOON);
  return { ...owned, hold: answer.body.id };
}

test('days that a hold has credited are not credited again, and the hold ends with its membership', async () => {
  const { id, hold } = await onHold('2026-06-06', '2026-06-20');
  assert.deepEqual(
    (await w.accountEntries(id)).map((a) => a.amount),
    ['15.00'],
  );
  const since = await feedEnd(world);
  const next = await w.change(id, 'upgrade', { membership: await w.m.pack(3) });
  const standing = async (of: number) =>
    (await w.accountEntries(of)).filter((a) => a.voided_at === null).map((a) => [a.kind, a.amount]);
  // The hold was from the 6th to the 9th; the 21 days from the 10th on are left.
  assert.deepEqual([await standing(id), await standing(next.id)], [[['credit', '4.00']], [['credit', '21.00']]]);
  assert.equal((await w.get(`/customer_membership_holds/${hold}`)).end_date, '2026-06-09');
  assert.deepEqual(await w.told(since, id), ['upgraded']);
  assert.ok(
    (await feedSince(world, since)).some(
      (f) => f.kind === 'customer_membership_hold.ended' && f.payload.customer_membership_hold === hold,
    ),
  );
});

test('a period that was not billed because of a hold has no value left, and an upcoming hold is deleted', async () => {
  at('2026-05-20T16:00Z');
  const { id } = await w.holder((await w.m.recurring([], { price: '30.00' })).membership, { start_date: '2026-05-01' });
  const resting = { customer_membership: id, start_date: '2026-05-25', end_date: null };
  assert.equal((await world.post('/customer_membership_holds', { as: world.machine, body: resting })).status, 201);
  at('2026-06-01T16:00Z');
  await w.job(renewDue);
  at(NOON);
  const next = await w.change(id, 'upgrade', { membership: await w.m.pack(3) });
  assert.deepEqual(
    (await w.accountEntries(next.id)).filter((a) => a.voided_at === null),
    [],
  );
  const later = await onHold('2026-06-25', '2026-06-30');
  const bought = await w.change(later.id, 'upgrade', { membership: await w.m.pack(3) });
  assert.deepEqual(
    [
      (await w.accountEntries(later.id)).every((a) => a.voided_at !== null),
      (await w.accountEntries(bought.id)).map((a) => a.amount),
    ],
    [true, ['21.00']],
  );
  assert.equal((await world.get(`/customer_membership_holds/${later.hold}`, { as: world.machine })).status, 404);
});

test('a membership cancelled during a hold ends with its last day, and its hold no later', async () => {
  const { id, hold } = await onHold('2026-06-06', null);
  const effects = await w.effects(id, 'cancel', { forced_expiration_date: '2026-06-15' });
  assert.ok(
    effects.some((e) => e.effect === 'hold_ended' && e.detail.end_date === '2026-06-15'),
    JSON.stringify(effects),
  );
  await w.change(id, 'cancel', { forced_expiration_date: '2026-06-15' });
  assert.equal((await w.get(`/customer_membership_holds/${hold}`)).end_date, '2026-06-15');
  at('2026-06-16T16:00Z');
  await w.job(completeOver);
  assert.deepEqual(await shown(id), ['cancelled', '2026-06-01', '2026-06-15', 'cancelled']);
});
