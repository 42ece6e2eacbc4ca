import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, beforeEach, test } from 'node:test';
import { book, feedEnd, feedSince, newEvent, row } from '../../../../test/schedule-world.ts';
import { DAY_MS, HoldWorld, NOON } from '../../../../test/worlds/hold-world.ts';
import { completeOver } from '../renewals/complete.ts';
import { decideHoldsOf } from './writes.ts';
import { endHoldsOf } from './ending.ts';
import { answerAt } from '../../../../test/checks/openapi-refs.ts';
import { limit } from '../../../../test/worlds/membership-world.ts';

let h: HoldWorld;
before(async () => {
  h = await HoldWorld.start();
});
beforeEach(() => h.world.setNow(NOON));
after(() => h.close());

const monthly = (over: object = {}, limits: object[] = []) => h.m.recurring(limits, { price: '30.00', ...over });

test('a membership is put on hold from a future day: the hold shows its values, and the membership names it', async () => {
  const { customer, owned } = await h.holder(await h.m.pack(5));
  const since = await feedEnd(h.world);
  const answer = await h.ask({ customer_membership: owned, start_date: '2026-06-20', days: 10 });
  const id = answer.body.id;
  const { created_at, ...shown } = answer.body;
  assert.deepEqual(shown, {
    object: 'customer_membership_hold',
    id,
    customer_membership: owned,
    active: false,
    status: 'upcoming',
    start_date: '2026-06-20',
    end_date: '2026-06-29',
    days_to_add: null,
    prorate_usage: true,
    disable_prorates: false,
    extend_expirations: false,
    made_by: 'staff',
    previous_expiration_date: null,
    ended_at: null,
  });
  assert.ok(created_at);
  const membership = await h.get(`/customer_memberships/${owned}?expand=active_hold`);
  assert.deepEqual(
    [membership.status, membership.active_hold.id, membership.active_hold.end_date],
    ['active', id, '2026-06-29'],
  );
  assert.deepEqual(
    (await feedSince(h.world, since)).map((f) => [f.kind, f.payload]),
    [
      [
        'customer_membership_hold.created',
        {
          customer_membership_hold: id,
          customer_membership: owned,
          customer,
          start_date: '2026-06-20',
          end_date: '2026-06-29',
        },
      ],
    ],
  );
  const [entry] = (await h.get(`/audit_entries?object=customer_membership_hold&object_id=${id}`)).results;
  assert.deepEqual([entry.action, entry.after.start_date], ['POST /customer_membership_holds', '2026-06-20']);
});

test('a hold that begins today starts immediately, and one that ends today resumes the membership immediately', async () => {
  const { owned } = await h.holder(await h.m.pack(5));
  const since = await feedEnd(h.world);
  const id = await h.hold(owned, '2026-06-10', null);
  assert.equal(await h.statusOf(owned), 'hold');
  h.world.setNow(NOON + 3 * DAY_MS);
  const ended = await h.end(id);
  assert.deepEqual([ended.status, ended.body.status, ended.body.active_hold], [200, 'active', null], ended.text);
  const shown = await h.get(`/customer_membership_holds/${id}`);
  assert.deepEqual(
    [shown.status, shown.active, shown.end_date, shown.ended_at !== null],
    ['ended', false, '2026-06-12', true],
  );
  assert.deepEqual(
    (await feedSince(h.world, since)).map((f) => f.kind),
    [
      'customer_membership_hold.created',
      'customer_membership.held',
      'customer_membership_hold.ended',
      'customer_membership.resumed',
    ],
  );
  assert.deepEqual(
    [(await h.end(id)).body.code, (await h.edit(id, { days_to_add: 3 })).body.code],
    ['already_ended', 'already_ended'],
  );
});

