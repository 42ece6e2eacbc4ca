/**
 * `npm run bench`: the service compared with pgbench running the exact statements of its requests, on this machine, in
 * one run.
 */
import { availableParallelism, cpus, totalmem } from 'node:os';
import { parseArgs } from 'node:util';
import { Report } from './report.ts';
import { Stretches } from './pairs.ts';
import { broadcastRows, type BroadcastPlan } from './broadcast.ts';
import { credentialRows } from './credentials.ts';
import { customerRow, listRow } from './reads.ts';
import { dashboardRows, type DashboardPlan } from './dashboard.ts';
import { calculatorRow } from './fees.ts';
import { capacityRows, type CapacityPlan } from './capacity.ts';
import { checkoutRows } from './checkout.ts';
import { counterRows } from './counter.ts';
import { storeRows } from './store.ts';
import { feedRows, type FeedPlan } from './feed.ts';
import { growthRows, type Growth } from './growth.ts';
import { hotRow, spreadRow } from './bookings.ts';
import { importRows, type ImportPlan } from './imports.ts';
import {
  install,
  serve,
  startCluster,
  type Cluster,
  type Installation,
  type Server,
  type Size,
} from './installation.ts';
import { lighthouseRows } from './lighthouse.ts';
import { ledgerRows, type LedgerPlan } from './ledger.ts';
import { measured, type Length } from './contest.ts';
import { membershipRows } from './memberships.ts';
import { morningRows, type MorningPlan } from './morning.ts';
import { monthRows, type MonthsPlan } from './months.ts';
import { neighbourRows } from './neighbours.ts';
import { renewalRows, type RenewalPlan } from './renewals.ts';
import { priceEditRows, type PriceEditPlan } from './price-edit.ts';
import { reportRows, type ReportPlan } from './reports.ts';
import { rushRows, type Rush } from './rush.ts';
import { paintRows } from './paint.ts';
import { siteRows } from './site.ts';
import { slotRows, type SlotPlan } from './slots.ts';
import { startRows } from './startup.ts';
import { webhookRows } from './webhooks.ts';

interface Plan {
  readonly length: Length;
  readonly size: Size;
  readonly growth: Growth;
  readonly rush: Rush;
  readonly feed: FeedPlan;
  readonly broadcast: BroadcastPlan;
  readonly prices: PriceEditPlan;
  readonly imports: ImportPlan;
  readonly ledger: LedgerPlan;
  readonly months: MonthsPlan;
  readonly renewals: RenewalPlan;
  readonly reports: ReportPlan;
  readonly slots: SlotPlan;
  readonly dashboard: DashboardPlan;
  readonly capacity: CapacityPlan;
  readonly morning: MorningPlan;
}

const EVENTS = 1000;

const WHOLE: Plan = {
  length: { turns: 3, seconds: 3 },
  size: { customers: 50_000, events: EVENTS, attendances: 100_000 },
  growth: { people: { customers: 20_000, events: EVENTS }, sizes: [10_000, 100_000, 1_000_000] },
  rush: { requests: 2000, joining: 1980 },
  feed: { items: 50_000, turns: 3, bookings: 2000, businesses: 10_000 },
  broadcast: { recipients: 10_000, kills: 5 },
  prices: { memberships: 10_000, kills: 3 },
  imports: { people: 10_000 },
  ledger: { entries: 1_000_000 },
  months: { sizes: [100_000, 1_000_000, 10_000_000], newestOf: 100_000_000 },
  renewals: { memberships: 10_000, kills: 5 },
  reports: { customers: 100_000, events: 20_000, attendances: 1_000_000, invoices: 200_000, seconds: 10 },
  slots: { bookings: 2000, rooms: 500, racing: 500, history: [10_000, 100_000, 1_000_000], requests: 30 },
  dashboard: { customers: 100_000, events: 500, turns: 5 },
  capacity: { requests: 2000, renewals: 2000, reminders: 5000 },
  morning: { businesses: 10_000, people: 500_000, acting: 1 / 30, speed: 30, renewals: 3000 },
};

/**
 * The same rows with fewer and shorter turns, and growth only to 100,000: to check that everything works, not for
 * figures.
 */
const QUICK: Plan = {
  length: { turns: 1, seconds: 1 },
  size: { customers: 20_000, events: EVENTS, attendances: 100_000 },
  growth: { people: { customers: 5000, events: EVENTS }, sizes: [10_000, 100_000] },
  rush: { requests: 2000, joining: 200 },
  feed: { items: 10_000, turns: 1, bookings: 500, businesses: 10_000 },
  broadcast: { recipients: 1500, kills: 3 },
  prices: { memberships: 3000, kills: 1 },
  imports: { people: 2000 },
  ledger: { entries: 100_000 },
  months: { sizes: [10_000, 100_000], newestOf: 1_000_000 },
  renewals: { memberships: 500, kills: 1 },
  reports: { customers: 20_000, events: 10_000, attendances: 100_000, invoices: 20_000, seconds: 2 },
  slots: { bookings: 2000, rooms: 500, racing: 500, history: [10_000, 100_000], requests: 10 },
  dashboard: { customers: 100_000, events: 500, turns: 1 },
  capacity: { requests: 200, renewals: 200, reminders: 500 },
  morning: { businesses: 500, people: 20_000, acting: 1, speed: 600, renewals: 200 },
};

