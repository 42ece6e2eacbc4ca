import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { completeOver } from '../renewals/complete.ts';
import { feedEnd, feedSince } from '../../../../test/schedule-world.ts';
import { MemberWorld } from '../../../../test/worlds/member-world.ts';
import { renewDue } from '../renewals/renew.ts';
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
  const { status, expiration_date, is_set_for_cancellation, cancellation_reason } = await w.get(
    `/customer_memberships/${id}`,
  );
  return [status, expiration_date, is_set_for_cancellation, cancellation_reason];
};
const audited = async (id: number): Promise<string[]> =>
  (await w.get(`/audit_entries?object=customermembership&object_id=${id}`)).results.map((e: any) => e.action);

/** Creates a monthly plan begun on 15 January 2026; the time is noon of 10 June. */
async function monthly(
  plan: Record<string, unknown> = {},
  over: Record<string, unknown> = {},
): Promise<{ customer: number; id: number }> {
  at(NOON);
  return w.holder((await w.m.recurring([], plan)).membership, { start_date: '2026-01-15', ...over });
}

async function pack(
  uses = 5,
  over: Record<string, unknown> = {},
): Promise<{ customer: number; id: number; membership: number }> {
  at(NOON);
  const membership = await w.m.pack(uses, over);
  return { ...(await w.holder(membership)), membership };
}

test('a recurring plan ends with the billing period that respects its notice, may be used until then, and is cancelled then', async () => {
  const { id, customer } = await monthly({ cancellation_notice_days: 14 });
  assert.equal(
    (await w.get(`/customer_memberships/${id}?fields=allowed_cancellation_date`)).allowed_cancellation_date,
    '2026-07-14',
  );
  const since = await feedEnd(world);
  const answer = await w.change(id, 'cancel');
  assert.deepEqual(
    [
      answer.status,
      answer.expiration_date,
      answer.is_set_for_cancellation,
      answer.cancellation_reason,
      answer.shared_with,
    ],
    ['active', '2026-07-14', true, 'cancelled', []],
  );
  await w.book(await w.event(10), customer);
  at('2026-07-15T03:30Z');
  await w.job(renewDue);
  await w.job(completeOver);
  assert.equal((await shown(id))[0], 'active', 'it is still the 14th in Toronto');
  at('2026-07-15T04:30Z');
  await w.job(completeOver);
  await w.job(completeOver);
  assert.deepEqual(await shown(id), ['cancelled', '2026-07-14', false, 'cancelled']);
  assert.deepEqual(await w.told(since, id), ['cancellation_scheduled', 'renewed', 'cancelled']);
  const [item] = (await feedSince(world, since)).filter((f) => f.kind === 'customer_membership.cancelled');
  assert.deepEqual(item.payload, { customer_membership: id, customer, reason: 'cancelled' });
  assert.deepEqual(
    (await audited(id)).toSorted(),
    ['POST /customer_memberships', 'POST /customer_memberships/{id}/cancel', 'job test', 'renewal'].toSorted(),
  );
});

test('the last day to cancel for follows the commitment and renewals of the contract, and only recurring plans have one', async () => {
  const allowed = async (id: number) =>
    (await w.get(`/customer_memberships/${id}?fields=allowed_cancellation_date`)).allowed_cancellation_date;
  assert.equal(await allowed((await monthly({ committed_billing_periods: 12 })).id), '2027-01-14');
  assert.equal(
    await allowed((await monthly({ committed_billing_periods: 3, commitment_expiration_scheme: 'renew_contract' })).id),
    '2026-07-14',
  );
  assert.equal(await allowed((await pack()).id), null);
  const { id } = await monthly();
  await w.change(id, 'cancel', { forced_expiration_date: '2026-06-11' });
  assert.equal(await allowed(id), '2026-06-14', 'a cancellation is not its end');
  await w.change(id, 'cancel', { cancellation_reason: 'mistake' });
  assert.equal(await allowed(id), null);
});

test('packs and prepaid plans end today; a day set by staff applies instead, regardless of the agreement', async () => {
  const { id } = await pack(5, { duration: 3, duration_unit: 'months' });
  assert.equal((await w.change(id, 'cancel')).expiration_date, '2026-06-10');
  assert.equal((await w.change(id, 'cancel', { forced_expiration_date: '2026-07-01' })).expiration_date, '2026-07-01');
  const since = await feedEnd(world);
  await w.change(id, 'cancel', { forced_expiration_date: '2026-07-01' });
  assert.deepEqual(await w.told(since, id), [], 'saying it twice is saying it once');
  const bound = await monthly({ committed_billing_periods: 12 });
  assert.equal(
    (await w.change(bound.id, 'cancel', { forced_expiration_date: '2026-06-10' })).expiration_date,
    '2026-06-10',
  );
  assert.ok(
    (await w.refused(id, 'cancel', { forced_expiration_date: '2026-06-09' })).field_errors.forced_expiration_date,
  );
  assert.ok(
    (await w.refused(id, 'cancel', { forced_expiration_date: '2026-12-31' })).field_errors.forced_expiration_date,
  );
  assert.ok((await w.refused(id, 'cancel', { cancellation_reason: 'no_auto_renew' })).field_errors.cancellation_reason);
  assert.ok((await w.refused(id, 'cancel', { cancellation_reason: 'upgraded' })).field_errors.cancellation_reason);
});