test('on the days of a hold nothing can be booked with the membership, before and during the hold, and explain says why', async () => {
  const { customer, owned } = await h.holder(await h.m.pack(5));
  await h.hold(owned, '2026-06-12', '2026-06-14');
  const answers = [];
  for (const days of [1, 2, 4, 5]) {
    const { id: event } = await newEvent(h.world, h.m.place, { in: days * 24 });
    const answer = await book(h.world, event, customer);
    answers.push(answer.status === 200 ? 'booked' : answer.body.code);
    if (days === 2) {
      const { rules } = await h.get(`/events/${event}/explain?customer=${customer}`);
      assert.deepEqual(
        rules.filter((r: any) => !r.passed).map((r: any) => r.code),
        ['membership_on_hold'],
      );
    }
  }
  assert.deepEqual(answers, ['booked', 'membership_on_hold', 'membership_on_hold', 'booked']);
});

test('usage is prorated by the days of the hold unless set otherwise, and lists the holds', async () => {
  const { membership } = await monthly({}, [limit('billing_period', 10)]);
  const [one, other] = [await h.holder(membership), await h.holder(membership)];
  await h.hold(one.owned, '2026-06-16', '2026-06-30');
  await h.hold(other.owned, '2026-06-16', '2026-06-30', { prorate_usage: false });
  const usage = async (owned: number) =>
    (await h.get(`/customer_memberships/${owned}/usage?date=2026-06-15`)).usage_periods[0];
  const { max_uses, prorate_adjustment } = await usage(one.owned);
  assert.deepEqual(
    [max_uses, prorate_adjustment],
    [
      5,
      {
        active_days: 15,
        total_days: 30,
        original_max_uses: 10,
        prorated_max_uses: 5,
        holds: [{ start_date: '2026-06-16', end_date: '2026-06-30' }],
      },
    ],
  );
  assert.deepEqual([(await usage(other.owned)).max_uses, (await usage(other.owned)).prorate_adjustment], [10, null]);
});

test('payments for days on hold are credited, and the rest of a period that began on hold is charged', async () => {
  const { owned } = await h.holder((await monthly()).membership);
  const id = await h.hold(owned, '2026-06-25', '2026-08-19');
  assert.deepEqual(await h.standing(owned), ['credit 15.00 2026-06-25 hold', 'charge 20.32 2026-08-20 reactivation']);
  const said = await h.get(`/customer_membership_holds/${id}/payment_resolution`);
  assert.deepEqual(
    [
      said.prorate_strategy,
      said.start_billing_period.credit.string,
      said.start_billing_period.held_days,
      said.reactivation_billing_period.charge.string,
      said.reactivation_billing_period.start_date,
    ],
    ['days', '15.00', 15, '20.32', '2026-08-10'],
  );
  assert.deepEqual(
    [said.resolution.type, said.resolution.amount.string, said.resolution.due_date],
    ['charge', '5.32', '2026-08-20'],
  );
  assert.match(
    said.resolution.explanation,
    /Credit of \$15\.00: the hold covers 15 of 30 days .* Charge of \$20\.32: the hold covers 10 of 31 days/,
  );
  const document = (await (await fetch(`${h.world.url}/api/v2/openapi.json`)).json()) as any;
  for (const name of ['ReactivationBillingPeriod', 'Resolution', 'StartBillingPeriod'])
    assert.equal(document.components.schemas[name].type, 'object');
  const schema = answerAt(document, 'GET', '/customer_membership_holds/{id}/payment_resolution', 200);
  assert.deepEqual(schema.required.toSorted(), [
    'prorate_strategy',
    'reactivation_billing_period',
    'resolution',
    'start_billing_period',
  ]);
  assert.equal(schema.properties.resolution.$ref, '#/components/schemas/Resolution');
});

