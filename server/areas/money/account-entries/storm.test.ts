import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type pg from 'pg';
import { accountReasons, addEntries, addEntry, creditAccounts, giveCredit, openEntries, voidEntries } from './index.ts';
import { allProviders } from '../../../commands/provider.ts';
import { applyCredit } from '../invoices/index.ts';
import { beside, chance, times, until } from '../../../test/storm.ts';
import { bill } from '../invoices/test/invoicing.ts';
import { creditOf, lockAccounts } from '../ledger/index.ts';
import { differencesOf } from '../../../commands/ledger.ts';
import { newCustomers } from '../../../test/schedule-world.ts';
import { startWorld, type World } from '../../../test/world.ts';
import type { NewEntry } from './entry.ts';
import type { Work } from '../../../kernel/work/unit/work.ts';

const WORKERS = 8;
const EACH = 30;

let world: World;
let owner: pg.Client;
before(async () => {
  world = await startWorld({ own: true });
  owner = await beside(world.databaseUrl);
});
after(async () => {
  await owner.end();
  await world.close();
});

/** Reads the number of sessions and of deadlocks. */
const read = async () =>
  (await owner.query('SELECT numbackends, deadlocks::int FROM pg_stat_database WHERE datname = current_database()'))
    .rows[0];

test('concurrent charges, credits, voids, invoices and payments agree with the ledger, without deadlocks', async () => {
  const customers = await newCustomers(world, 5);
  const reason = accountReasons.items.find(({ name }) => name === 'flat_fee')!;
  const entry = (customer: number, kind: NewEntry['kind'], amount: number): NewEntry => ({
    customer,
    kind,
    amount,
    reason,
    subject: null,
    customerMembership: null,
    explanation: 'What was agreed.',
    dueOn: '2026-01-01',
    period: null,
  });
  const entries: number[] = [];
  const done: Record<string, number> = {};
  await times(WORKERS, async (worker) => {
    const { below, of } = chance(worker + 1);
    const some = () => (below(2) === 0 ? customers : customers.toReversed()).slice(below(3));
    const acts: Record<string, (work: Work) => Promise<unknown>> = {
      charge: async (work) => entries.push(await addEntry(work, entry(of(customers), 'charge', 1 + below(900)))),
      credit: async (work) => entries.push(await addEntry(work, entry(of(customers), 'credit', 1 + below(400)))),
      'charge many': async (work) =>
        entries.push(
          ...(await addEntries(
            work,
            some().map((customer) => entry(customer, 'charge', 1 + below(90))),
          )),
        ),
      'charge one after the other': async (work) => {
        const chosen = some();
        await lockAccounts(work, chosen);
        for (const customer of chosen) await addEntry(work, entry(customer, 'charge', 1 + below(90)));
      },
      void: async (work) => entries.length > 0 && voidEntries(work, [of(entries), of(entries)], 'A mistake.'),
      give: (work) => giveCredit(work, { customer: of(customers), amount: 1 + below(500), explanation: 'A gift.' }),
      'credit accounts': (work) => creditAccounts(work),
      bill: async (work) => {
        const customer = of(customers);
        await lockAccounts(work, [customer]);
        const open = (await openEntries(work, customer)).filter(({ kind }) => kind === 'charge').slice(0, 3);
        if (open.length === 0) return;
        const lines = open.map(({ id, amount, revenue }) => ({
          list: amount,
          accountEntry: id,
          type: revenue,
          customer,
        }));
        const { id: invoice, total } = await bill(work, customer, lines);
        const amount = Math.min(total, await creditOf(work, customer));
        if (amount > 0) await applyCredit(work, { invoice, amount, from: 'credit' });
      },
    };
    for (let i = 0; i < EACH; i++) {
      const name = of(Object.keys(acts));
      await world.work(world.harbour, acts[name]);
      done[name] = (done[name] ?? 0) + 1;
    }
  });
  assert.equal(Object.keys(done).length, 8, 'each was done');
  assert.deepEqual(await differencesOf(world.app.db, await allProviders(world.app.db)), []);
  // The counters of sessions are only complete when the sessions have ended.
  await world.app.db.close();
  await until('the sessions have ended', async () => (await read()).numbackends === 1);
  assert.equal((await read()).deadlocks, 0);
});