const ON_INSTALLATION = [
  'reads',
  'site',
  'paint',
  'credentials',
  'bookings',
  'rush',
  'checkout',
  'counter',
  'store',
  'webhooks',
  'memberships',
] as const;
const ON_A_CLUSTER = [
  ...ON_INSTALLATION,
  'growth',
  'feed',
  'broadcast',
  'prices',
  'imports',
  'ledger',
  'months',
  'renewals',
  'reports',
  'slots',
  'dashboard',
  'neighbours',
  'capacity',
  'morning',
] as const;
const BY_DEFAULT = [...ON_A_CLUSTER, 'start'] as const;
/** Lighthouse is downloaded from the registry for each run, so it only runs if it is named. */
const PARTS = [...BY_DEFAULT, 'lighthouse'] as const;
type Part = (typeof PARTS)[number];

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
      if (!PARTS.includes(part as Part)) throw new Error(`There is no part "${part}".`);
  } catch (error) {
    console.error(`${(error as Error).message}\n\n${USAGE}`);
    return 2;
  }
  if (options.help) {
    console.log(USAGE);
    return 0;
  }
  const parts = new Set((options.only?.split(',') ?? BY_DEFAULT) as Part[]);
  const report = new Report();
  const begin = performance.now();
  await run(report, options.quick ? QUICK : WHOLE, parts);
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

async function run(report: Report, plan: Plan, parts: ReadonlySet<Part>): Promise<void> {
  const { length } = plan;
  if (ON_A_CLUSTER.some((part) => parts.has(part))) {
    const cluster = await startCluster();
    try {
      if (ON_INSTALLATION.some((part) => parts.has(part))) await runOn(report, cluster, plan, parts);
      if (parts.has('growth')) await measured(report, 'growth', () => growthRows(report, cluster, plan.growth, length));
      if (parts.has('feed')) await measured(report, 'feed', () => feedRows(report, cluster, plan.feed));
      if (parts.has('broadcast'))
        await measured(report, 'broadcast', () => broadcastRows(report, cluster, plan.broadcast));
      if (parts.has('prices')) await measured(report, 'prices', () => priceEditRows(report, cluster, plan.prices));
      if (parts.has('imports')) await measured(report, 'imports', () => importRows(report, cluster, plan.imports));
      if (parts.has('ledger')) await measured(report, 'ledger', () => ledgerRows(report, cluster, plan.ledger));
      if (parts.has('months')) await measured(report, 'months', () => monthRows(report, cluster, plan.months));
      if (parts.has('renewals')) await measured(report, 'renewals', () => renewalRows(report, cluster, plan.renewals));
      if (parts.has('reports')) await measured(report, 'reports', () => reportRows(report, cluster, plan.reports));
      if (parts.has('slots')) await measured(report, 'slots', () => slotRows(report, cluster, plan.slots));
      if (parts.has('dashboard'))
        await measured(report, 'dashboard', () => dashboardRows(report, cluster, plan.dashboard));
      if (parts.has('capacity')) await measured(report, 'capacity', () => capacityRows(report, cluster, plan.capacity));
      if (parts.has('morning')) await measured(report, 'morning', () => morningRows(report, cluster, plan.morning));
      if (parts.has('neighbours')) await measured(report, 'neighbours', () => neighbourRows(report, cluster, length));
    } finally {
      await cluster.remove();
    }
  }
  if (parts.has('lighthouse')) await measured(report, 'Lighthouse', () => lighthouseRows(report));
  if (parts.has('start')) await measured(report, 'start', () => startRows(report));
}

async function runOn(
  report: Report,
  cluster: Cluster,
  { length, size, rush }: Plan,
  parts: ReadonlySet<Part>,
): Promise<void> {
  const installation: Installation = await install(cluster, 'bench', size);
  const servers: Server[] = [];
  try {
    const first = await serve(installation.url);
    servers.push(first);
    if (parts.has('reads')) {
      await measured(report, 'list', () => listRow(report, installation, first, length));
      await measured(report, 'customer', () => customerRow(report, installation, first, length));
      await measured(report, 'calculator', () => calculatorRow(report, installation, first, length));
    }
    if (parts.has('site')) await measured(report, 'site', () => siteRows(report, installation, first, length));
    if (parts.has('paint')) await measured(report, 'paint', () => paintRows(report, installation, first, length));
    if (parts.has('credentials'))
      await measured(report, 'credentials', () => credentialRows(report, installation, first, length));
    const stretches = new Stretches(installation, size.attendances);
    if (parts.has('bookings')) {
      await measured(report, 'register', () => spreadRow(report, installation, first, length, stretches));
      await measured(report, 'register, hot', () => hotRow(report, installation, first, length, stretches));
    }
    if (parts.has('rush')) {
      const second = await serve(installation.url);
      servers.push(second);
      await measured(report, 'rush', () => rushRows(report, installation, [first, second], rush));
    }
    if (parts.has('checkout'))
      await measured(report, 'checkout', () => checkoutRows(report, installation, first, length));
    if (parts.has('counter')) await measured(report, 'counter', () => counterRows(report, installation, first, length));
    if (parts.has('store')) await measured(report, 'store', () => storeRows(report, installation, first, length));
    if (parts.has('webhooks')) await measured(report, 'webhooks', () => webhookRows(report, installation, length));
    // Runs last: afterwards, every booking of this business needs a membership.
    if (parts.has('memberships'))
      await measured(report, 'memberships', () => membershipRows(report, installation, first, length, stretches));
  } finally {
    for (const server of servers) await server.stop();
    await installation.remove();
  }
}
