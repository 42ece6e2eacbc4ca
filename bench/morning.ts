/**
 * The morning of the first of a month in thousands of businesses, in fast motion: customers browse, book and cancel,
 * booking of the evening opens at eight, customers booked for the evening are reminded at six, and plans renew.
 */
import pg from 'pg';
import {
  bookingsAmiss,
  feedsAmiss,
  itemsWithoutNumber,
  failedMails,
  paidRenewals,
  remindersAmiss,
  renewalsAmiss,
  sessionsAmiss,
  unsentMails,
  usesAmiss,
} from './morning/audit.ts';
import { BOOKED_BEFORE, deeds, sizes, type Deed, type Kind, type Town } from './morning/plan.ts';
import { build, type Business } from './morning/town.ts';
import { CountingServer } from '../server/test/outside/counting-server.ts';
import { ensureDatabase } from '../server/kernel/base/db/embedded/embedded.ts';
import { Meter, type Spent } from './kit/meter.ts';
import { play, type Played } from './morning/replay.ts';
import { prepareDatabase } from '../server/kernel/base/db/schema/prepare.ts';
import { serve, type Cluster, type Server } from './kit/installation.ts';
import { until } from '../server/test/storm.ts';
import type { Report } from './kit/report.ts';

export interface MorningPlan extends Town {
  readonly speed: number;
  /** minimum number of memberships that renew this morning */
  readonly renewals: number;
}

const SEED = 1;
const PATIENCE_MS = 300_000;
const MAX_MS = 1000;

export async function morningRows(report: Report, cluster: Cluster, plan: MorningPlan): Promise<void> {
  const url = await ensureDatabase(cluster.url, 'morning');
  await prepareDatabase(url);
  // Jobs are due by the clock of the database: so the simulated time is six o'clock, on the first of a month of
  // billing.
  const morning = Date.now();
  const businesses = await build(url, plan, morning);
  const wanted = deeds(plan, SEED);
  const mail = new CountingServer();
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const server = await serve(url, { ROLE: 'server' });
  try {
    const renewing = await renew(client, server, businesses, plan);
    const worker = await serve(url, {
      ROLE: 'worker',
      SMTP_URL: await mail.listen(),
      MAIL_FROM: 'Bench <bench@example.com>',
      SMTP_CONNECTIONS: '10',
    });
    try {
      const { played, spent } = await metered(url, [server.pid, worker.pid], () =>
        play(server.url, businesses, wanted, plan.speed),
      );
      const reminders = businesses.length * BOOKED_BEFORE;
      await until('every reminder is sent', async () => mail.total >= reminders, PATIENCE_MS);
      await until('the last renewal is paid', async () => (await paidRenewals(client)) >= renewing, PATIENCE_MS);
      await until('every feed item has its number', async () => (await itemsWithoutNumber(client)) === 0, PATIENCE_MS);
      await until('no mail waits any more', async () => (await unsentMails(client)) === 0, PATIENCE_MS);
      show(report, plan, wanted, played, spent);
      const none = (name: string, figure: number, note?: string) =>
        report.add({ name: `  ${name}`, figure, reach: 0, better: 'lower', ...(note && { note }) });
      none('answers that no rule foresees, and none', played.wrongs, played.wrong[0]);
      none('bookings that differ from what was acknowledged', await bookingsAmiss(client, businesses, wanted, played));
      none('sessions oversold or miscounted', await sessionsAmiss(client));
      none('uses of memberships that aren’t those of the bookings', await usesAmiss(client));
      none('feeds with a gap', await feedsAmiss(client));
      none(`of ${number(reminders)} reminders, not sent exactly once`, await remindersAmiss(client, reminders));
      none(
        `of ${number(mail.taken.size)} people, with too many or too few mails`,
        await failedMails(client, mail.taken),
      );
      none(`of ${number(renewing)} renewals, not billed and paid exactly once`, await renewalsAmiss(client, renewing));
    } finally {
      await worker.stop();
    }
  } finally {
    await server.stop();
    await client.end();
    await mail.close();
  }
}

async function metered(
  url: string,
  service: readonly number[],
  act: () => Promise<Played>,
): Promise<{ played: Played; spent: Spent }> {
  const meter = await Meter.on(url, service);
  try {
    let played!: Played;
    const spent = await meter.measure(async () => (played = await act()));
    return { played, spent };
  } finally {
    await meter.close();
  }
}

/** Makes the plans of medium-sized businesses due, paid by saved cards of the sandbox. Returns their number. */
async function renew(
  client: pg.Client,
  server: Server,
  businesses: readonly Business[],
  plan: MorningPlan,
): Promise<number> {
  const of = sizes(plan);
  let due = 0;
  for (let i = Math.floor(businesses.length / 10); due < plan.renewals && i < businesses.length; i++) {
    const { id, token } = businesses[i];
    const answer = await fetch(`${server.url}/api/v2/payment_processors`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ kind: 'sandbox', name: 'Card' }),
    });
    if (!answer.ok) throw new Error(`a payment processor was answered ${answer.status}: ${await answer.text()}`);
    const processor = ((await answer.json()) as { id: number }).id;
    await client.query(
      `INSERT INTO payment_method (provider_id, customer_id, payment_processor_id, type, token, brand, last_four,
        expiration_month, expiration_year)
       SELECT provider_id, id, $2, 'credit_card', 'sandbox_card_' || id, 'Card', '4242', 12, 2099 FROM customer
       WHERE provider_id = $1`,
      [id, processor],
    );
    await client.query(
      `UPDATE customer_membership SET renews_on = (billing_anchor + interval '2 years')::date WHERE provider_id = $1`,
      [id],
    );
    due += of[i];
  }
  return due;
}

const KINDS: Readonly<Record<Kind, string>> = {
  look: 'looks at a timetable',
  book: 'bookings',
  cancel: 'cancellations',
  list: 'lists of a session',
  come: 'people who come',
};

const number = (n: number): string => n.toLocaleString('en');

function show(report: Report, plan: MorningPlan, wanted: readonly Deed[], played: Played, spent: Spent): void {
  const three = wanted.at(-1)!.at - wanted[0].at;
  report.add({
    name: `a morning of ${number(plan.businesses)} businesses with ${number(plan.people)} people, ${number(plan.speed * plan.acting)} times the load: requests`,
    figure: Object.values(played.done).reduce((a, b) => a + b, 0) / played.seconds,
    unit: '/s',
    note: `${plan.acting === 1 ? 'all' : `1 of ${number(Math.round(1 / plan.acting))}`} act, ${plan.speed} times as fast; ${number(Math.round(three / 60))} minutes in ${played.seconds.toFixed(0)} s; ${number(played.refused.event_full ?? 0)} bookings refused, full`,
  });
  for (const kind of Object.keys(KINDS) as Kind[]) {
    const { p50, p99, max } = played.latencies[kind].summary();
    report.add({
      name: `  ${number(played.done[kind])} ${KINDS[kind]}: p99 from the moment that each was due`,
      figure: p99,
      reach: MAX_MS,
      better: 'lower',
      unit: 'ms',
      note: `p50 ${p50.toFixed(1)}, longest ${max.toFixed(0)}`,
    });
  }
  report.add({
    name: '  processors busy with it, of one: service',
    figure: spent.service / 1000 / spent.seconds,
    note: `PostgreSQL ${(spent.postgres / 1000 / spent.seconds).toFixed(2)}`,
  });
}
