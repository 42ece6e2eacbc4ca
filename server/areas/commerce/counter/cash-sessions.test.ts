import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { CounterWorld } from './test/counter-world.ts';
import { sumDenominations, expectedCash } from './rules/count.ts';
import { startWorld, type World } from '../../../test/world.ts';
import { workedTable } from '../../../test/worked-table.ts';

const PAGE = 'docs/algorithms/cash-sessions.md';

let world: World;
let at: CounterWorld;
before(async () => {
  world = await startWorld();
  at = await CounterWorld.of(world);
});
after(() => at.close());

const text = (amount: { string: string } | null): string | null => amount && amount.string;
const minor = (amount: string): number => Math.round(Number(amount.replace('−', '-')) * 100);
const path = (id: number, what = '') => `/counter/cash_sessions/${id}${what}`;

test('a session expects the sum of its float and its movements, as in the worked table', async () => {
  for (const line of workedTable(PAGE, 'Worked sessions')) {
    const [drawer, of] = [await at.newDrawer(), (name: string) => line[name]];
    const id = await at.open(of('float'), drawer);
    const sale = of('payments') === '0.00' ? null : await at.sellFor(of('payments'), drawer);
    for (const [column, what] of [
      ['paid in', 'pay_in'],
      ['paid out', 'pay_out'],
    ])
      if (of(column) !== '0.00') await at.done('POST', path(id, `/${what}`), { amount: of(column), reason: 'A test.' });
    if (of('refunds') !== '0.00')
      await at.done('POST', `/counter/sales/${sale.id}/refund`, { amount: of('refunds'), reason: 'A test.' });
    assert.equal(text((await at.session(id)).expected_amount), of('expected'), JSON.stringify(line));
    const moved = {
      payment: minor(of('payments')),
      refund: minor(of('refunds')),
      paid_in: minor(of('paid in')),
      paid_out: minor(of('paid out')),
    };
    assert.equal(expectedCash(minor(of('float')), moved), minor(of('expected')));
    const closed = await at.closeSession(id, of('counted'), of('difference') === '0.00' ? undefined : 'A test.');
    assert.equal(text(closed.difference), of('difference').replace('−', '-'), JSON.stringify(line));
  }
  await at.c.balanced();
});

test('the expected amount is explained by steps that add up to it', async () => {
  const drawer = await at.newDrawer();
  const id = await at.open('50.00', drawer);
  await at.sellFor('12.50', drawer);
  await at.done('POST', path(id, '/pay_out'), { amount: '3.00', reason: 'Milk.' });
  const explained = await at.done('GET', path(id, '/explain'));
  assert.equal(explained.text, '$50.00 + $12.50 − $3.00 = $59.50');
  assert.equal(
    explained.steps.reduce((sum: number, { amount }: any) => sum + minor(amount.string), 0),
    5950,
  );
  assert.deepEqual(
    (await at.done('GET', `/counter/cash_movements?cash_session=${id}`)).results.map((one: any) => [
      one.kind,
      one.amount.string,
      one.reason,
    ]),
    [
      ['payment', '12.50', null],
      ['paid_out', '3.00', 'Milk.'],
    ],
  );
});

test('a drawer has one open session at a time', async () => {
  const drawer = await at.newDrawer();
  const id = await at.open('0.00', drawer);
  const again = await at.refused('POST', '/counter/cash_sessions', {
    payment_processor: drawer,
    opening_float: '1.00',
  });
  assert.deepEqual([again.status, again.code], [409, 'cash_session_open']);
  await at.closeSession(id, '0.00');
  assert.ok((await at.open('0.00', drawer)) > id);
});

test('only one of several concurrent requests opens a drawer', async () => {
  const body = { payment_processor: await at.newDrawer(), opening_float: '10.00' };
  const all = await Promise.all(Array.from({ length: 5 }, () => at.c.ask('POST', '/counter/cash_sessions', body)));
  assert.deepEqual(all.map(({ status }) => status).toSorted(), [201, 409, 409, 409, 409]);
});

test('only an enabled cash drawer has sessions', async () => {
  const no = await at.refused('POST', '/counter/cash_sessions', {
    payment_processor: at.terminal,
    opening_float: '1.00',
  });
  assert.match(no.field_errors.payment_processor[0], /not a cash drawer/);
  const drawer = await at.newDrawer();
  await at.done('PATCH', `/payment_processors/${drawer}`, { is_enabled: false });
  const off = await at.refused('POST', '/counter/cash_sessions', { payment_processor: drawer, opening_float: '1.00' });
  assert.match(off.field_errors.payment_processor[0], /turned off/);
});

