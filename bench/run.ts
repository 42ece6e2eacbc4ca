/**
 * `npm run bench`: the service compared with pgbench running the exact statements of its requests, on this machine, in
 * one run.
 */
import { availableParallelism, cpus, totalmem } from 'node:os';
import { parseArgs } from 'node:util';
import { Report } from './kit/report.ts';
import { Stretches } from './kit/pairs.ts';
import { broadcastRows } from './more/broadcast.ts';
import { credentialRows } from './credentials.ts';
import { answerRow, customerRow, listRow } from './reads.ts';
import { dashboardRows } from './more/dashboard.ts';
import { calculatorRow } from './more/fees.ts';
import { capacityRows } from './capacity.ts';
import { checkoutRows } from './more/checkout.ts';
import { counterRows } from './more/counter.ts';
import { storeRows } from './more/store.ts';
import { feedRows } from './feed.ts';
import { growthRows } from './more/growth.ts';
import { hotRow, spreadRow } from './bookings.ts';
import { importRows } from './more/imports.ts';
import {
  install,
  serve,
  startCluster,
  type Cluster,
  type Installation,
  type Server,
  type Size,
} from './kit/installation.ts';
import { lighthouseRows } from './more/lighthouse.ts';
import { ledgerRows } from './more/ledger.ts';
import { measured, type Length } from './kit/contest.ts';
import { membershipRows } from './more/memberships.ts';
import { morningRows } from './morning.ts';
import { monthRows } from './months.ts';
import { neighbourRows } from './neighbours.ts';
import { renewalRows } from './more/renewals.ts';
import { priceEditRows } from './more/price-edit.ts';
import { reportRows } from './more/reports.ts';
import { rushRows } from './rush.ts';
import { paintRows } from './more/paint.ts';
import { siteRows } from './more/site.ts';
import { slotRows } from './more/slots.ts';
import { startRows } from './startup.ts';
import { testClockRows } from './more/test-clock.ts';
import { webhookRows } from './more/webhooks.ts';

const size: Size = { customers: 50_000, events: 1000, attendances: 100_000 };
/** Few and short turns check that everything works; their figures are noise. */
const quickly = { length: { turns: 1, seconds: 1 }, size: { ...size, customers: 20_000 } };
const whole = { length: { turns: 3, seconds: 3 }, size };

/** State that the parts of a run share. */
interface Run {
  readonly report: Report;
  readonly cluster: Cluster;
  readonly length: Length;
  readonly quick: boolean;
}

/** Declares a part with a cluster of its own: its plan of a full run, and what is less in a quick one. */
const part =
  <P>(plan: P, less: Partial<P>, rows: (report: Report, cluster: Cluster, plan: P, length: Length) => Promise<void>) =>
  ({ report, cluster, length, quick }: Run): Promise<void> =>
    rows(report, cluster, quick ? { ...plan, ...less } : plan, length);

const ON_A_CLUSTER = {
  growth: part(
    { people: { customers: 20_000, events: 1000 }, sizes: [10_000, 100_000, 1_000_000] },
    { people: { customers: 5000, events: 1000 }, sizes: [10_000, 100_000] },
    growthRows,
  ),
  feed: part(
    { items: 50_000, turns: 3, bookings: 2000, businesses: 10_000 },
    { items: 10_000, turns: 1, bookings: 500 },
    feedRows,
  ),
  broadcast: part({ recipients: 10_000, kills: 5 }, { recipients: 1500, kills: 3 }, broadcastRows),
  prices: part({ memberships: 10_000, kills: 3 }, { memberships: 3000, kills: 1 }, priceEditRows),
  imports: part({ people: 10_000 }, { people: 2000 }, importRows),
  ledger: part({ entries: 1_000_000 }, { entries: 100_000 }, ledgerRows),
  months: part(
    { sizes: [100_000, 1_000_000, 10_000_000], newestOf: 100_000_000 },
    { sizes: [10_000, 100_000], newestOf: 1_000_000 },
    monthRows,
  ),
  renewals: part({ memberships: 10_000, kills: 5 }, { memberships: 500, kills: 1 }, renewalRows),
  reports: part(
    { customers: 100_000, events: 20_000, attendances: 1_000_000, invoices: 200_000, seconds: 10 },
    { customers: 20_000, events: 10_000, attendances: 100_000, invoices: 20_000, seconds: 2 },
    reportRows,
  ),
  slots: part(
    { bookings: 2000, rooms: 500, racing: 500, history: [10_000, 100_000, 1_000_000], requests: 30 },
    { history: [10_000, 100_000], requests: 10 },
    slotRows,
  ),
  dashboard: part({ customers: 100_000, events: 500, turns: 5 }, { turns: 1 }, dashboardRows),
  capacity: part(
    { requests: 2000, renewals: 2000, reminders: 5000 },
    { requests: 200, renewals: 200, reminders: 500 },
    capacityRows,
  ),
  morning: part(
    { businesses: 10_000, people: 500_000, acting: 1 / 30, speed: 30, renewals: 3000 },
    { businesses: 500, people: 20_000, acting: 1, speed: 600, renewals: 200 },
    morningRows,
  ),
  testclock: part({ events: 650, calendars: 60, days: 40 }, { events: 65, days: 4 }, testClockRows),
  neighbours: part({}, {}, (report, cluster, _plan, length) => neighbourRows(report, cluster, length)),
};

