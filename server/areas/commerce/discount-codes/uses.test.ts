import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { confirmUse, plansOf, releaseUse, reserveUse, tryCode, type AppliedCode, type CodeItem } from './index.ts';
import { beside, chance, times } from '../../../test/storm.ts';
import { feedEnd, feedSince, iso, newCustomers, row } from '../../../test/schedule-world.ts';
import { MembershipWorld } from '../../../test/worlds/membership-world.ts';
import { newCode } from './test/seeds.ts';
import { Problem } from '../../../kernel/base/problem.ts';
import { seed, slug } from '../../../test/seeds.ts';
import { startWorld, type World } from '../../../test/world.ts';
import type { Work } from '../../../kernel/work/unit/work.ts';
import { DEFAULT_WORDS } from '../../../kernel/base/values/words.ts';

let world: World;
before(async () => {
  world = await startWorld();
});
after(() => world.close());

/** Creates an open checkout of this customer. */
const newCheckout = (customer: number): Promise<number> => {
  const [now, soon] = [0, 3_600_000].map((ms) => iso(world.now + ms));
  return row(world, 'checkout', { customer_id: customer, expires_at: soon, created_at: now, updated_at: now });
};
const act = <T>(run: (work: Work) => Promise<T>): Promise<T> => world.work(world.harbour, run);
async function reserve(code: number, customer: number, known?: number): Promise<number> {
  const checkout = known ?? (await newCheckout(customer));
  await act((work) => reserveUse(work, { code, checkout, customer }));
  return checkout;
}
/** Returns `done`, or the code of the refusal. */
const outcome = (attempt: Promise<unknown>): Promise<string> =>
  attempt.then(
    () => 'done',
    (error: unknown) => {
      if (error instanceof Problem) return error.code;
      throw error;
    },
  );
const tally = (all: readonly string[]): Record<string, number> =>
  Object.fromEntries([...new Set(all)].toSorted().map((one) => [one, all.filter((other) => other === one).length]));
const counts = async (code: number): Promise<number[]> => {
  const { body } = await world.get(`/discount_codes/${code}`, { as: world.machine });
  return [body.uses, body.reserved_uses];
};
const textOf = async (code: number): Promise<string> =>
  (await world.get(`/discount_codes/${code}`, { as: world.machine })).body.code;

const CLASS: CodeItem = { item: 1, purchaseType: 'event', objects: { event: 1, offeringType: 1 }, amount: 2000 };
const preview = async (code: number, customer: number, items = [CLASS], checkout?: number) => {
  const entered = await textOf(code);
  return act((work) => tryCode(work, { code: entered, customer, items, checkout }));
};
const refused = async (...asked: Parameters<typeof preview>): Promise<string> => {
  const answer = await preview(...asked);
  return 'refused' in answer ? answer.refused.code : 'applied';
};
/** Creates a customer and their child. */
const newFamily = async (): Promise<[number, number]> => {
  const family_id = await row(world, 'family', {});
  return [
    await world.newCustomer({ family_id, family_role: 'manager' }),
    await world.newCustomer({ family_id, family_role: 'child' }),
  ];
};

test('exactly five of 40 concurrent checkouts get one of the five uses of a code', async () => {
  const code = await newCode(world, { allowed_uses: 5 });
  const customers = await newCustomers(world, 40);
  const checkouts = await Promise.all(customers.map(newCheckout));
  const outcomes = await times(40, (n) => outcome(reserve(code, customers[n], checkouts[n])));
  assert.deepEqual(tally(outcomes), { discount_code_used_up: 35, done: 5 });
  assert.deepEqual(await counts(code), [0, 5]);
});

test('exactly two of 20 concurrent checkouts of a family get one of the two uses that each customer has', async () => {
  const code = await newCode(world, { allowed_uses_per_customer: 2 });
  const [parent, child] = await newFamily();
  const outcomes = await times(20, (n) => outcome(reserve(code, n % 2 === 0 ? parent : child)));
  assert.deepEqual(tally(outcomes), { discount_code_limit_reached: 18, done: 2 });
  const [stranger] = await newCustomers(world, 1);
  assert.equal(await outcome(reserve(code, stranger)), 'done');
});