test('cash moves only while a session is open, wherever it is recorded, unless the business says otherwise', async () => {
  const drawer = await at.newDrawer();
  const sale = () =>
    at.c.ask('POST', '/counter/sales', {
      items: [{ description: 'Tea', unit_price: '3.00', purchase_type: 'store' }],
      payments: [{ payment_processor: drawer }],
    });
  assert.deepEqual([(await sale()).status, (await sale()).body.code], [409, 'cash_session_required']);
  const id = await at.open('0.00', drawer);
  const made = (await sale()).body;
  await at.closeSession(id, '3.00');
  const back = await at.refused('POST', `/counter/sales/${made.id}/refund`, { reason: 'Cold.' });
  assert.equal(back.code, 'cash_session_required');
  const payment = await at.refused('POST', `/payments/${made.payments[0].payment}/refund`, { reason: 'Cold.' });
  assert.equal(payment.code, 'cash_session_required');
  await at.done('PATCH', '/counter_settings', { cash_sessions_required: false });
  assert.equal((await sale()).status, 201);
  await at.done('PATCH', '/counter_settings', { cash_sessions_required: true });
});

test('an invoice payment recorded in cash is part of the session', async () => {
  const [drawer, customer] = [await at.newDrawer(), await world.newCustomer()];
  const id = await at.open('0.00', drawer);
  const event = await at.c.event({ price: '15.00' });
  const checkout = await at.c.open(customer);
  await at.c.add(checkout, { event });
  const { invoice } = await at.c.pay(checkout, { pay_later: true });
  await at.done('POST', `/invoices/${invoice}/record_payment`, { payment_processor: drawer, amount: '10.00' });
  await at.done('POST', `/invoices/${invoice}/record_payment`, { payment_processor: drawer });
  assert.equal(text((await at.session(id)).expected_amount), '15.00');
  await at.done('POST', `/invoices/${invoice}/credit`, { amount: '6.00', give_back: 'refund', reason: 'Ill.' });
  assert.equal(text((await at.session(id)).expected_amount), '9.00');
  await at.closeSession(id, '9.00');
  await at.c.balanced();
});

test('a checkout paid in cash is part of the session', async () => {
  const [drawer, customer] = [await at.newDrawer(), await world.newCustomer()];
  const id = await at.open('0.00', drawer);
  const checkout = await at.c.open(customer);
  await at.c.add(checkout, { event: await at.c.event({ price: '8.00' }) });
  await at.c.pay(checkout, { payment_processor: drawer });
  assert.equal(text((await at.session(id)).expected_amount), '8.00');
  await at.c.balanced();
});

test('nobody can take out more than is in the drawer', async () => {
  const drawer = await at.newDrawer();
  const id = await at.open('5.00', drawer);
  const out = await at.refused('POST', path(id, '/pay_out'), { amount: '5.01', reason: 'Too much.' });
  assert.deepEqual([out.status, out.code], [409, 'cash_not_enough']);
  await assert.rejects(
    at.c.owner.query(
      `INSERT INTO cash_movement (provider_id, cash_session_id, kind, amount_minor, reason, created_at, updated_at)
       VALUES ($1, $2, 'paid_out', 501, 'x', now(), now())`,
      [world.harbour, id],
    ),
    /cash_session_never_below_zero/,
  );
  await at.closeSession(id, '5.00');
});

test('a difference needs a reason, and is posted as a cash difference', async () => {
  const drawer = await at.newDrawer();
  const id = await at.open('20.00', drawer);
  const no = await at.refused('POST', path(id, '/close'), { counted: '19.50' });
  assert.deepEqual(no.field_errors, { difference_reason: ['$0.50 is missing. Count again, or send the reason.'] });
  const closed = await at.closeSession(id, '19.50', 'A coin fell behind the counter.');
  assert.deepEqual([text(closed.difference), closed.difference_reason], ['-0.50', 'A coin fell behind the counter.']);
  const { rows } = await at.c.owner.query(
    `SELECT l.account, l.amount_minor::int AS n, t.explanation FROM ledger_transaction t
     JOIN ledger_line l ON l.provider_id = t.provider_id AND l.transaction_id = t.id
     WHERE t.provider_id = $1 AND t.object = 'cash_session' AND t.object_id = $2 ORDER BY l.account`,
    [world.harbour, id],
  );
  assert.deepEqual(rows, [
    { account: 'cash', n: -50, explanation: 'A coin fell behind the counter.' },
    { account: 'cash_difference', n: 50, explanation: 'A coin fell behind the counter.' },
  ]);
  const other = await at.open('20.00', drawer);
  assert.equal((await at.closeSession(other, '20.00', 'Nothing differs.')).difference_reason, null);
  await at.c.balanced();
});

test('coins and notes are counted, and their sum is the counted amount', async () => {
  const id = await at.open('20.00', await at.newDrawer());
  const denominations = [
    { value: '10.00', count: 1 },
    { value: '0.25', count: 40 },
  ];
  const no = await at.refused('POST', path(id, '/close'), { counted: '19.00', denominations });
  assert.deepEqual(no.field_errors, { counted: ['The coins and notes come to $20.00. Send that, or leave it out.'] });
  assert.deepEqual(Object.keys((await at.refused('POST', path(id, '/close'), {})).field_errors), ['counted']);
  const closed = await at.done('POST', path(id, '/close'), { denominations });
  assert.deepEqual([text(closed.counted_amount), closed.denominations], ['20.00', denominations]);
});