test('an edit voids earlier decisions and decides again; unchanged entries stay', async () => {
  const { owned } = await h.holder((await monthly()).membership);
  const id = await h.hold(owned, '2026-06-25', '2026-08-19');
  const before = await h.get(`/account_entries?customer_membership=${owned}&sort=id`);
  const since = await feedEnd(h.world);
  const answer = await h.edit(id, { days_to_add: 5 });
  assert.deepEqual([answer.status, answer.body.end_date, answer.body.days_to_add], [200, '2026-08-24', 5], answer.text);
  assert.deepEqual(await h.standing(owned), ['credit 15.00 2026-06-25 hold', 'charge 15.48 2026-08-25 reactivation']);
  const after = await h.get(`/account_entries?customer_membership=${owned}&sort=id`);
  assert.deepEqual(
    after.results.map((a: any) => [a.id, a.voided_at !== null]),
    [
      [before.results[0].id, false],
      [before.results[1].id, true],
      [after.results[2].id, false],
    ],
  );
  assert.deepEqual(
    (await feedSince(h.world, since)).map((f) => [f.kind, f.payload.changed]),
    [
      ['customer_membership_hold.updated', ['end_date', 'days_to_add']],
      ['account_entry.voided', undefined],
      ['account_entry.created', undefined],
    ],
  );
  const [entry] = (await h.get(`/audit_entries?object=customer_membership_hold&object_id=${id}&sort=-id`)).results;
  assert.deepEqual([entry.before.end_date, entry.after.end_date], ['2026-08-19', '2026-08-24']);
  await h.edit(id, { make_open_ended: true });
  assert.deepEqual(
    [(await h.get(`/customer_membership_holds/${id}`)).end_date, await h.standing(owned)],
    [null, ['credit 15.00 2026-06-25 hold']],
  );
  assert.equal((await h.get(`/customer_membership_holds/${id}/payment_resolution`)).reactivation_billing_period, null);
  await h.edit(id, { start_date: '2026-06-30', end_date: '2026-06-30' });
  assert.deepEqual(
    [(await h.get(`/customer_membership_holds/${id}`)).start_date, await h.standing(owned)],
    ['2026-06-30', ['credit 1.00 2026-06-30 hold']],
  );
});

test('a credit stays when the business changes its language: only what it is calculated from counts', async () => {
  const { owned } = await h.holder((await monthly()).membership);
  const id = await h.hold(owned, '2026-06-25', '2026-08-19');
  const [before] = (await h.get(`/account_entries?customer_membership=${owned}&sort=id`)).results;
  const speak = async (language: string | null): Promise<void> => {
    const changed = await h.world.patch(`/providers/${h.world.harbour}`, { as: h.world.machine, body: { language } });
    assert.equal(changed.status, 200, changed.text);
  };
  await speak('de');
  try {
    const answer = await h.edit(id, { days_to_add: 5 });
    assert.equal(answer.status, 200, answer.text);
  } finally {
    await speak(null);
  }
  const entries = (await h.get(`/account_entries?customer_membership=${owned}&sort=id`)).results;
  const valid = entries.filter((one: any) => one.voided_at === null);
  assert.deepEqual([valid[0].id, valid[0].explanation], [before.id, before.explanation]);
  assert.match(valid[1].explanation, /^Betrag von .*: Die Pause umfasst \d+ von 31 Tagen/);
});

/** Reads all columns of a customer membership and of its bookings, except the times of writing. */
const state = (owned: number): Promise<any[]> =>
  h.rows(
    `SELECT 'membership' AS what, to_jsonb(cm) - 'updated_at' AS row FROM customer_membership cm WHERE id = $1
     UNION ALL SELECT 'product', to_jsonb(m) - 'updated_at' FROM membership m
     JOIN customer_membership cm ON cm.membership_id = m.id WHERE cm.id = $1
     UNION ALL SELECT 'hold', to_jsonb(x) FROM customer_membership_hold x WHERE customer_membership_id = $1
     UNION ALL SELECT 'charge or credit', to_jsonb(a) FROM account_entry a
     WHERE customer_membership_id = $1 AND voided_at IS NULL
     UNION ALL SELECT 'entry', to_jsonb(n) FROM entitlement_entry n WHERE customer_membership_id = $1
     UNION ALL SELECT 'attendance', to_jsonb(a) FROM attendance a
     WHERE id IN (SELECT attendance_id FROM entitlement_entry WHERE customer_membership_id = $1)
     UNION ALL SELECT 'event', to_jsonb(e) FROM event e
     WHERE id IN (SELECT event_id FROM attendance a JOIN entitlement_entry n ON n.attendance_id = a.id
       WHERE n.customer_membership_id = $1)
     ORDER BY 1, 2`,
    [owned],
  );