test('the database itself refuses one use too many, in total and for a household, whatever writes', async () => {
  const total = await newCode(world, { allowed_uses: 5 });
  const each = await newCode(world, { allowed_uses_per_customer: 3 });
  const [parent, child] = await newFamily();
  const customers = await newCustomers(world, 40);
  const clients = await times(40, () => beside(world.databaseUrl));
  const checkouts = await Promise.all([...customers, ...customers].map(newCheckout));
  const insert = (n: number, code: number, customer: number) =>
    clients[n]
      .query(
        `INSERT INTO discount_code_use (provider_id, discount_code_id, checkout_id, customer_id, state)
          VALUES ($1, $2, $3, $4, 'reserved')`,
        [world.harbour, code, checkouts.pop(), customer],
      )
      .then(
        () => 'done',
        (error: { constraint?: string }) => String(error.constraint),
      );
  assert.deepEqual(tally(await times(40, (n) => insert(n, total, customers[n]))), { discount_code_uses: 35, done: 5 });
  assert.deepEqual(tally(await times(40, (n) => insert(n, each, n % 2 === 0 ? parent : child))), {
    discount_code_household_uses: 37,
    done: 3,
  });
  await Promise.all(clients.map((client) => client.end()));
  assert.deepEqual(
    [await counts(total), await counts(each)],
    [
      [0, 5],
      [0, 3],
    ],
  );
});

test('a use is reserved once for a checkout, moves with its code, is released, and is used once', async () => {
  const [first, second] = [await newCode(world, { allowed_uses: 1 }), await newCode(world, { allowed_uses: 1 })];
  const [customer, other] = await newCustomers(world, 2);
  const checkout = await reserve(first, customer);
  await reserve(first, customer, checkout);
  assert.deepEqual(await counts(first), [0, 1]);
  assert.equal(await outcome(reserve(first, other)), 'discount_code_used_up');
  await reserve(second, customer, checkout);
  assert.deepEqual(
    [await counts(first), await counts(second)],
    [
      [0, 0],
      [0, 1],
    ],
  );
  await act((work) => releaseUse(work, checkout));
  await act((work) => releaseUse(work, checkout));
  assert.deepEqual(await counts(second), [0, 0]);
  await assert.rejects(
    act((work) => confirmUse(work, { checkout, amount: 200 })),
    /holds no use/,
  );
  await reserve(second, customer, checkout);
  const since = await feedEnd(world);
  for (let n = 0; n < 2; n++) await act((work) => confirmUse(work, { checkout, amount: 200 }));
  assert.deepEqual(
    (await feedSince(world, since)).map(({ kind, payload }) => [kind, payload]),
    [['discount_code.used', { discount_code: second, customer }]],
  );
  await act((work) => releaseUse(work, checkout));
  assert.deepEqual(await counts(second), [1, 0]);
});

test('the use of a completed checkout can’t be changed or deleted', async () => {
  const code = await newCode(world);
  const [customer] = await newCustomers(world, 1);
  const checkout = await reserve(code, customer);
  await act((work) => confirmUse(work, { checkout, amount: 200 }));
  const client = await beside(world.databaseUrl);
  for (const change of [
    `UPDATE discount_code_use SET amount_minor = 1`,
    `UPDATE discount_code_use SET state = 'reserved', amount_minor = NULL, used_at = NULL`,
    `UPDATE discount_code_use SET checkout_id = 1`,
    'DELETE FROM discount_code_use',
  ])
    await assert.rejects(client.query(`${change} WHERE checkout_id = $1`, [checkout]), /stays what it was/, change);
  await client.end();
});

test('staff can’t allow fewer uses than already exist, and a limit for each customer applies from then on', async () => {
  const code = await newCode(world);
  const [customer] = await newCustomers(world, 1);
  for (let n = 0; n < 3; n++) await reserve(code, customer);
  const patch = (body: object) => world.patch(`/discount_codes/${code}`, { as: world.machine, body });
  const fewer = await patch({ allowed_uses: 2 });
  assert.deepEqual([fewer.status, Object.keys(fewer.body.field_errors)], [400, ['allowed_uses']]);
  assert.match(fewer.body.message, /Send at least 3/);
  assert.equal((await patch({ allowed_uses: 3, allowed_uses_per_customer: 1 })).status, 200);
  assert.equal(await refused(code, customer), 'discount_code_used_up');
  assert.equal((await patch({ allowed_uses: null })).status, 200);
  assert.equal(await refused(code, customer), 'discount_code_limit_reached');
});

