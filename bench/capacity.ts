/**
 * Measures the cost of each user action: processor time of the service and of PostgreSQL, log and disk.
 * docs/capacity.md derives from these what an installation of a given size can serve.
 */
import { CountingServer } from '../server/test/outside/counting-server.ts';
import { allPaid, comeDue, saveCards } from './renewals.ts';
import { install, vacuum, type Cluster, type Installation } from './installation.ts';
import { LIST } from './reads.ts';
import { load, type WireRequest } from './load.ts';
import { Meter, type Spent } from './meter.ts';
import { pair, Stretches } from './pairs.ts';
import { sell } from './memberships.ts';
import { serve, type Served } from '../server/test/processes/durable.ts';
import { sql } from '../server/kernel/base/db/sql.ts';
import { sweepRenewals } from '../server/areas/memberships/customer-memberships/renewals/renew.ts';
import { until } from '../server/test/storm.ts';
import type { Report } from './report.ts';

export interface CapacityPlan {
  /** number of each kind */
  readonly requests: number;
  readonly renewals: number;
  readonly reminders: number;
}

const CONNECTIONS = 8;
const PATIENCE_MS = 300_000;
const CUSTOMERS = 20_000;
const EVENTS = 1000;

/** A user action that is repeated many times, one request each. Names are those of capacity-model.ts if it has them. */
interface Operation {
  readonly name: string;
  request(i: number): WireRequest;
}

export async function capacityRows(report: Report, cluster: Cluster, plan: CapacityPlan): Promise<void> {
  await requestRows(report, cluster, plan);
  await renewalRow(report, cluster, plan.renewals);
  await reminderRow(report, cluster, plan.reminders);
}

async function requestRows(report: Report, cluster: Cluster, { requests }: CapacityPlan): Promise<void> {
  const installation = await install(cluster, 'capacity', {
    customers: CUSTOMERS,
    events: EVENTS,
    attendances: 5 * CUSTOMERS,
  });
  try {
    await sell(installation);
    const server = await serve(installation.url, { ROLE: 'server' });
    const meter = await Meter.on(installation.url, [server.process.pid!]);
    try {
      for (const operation of await operations(installation, server, requests)) {
        const act = (n: number, from: number) => send(server, operation, n, from);
        // Warm-up: compiles the code and prepares the statements.
        const warm = Math.ceil(requests / 5);
        await act(warm, 0);
        add(report, operation.name, requests, await meter.measure(() => act(requests, warm)));
      }
    } finally {
      await meter.close();
      await server.end('SIGTERM');
    }
  } finally {
    await installation.remove();
  }
}

/**
 * Returns the operations in an order in which each finds what it needs: bookings are confirmed or cancelled after they
 * are made.
 */
async function operations(
  { db, provider, token, customers, events }: Installation,
  { url }: Served,
  requests: number,
): Promise<Operation[]> {
  const slug = (await db.transaction(provider, (tx) =>
    tx.one<{ slug: string }>(sql`SELECT slug FROM provider WHERE provider_id = ${provider}`),
  ))!.slug;
  const { host } = new URL(url);
  const headers = { host, authorization: `Bearer ${token}` };
  const visitor = { host, 'accept-encoding': 'br', 'accept-language': 'en' };
  const place = { customers, events };
  const all = Math.ceil(requests / 5) + requests;
  const stretches = new Stretches(place, 5 * CUSTOMERS);
  const first = stretches.take(all);
  const second = stretches.take(all);
  const onEvent = (action: string, at: number) => (i: number) => {
    const { event, customer } = pair(place, at + i);
    return { method: 'POST', path: `/api/v2/events/${event}/${action}`, headers, body: { customer } };
  };
  return [
    {
      name: 'look at a timetable that is kept in memory',
      request: () => ({ method: 'GET', path: `/${slug}/timetable`, headers: visitor }),
    },
    {
      name: 'look at the timetable',
      request: () => ({ method: 'GET', path: `/${slug}/timetable?lang=en`, headers: visitor }),
    },
    { name: 'list of 50 bookings', request: () => ({ method: 'GET', path: LIST, headers }) },
    {
      name: 'customer',
      request: (i) => ({
        method: 'GET',
        path: `/api/v2/customers/${customers.first + ((i * 7919) % customers.n)}`,
        headers,
      }),
    },
    { name: 'booking with a membership', request: onEvent('register', first) },
    { name: 'check-in', request: onEvent('confirm_attendance', first) },
    { name: 'booking with a membership, once more', request: onEvent('register', second) },
    { name: 'cancellation', request: onEvent('unregister', second) },
  ];
}