test('a hold that is deleted before a day of it has passed leaves every row as it was', async () => {
  const { membership } = await monthly({}, [limit('billing_period', 10)]);
  const ways: [string, object][] = [
    ['2026-06-25', { end_date: '2026-08-19' }],
    ['2026-06-25', { end_date: null }],
    ['2026-06-10', { days: 5 }],
    ['2026-06-10', { end_date: null }],
    ['2026-06-15', { days: 30, extend_expirations: true }],
    ['2026-06-20', { end_date: '2026-07-20', disable_prorates: true, prorate_usage: false }],
  ];
  for (const [start_date, how] of ways) {
    const { customer, owned } = await h.holder(membership, { expiration_date: '2027-03-31' });
    await h.booked(customer, 2);
    await h.rows('UPDATE provider SET bookings_without_membership = $1 WHERE provider_id = $2', [
      'keep',
      h.world.harbour,
    ]);
    const before = await state(owned);
    assert.ok(before.length > 4);
    const made = await h.ask({ customer_membership: owned, start_date, ...how });
    assert.equal(made.status, 201, made.text);
    assert.notDeepEqual(await state(owned), before);
    await h.edit(made.body.id, { end_date: '2026-08-30' });
    const ended = await h.end(made.body.id);
    assert.equal(ended.status, 200, ended.text);
    assert.deepEqual(await state(owned), before, JSON.stringify([start_date, how]));
    assert.equal(
      (await h.world.get(`/customer_membership_holds/${made.body.id}`, { as: h.world.machine })).status,
      404,
    );
  }
  await h.rows('UPDATE provider SET bookings_without_membership = $1 WHERE provider_id = $2', [
    'cancel',
    h.world.harbour,
  ]);
});

test('the last day moves by the days of the hold, and by the difference after edits; for a hold without an end, when its end is known', async () => {
  const { owned } = await h.holder(await h.m.prepaid({ expiration_date: '2026-12-31' }));
  const last = async () => (await h.get(`/customer_memberships/${owned}`)).expiration_date;
  const id = await h.hold(owned, '2026-06-20', '2026-06-29', { extend_expirations: true });
  assert.deepEqual(
    [await last(), (await h.get(`/customer_membership_holds/${id}`)).previous_expiration_date],
    ['2027-01-10', '2026-12-31'],
  );
  await h.edit(id, { days_to_add: 5 });
  assert.equal(await last(), '2027-01-15');
  await h.edit(id, { make_open_ended: true });
  assert.equal(await last(), '2026-12-31');
  h.world.setNow(Date.parse('2027-02-01T17:00Z'));
  await h.settle();
  assert.equal(await h.statusOf(owned), 'hold', 'it outlasts its last day, which moves');
  await h.world.work(h.world.harbour, completeOver);
  assert.equal(await h.statusOf(owned), 'hold');
  await h.end(id);
  assert.deepEqual([await last(), await h.statusOf(owned)], ['2027-08-14', 'active']);
});

