/**
 * A day on which thousands of memberships renew, each invoiced and charged to a saved card of the sandbox: measures the
 * time until the last is paid, and checks that each was billed and charged exactly once, even if the worker is killed
 * in between.
 */
import { install, vacuum, type Cluster, type Installation } from '../kit/installation.ts';
import { periodAt, periodStart } from '../../server/kernel/base/values/cycle.ts';
import { sell } from './memberships.ts';
import { serve } from '../../server/test/processes/durable.ts';
import { sql } from '../../server/kernel/base/db/sql.ts';
import { until } from '../../server/test/storm.ts';
import type { Report } from '../kit/report.ts';

export interface RenewalPlan {
  readonly memberships: number;
  readonly kills: number;
}

const PATIENCE_MS = 600_000;
const LOOK_MS = 100;
const MAX_SECONDS = 60;

export async function renewalRows(
  report: Report,
  cluster: Cluster,
  { memberships, kills }: RenewalPlan,
): Promise<void> {
  const installation = await install(cluster, 'renewals', { customers: memberships, events: 10, attendances: 0 });
  try {
    await sell(installation);
    await saveCards(installation);
    report.add({
      name: `${memberships.toLocaleString('en')} renewals, each invoiced and paid with the sandbox`,
      figure: await renewAll(installation, 0, 0),
      reach: (MAX_SECONDS * memberships) / 10_000,
      better: 'lower',
      unit: 's',
    });
    report.add({
      name: '  not billed and charged exactly once',
      figure: await wrong(installation, 1),
      reach: 0,
      better: 'lower',
    });
    await renewAll(installation, 1, kills);
    report.add({
      name: `  the same with the worker killed ${kills} times: not exactly once`,
      figure: await wrong(installation, 2),
      reach: 0,
      better: 'lower',
    });
  } finally {
    await installation.remove();
  }
}

/** Saves a card for everybody, at a processor that simulates payments. */
export async function saveCards({ db, url, provider, token }: Installation): Promise<void> {
  const server = await serve(url, { ROLE: 'server' });
  try {
    const answer = await fetch(`${server.url}/api/v2/payment_processors`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ kind: 'sandbox', name: 'Card' }),
    });
    const { id } = (await answer.json()) as { id: number };
    await db.transaction(provider, (tx) =>
      tx.run(sql`
        INSERT INTO payment_method (provider_id, customer_id, payment_processor_id, type, token, brand, last_four,
          expiration_month, expiration_year)
        SELECT provider_id, id, ${id}, 'credit_card', 'sandbox_card_' || id, 'Card', '4242', 12, 2099 FROM customer
        WHERE provider_id = ${provider}`),
    );
  } finally {
    await server.end('SIGTERM');
  }
  await vacuum(url);
}

/** The cycle of the memberships that `sell` sold. */
const CYCLE = { unit: 'months', length: 1, anchor: '2024-01-31' } as const;

/**
 * Makes all memberships due and runs a worker, which is killed at regular intervals. Returns the seconds until the last
 * is paid.
 */
async function renewAll(installation: Installation, before: number, kills: number): Promise<number> {
  const { url, customers } = installation;
  await comeDue(installation, before);
  const began = performance.now();
  let worker = await serve(url, { ROLE: 'worker' });
  try {
    for (let kill = 1; kill <= kills; kill++) {
      const far = (customers.n * kill) / (kills + 1);
      await until(`kill ${kill}`, async () => (await paid(installation)) >= customers.n * before + far, PATIENCE_MS);
      await worker.end('SIGKILL');
      worker = await serve(url, { ROLE: 'worker' });
    }
    // Payments that a killed worker had begun are resumed a minute later.
    await allPaid(installation, before + 1);
  } finally {
    await worker.end('SIGTERM');
  }
  return (performance.now() - began) / 1000;
}

/** Starts a billing period that was never due: `before` periods have already renewed. */
export async function comeDue({ db, provider }: Installation, before: number): Promise<void> {
  const now = periodAt(CYCLE, new Date().toISOString().slice(0, 10));
  const start = periodStart(CYCLE, now - before);
  await db.transaction(provider, (tx) =>
    tx.run(
      sql`UPDATE customer_membership SET renews_on = ${start}::date
        WHERE provider_id = ${provider} AND status = 'active'`,
    ),
  );
}

/** Waits until everybody has paid this many renewals. */
export const allPaid = (installation: Installation, renewals: number): Promise<boolean> =>
  until(
    'the last is paid',
    async () => (await paid(installation)) === installation.customers.n * renewals,
    PATIENCE_MS,
  );

async function paid({ db, provider }: Installation): Promise<number> {
  await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  const found = await db.transaction(provider, (tx) =>
    tx.one<{ n: number }>(
      sql`SELECT count(*)::int AS n FROM invoice WHERE provider_id = ${provider} AND status = 'paid'`,
    ),
  );
  return found!.n;
}

/** Returns memberships with a different number of periods, invoices or charges than renewals. */
async function wrong({ db, provider }: Installation, renewals: number): Promise<number> {
  const found = await db.transaction(provider, (tx) =>
    tx.one<{ n: number }>(sql`SELECT count(*)::int AS n FROM customer_membership cm
      LEFT JOIN (SELECT customer_membership_id AS id, count(*) AS n FROM billing_period
        WHERE provider_id = ${provider} AND state = 'billed' GROUP BY 1) periods ON periods.id = cm.id
      LEFT JOIN (SELECT customer_id AS id, count(*) AS n FROM invoice
        WHERE provider_id = ${provider} AND status = 'paid' GROUP BY 1) invoices ON invoices.id = cm.customer_id
      LEFT JOIN (SELECT p.customer_id AS id, count(*) AS n FROM payment p
        JOIN sandbox_charge c ON c.provider_id = p.provider_id AND c.key = 'payment-' || p.id AND c.state = 'succeeded'
        WHERE p.provider_id = ${provider} GROUP BY 1) charges ON charges.id = cm.customer_id
      WHERE cm.provider_id = ${provider} AND cm.status = 'active'
        AND (periods.n, invoices.n, charges.n) IS DISTINCT FROM (${renewals}::bigint, ${renewals}::bigint,
          ${renewals}::bigint)`),
  );
  return found!.n;
}
