/** A rush: thousands request one small event at the same moment, through two server processes. */
import { burst, type BurstAnswer, type WireRequest } from './kit/load.ts';
import { checkCounters } from './kit/audit.ts';
import { headersFor } from './reads.ts';
import { Latencies } from './kit/latencies.ts';
import { newEvent } from './bookings.ts';
import { sql } from '../server/kernel/base/db/sql.ts';
import type { Installation, Server } from './kit/installation.ts';
import type { Report } from './kit/report.ts';

const PLACES = 20;

export interface Rush {
  readonly requests: number;
  /** how many of the refused then join the waitlist */
  readonly joining: number;
}

const codeOf = ({ body }: BurstAnswer): unknown => (body as { code?: unknown } | null)?.code;

export async function rushRows(
  report: Report,
  installation: Installation,
  servers: readonly [Server, Server],
  { requests, joining }: Rush,
): Promise<void> {
  const event = await newEvent(installation, PLACES);
  const customers = Array.from({ length: requests }, (_, i) => installation.customers.first + i);
  const ask = (action: string, server: Server, customer: number): WireRequest => ({
    method: 'POST',
    path: `/api/v2/events/${event}/${action}`,
    headers: headersFor(installation, server),
    body: { customer },
  });
  const answers = await spread(servers, customers, requests / 2, (server, customer) =>
    ask('register', server, customer),
  );
  const name = `${requests.toLocaleString('en')} at the same time for ${PLACES} places, two processes`;
  report.add({ name: `${name}: p99`, figure: p99(answers), reach: 1000, better: 'lower', unit: 'ms' });
  report.add({
    name: '  places sold wrongly',
    figure: await wronglySold(installation, event, customers, answers),
    reach: 0,
    better: 'lower',
  });

  const refused = customers.filter((_, i) => codeOf(answers[i]) === 'event_full').slice(0, joining);
  const joined = await spread(servers, refused, 8, (server, customer) => ask('join_waitlist', server, customer));
  report.add({
    name: `  ${refused.length.toLocaleString('en')} then join the waitlist: p99`,
    figure: p99(joined),
    unit: 'ms',
  });
  report.add({
    name: '  waitlist positions out of order',
    figure: await outOfOrder(installation, servers[0], event, refused, joined),
    reach: 0,
    better: 'lower',
  });
  await checkCounters(installation);
}

/** Sends to both processes alternately, with `connections` each; returns responses in the order of the customers. */
async function spread(
  servers: readonly [Server, Server],
  customers: readonly number[],
  connections: number,
  request: (server: Server, customer: number) => WireRequest,
): Promise<BurstAnswer[]> {
  const halves = servers.map((server, half) => {
    const requests = customers.filter((_, i) => i % 2 === half).map((customer) => request(server, customer));
    return burst(requests, { url: server.url, connections });
  });
  const [even, odd] = await Promise.all(halves);
  return customers.map((_, i) => (i % 2 === 0 ? even : odd)[i >> 1]);
}

function p99(answers: readonly BurstAnswer[]): number {
  const latencies = new Latencies();
  for (const { ms } of answers) latencies.add(ms);
  return latencies.summary().p99;
}

/**
 * Returns the number of differences between the responses, the stored rows, and 20 places: 0 if everything is right.
 */
async function wronglySold(
  { db, provider }: Installation,
  event: number,
  customers: readonly number[],
  answers: readonly BurstAnswer[],
): Promise<number> {
  const rows = await db.transaction(provider, (tx) =>
    tx.rows<{ customer_id: number }>(
      sql`SELECT customer_id FROM attendance WHERE provider_id = ${provider} AND event_id = ${event}
        AND status = 'registered'`,
    ),
  );
  const stored = new Set(rows.map((row) => row.customer_id));
  const mistold = answers.filter((answer, i) => {
    if (answer.status === 200) return !stored.has(customers[i]);
    return codeOf(answer) !== 'event_full' || stored.has(customers[i]);
  });
  return mistold.length + Math.abs(stored.size - PLACES);
}

/** Returns waitlist spots whose position doesn't match the order of joining, and acknowledged joins without a spot. */
async function outOfOrder(
  installation: Installation,
  server: Server,
  event: number,
  customers: readonly number[],
  answers: readonly BurstAnswer[],
): Promise<number> {
  const spotIds = new Map(customers.map((customer, i) => [customer, (answers[i].body as { id?: number } | null)?.id]));
  let wrong = answers.filter(({ status }) => status !== 200 && status !== 201).length;
  let place = 0;
  let before = { id: 0, added_at: '' };
  for (
    let path: string | null =
      `/api/v2/waitlist_spots?event=${event}&fields=id,customer,position,added_at&page_size=100`;
    path;
  ) {
    const answer: Response = await fetch(server.url + path, {
      headers: { authorization: headersFor(installation, server).authorization },
    });
    const page = (await answer.json()) as {
      next: string | null;
      results: { id: number; customer: number; position: number; added_at: string }[];
    };
    for (const spot of page.results) {
      place++;
      if (spot.position !== place || spot.id <= before.id || spotIds.get(spot.customer) !== spot.id) wrong++;
      before = spot;
    }
    const next: URL | null = page.next ? new URL(page.next) : null;
    path = next && next.pathname + next.search;
  }
  return wrong + Math.abs(place - customers.length);
}
