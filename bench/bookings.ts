/**
 * Booking benchmarks: bookings spread over a thousand events, and bookings of one event. Every request is a new
 * booking, and every one is audited.
 */
import { CLIENTS, contend, type Contest, type Length, type Play } from './contest.ts';
import { bookingsSince, checkAcknowledged, checkCounters, lastBooking, type Acknowledged } from './audit.ts';
import { headersFor } from './reads.ts';
import { load } from './load.ts';
import { pair, pairPrelude, Stretches } from './pairs.ts';
import { raw, sql } from '../server/kernel/base/db/sql.ts';
import { scriptOf, type Script, type Shape } from './script.ts';
import { statementsOf, type Installation, type Server } from './installation.ts';
import type { Command } from '../server/kernel/base/db/sharing/batch.ts';
import type { Report } from './report.ts';

export interface Wish {
  readonly event: number;
  readonly customer: number;
}

export interface Booked {
  readonly perSecond: number;
  readonly p99: number;
}

/**
 * Books until the time or the number is reached, then checks in the database that exactly the acknowledged bookings are
 * there.
 */
export async function bookFor(
  installation: Installation,
  server: Server,
  limit: { seconds: number; requests: number },
  wish: (i: number) => Wish,
  connections = CLIENTS,
): Promise<Booked> {
  const headers = headersFor(installation, server);
  const before = await lastBooking(installation);
  const answers: { i: number; status: number; body: Buffer }[] = [];
  const { perSecond, p99, errors } = await load({
    url: server.url,
    connections,
    ...limit,
    next: (i) => {
      const { event, customer } = wish(i);
      return { method: 'POST', path: `/api/v2/events/${event}/register`, headers, body: { customer } };
    },
    collect: (answer) => answers.push(answer),
  });
  const refused = answers.find(({ status }) => status !== 200);
  if (refused) throw new Error(`a booking was answered ${refused.status}: ${refused.body.toString().slice(0, 300)}`);
  if (errors > 0) throw new Error(`${errors} bookings got no answer`);
  const acknowledged = answers.map(({ i, body }): Acknowledged => ({
    ...wish(i),
    attendance: JSON.parse(body.toString()).attendance,
  }));
  await checkAcknowledged(installation, before, acknowledged);
  await checkCounters(installation);
  return { perSecond, p99 };
}

/** The statements of one booking, by a customer and of an event whose ids occur nowhere else in them. */
export interface Captured {
  readonly writes: Command[][];
  readonly event: number;
  readonly customer: number;
  readonly attendance: number;
}

export async function captureBooking(installation: Installation, stretches: Stretches): Promise<Captured> {
  const base = stretches.take(50);
  let n = 0;
  let last: Wish = { event: 0, customer: 0 };
  const writes = await statementsOf(installation, (url, headers) => {
    last = pair(installation, base + n++);
    return fetch(`${url}/api/v2/events/${last.event}/register`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ customer: last.customer }),
    });
  });
  const attendance = await lastBooking(installation);
  const ids = [last.event, last.customer, attendance, installation.provider];
  if (new Set(ids).size !== ids.length)
    throw new Error('event, customer, booking and business of the captured booking cannot be told apart');
  return { writes, ...last, attendance };
}

/** The id of the booking, which the previous statement allocated in the same session. */
const TAKEN = `currval('attendance_id_seq')`;

/**
 * Builds the pgbench script of a booking. The JSON in feed items and audit entries is that of the captured booking in
 * every run.
 */
export function bookingScript(
  { writes, event, customer, attendance }: Captured,
  prelude: string,
  shape: Shape,
): Script {
  const substitutions = [
    { value: String(event), by: ':event' },
    { value: `{${customer}}`, by: 'ARRAY[:customer]' },
    { value: `{${attendance}}`, by: `ARRAY[${TAKEN}]` },
    // Each customer has a membership with their own id: see `sell`.
    { value: `{${attendance},${customer}}`, by: `ARRAY[${TAKEN}, :customer]` },
  ];
  const sent = new Set(writes.flat().flatMap(({ values }) => values));
  return scriptOf(
    writes,
    substitutions.filter(({ value }, i) => i < 3 || sent.has(value)),
    prelude,
    shape,
  );
}