test('a membership entered by mistake ends immediately, with everything that is booked with it', async () => {
  const { id, customer } = await pack();
  const attendance = await w.book(await w.event(1), customer);
  const since = await feedEnd(world);
  await w.change(id, 'cancel', { cancellation_reason: 'mistake' });
  assert.deepEqual(await shown(id), ['cancelled', '2026-06-10', false, 'mistake']);
  assert.deepEqual(await w.booking(attendance), ['not_registered', null]);
  assert.equal(await w.m.used(id), 0);
  assert.deepEqual(await w.told(since, id), ['cancelled']);
  assert.equal((await w.refused(id, 'cancel')).code, 'already_cancelled');
  assert.equal((await w.refused(id, 'reactivate')).code, 'conflict');
});

test('a membership that would end before it begins never begins', async () => {
  const { id } = await pack(5, { duration: 3, duration_unit: 'months', start_date: '2026-07-01' });
  assert.deepEqual((await w.change(id, 'cancel')).status, 'cancelled');
  const planned = await monthly({}, { start_date: '2026-07-01' });
  assert.equal((await w.change(planned.id, 'cancel')).expiration_date, '2026-07-31');
  assert.equal((await w.change(planned.id, 'cancel', { forced_expiration_date: '2026-06-20' })).status, 'cancelled');
});

test('a dry run lists the bookings to be cancelled, and exactly those are: only those of later events', async () => {
  const { id, customer } = await pack(5, { duration: 3, duration_unit: 'months' });
  const [soon, late] = [await w.book(await w.event(5), customer), await w.book(await w.event(15), customer)];
  const body = { forced_expiration_date: '2026-06-20' };
  const effects = await w.effects(id, 'cancel', body);
  assert.deepEqual(
    effects.map((e) => [e.effect, e.id]),
    [
      ['cancellation_scheduled', id],
      ['booking_cancelled', late],
      ['membership_credited', id],
    ],
  );
  assert.deepEqual(
    [await shown(id), await w.booking(late)],
    [
      ['active', '2026-09-09', false, null],
      ['registered', id],
    ],
    'it only tells',
  );
  await w.change(id, 'cancel', body);
  assert.deepEqual(
    [await w.booking(soon), await w.booking(late), await w.m.used(id)],
    [['registered', id], ['not_registered', null], 1],
  );
  const refused = await world.post(`/events/${await w.event(15)}/register`, { as: world.machine, body: { customer } });
  assert.equal(refused.body.code, 'membership_expired');
});

test('before the last day has passed, a cancellation can be undone, and the last day is restored', async () => {
  const { id } = await monthly();
  await w.change(id, 'cancel', { forced_expiration_date: '2026-06-11' });
  await w.change(id, 'cancel', { forced_expiration_date: '2026-06-12' });
  const since = await feedEnd(world);
  assert.deepEqual(
    (await w.effects(id, 'reactivate')).map((e) => [e.effect, e.detail]),
    [['membership_reactivated', { expiration_date: null }]],
  );
  assert.equal((await w.change(id, 'reactivate')).expiration_date, null);
  assert.deepEqual([await shown(id), await w.told(since, id)], [['active', null, false, null], ['reactivated']]);
  assert.match((await w.refused(id, 'reactivate')).message, /no cancellation to undo/);
  const ends = await pack(5, { duration: 3, duration_unit: 'months' });
  await w.change(ends.id, 'cancel');
  assert.ok((await w.refused(ends.id, 'reactivate', { expiration_date: '2026-12-31' })).field_errors.expiration_date);
  assert.equal((await w.change(ends.id, 'reactivate')).expiration_date, '2026-09-09');
});

test('a membership that began with its first use after it was cancelled gets the last day of that first use when reactivated', async () => {
  const { id, customer } = await pack(5, { begin_on_first_registration: true, duration: 1, duration_unit: 'months' });
  await w.change(id, 'cancel', { forced_expiration_date: '2026-06-30' });
  await w.book(await w.event(2), customer);
  assert.deepEqual(
    [(await w.get(`/customer_memberships/${id}`)).start_date, (await shown(id))[1]],
    ['2026-06-12', '2026-06-30'],
  );
  assert.equal((await w.change(id, 'reactivate')).expiration_date, '2026-07-11');
});

