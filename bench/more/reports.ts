/**
 * Reports of a business with a million bookings and three years of invoices: the first page of each, three years by
 * month, and all bookings as files, while customers continue to book.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import copy from 'pg-copy-streams';
import { bookFor, TURN } from '../bookings.ts';
import { recordExchanges, install, vacuum, type Cluster, type Installation } from '../kit/installation.ts';
import { median, type Report } from '../kit/report.ts';
import { memoryFor, memoryOf, sell } from './ledger.ts';
import { pair, Stretches } from '../kit/pairs.ts';
import { reportScreenRows } from './report-screens.ts';
import { rebuildStored } from '../../server/areas/reporting/reports/index.ts';
import { REPORTS } from '../../server/areas/reporting/reports/catalogue/index.ts';
import { serve, type Served } from '../../server/test/processes/durable.ts';
import { sessionUrl } from '../kit/contest.ts';
import type { Command } from '../../server/kernel/base/db/sharing/batch.ts';

export interface ReportPlan {
  readonly customers: number;
  /** a multiple of a thousand; the number of customers is a multiple of it */
  readonly events: number;
  readonly attendances: number;
  readonly invoices: number;
  /** duration of each turn of bookings, in seconds */
  readonly seconds: number;
}

const MAX_MS = 300;
const MAX_MS_OF_FIGURES = 100;
const MAX_MEMORY_MB = 150;
const OF_COPY = 0.3;
const OF_BOOKINGS = 0.8;
/** The business that `install` creates. */
const ZONE = 'America/Toronto';
const TRIES = 3;
/** Turns of bookings with and without an export: a single one is unreliable on a shared machine. */
const PAIRS = 5;
/** Number of events that can be booked. */
const AHEAD = 1000;
const LOOK_MS = 50;
const FORMATS = ['csv', 'xlsx'] as const;

export async function reportRows(report: Report, cluster: Cluster, plan: ReportPlan): Promise<void> {
  const installation = await install(cluster, 'reports', plan);
  const files = mkdtempSync(join(tmpdir(), 'rollcall-bench-files-'));
  const running: Served[] = [];
  try {
    await past(installation);
    await sell(installation, plan.invoices);
    await stored(report, installation);
    await vacuum(installation.url);
    const env = { DATA_DIR: files, RATE_LIMIT: 'off' };
    const server = await serve(installation.url, { ROLE: 'server', ...env });
    running.push(server);
    await pages(report, installation, server);
    await figures(report, installation, server, plan);
    await reportScreenRows(report, installation, server);
    const withWorker = async (act: (worker: Served) => Promise<void>) => {
      const worker = await serve(installation.url, { ROLE: 'worker', ...env });
      running.push(worker);
      await act(worker);
      await worker.end('SIGTERM');
      running.pop();
    };
    for (const format of FORMATS)
      await withWorker((worker) => exported(report, installation, server, worker, format, plan));
    await withWorker(() => bookings(report, installation, server, plan));
  } finally {
    for (const one of running) await one.end('SIGTERM');
    await installation.remove();
    rmSync(files, { recursive: true, force: true });
  }
}

/**
 * Moves events into the last three years, and turns most of their bookings into visits; the first thousand events stay
 * in the future, to be booked.
 */
export async function past({ url, provider, events }: Installation): Promise<void> {
  const owner = new pg.Client({ connectionString: url });
  await owner.connect();
  try {
    // Triggers would run for each row, although the values that they maintain don't change.
    await owner.query('SET session_replication_role = replica');
    await owner.query(`UPDATE event e SET starts_at = s.at, ends_at = s.at + interval '1 hour',
        local_starts_at = s.at AT TIME ZONE e.timezone,
        local_ends_at = (s.at + interval '1 hour') AT TIME ZONE e.timezone
      FROM (SELECT id,
        now() - interval '1 day' - (id - ${events.first}) * interval '3 years' / ${events.n} AS at FROM event) s
      WHERE e.provider_id = ${provider} AND e.id = s.id AND e.id >= ${events.first + AHEAD}`);
    await owner.query(`UPDATE attendance a SET status = CASE WHEN a.id % 20 = 0 THEN 'no_show' ELSE 'attended' END,
      attended_at = e.starts_at
      FROM event e WHERE a.provider_id = ${provider} AND e.provider_id = a.provider_id AND e.id = a.event_id
        AND e.starts_at < now()`);
  } finally {
    await owner.end();
  }
}