/** Runs one turn of pgbench, and throws if it booked anything twice. */
async function pgbenchBookings(
  play: Play,
  installation: Installation,
  script: Script,
  seconds: number,
  vars: Record<string, number>,
): Promise<number> {
  const before = await lastBooking(installation);
  const { tps, transactions } = await play(installation.url, script, seconds, {
    clients: CLIENTS,
    turn: -1,
    ...vars,
  });
  const made = await bookingsSince(installation, before);
  if (made !== transactions) throw new Error(`pgbench ran ${transactions} bookings and made ${made}`);
  return tps;
}

/** More bookings than either side completes in one turn. */
export const TURN = 100_000;

export const spreadRow = async (
  report: Report,
  installation: Installation,
  server: Server,
  length: Length,
  stretches: Stretches,
  more = '',
): Promise<void> => contend(report, await spreadContest(installation, server, length, stretches, more), length);

/** Runs the contest of spread bookings. `more`: further notes about these bookings */
export async function spreadContest(
  installation: Installation,
  server: Server,
  { seconds }: Length,
  stretches: Stretches,
  more = '',
): Promise<Contest> {
  const captured = await captureBooking(installation, stretches);
  return {
    name: `register${more}, ${installation.events.n.toLocaleString('en')} events`,
    reach: 0.5,
    ours: async () => {
      const base = stretches.take(TURN);
      return (await bookFor(installation, server, { seconds, requests: TURN }, (i) => pair(installation, base + i)))
        .perSecond;
    },
    theirs: (shape, play) =>
      pgbenchBookings(play, installation, bookingScript(captured, pairPrelude(installation), shape), seconds, {
        base: stretches.take(TURN),
      }),
  };
}

/** Creates an event for each turn, so that every customer is new to it. */
export async function newEvent({ db, provider, events }: Installation, places: number): Promise<number> {
  const row = await db.transaction(provider, (tx) =>
    tx.one<{ id: number }>(sql`
      INSERT INTO event (provider_id, offering_type_id, venue_id, name, timezone, starts_at, ends_at, local_starts_at, local_ends_at, max_occupancy)
      SELECT provider_id, offering_type_id, venue_id, 'Hot', timezone, starts_at, ends_at, local_starts_at, local_ends_at, ${raw(String(places))}
      FROM event WHERE provider_id = ${provider} AND id = ${events.first} RETURNING id`),
  );
  return row!.id;
}

export async function hotRow(
  report: Report,
  installation: Installation,
  server: Server,
  length: Length,
  stretches: Stretches,
  more = '',
): Promise<void> {
  const { contest, ours } = await hotContest(installation, server, length, stretches, more);
  await contend(report, contest, length);
  report.add({ name: '  with 64 connections, one turn', figure: await ours(64), unit: '/s' });
}

/** Runs the contest for one event. `ours`: one turn with the same number of connections */
export async function hotContest(
  installation: Installation,
  server: Server,
  { seconds }: Length,
  stretches: Stretches,
  more = '',
): Promise<{ contest: Contest; ours: (connections: number) => Promise<number> }> {
  const { customers } = installation;
  const captured = await captureBooking(installation, stretches);
  const prelude = [
    '\\set turn :turn + 1',
    '\\set n :turn * :clients + :client_id',
    `\\set customer ${customers.first} + :n % ${customers.n}`,
  ].join('\n');
  const ours = async (connections: number): Promise<number> => {
    const event = await newEvent(installation, 1_000_000);
    const limit = { seconds, requests: customers.n };
    return (await bookFor(installation, server, limit, (i) => ({ event, customer: customers.first + i }), connections))
      .perSecond;
  };
  const theirs = async (shape: Shape, play: Play): Promise<number> =>
    pgbenchBookings(play, installation, bookingScript(captured, prelude, shape), seconds, {
      event: await newEvent(installation, 1_000_000),
    });
  const name = `register${more}, one hot event, ample places`;
  return { contest: { name, reach: 2, ours: () => ours(CLIENTS), theirs }, ours };
}
