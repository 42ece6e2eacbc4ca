import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { book } from '../../../test/schedule-world.ts';
import { checkDue } from './engine.ts';
import { checkReports } from './check.ts';
import { examine } from '../../../commands/doctor/doctor.ts';
import { INVARIANTS } from './invariants.ts';
import { MemberWorld } from '../../../test/worlds/member-world.ts';
import { ownContext } from '../../../test/own-context.ts';
import { readConfig } from '../../../config.ts';
import { REPORT_CHECKS } from './checks.ts';
import { seed } from '../../../test/seeds.ts';
import { startWorld, type World } from '../../../test/world.ts';
import { workedTable } from '../../../test/worked-table.ts';

const STORY = 'docs/algorithms/report-checks.md';

let w: MemberWorld;
let world: World;
/** Ids of the objects that have differences. */
const ids = { event: 0, session: 0, customer: 0, membership: 0, invoice: 0, payer: 0, month: '', type: '' };

before(async () => {
  world = await startWorld({ own: true });
  w = await MemberWorld.of(world);
  // Triggers prevent wrong rows; they are disabled for this connection.
  await w.owner.query('SET session_replication_role = replica');
  const { customer, id } = await w.holder(await w.m.pack(10));
  const [event, left, late, seen] = [await w.event(1), await w.event(2), await w.event(3), await w.event(4)];
  for (const one of [event, left, late, seen]) assert.equal((await book(world, one, customer)).status, 200);
  const as = world.machine;
  await world.post(`/events/${left}/unregister`, { as, body: { customer } });
  await world.post(`/events/${late}/unregister`, { as, body: { customer, is_late_cancel: true } });
  await w.owner.query(`UPDATE attendance SET status = 'attended', attended_at = now() WHERE event_id = ${seen}`);
  const invoice = await seed(world, 'invoice');
  const [{ payer, month }] = await rows(
    `SELECT customer_id AS payer, to_char(created_at AT TIME ZONE 'America/Toronto', 'YYYY-MM') AS month FROM invoice
      WHERE id = ${invoice}`,
  );
  for (const resource of ['gift_card', 'payment', 'account_entry', 'store_order_item', 'referral'])
    await seed(world, resource);
  const booking = await seed(world, 'course_session_attendance');
  const [{ session }] = await rows(`SELECT event_id AS session FROM attendance WHERE id = ${booking}`);
  const [{ type }] = await rows(`SELECT type FROM invoice_line WHERE invoice_id = ${invoice} AND position = 1`);
  Object.assign(ids, { session: Number(session), type });
  Object.assign(ids, { event, customer, membership: id, invoice, payer: Number(payer), month });
});
after(() => w.close());

const rows = async (query: string): Promise<any[]> => (await w.owner.query(query)).rows;
const found = (): Promise<string[]> => world.work(world.harbour, (work) => checkReports(work, world.now));

const lastDay = async (): Promise<string | undefined> =>
  (await rows(`SELECT checked_on::text AS day FROM report_check WHERE provider_id = ${world.harbour}`))[0]?.day;

/** Names in the table, resolved to objects. */
const MEANT: Record<string, () => string> = {
  'its month': () => ids.month,
  'its type': () => `type ${ids.type}`,
  'all together': () => 'all together',
  'the session': () => `event ${ids.session}`,
  'its customer': () => `customer ${ids.payer}`,
  'the event': () => `event ${ids.event}`,
  'status registered': () => 'status registered',
  'the membership': () => `customer membership ${ids.membership}`,
};

const changed = (table: string, set: string, back: string, where: string): readonly [string, string] => [
  `UPDATE ${table} SET ${set} WHERE ${where}`,
  `UPDATE ${table} SET ${back} WHERE ${where}`,
];

const AMOUNTS = ['list_minor', 'pre_tax_minor', 'total_minor'];
const BILLED = [...AMOUNTS, 'billed_minor'];
const by = (names: readonly string[], n: number): string => names.map((name) => `${name} = ${name} + ${n}`).join();

const seats = (n: number, event = ids.event) =>
  changed(
    'event',
    `attending_count = attending_count + ${n}`,
    `attending_count = attending_count - ${n}`,
    `id = ${event}`,
  );

/** Changes one row of the business by an amount in minor units. */
const amount = (table: string, of: string, by: number) => {
  const one = `id = (SELECT min(id) FROM ${table} WHERE provider_id = ${world.harbour} AND ${of})`;
  return changed(table, `amount_minor = amount_minor + ${by}`, `amount_minor = amount_minor - ${by}`, one);
};

/** The statements that plant a difference, and those that repair it. */
const PLANTED: Record<string, () => readonly [wrong: string, mend: string]> = {
  'the amount of an invoice is 1.00 too high': () => {
    return changed('invoice', by(BILLED, 100), by(BILLED, -100), `id = ${ids.invoice}`);
  },
  'the ledger has 1.00 more revenue than the invoice': () => {
    const of = `account = 'revenue' AND amount_minor < -100 AND transaction_id = (SELECT id FROM ledger_transaction
      WHERE kind = 'invoice_issued' AND object_id = ${ids.invoice})`;
    return changed('ledger_line', 'amount_minor = amount_minor - 100', 'amount_minor = amount_minor + 100', of);
  },
  'a line of an invoice is 0.50 too low': () => {
    return changed('invoice_line', by(AMOUNTS, -50), by(AMOUNTS, 50), `invoice_id = ${ids.invoice} AND position = 1`);
  },
  'a payment is 1.00 too high': () => amount('payment', `status = 'succeeded'`, 100),
  'the ledger has received 3.00 that nobody paid': () => amount('ledger_line', `account = 'clearing'`, 300),
  'a gift card is worth 5.00 more than was paid for it': () => amount('gift_card', 'redeemed_at IS NULL', 500),
  'a session of a course counts one seat more than were booked': () => seats(1, ids.session),
  'the credit that is kept of a customer is 2.00 too high': () =>
    changed(
      'customer_balance',
      'amount_minor = amount_minor - 200',
      'amount_minor = amount_minor + 200',
      `account = 'credit' AND customer_id = ${ids.payer}`,
    ),
  'an event counts one seat more than were booked': () => seats(1),
  'an event counts one seat less than were booked': () => seats(-1),
  'a booking is of a customer who is gone': () =>
    changed('attendance', 'customer_id = 0', `customer_id = ${ids.customer}`, `event_id = ${ids.event}`),
  'the use of a membership for a booking is missing': () =>
    changed(
      'entitlement_entry',
      'open = false',
      'open = true',
      `attendance_id = (SELECT id FROM attendance WHERE event_id = ${ids.event})`,
    ),
};