test('a checkout’s own reservation does not count against it', async () => {
  const code = await newCode(world, { allowed_uses: 1, allowed_uses_per_customer: 1 });
  const [customer] = await newCustomers(world, 1);
  const checkout = await reserve(code, customer);
  assert.equal(await refused(code, customer, [CLASS], checkout), 'applied');
  assert.equal(await refused(code, customer), 'discount_code_used_up');
  await act((work) => confirmUse(work, { checkout, amount: 200 }));
  assert.equal(await refused(code, customer, [CLASS], checkout), 'applied');
});

test('merging two records of one person merges their uses, even beyond the limit', async () => {
  const code = await newCode(world, { allowed_uses_per_customer: 1 });
  const [kept, merged, stranger] = await newCustomers(world, 3);
  for (const customer of [kept, merged]) {
    const checkout = await reserve(code, customer);
    await act((work) => confirmUse(work, { checkout, amount: 100 }));
  }
  const answer = await world.post(`/customers/${merged}/merge`, { as: world.machine, body: { into: kept } });
  assert.ok(answer.status < 300, answer.text);
  assert.deepEqual(await counts(code), [2, 0]);
  assert.equal(await refused(code, kept), 'discount_code_limit_reached');
  assert.equal(await refused(code, stranger), 'applied');
});

test('a code is found in any spelling, and shows for each item what it takes off or why it does not', async () => {
  const code = await newCode(world, { code: `SUMMER-${slug().slice(0, 8)}`, discount_percent: '12.5' });
  const [customer] = await newCustomers(world, 1);
  const written = (await textOf(code)).replace('-', ' ').toLowerCase();
  const items: CodeItem[] = [
    CLASS,
    { item: 7, purchaseType: 'store', objects: {}, amount: 500 },
    { item: 9, purchaseType: 'membership', objects: { membership: 3 }, amount: 4001 },
  ];
  const applied = (await act((work) => tryCode(work, { code: written, customer, items }))) as AppliedCode;
  assert.deepEqual([applied.id, applied.discount, applied.explanation], [code, 750, '12.5% of $60.01']);
  assert.deepEqual(
    applied.items.map(({ item, applies, discount }) => [item, applies, discount]),
    [
      [1, true, 250],
      [7, false, 0],
      [9, true, 500],
    ],
  );
  assert.match(applied.items[1].why!.staff, /is not for the store/);
});

test('customers can’t distinguish a wrong code from an inactive one, and staff can', async () => {
  const inactive = await newCode(world, { status: 'inactive' });
  const entered = await textOf(inactive);
  const [customer] = await newCustomers(world, 1);
  const said = async (code: string, side: 'staff' | 'customer') => {
    const answer = await act((work) => tryCode(work, { code, customer, items: [CLASS] }));
    assert.ok('refused' in answer);
    return answer.refused.localizedFor(side, DEFAULT_WORDS).body('request');
  };
  assert.deepEqual(await said(entered, 'customer'), await said('NOSUCHCODE', 'customer'));
  const [staff, wrong] = [await said(entered, 'staff'), await said('NOSUCHCODE', 'staff')];
  assert.equal(staff.code, wrong.code);
  assert.match(staff.message, /is inactive/);
  assert.match(wrong.message, /There is no discount code NOSUCHCODE/);
});

test('a code is usable on its days in the business’s time zone, whatever the day is elsewhere', async () => {
  const code = await newCode(world, { usable_start_date: '2026-07-01', usable_end_date: '2026-07-01' });
  const [customer] = await newCustomers(world, 1);
  // Toronto is four hours behind UTC in July.
  for (const [at, expected] of [
    ['2026-07-01T03:59:00Z', 'discount_code_not_valid_today'],
    ['2026-07-01T04:01:00Z', 'applied'],
    ['2026-07-02T03:58:00Z', 'applied'],
    ['2026-07-02T04:01:00Z', 'discount_code_not_valid_today'],
  ] as const) {
    world.setNow(Date.parse(at));
    assert.equal(await refused(code, customer), expected, at);
  }
  world.resetNow();
});