test('a membership that has ended can continue until another day, and be used again', async () => {
  const { id, customer } = await pack(5, { duration: 1, duration_unit: 'days' });
  at('2026-06-20T16:00Z');
  await w.job(completeOver);
  assert.ok((await w.refused(id, 'reactivate')).field_errors.expiration_date);
  assert.ok((await w.refused(id, 'reactivate', { expiration_date: '2026-06-19' })).field_errors.expiration_date);
  const since = await feedEnd(world);
  await w.change(id, 'reactivate', { expiration_date: '2026-07-31' });
  assert.deepEqual(
    [await shown(id), await w.told(since, id)],
    [['active', '2026-07-31', false, null], ['reactivated']],
  );
  assert.deepEqual(await w.booking(await w.book(await w.event(3), customer)), ['registered', id]);
  await w.change(id, 'cancel');
  at('2026-06-22T16:00Z');
  await w.job(completeOver);
  assert.equal(
    (await w.change(id, 'reactivate')).expiration_date,
    '2026-07-31',
    'of what was cancelled it is the day that it had',
  );
});

test('a recurring plan that continues after a break charges the remaining days of the period, and the next period is reported', async () => {
  const { id } = await monthly();
  await w.change(id, 'cancel');
  at('2026-08-30T16:00Z');
  await w.job(renewDue);
  await w.job(completeOver);
  const [effect] = await w.effects(id, 'reactivate');
  await w.change(id, 'reactivate');
  // 16 of the 31 days from 15 August to 14 September.
  const [charge] = await w.accountEntries(id);
  assert.deepEqual([charge.kind, charge.amount, charge.reason], ['charge', '20.65', 'reactivation']);
  assert.deepEqual(
    [effect.effect, effect.detail.amount_minor, effect.detail.explanation],
    ['charge', 2065, charge.explanation],
  );
  const since = await feedEnd(world);
  at('2026-09-20T16:00Z');
  await w.job(renewDue);
  assert.deepEqual(
    (await feedSince(world, since))
      .filter((f) => f.payload.customer_membership === id)
      .map((f) => f.payload.period_start_date),
    ['2026-09-15'],
  );
});

test('the end moves by a number of days or to a day, and a membership without an end or a cancelled one is refused with a remedy', async () => {
  const { id } = await pack(5, { duration: 3, duration_unit: 'months' });
  const since = await feedEnd(world);
  assert.deepEqual(
    (await w.effects(id, 'extend_expiration', { days: 10 })).map((e) => [e.effect, e.detail]),
    [['expiration_changed', { before: '2026-09-09', after: '2026-09-19' }]],
  );
  assert.equal((await w.change(id, 'extend_expiration', { days: 10 })).expiration_date, '2026-09-19');
  assert.equal(
    (await w.change(id, 'extend_expiration', { expiration_date: '2026-12-31' })).expiration_date,
    '2026-12-31',
  );
  assert.deepEqual(await w.told(since, id), ['expiration_changed', 'expiration_changed']);
  assert.ok((await w.refused(id, 'extend_expiration', { expiration_date: '2026-12-31' })).field_errors.expiration_date);
  assert.ok((await w.refused(id, 'extend_expiration', {})).field_errors.days);
  await w.change(id, 'cancel');
  assert.match((await w.refused(id, 'extend_expiration', { days: 1 })).message, /Reactivate it/);
  assert.match((await w.refused((await monthly()).id, 'extend_expiration', { days: 1 })).message, /no last day/);
});

test('days that no period can include are refused by name, and nothing fails', async () => {
  const far = '9999-12-31';
  const [bound, free] = [await pack(5, { duration: 3, duration_unit: 'months' }), await pack()];
  const given = (start_date: string) =>
    world.post('/customer_memberships', {
      as: world.machine,
      body: { membership: bound.membership, customer: free.customer, start_date },
    });
  for (const [id, what, body, name] of [
    [free.id, 'cancel', { forced_expiration_date: far }, 'forced_expiration_date'],
    [bound.id, 'extend_expiration', { expiration_date: far }, 'expiration_date'],
    [bound.id, 'reactivate', { expiration_date: far }, 'expiration_date'],
  ] as const)
    assert.match((await w.refused(id, what, body)).field_errors[name][0], /between 1900-01-01 and 2999-12-31/);
  for (const day of ['0001-01-01', far]) assert.ok((await given(day)).body.field_errors.start_date);
  assert.ok((await given('2999-12-01')).body.field_errors.expiration_date);
});

test('only staff who look after customers can change customer memberships, except for ends, and none of another business', async () => {
  const { id, customer } = await pack();
  for (const what of ['extend_expiration', 'upgrade', 'downgrade'])
    assert.equal(
      (await world.post(`/customer_memberships/${id}/${what}`, { as: world.customer(customer), body: {} })).status,
      403,
      what,
    );
  for (const what of ['cancel', 'reactivate', 'extend_expiration', 'upgrade', 'downgrade']) {
    const path = `/customer_memberships/${id}/${what}`;
    assert.equal((await world.post(path, { as: world.staff(['pos']), body: {} })).status, 403, what);
    const body = { days: 1, membership: 1 };
    assert.ok([400, 404].includes((await world.post(path, { as: world.meadowMachine, body })).status), what);
  }
  assert.equal(
    (await world.post(`/customer_memberships/${id}/cancel`, { as: world.meadowMachine, body: {} })).status,
    404,
  );
  assert.equal((await shown(id))[0], 'active');
});