const worked = workedTable(STORY, 'Worked differences');
/** Returns how much more the report has, from a line of the check. */
const more = (line: string): number => {
  const [, expected, reported] = /: (-?[\d.]+)(?: CAD)? expected, and (-?[\d.]+)(?: CAD)? in the report\.$/.exec(line)!;
  return Number((Number(reported) - Number(expected)).toFixed(2));
};

for (const [what, plant] of Object.entries(PLANTED))
  test(`the check finds that ${what}, and nothing once that is mended`, async () => {
    assert.deepEqual(await found(), []);
    const [wrong, mend] = plant();
    assert.ok((await w.owner.query(wrong)).rowCount! > 0, 'nothing was changed');
    const differences = await found();
    await w.owner.query(mend);
    const expected = worked.filter((row) => row['what is wrong'] === what);
    assert.ok(expected.length > 0, 'the table says nothing of it');
    for (const { check, of, 'more in the report': much } of expected) {
      const line = differences.find((one) => one.startsWith(`${check}: ${MEANT[of]()}:`));
      assert.ok(line, `${check} of ${of} is not among ${differences.join('\n')}`);
      assert.equal(more(line), Number(much), line);
    }
    assert.deepEqual(await found(), []);
  });

test('every worked difference is planted and found, and every check is described', () => {
  assert.deepEqual(new Set(worked.map((row) => row['what is wrong'])), new Set(Object.keys(PLANTED)));
  assert.deepEqual(
    workedTable(STORY, 'Checks').map(({ check }) => check),
    REPORT_CHECKS.map(({ name }) => name),
  );
  for (const { description } of REPORT_CHECKS) assert.match(description, /^[A-Z].*\.$/s);
});

test('a business is checked once a night, and findings are in the feed, the log, the metrics and the doctor’s report', async () => {
  const said: any[] = [];
  const context = ownContext(world);
  const own = { ...context, log: { ...context.log, error: (about: object) => void said.push(about) } };
  /** Runs all due checks, and returns the day of the last one. */
  const checkedAt = async (at: string): Promise<string | undefined> => {
    world.setNow(Date.parse(at));
    await checkDue(own as never);
    return lastDay();
  };
  const wrongs = async () =>
    (await examine(world.databaseUrl, () => world.now, readConfig({ SECRET_KEY: undefined })))
      .map((finding) => finding.wrong)
      .filter((one) => one.includes('contradicted itself'));
  // Toronto is four hours behind in June.
  assert.equal(await checkedAt('2027-06-10T07:29:00Z'), undefined, 'its night has not come');
  assert.equal(await checkedAt('2027-06-10T07:30:00Z'), '2027-06-10');
  assert.deepEqual([said, await wrongs()], [[], []]);
  const [wrong, mend] = PLANTED['an event counts one seat more than were booked']();
  await w.owner.query(wrong);
  assert.equal(await checkedAt('2027-06-10T23:00:00Z'), '2027-06-10');
  assert.deepEqual(said, [], 'it was checked that day');
  assert.equal(await checkedAt('2027-06-11T07:30:00Z'), '2027-06-11');
  assert.deepEqual(said, [
    {
      provider: world.harbour,
      differences: [
        `seats: event ${ids.event}: 2 expected, and 1 in the report.`,
        `places_booked: event ${ids.event}: attending_count 2 instead of 1. ${INVARIANTS[0].holds}`,
      ],
    },
  ]);
  assert.match(await context.metrics.text(), /^rollcall_report_differences_total 2$/m);
  const [{ payload }] = await rows(`SELECT payload FROM feed_item WHERE kind = 'report_check.differed'`);
  assert.deepEqual(payload, { differences: 2 });
  assert.deepEqual(await wrongs(), [
    `On 2027-06-11, the data of business ${world.harbour} contradicted itself or its reports in 2 places.`,
  ]);
  await w.owner.query(mend);
  assert.equal(await checkedAt('2027-06-12T07:30:00Z'), '2027-06-12');
  assert.deepEqual(await wrongs(), []);
});

test('a check whose worker was killed is run by another', async () => {
  const own = ownContext(world) as never;
  await w.owner.query(
    `UPDATE report_check SET taken_until = '2027-07-01T09:00:00Z' WHERE provider_id = ${world.harbour}`,
  );
  for (const [at, day] of [
    ['2027-07-01T08:59:59Z', '2027-06-12'],
    ['2027-07-01T09:00:00Z', '2027-07-01'],
  ]) {
    world.stopNow(Date.parse(at));
    await checkDue(own);
    assert.equal(await lastDay(), day);
  }
});