test('an impossible hold is refused with the property and the remedy', async () => {
  const pack = await h.m.pack(5);
  const { owned } = await h.holder(pack, { expiration_date: '2026-12-31' });
  await h.hold(owned, '2026-08-01', '2026-08-10');
  const late = await h.holder(await h.m.pack(5, { begin_on_first_registration: true }));
  const over = await h.holder(pack);
  await h.rows(`UPDATE customer_membership SET status = 'completed', ended_at = now() WHERE id = $1`, [over.owned]);
  const cases: [object, string, RegExp][] = [
    [{ start_date: '2026-06-20' }, 'end_date', /null: until someone ends it/],
    [{ start_date: '2026-06-20', end_date: null, days: 3 }, 'end_date', /either end_date/],
    [{ start_date: '2026-06-09', days: 3 }, 'start_date', /today, Wednesday, 10 June 2026,/],
    [
      { start_date: '2026-07-25', days: 10 },
      'start_date',
      /already on hold from Saturday, 1 August 2026 to Monday, 10 August 2026/,
    ],
    [{ start_date: '2026-12-25', days: 10 }, 'days', /ends on 2026-12-31.*extend_expirations/],
    [{ start_date: '2027-01-25', days: 10 }, 'start_date', /ends on 2026-12-31/],
    [{ start_date: '2026-06-20', days: 1001 }, 'days', /1000/],
    [
      { customer_membership: late.owned, start_date: '2026-06-20', days: 3 },
      'customer_membership',
      /first registration/,
    ],
    [{ customer_membership: over.owned, start_date: '2026-06-20', days: 3 }, 'customer_membership', /has ended/],
    [{ customer_membership: 999_999_999, start_date: '2026-06-20', days: 3 }, 'customer_membership', /There is no/],
  ];
  for (const [body, field, says] of cases) {
    const answer = await h.ask({ customer_membership: owned, ...body });
    assert.deepEqual([answer.status, Object.keys(answer.body.field_errors ?? {})], [400, [field]], answer.text);
    assert.match(answer.body.field_errors[field][0], says);
  }
  assert.equal((await h.edit(999_999_999, { days_to_add: 1 })).status, 404);
  assert.equal(
    (
      await h.world.post('/customer_membership_holds', {
        as: h.world.meadowMachine,
        body: { customer_membership: owned, start_date: '2026-06-20', days: 3 },
      })
    ).status,
    400,
    'of another business there is nothing',
  );
});

test('customers put their own memberships on hold if the business allows it, within its limits; staff are informed of limits, but not bound', async () => {
  const membership = await h.m.pack(5, { customers_can_hold: true, max_holds_per_year: 1, max_hold_days_per_year: 20 });
  const { customer, owned } = await h.holder(membership, { expiration_date: '2027-06-30' });
  const me = h.world.customer(customer);
  const mine = (body: object, query = '') => h.ask({ customer_membership: owned, ...body }, query, me);
  assert.match(
    (await mine({ start_date: '2026-06-20', days: 21 })).body.message,
    /on hold for at most 20 days in twelve months\. Choose fewer days/,
  );
  assert.equal(
    (await mine({ start_date: '2026-06-20', days: 5, disable_prorates: true })).body.field_errors.disable_prorates[0],
    'Only staff can set this. Leave it out.',
  );
  const made = await mine({ start_date: '2026-06-20', days: 5 });
  assert.deepEqual([made.status, made.body.made_by, made.body.extend_expirations], [201, 'customer', true], made.text);
  assert.equal((await h.get(`/customer_memberships/${owned}`)).expiration_date, '2027-07-05');
  assert.match(
    (await mine({ start_date: '2026-09-01', days: 5 })).body.message,
    /on hold once in twelve months\. The next hold can start on Sunday, 20 June 2027\./,
  );
  const told = await h.ask({ customer_membership: owned, start_date: '2026-09-01', days: 5 }, '?dry_run=true');
  assert.deepEqual(told.body.effects.find((e: any) => e.effect === 'hold_limit_exceeded').detail, {
    limit: 'max_holds_per_year',
    most: 1,
    possible_from: '2027-06-20',
  });
  assert.equal((await h.edit(made.body.id, { days_to_add: 16 }, '', me)).body.code, 'parameter_invalid');
  assert.equal((await h.edit(made.body.id, { days_to_add: 15 }, '', me)).status, 200);
  const theirs = await h.hold(owned, '2026-10-01', '2026-10-05');
  assert.equal((await h.end(theirs, {}, '', me)).body.code, 'permission_denied', 'what the business made');
  assert.equal((await h.end(made.body.id, {}, '', me)).status, 200);
});