/** One business and its server, which the first parts share. */
interface Furnished extends Run {
  readonly installation: Installation;
  readonly server: Server;
  readonly stretches: Stretches;
}

const row =
  (rows: (report: Report, installation: Installation, server: Server, length: Length) => Promise<void>) =>
  ({ report, installation, server, length }: Furnished) =>
    rows(report, installation, server, length);

const ON_INSTALLATION = {
  reads: async (at: Furnished) => {
    await measured(at.report, 'list', () => row(listRow)(at));
    await measured(at.report, 'customer', () => row(customerRow)(at));
    await row(calculatorRow)(at);
  },
  answers: row(answerRow),
  site: row(siteRows),
  paint: row(paintRows),
  credentials: row(credentialRows),
  bookings: async ({ report, installation, server, length, stretches }: Furnished) => {
    await measured(report, 'register', () => spreadRow(report, installation, server, length, stretches));
    await hotRow(report, installation, server, length, stretches);
  },
  rush: async ({ report, installation, server, quick }: Furnished) => {
    const second = await serve(installation.url);
    try {
      await rushRows(report, installation, [server, second], { requests: 2000, joining: quick ? 200 : 1980 });
    } finally {
      await second.stop();
    }
  },
  checkout: row(checkoutRows),
  counter: row(counterRows),
  store: row(storeRows),
  webhooks: ({ report, installation, length }: Furnished) => webhookRows(report, installation, length),
  // Runs last: afterwards, every booking of this business needs a membership.
  memberships: ({ report, installation, server, length, stretches }: Furnished) =>
    membershipRows(report, installation, server, length, stretches),
};

const BY_DEFAULT = [...Object.keys(ON_INSTALLATION), ...Object.keys(ON_A_CLUSTER), 'start'];
/** Lighthouse is downloaded from the registry for each run, so it only runs if it is named. */
const PARTS = [...BY_DEFAULT, 'lighthouse'];

const USAGE = `Usage: npm run bench -- [--quick] [--only PARTS] [--out FILE]

  --quick       everything once and shortly; its figures are noise
  --only PARTS  comma list of ${PARTS.join(', ')}
                (lighthouse, which npm installs for the run, only if it is named)
  --out FILE    write the rows as JSON as well`;

process.exitCode = await main();

async function main(): Promise<number> {
  let options: { quick: boolean; only?: string; out?: string; help: boolean };
  try {
    options = parseArgs({
      options: {
        quick: { type: 'boolean', default: false },
        only: { type: 'string' },
        out: { type: 'string' },
        help: { type: 'boolean', default: false },
      },
    }).values;
    for (const part of options.only?.split(',') ?? [])
      if (!PARTS.includes(part)) throw new Error(`There is no part "${part}".`);
  } catch (error) {
    console.error(`${(error as Error).message}\n\n${USAGE}`);
    return 2;
  }
  if (options.help) {
    console.log(USAGE);
    return 0;
  }
  const parts = new Set(options.only?.split(',') ?? BY_DEFAULT);
  const report = new Report();
  const begin = performance.now();
  await run(report, options.quick, parts);
  const seconds = Math.round((performance.now() - begin) / 1000);
  const machine = {
    processor: cpus()[0]?.model ?? 'unknown',
    cores: availableParallelism(),
    memoryGB: Math.round(totalmem() / 2 ** 30),
    node: process.version,
  };
  console.log(
    `\n${machine.processor}, ${machine.cores} cores, ${machine.memoryGB} GB, Node ${machine.node}; ${options.quick ? 'a quick run, ' : ''}${seconds} s\n`,
  );
  report.print();
  if (options.out !== undefined)
    await report.write(options.out, { quick: options.quick, seconds, machine, at: new Date().toISOString() });
  return report.ok ? 0 : 1;
}

async function run(report: Report, quick: boolean, parts: ReadonlySet<string>): Promise<void> {
  const { length, size: people } = quick ? quickly : whole;
  const asked = <T extends object>(of: T) => Object.entries(of).filter(([name]) => parts.has(name));
  if (asked({ ...ON_INSTALLATION, ...ON_A_CLUSTER }).length > 0) {
    const cluster = await startCluster();
    const at = { report, cluster, length, quick };
    try {
      if (asked(ON_INSTALLATION).length > 0) {
        const installation = await install(cluster, 'bench', people);
        try {
          const server = await serve(installation.url);
          const stretches = new Stretches(installation, people.attendances);
          try {
            for (const [name, rows] of asked(ON_INSTALLATION))
              await measured(report, name, () => rows({ ...at, installation, server, stretches }));
          } finally {
            await server.stop();
          }
        } finally {
          await installation.remove();
        }
      }
      for (const [name, rows] of asked(ON_A_CLUSTER)) await measured(report, name, () => rows(at));
    } finally {
      await cluster.remove();
    }
  }
  if (parts.has('lighthouse')) await measured(report, 'Lighthouse', () => lighthouseRows(report));
  if (parts.has('start')) await measured(report, 'start', () => startRows(report));
}