test('a household is new until one of its members has held a membership or come to an event', async () => {
  const code = await newCode(world, { usable_by_new_customers_only: true });
  const [parent, child] = await newFamily();
  const [other] = await newCustomers(world, 1);
  assert.deepEqual([await refused(code, parent), await refused(code, child)], ['applied', 'applied']);
  const event = await seed(world, 'event');
  const attendance = await row(world, 'attendance', { event_id: event, customer_id: child, status: 'registered' });
  assert.equal(await refused(code, parent), 'applied', 'who has only booked has not come yet');
  const client = await beside(world.databaseUrl);
  await client.query(`UPDATE attendance SET status = 'attended' WHERE id = $1`, [attendance]);
  await client.end();
  assert.equal(await refused(code, parent), 'discount_code_new_customers_only');
  const owned = await seed(world, 'customermembership');
  const { body } = await world.get(`/customer_memberships/${owned}`, { as: world.machine });
  assert.equal(await refused(code, body.customer), 'discount_code_new_customers_only');
  assert.equal(await refused(code, other), 'applied');
});

test('an applicability excludes or allows, and one for an event takes precedence over one for its offering type', async () => {
  const [byDefault, only] = [
    await newCode(world),
    await newCode(world, { usable_by_default_for_purchase_types: false }),
  ];
  const event = await seed(world, 'event');
  const { body } = await world.get(`/events/${event}`, { as: world.machine });
  const offeringType = body.offering_type as number;
  const [customer] = await newCustomers(world, 1);
  const items: CodeItem[] = [{ ...CLASS, objects: { event, offeringType } }];
  const say = (code: number, over: object) =>
    row(world, 'discount_code_applicability', { discount_code_id: code, ...over });
  assert.deepEqual(
    [await refused(byDefault, customer, items), await refused(only, customer, items)],
    ['applied', 'discount_code_not_applicable'],
  );
  await say(byDefault, { offering_type_id: offeringType, allow_use: false });
  await say(only, { offering_type_id: offeringType, allow_use: true });
  assert.deepEqual(
    [await refused(byDefault, customer, items), await refused(only, customer, items)],
    ['discount_code_not_applicable', 'applied'],
  );
  await say(byDefault, { event_id: event, allow_use: true });
  await say(only, { event_id: event, allow_use: false });
  assert.deepEqual(
    [await refused(byDefault, customer, items), await refused(only, customer, items)],
    ['applied', 'discount_code_not_applicable'],
  );
});

test('a free purchase uses up no code', async () => {
  const [customer] = await newCustomers(world, 1);
  const answer = await preview(await newCode(world), customer, [{ ...CLASS, amount: 0 }]);
  assert.ok('refused' in answer);
  assert.equal(answer.refused.code, 'discount_code_not_applicable');
  assert.match(answer.refused.message, /are free/);
});

/** Buys a plan for 30.00 with the code, as a completed checkout does, and returns what staff see of it. */
async function boughtWith(code: number, discount: number): Promise<number> {
  const m = await MembershipWorld.of(world);
  const { membership } = await m.recurring([], { price: '30.00' });
  const [customer] = await newCustomers(world, 1);
  const { id: owned } = await m.give(customer, membership);
  const checkout = await reserve(code, customer);
  await act((work) =>
    confirmUse(work, { checkout, amount: discount, plans: [{ customerMembership: owned, discount }] }),
  );
  return owned;
}

test('a plan keeps the terms that its code had when it was bought, whatever happens to the code', async () => {
  const percent = await newCode(world, { discount_percent: '20', applicable_billing_cycles: 3 });
  const flat = await newCode(world, {
    discount_type: 'flat',
    discount_percent: null,
    discount_minor: 1000,
    applicable_billing_cycles: 0,
  });
  const [first, second] = [await boughtWith(percent, 600), await boughtWith(flat, 750)];
  const change = { discount_amount: '50', applicable_billing_cycles: 12, status: 'inactive' };
  for (const code of [percent, flat])
    assert.equal((await world.patch(`/discount_codes/${code}`, { as: world.machine, body: change })).status, 200);
  const plans = await act((work) => plansOf(work, [first, second, 999_999_999]));
  assert.deepEqual(Object.fromEntries(plans), {
    [first]: { code: percent, discount: { type: 'percent', rate: 2000 }, cycles: 3 },
    [second]: { code: flat, discount: { type: 'flat', amount: 750 }, cycles: 0 },
  });
  const client = await beside(world.databaseUrl);
  await assert.rejects(
    client.query(`UPDATE discount_code_plan SET billing_cycles = 99 WHERE customer_membership_id = $1`, [first]),
    /stays what it was/,
  );
  await client.end();
});