test('nobody sees or changes another customer’s hold', async () => {
  const membership = await h.m.pack(5, { customers_can_hold: true });
  const closed = await h.holder(await h.m.pack(5));
  const [a, b] = [await h.holder(membership), await h.holder(membership)];
  const id = await h.hold(a.owned, '2026-06-20', null);
  const other = h.world.customer(b.customer);
  assert.equal(
    (
      await h.ask(
        { customer_membership: closed.owned, start_date: '2026-06-20', days: 3 },
        '',
        h.world.customer(closed.customer),
      )
    ).body.code,
    'permission_denied',
  );
  assert.ok(
    (await h.ask({ customer_membership: a.owned, start_date: '2026-06-20', days: 3 }, '', other)).body.field_errors
      .customer_membership,
  );
  for (const answer of [
    await h.edit(id, { days_to_add: 1 }, '', other),
    await h.end(id, {}, '', other),
    await h.world.get(`/customer_membership_holds/${id}/payment_resolution`, { as: other }),
  ])
    assert.equal(answer.status, 404);
  assert.equal((await h.get('/customer_membership_holds', other)).count, 0);
  // A customer who may use the membership but does not own it sees neither the hold nor that there is one.
  await h.m.share(a.owned, b.customer);
  assert.equal((await h.world.get(`/customer_membership_holds/${id}`, { as: other })).status, 404);
  const limited = h.world.staff(['pos']);
  assert.equal(
    (await h.ask({ customer_membership: a.owned, start_date: '2026-07-20', days: 3 }, '', limited)).status,
    403,
  );
});

test('the manager of a family acts for its children, and sees their holds', async () => {
  const family_id = await row(h.world, 'family', {});
  const [parent, child] = [
    await h.world.newCustomer({ family_id, family_role: 'manager' }),
    await h.world.newCustomer({ family_id, family_role: 'child' }),
  ];
  const { id: owned } = await h.m.give(child, await h.m.pack(5, { customers_can_hold: true }));
  const me = h.world.customer(parent);
  const made = await h.ask({ customer_membership: owned, start_date: '2026-06-20', days: 3 }, '', me);
  assert.equal(made.status, 201, made.text);
  assert.deepEqual(
    (await h.get('/customer_membership_holds', me)).results.map((x: any) => x.id),
    [made.body.id],
  );
  assert.equal((await h.edit(made.body.id, { days_to_add: 1 }, '', h.world.customer(child))).status, 200);
});

test('lists find holds by their state and their days, and memberships by their holds', async () => {
  const { customer, owned } = await h.holder(await h.m.pack(5));
  const other = await h.holder(await h.m.pack(5));
  const past = await h.hold(owned, '2026-06-10', '2026-06-11');
  const now = await h.hold(owned, '2026-06-14', '2026-06-20');
  const next = await h.hold(owned, '2026-07-01', null);
  h.world.setNow(NOON + 6 * DAY_MS);
  const ids = async (query: string) =>
    (await h.get(`/customer_membership_holds?customer=${customer}&sort=id&${query}`)).results.map((x: any) => x.id);
  assert.deepEqual(
    [
      await ids(''),
      await ids('status=ended'),
      await ids('status=active,upcoming'),
      await ids('active=true'),
      await ids('start_date_gte=2026-06-14&start_date_lte=2026-06-30'),
      await ids('end_date_lte=2026-06-11'),
    ],
    [[past, now, next], [past], [now, next], [now], [now], [past]],
  );
  const held_by = async (query: string) =>
    (await h.get(`/customer_memberships?ids=${owned},${other.owned}&${query}`)).results.map((x: any) => x.id);
  assert.deepEqual(
    [await held_by('has_active_hold=true'), await held_by('has_active_hold=false')],
    [[owned], [other.owned]],
  );
  assert.deepEqual(
    [
      await held_by('active_hold_start_date_gte=2026-06-14&active_hold_end_date_lte=2026-06-20'),
      await held_by('active_hold_start_date_gte=2026-06-15'),
    ],
    [[owned], []],
  );
  assert.equal((await h.get(`/customer_memberships/${owned}`)).active_hold, now);
});

