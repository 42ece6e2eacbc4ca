/** The number of database statements of a renewal, so that nobody increases it without noticing. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { BillingWorld } from './test/world.ts';
import { billDueOf } from './engine.ts';
import { billPeriod, readDue } from './bill.ts';
import { Database } from '../../../kernel/base/db/database.ts';
import { syncStartedPayment } from '../../money/payments/index.ts';
import { deliverMessages } from '../../money/payments/sandbox/messages.ts';
import { ownContext } from '../../../test/own-context.ts';
import { backgroundWork } from '../../../kernel/work/unit/background-work.ts';
import { renewDue } from '../../memberships/customer-memberships/renewals/renew.ts';
import { sql } from '../../../kernel/base/db/sql.ts';
import { startWorld } from '../../../test/world.ts';

const NOTHING = { roundTrips: 0, statements: 0, commits: 0 };
type Asked = typeof NOTHING;
const WHAT = ['roundTrips', 'statements', 'commits'] as const;

let asked: Asked;
let b: BillingWorld;
let counted: Database;
before(async () => {
  b = await BillingWorld.of(await startWorld());
  counted = new Database({
    url: b.world.databaseUrl,
    observe: (commands) => {
      asked.roundTrips++;
      asked.statements += commands.length;
      asked.commits += commands.filter(({ statement }) => statement.text === 'COMMIT').length;
    },
  });
});
after(async () => {
  await counted.close();
  await b.close();
});

/** Creates members with a saved card who pay by the month from today. */
async function join(members: number): Promise<void> {
  for (let n = 0; n < members; n++) {
    const { customer } = await b.member();
    await b.c.owner.query(
      `INSERT INTO payment_method (provider_id, customer_id, payment_processor_id, type, token, last_four)
       VALUES ($1, $2::bigint, $3, 'credit_card', 'sandbox_card_' || $2::bigint, '4242')`,
      [b.world.harbour, customer, b.c.sandbox],
    );
  }
}

async function during(act: () => Promise<unknown>): Promise<Asked> {
  asked = { ...NOTHING };
  await act();
  return asked;
}

/**
 * Counts the statements while everything due on a day is billed and charged, and then while the sandbox reports the
 * results.
 */
async function renew(day: string): Promise<{ billed: Asked; told: Asked }> {
  b.world.setNow(Date.parse(`${day}T14:00Z`));
  const own = { ...ownContext(b.world), db: counted };
  const tenant = (await own.tenants.of(b.world.harbour))!;
  asked = { ...NOTHING };
  await backgroundWork(own, b.world.harbour, 'test', renewDue);
  const billed = await during(() => billDueOf(own, tenant));
  const told = await during(() => deliverMessages({ ...own, tenant, now: b.world.now }, b.c.sandbox));
  return { billed, told };
}

const MORE = 8;

test('each renewal in a batch adds at most 3 round trips, 8 statements and 1 commit, and the message that it was paid adds nothing', async () => {
  b.world.setNow(Date.parse('2030-03-10T14:00Z'));
  await join(1);
  await renew('2030-04-10');
  const one = await renew('2030-05-10');
  await join(MORE);
  const all = await renew('2030-06-10');
  const { results: paid } = await b.read('/invoices?status=paid&page_size=50');
  assert.equal(paid.length, 3 + MORE);
  const each = (of: 'billed' | 'told') => WHAT.map((what) => (all[of][what] - one[of][what]) / MORE);
  const [roundTrips, statements, commits] = each('billed');
  assert.ok(roundTrips <= 3 && statements <= 8 && commits <= 1, JSON.stringify(each('billed')));
  assert.deepEqual(each('told'), [0, 0, 0]);
});

test('a renewal that is billed alone takes at most 9 round trips, 38 statements and 3 commits', async () => {
  b.world.setNow(Date.parse('2030-07-10T14:00Z'));
  const own = { ...ownContext(b.world), db: counted };
  const tenant = (await own.tenants.of(b.world.harbour))!;
  asked = { ...NOTHING };
  await backgroundWork(own, b.world.harbour, 'test', renewDue);
  const { due, plans } = await counted.looking(b.world.harbour, (tx) =>
    readDue({ tx, providerId: b.world.harbour }, sql`p.state = 'due'`, 2 * MORE),
  );
  assert.equal(due.length, 1 + MORE);
  const billed = await during(async () => {
    for (const period of due) {
      const payment = await backgroundWork(own, b.world.harbour, 'test', (work) => billPeriod(work, period, plans));
      assert.equal(await syncStartedPayment({ ...own, tenant, now: b.world.now }, payment!), 'succeeded');
    }
  });
  const [roundTrips, statements, commits] = WHAT.map((what) => billed[what] / due.length);
  assert.ok(roundTrips <= 9 && statements <= 38 && commits <= 3, JSON.stringify(billed));
});