test('the sums of coins and notes are those of the worked table', () => {
  for (const { counted, total } of workedTable(PAGE, 'Worked counts')) {
    const all = counted.split(', ').map((one) => {
      const [count, value] = one.split(' × ');
      return { value: minor(value), count: Number(count) };
    });
    assert.equal(sumDenominations(all), minor(total), counted);
  }
});

test('neither the interface nor the database can change a closed session', async () => {
  const drawer = await at.newDrawer();
  const id = await at.open('5.00', drawer);
  await at.done('POST', path(id, '/pay_in'), { amount: '1.00', reason: 'Change.' });
  await at.closeSession(id, '6.00');
  for (const [what, body] of [
    ['pay_in', { amount: '1.00', reason: 'Late.' }],
    ['pay_out', { amount: '1.00', reason: 'Late.' }],
    ['close', { counted: '6.00' }],
  ] as const) {
    const { status, code } = await at.refused('POST', path(id, `/${what}`), body);
    assert.deepEqual([status, code], [409, 'cash_session_closed'], what);
  }
  const refuses = (sql: string) => assert.rejects(at.c.owner.query(sql, [world.harbour, id]), /stays/);
  await refuses('UPDATE cash_session SET counted_minor = 7 WHERE provider_id = $1 AND id = $2');
  await refuses(
    `UPDATE cash_session SET closed_at = NULL, counted_minor = NULL, denominations = NULL WHERE provider_id = $1
      AND id = $2`,
  );
  await refuses(
    `INSERT INTO cash_movement (provider_id, cash_session_id, kind, amount_minor, reason, created_at, updated_at)
     VALUES ($1, $2, 'paid_in', 1, 'x', now(), now())`,
  );
  await refuses('UPDATE cash_movement SET amount_minor = 1 WHERE provider_id = $1 AND cash_session_id = $2');
  await refuses('DELETE FROM cash_movement WHERE provider_id = $1 AND cash_session_id = $2');
  await refuses('DELETE FROM cash_session WHERE provider_id = $1 AND id = $2');
});

test('the sums of an open session follow only from its rows', async () => {
  const id = await at.open('5.00', await at.newDrawer());
  const refuses = (sql: string) => assert.rejects(at.c.owner.query(sql, [world.harbour, id]), /stays/);
  await refuses('UPDATE cash_session SET payments_minor = 100 WHERE provider_id = $1 AND id = $2');
  await refuses('UPDATE cash_session SET opening_float_minor = 100 WHERE provider_id = $1 AND id = $2');
});

test('staff without the permission to see revenue count without seeing the expected amount', async () => {
  const drawer = await at.newDrawer();
  const desk = world.staff(['pos']);
  const id = await at.open('10.00', drawer, desk);
  await at.sellFor('4.00', drawer);
  const seen = await at.session(id, desk);
  assert.deepEqual(
    [seen.expected_amount, seen.payments_amount, seen.refunds_amount, seen.difference, text(seen.opening_float)],
    [null, null, null, null, '10.00'],
  );
  const no = await at.refused('POST', path(id, '/close'), { counted: '13.00' }, desk);
  assert.deepEqual(no.field_errors.difference_reason, [
    'The counted amount differs from the expected one. Count again, or send the reason.',
  ]);
  assert.equal((await at.refused('GET', path(id, '/explain'), undefined, desk)).status, 403);
  const closed = await at.done(
    'POST',
    path(id, '/close?dry_run=true'),
    { counted: '13.00', difference_reason: 'x' },
    desk,
  );
  assert.ok(!JSON.stringify(closed).includes('-1.00'), JSON.stringify(closed));
  const owner = world.staff(['pos', 'revenue']);
  assert.equal(text((await at.session(id, owner)).expected_amount), '14.00');
});

test('a dry run of every step shows what it would do, and does nothing', async () => {
  const drawer = await at.newDrawer();
  const id = await at.open('10.00', drawer);
  const preview = async (what: string, body: object) =>
    (await at.done('POST', path(id, `/${what}?dry_run=true`), body as never)).effects.map((one: any) => one.effect);
  assert.deepEqual(await preview('pay_in', { amount: '1.00', reason: 'x' }), ['cash_in']);
  assert.deepEqual(await preview('pay_out', { amount: '1.00', reason: 'x' }), ['cash_out']);
  assert.deepEqual(await preview('close', { counted: '9.00', difference_reason: 'x' }), ['cash_session_closed']);
  const { is_open, expected_amount } = await at.session(id);
  assert.deepEqual([is_open, text(expected_amount)], [true, '10.00']);
});