async function send({ url }: Served, { name, request }: Operation, requests: number, from: number): Promise<void> {
  const { statuses, errors } = await load({
    url,
    connections: CONNECTIONS,
    requests,
    next: (i) => request(from + i),
  });
  if (errors > 0 || statuses[200] !== requests)
    throw new Error(`${name}: ${JSON.stringify(statuses)}, ${errors} without answer`);
}

/** Measures renewals: invoiced and charged to a saved card of the sandbox. */
async function renewalRow(report: Report, cluster: Cluster, renewals: number): Promise<void> {
  const installation = await install(cluster, 'renewing', { customers: renewals, events: 10, attendances: 0 });
  try {
    await sell(installation);
    await saveCards(installation);
    const spent = await byWorker(installation, {}, async () => {
      await comeDue(installation, 0);
      // A worker checks for due work when it starts, and again ten minutes later.
      await installation.db.acrossTenants('the benchmark does not wait for that', (tx) =>
        sweepRenewals(tx, Date.now()),
      );
      await allPaid(installation, 1);
    });
    add(report, 'renewal', renewals, spent);
  } finally {
    await installation.remove();
  }
}

/** Measures reminders: created, enqueued and handed to a mail server. */
async function reminderRow(report: Report, cluster: Cluster, reminders: number): Promise<void> {
  const installation = await install(cluster, 'reminding', {
    customers: reminders,
    events: 10,
    attendances: reminders,
  });
  const mail = new CountingServer();
  try {
    const { db, provider } = installation;
    const env = { SMTP_URL: await mail.listen(), MAIL_FROM: 'Bench <bench@example.com>', SMTP_CONNECTIONS: '10' };
    const spent = await byWorker(installation, env, async () => {
      await db.transaction(provider, (tx) =>
        tx.run(sql`INSERT INTO event_reminder (provider_id, event_id, customer_id, due_at)
          SELECT provider_id, event_id, customer_id, now() FROM attendance WHERE provider_id = ${provider}`),
      );
      await until('the last reminder is sent', async () => mail.total >= reminders, PATIENCE_MS);
    });
    add(report, 'reminder by mail', reminders, spent);
  } finally {
    await mail.close();
    await installation.remove();
  }
}

/** Returns the cost of this work for a worker that was idle before. */
async function byWorker(
  installation: Installation,
  env: Record<string, string>,
  act: () => Promise<unknown>,
): Promise<Spent> {
  await vacuum(installation.url);
  const worker = await serve(installation.url, { ...env, ROLE: 'worker' });
  const meter = await Meter.on(installation.url, [worker.process.pid!]);
  try {
    return await meter.measure(act);
  } finally {
    await meter.close();
    await worker.end('SIGTERM');
  }
}

function add(report: Report, what: string, n: number, { service, postgres, log, disk }: Spent): void {
  const each = (amount: number, unit: string) => `${(amount / n).toFixed(2)} ${unit}`;
  report.add({
    name: `processor time: ${what}`,
    figure: (service + postgres) / n,
    better: 'lower',
    unit: 'ms',
    note: `service ${each(service, 'ms')}, PostgreSQL ${each(postgres, 'ms')}, log ${each(log / 1024, 'KB')}, disk ${each(disk / 1024, 'KB')}`,
  });
}
