/**
 * The prices of thousands of memberships changed by one call: measures the time until the last has its result, and
 * checks how often each changed, even if the worker is killed in between.
 */
import { install, type Cluster, type Installation } from '../kit/installation.ts';
import { sell } from './memberships.ts';
import { serve, type Served } from '../../server/test/processes/durable.ts';
import { raw, sql } from '../../server/kernel/base/db/sql.ts';
import { until } from '../../server/test/storm.ts';
import type { Report } from '../kit/report.ts';

export interface PriceEditPlan {
  readonly memberships: number;
  readonly kills: number;
}

const PATIENCE_MS = 120_000;
const LOOK_MS = 50;
const MAX_SECONDS = 30;
const PRICE = 4000;

export async function priceEditRows(
  report: Report,
  cluster: Cluster,
  { memberships, kills }: PriceEditPlan,
): Promise<void> {
  const installation = await install(cluster, 'prices', { customers: memberships, events: 10, attendances: 0 });
  try {
    const { membership } = await sell(installation);
    await measure(report, installation, membership, memberships);
    await killing(report, installation, membership, memberships, kills);
  } finally {
    await installation.remove();
  }
}

async function measure(report: Report, installation: Installation, sold: number, memberships: number): Promise<void> {
  const server = await serve(installation.url, { ROLE: 'all' });
  try {
    const began = performance.now();
    const action = await edit(installation, server, sold);
    const answered = performance.now();
    await done(installation, action);
    const seconds = (performance.now() - began) / 1000;
    report.add({
      name: `prices of ${memberships.toLocaleString('en')} memberships, from the call to the last result`,
      figure: seconds,
      reach: (MAX_SECONDS * memberships) / 10_000,
      better: 'lower',
      unit: 's',
    });
    report.add({ name: '  until the answer', figure: (answered - began) / 1000, unit: 's' });
    report.add({
      name: '  memberships not changed exactly once',
      figure: await wrong(installation, action, 1),
      reach: 0,
      better: 'lower',
    });
  } finally {
    await server.end('SIGTERM');
  }
}

/** Kills the worker at regular intervals of results. */
async function killing(
  report: Report,
  installation: Installation,
  sold: number,
  memberships: number,
  kills: number,
): Promise<void> {
  const server = await serve(installation.url, { ROLE: 'server' });
  let worker = await serve(installation.url, { ROLE: 'worker' });
  try {
    const action = await edit(installation, server, sold);
    for (let kill = 1; kill <= kills; kill++) {
      await until(
        `result ${kill} of the killing`,
        async () => (await results(installation, action)) >= (memberships * kill) / (kills + 1),
        PATIENCE_MS,
      );
      await worker.end('SIGKILL');
      worker = await serve(installation.url, { ROLE: 'worker' });
    }
    await done(installation, action);
    report.add({
      name: `  the same with the worker killed ${kills} times: not exactly once`,
      figure: await wrong(installation, action, 2),
      reach: 0,
      better: 'lower',
    });
  } finally {
    await worker.end('SIGTERM');
    await server.end('SIGTERM');
  }
}

/** Raises the price of all customer memberships by one unit through the interface; returns the id of the action. */
async function edit({ token }: Installation, { url }: Served, membership: number): Promise<number> {
  const answer = await fetch(`${url}/api/v2/customer_memberships/bulk_edit_prices`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ membership, change: { amount: '0.01' } }),
  });
  if (!answer.ok) throw new Error(`bulk_edit_prices answers ${answer.status}: ${await answer.text()}`);
  return ((await answer.json()) as { price_edit: number }).price_edit;
}

async function results({ db, provider }: Installation, action: number): Promise<number> {
  await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  const found = await db.transaction(provider, (tx) =>
    tx.one<{ n: number }>(
      sql`SELECT j.complete_items AS n FROM job j
        JOIN bulk_action b ON b.provider_id = j.provider_id AND b.job_id = j.id
        WHERE b.provider_id = ${provider} AND b.id = ${action}`,
    ),
  );
  return found!.n;
}

async function done(installation: Installation, action: number): Promise<void> {
  const { n } = installation.customers;
  await until(
    `the last of ${n} prices is changed`,
    async () => (await results(installation, action)) === n,
    PATIENCE_MS,
  );
}

const times = (table: string, of: string) =>
  raw(`(SELECT object_id AS id, count(*) AS n FROM ${table} WHERE ${of} GROUP BY 1)`);

/**
 * Returns memberships without a result, with a price that doesn't match the number of edits, or with too many or too
 * few notices or audit entries.
 */
async function wrong({ db, provider }: Installation, action: number, edits: number): Promise<number> {
  const found = await db.transaction(provider, (tx) =>
    tx.one<{ n: number }>(sql`SELECT count(*)::int AS n FROM customer_membership cm
      LEFT JOIN bulk_action_result r ON r.provider_id = cm.provider_id AND r.bulk_action_id = ${action}
        AND r.primary_object = cm.id
      LEFT JOIN ${times('feed_item', "kind = 'customer_membership.price_changed'")} told ON told.id = cm.id
      LEFT JOIN ${times('audit_entry', "object = 'customermembership'")} audited ON audited.id = cm.id
      WHERE cm.provider_id = ${provider} AND cm.status = 'active'
        AND (cm.billed_price_minor, r.status, told.n, audited.n) IS DISTINCT FROM (${PRICE + edits}::bigint, 'success',
          ${edits}::bigint, ${edits}::bigint)`),
  );
  return found!.n;
}