const headersOf = ({ token }: Installation) => ({
  authorization: `Bearer ${token}`,
  'content-type': 'application/json',
});

/** Returns the median time until the response in milliseconds; the first attempt is not counted. */
async function answered(installation: Installation, { url }: Served, path: string): Promise<number> {
  const took: number[] = [];
  for (let attempt = 0; attempt <= TRIES; attempt++) {
    const began = performance.now();
    const answer = await fetch(`${url}/api/v2${path}`, { headers: headersOf(installation) });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${path} answers ${answer.status}: ${text}`);
    took.push(performance.now() - began);
  }
  return median(took.slice(1));
}

const commandsOf = async (installation: Installation, path: string): Promise<Command[]> => {
  const exchanges = await recordExchanges(installation, async (base, headers) => {
    await (await fetch(`${base}/api/v2${path}`, { headers })).text();
  });
  return exchanges.flatMap(({ commands }) => [...commands]);
};

async function asTheService<T>({ url }: Installation, act: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: sessionUrl(url) });
  await client.connect();
  return act(client).finally(() => client.end());
}

/** Calculates the stored rows: the sales above were written without triggers. */
async function stored(report: Report, { db, provider }: Installation): Promise<void> {
  const began = performance.now();
  await db.transaction(provider, (tx) => rebuildStored(tx, { provider, zone: ZONE }));
  report.add({
    name: 'stored rows of reports calculated again',
    figure: (performance.now() - began) / 1000,
    unit: 's',
  });
}

async function pages(report: Report, installation: Installation, server: Served): Promise<void> {
  for (const { name } of REPORTS)
    report.add({
      name: `first page of ${name}`,
      figure: await answered(installation, server, `/reports/${name}/data`),
      reach: MAX_MS,
      better: 'lower',
      unit: 'ms',
    });
}

const FIGURES: readonly (readonly [path: string, most: number, name: (plan: ReportPlan) => string])[] = [
  [
    '/reports/attendances.grouped/data?columns=count&pivot=month&max_pivot_columns=12',
    MAX_MS,
    ({ attendances }) => `${attendances.toLocaleString('en')} bookings by month`,
  ],
  [
    '/reports/invoices.grouped/data?columns=due_date_year,due_date_month,count,total_amount',
    MAX_MS,
    ({ invoices }) => `${invoices.toLocaleString('en')} invoices of three years by month`,
  ],
  ['/reports/revenue.grouped/data?columns=month,what,sold,recognised,cash', MAX_MS, () => 'revenue by month'],
  ['/reports/revenue.grouped/data?columns=month,sold&what=sold', MAX_MS_OF_FIGURES, () => 'figures: what was sold'],
  [
    '/reports/retention.grouped/data?columns=calendar_month,retained,members_before,churned',
    MAX_MS_OF_FIGURES,
    () => 'figures: members',
  ],
  [
    '/reports/fill_rates.grouped/data?columns=month,fill_rate',
    MAX_MS_OF_FIGURES,
    () => 'figures: how full classes are',
  ],
];

async function figures(report: Report, installation: Installation, server: Served, plan: ReportPlan): Promise<void> {
  for (const [path, most, name] of FIGURES)
    report.add({
      name: name(plan),
      figure: await answered(installation, server, path),
      reach: most,
      better: 'lower',
      unit: 'ms',
    });
}

interface Asked {
  /** Resolves to the number of rows of the file when it is complete. */
  finished(): Promise<number>;
  /** Resolves when this many rows are written. */
  reached(rows: number): Promise<void>;
  /** Resolves when the export has been cancelled. */
  cancel(): Promise<void>;
}

/** Requests all bookings as a file. */
async function requested(installation: Installation, { url }: Served, format: string): Promise<Asked> {
  const ask = async (method: string, path: string, body?: object): Promise<any> => {
    const answer = await fetch(`${url}/api/v2${path}`, {
      method,
      headers: headersOf(installation),
      ...(body && { body: JSON.stringify(body) }),
    });
    if (!answer.ok) throw new Error(`${method} ${path} answers ${answer.status}: ${await answer.text()}`);
    return answer.json();
  };
  const { job } = await ask('POST', '/reports/attendances/export', { format });
  const become = async (wanted: string, least = 0): Promise<any> => {
    for (;;) {
      const found = await ask('GET', `/jobs/${job}`);
      if (found.status === wanted && found.complete_items >= least) return found;
      if (!['pending', 'running'].includes(found.status)) throw new Error(`the export is ${found.status}`);
      await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
    }
  };
  return {
    finished: async () => (await become('complete')).complete_items,
    reached: async (rows) => void (await become('running', rows)),
    async cancel() {
      await ask('POST', `/jobs/${job}/cancel`, {});
      await become('cancelled');
    },
  };
}

/** Warms up the export: first-time work of a process must not be measured. */
async function warm(
  installation: Installation,
  server: Served,
  format: string,
  { attendances }: ReportPlan,
): Promise<void> {
  const exporting = await requested(installation, server, format);
  await exporting.reached(attendances / 10);
  await exporting.cancel();
}

async function exported(
  report: Report,
  installation: Installation,
  server: Served,
  worker: Served,
  format: string,
  plan: ReportPlan,
): Promise<void> {
  const idle = memoryOf(worker.process.pid!);
  await warm(installation, server, format, plan);
  let rows = 0;
  let ours = 0;
  const most = await memoryFor(worker.process.pid!, async () => {
    const began = performance.now();
    rows = await (await requested(installation, server, format)).finished();
    ours = rows / ((performance.now() - began) / 1000);
  });
  const theirs = await copied(installation);
  report.add({
    name: `all bookings as ${format}, against COPY of the same query`,
    figure: ours,
    against: theirs.perSecond,
    reach: OF_COPY,
    unit: 'rows/s',
  });
  report.add({
    name: '  more memory of the worker than when idle',
    figure: most - idle,
    reach: MAX_MEMORY_MB,
    better: 'lower',
    unit: 'MB',
  });
  report.add({ name: '  rows missing', figure: theirs.rows - rows, reach: 0, better: 'lower' });
}

/** Runs the query of the export, without batches, directly on the database. */
async function copied(installation: Installation): Promise<{ rows: number; perSecond: number }> {
  const commands = await commandsOf(installation, '/reports/attendances/data?id_gt=0&limit=99');
  const page = commands.find(({ statement: { text } }) => /\bLIMIT \$/.test(text))!;
  const all = page.statement.text.replace(/LIMIT \$\d+\s+OFFSET \$\d+/, '');
  const query = all.replace(/\$(\d+)/g, (_, n: string) => literal(page.values[Number(n) - 1]));
  return asTheService(installation, async (client) => {
    await client.query('BEGIN');
    await client.query(`SELECT set_config('rollcall.provider_id', '${installation.provider}', true)`);
    const began = performance.now();
    let rows = 0;
    for await (const part of client.query(copy.to(`COPY (${query}) TO STDOUT`)))
      for (const byte of part as Buffer) if (byte === 10) rows++;
    return { rows, perSecond: rows / ((performance.now() - began) / 1000) };
  });
}

const literal = (value: unknown): string => (value === null ? 'NULL' : pg.escapeLiteral(String(value)));

/** Compares the rate of bookings while the file is written with the rate without an export, in turns. */
async function bookings(report: Report, installation: Installation, server: Served, plan: ReportPlan): Promise<void> {
  const { seconds } = plan;
  await warm(installation, server, 'csv', plan);
  const ahead = { ...installation, events: { first: installation.events.first, n: AHEAD } };
  // Starts half of the pairs after the first bookings, which continue with other events in the same order.
  const stretches = new Stretches(ahead, (ahead.customers.n * AHEAD) / 2);
  const booked = () => {
    const base = stretches.take(TURN);
    const door = { url: server.url, stop: async () => {} };
    return bookFor(ahead, door, { seconds, requests: TURN }, (i) => pair(ahead, base + i));
  };
  await booked();
  const ratios: number[] = [];
  for (let turn = 0; turn < PAIRS; turn++) {
    const calm = await booked();
    const exporting = await requested(installation, server, 'csv');
    const beside = await booked();
    ratios.push(beside.perSecond / calm.perSecond);
    await exporting.cancel();
  }
  report.add({
    name: 'bookings while all bookings are exported, of those when calm',
    figure: median(ratios),
    reach: OF_BOOKINGS,
  });
}