test('a membership that ends also ends its holds: the current one ends, upcoming ones are deleted, and nothing is charged afterwards', async () => {
  const { owned } = await h.holder((await monthly()).membership);
  const on = await h.hold(owned, '2026-06-10', '2026-07-20');
  const next = await h.hold(owned, '2026-09-01', null);
  assert.deepEqual(await h.standing(owned), [
    'credit 30.00 2026-06-10 hold',
    'charge 19.35 2026-07-21 reactivation',
    'credit 8.71 2026-09-01 hold',
  ]);
  h.world.setNow(NOON + 5 * DAY_MS);
  await h.world.work(h.world.harbour, async (work) => {
    await h.rows('UPDATE customer_membership SET expiration_date = $2 WHERE id = $1', [owned, '2026-06-14']);
    await endHoldsOf(work, owned, '2026-06-15');
  });
  // 5 of the 30 days that were billed.
  assert.deepEqual(await h.standing(owned), ['credit 5.00 2026-06-10 hold']);
  const { results } = await h.get(`/customer_membership_holds?customer_membership=${owned}`);
  assert.deepEqual(
    results.map((x: any) => [x.id, x.end_date, x.status]),
    [[on, '2026-06-14', 'ended']],
  );
  assert.equal((await h.world.get(`/customer_membership_holds/${next}`, { as: h.world.machine })).status, 404);
});

test('a use that is returned with its cancelled booking counts as unused: the hold credits its value', async () => {
  const { membership } = await monthly({}, [limit('billing_period', 10)]);
  const { customer, owned } = await h.holder(membership);
  for (let i = 0; i < 9; i++) await h.booked(customer, 15, {});
  const id = await h.hold(owned, '2026-06-25', '2026-06-30');
  assert.deepEqual([await h.m.used(owned), await h.standing(owned)], [0, ['credit 6.00 2026-06-25 hold']]);
  assert.equal((await h.get(`/customer_membership_holds/${id}/payment_resolution`)).start_billing_period.used_count, 0);
});

test('days outside the supported calendar are refused, not computed', async () => {
  const { owned } = await h.holder(await h.m.pack(5));
  for (const [body, field] of [
    [{ start_date: '9999-12-31', days: 1000 }, 'start_date'],
    [{ start_date: '2026-07-01', end_date: '9999-12-31' }, 'end_date'],
  ] as const) {
    const answer = await h.ask({ customer_membership: owned, ...body });
    assert.deepEqual([answer.status, Object.keys(answer.body.field_errors)], [400, [field]], answer.text);
  }
  const id = await h.hold(owned, '2026-07-01', '2026-07-02');
  assert.ok((await h.end(id, { on_date: '9999-12-31' })).body.field_errors.on_date);
});

test('the request in the guide works as written', async () => {
  const guide = readFileSync(join(import.meta.dirname, '../../../../../docs/guide/memberships.md'), 'utf8');
  const [, body, path] = /-d '([^']+)' \\\n {2}"\$BASE\/api\/v2([^"]+)"/.exec(guide)!;
  const { owned } = await h.holder(await h.m.pack(5), { expiration_date: '2031-12-31' });
  const answer = await h.world.post(path, {
    as: h.world.machine,
    body: { ...JSON.parse(body), customer_membership: owned },
  });
  assert.equal(answer.status, 200, answer.text);
  assert.deepEqual(
    answer.body.effects.map((e: any) => e.effect),
    ['hold_created', 'expiration_moved'],
  );
});