test('a membership shows staff who see prices the code it was bought with, and whether it is free forever', async () => {
  const code = await newCode(world, { discount_percent: '100', applicable_billing_cycles: 0 });
  const part = await newCode(world, { discount_percent: '100', applicable_billing_cycles: 2 });
  const shown = async (owned: number, as = world.machine) => {
    const { body } = await world.get(`/customer_memberships/${owned}?expand=discount_code`, { as });
    return [body.discount_code?.id ?? null, body.discount_code_makes_free_forever];
  };
  const owned = await boughtWith(code, 3000);
  assert.deepEqual(await shown(owned), [code, true]);
  assert.deepEqual(await shown(await boughtWith(part, 3000)), [part, false]);
  assert.deepEqual(await shown(owned, world.staff(['attendances'])), [null, true]);
  const { body } = await world.get(`/customer_memberships/${owned}`, { as: world.machine });
  assert.deepEqual(await shown(owned, world.customer(body.customer)), [null, true], 'customers see no codes');
});

test('while checkouts reserve, change, release and complete codes and staff change them, every counter and limit stays right', async () => {
  const codes = await times(4, () => newCode(world, { allowed_uses: 12, allowed_uses_per_customer: 4 }));
  const customers = await newCustomers(world, 6);
  await times(24, async (n) => {
    const { of, below } = chance(n);
    const customer = customers[n % customers.length];
    const checkout = await newCheckout(customer);
    for (let step = 0; step < 6; step++) {
      if (below(5) === 0) {
        const body = { allowed_uses: 20 + below(5), name: `Storm ${step}` };
        await world.patch(`/discount_codes/${of(codes)}`, { as: world.machine, body });
      } else if (below(4) === 0) await act((work) => releaseUse(work, checkout));
      else await outcome(reserve(of(codes), customer, checkout));
    }
    if (below(2) === 0)
      await act((work) => confirmUse(work, { checkout, amount: 100 })).catch((error: Error) =>
        assert.match(error.message, /holds no use/),
      );
  });
  const client = await beside(world.databaseUrl);
  const { rows } = await client.query(
    `SELECT c.id, c.uses, c.reserved_uses FROM discount_code c
     WHERE c.id = ANY($1) AND (
       c.uses <> (SELECT count(*) FROM discount_code_use u WHERE u.discount_code_id = c.id AND u.state = 'used')
       OR c.reserved_uses <> (SELECT count(*) FROM discount_code_use u
         WHERE u.discount_code_id = c.id AND u.state = 'reserved')
       OR EXISTS (SELECT FROM discount_code_use u WHERE u.discount_code_id = c.id GROUP BY u.customer_id
         HAVING count(*) > 4))`,
    [codes],
  );
  assert.deepEqual(rows, []);
  const { rows: some } = await client.query('SELECT FROM discount_code_use WHERE discount_code_id = ANY($1)', [codes]);
  assert.ok(some.length > 5);
  await client.end();
});

// Guards against: Guessing discount codes and codes of gift cards
test('customers who try many codes are stopped wherever they enter them, and staff are not', async () => {
  const customer = await world.newCustomer();
  const as = world.customer(customer);
  const checkout = await newCheckout(customer);
  const tries = [
    (discount_code: string) => world.post('/checkouts', { as, body: { discount_code } }),
    (discount_code: string) => world.post('/checkouts?dry_run=true', { as, body: { discount_code } }),
    (discount_code: string) => world.patch(`/checkouts/${checkout}`, { as, body: { discount_code } }),
    (discount_code: string) => world.patch(`/checkouts/${checkout}?dry_run=true`, { as, body: { discount_code } }),
    (discount_code: string) => world.post('/store/orders/checkout', { as, body: { discount_code } }),
  ];
  const statuses: number[] = [];
  for (let n = 0; n < 12; n++) statuses.push((await tries[n % tries.length](`GUESS${n}`)).status);
  assert.deepEqual(
    statuses.map((status) => status === 429),
    Array.from({ length: 12 }, (_, n) => n >= 10),
  );
  const code = await textOf(await newCode(world));
  const refused = await world.patch(`/checkouts/${checkout}`, { as, body: { discount_code: code } });
  assert.deepEqual([refused.status, refused.body.code], [429, 'rate_limited']);
  assert.ok(Number(refused.headers.get('retry-after')) > 0);
  assert.equal((await world.patch(`/checkouts/${checkout}`, { as, body: { use_account_credit: true } })).status, 200);
  const by = await world.patch(`/checkouts/${checkout}`, { as: world.machine, body: { discount_code: 'GUESS' } });
  assert.notEqual(by.status, 429);
});