test('if the last day moves back, bookings after it are settled: after an edit, and when the hold is deleted, in single and bulk calls', async () => {
  const ways: [string, (id: number, owned: number) => Promise<any>][] = [
    ['an edit', (id) => h.edit(id, { end_date: '2026-06-21' })],
    ['an open end', (id) => h.edit(id, { make_open_ended: true })],
    ['its end', (id) => h.end(id)],
    [
      'the end of many',
      (_id, owned) =>
        h.world.put('/customer_memberships/bulk_edit_holds', {
          as: h.world.machine,
          body: { customermembership_ids: [owned], end_immediately: true },
        }),
    ],
  ];
  for (const [what, act] of ways) {
    const { customer, owned } = await h.holder(await h.m.pack(5), { expiration_date: '2026-07-10' });
    const id = await h.hold(owned, '2026-06-20', '2026-06-29', { extend_expirations: true });
    const [within, after] = [await h.booked(customer, 26), await h.booked(customer, 38)];
    const answer = await act(id, owned);
    assert.equal(answer.status, 200, answer.text);
    const statuses = await Promise.all(
      [within, after].map(async (b) => (await h.get(`/attendances/${b.attendance}`)).status),
    );
    assert.deepEqual(
      [statuses, await h.m.used(owned)],
      what === 'an open end' ? [['not_registered', 'not_registered'], 0] : [['registered', 'not_registered'], 1],
      what,
    );
  }
});

test('during a hold, the customer counts as a member for events after it, but not for events within it', async () => {
  const { customer, owned } = await h.holder(await h.m.pack(5));
  await h.hold(owned, '2026-06-10', '2026-06-12');
  const me = h.world.customer(customer);
  const members = await row(h.world, 'registration_timeline', {
    name: 'Members',
    audience_type: 'membership_holders',
    calendar_opens_interval: 100_000,
  });
  const everyone = await row(h.world, 'registration_timeline', { name: 'Everyone', calendar_opens_interval: 60 });
  const asked = async (days: number): Promise<string[]> => {
    const { id } = await newEvent(h.world, h.m.place, { in: days * 24 });
    await h.rows(
      `INSERT INTO event_registration_timeline (provider_id, event_id, registration_timeline_id)
        SELECT $1, $2, unnest($3::bigint[])`,
      [h.world.harbour, id, [members, everyone]],
    );
    // Read first, because a customer who has booked an event keeps seeing it.
    const seen = await h.world.get(`/events/${id}`, { as: me });
    const booked = await h.world.post(`/events/${id}/register`, { as: me, body: {} });
    return [seen.status === 200 ? 'seen' : 'not seen', booked.status === 200 ? 'booked' : booked.body.code];
  };
  assert.deepEqual(
    [await asked(1), await asked(4)],
    [
      ['not seen', 'not_found'],
      ['seen', 'booked'],
    ],
  );
});

test('after the price or the last day of a membership changes, current and upcoming holds are decided again; a period that was paid keeps its value', async () => {
  const { owned } = await h.holder((await monthly()).membership, { expiration_date: '2026-08-19' });
  await h.hold(owned, '2026-06-25', '2026-08-19');
  assert.deepEqual(await h.standing(owned), ['credit 15.00 2026-06-25 hold']);
  const change = (set: string) =>
    h.world.work(h.world.harbour, async (work) => {
      await h.rows(`UPDATE customer_membership SET ${set} WHERE id = $1`, [owned]);
      await decideHoldsOf(work, [owned]);
    });
  await change(`expiration_date = '2027-08-19'`);
  assert.deepEqual(await h.standing(owned), ['credit 15.00 2026-06-25 hold', 'charge 20.32 2026-08-20 reactivation']);
  await change('billed_price_minor = 6000');
  assert.deepEqual(await h.standing(owned), ['credit 15.00 2026-06-25 hold', 'charge 40.65 2026-08-20 reactivation']);
});
