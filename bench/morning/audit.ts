/** Checks after the morning: does the database agree with the responses? Runs in SQL over all businesses. */
import type pg from 'pg';
import { BOOKED_BEFORE, type Deed } from './plan.ts';
import type { Business } from './town.ts';
import type { Played } from './replay.ts';

/** Returns bookings that were acknowledged but don't exist, or exist but weren't acknowledged. */
export async function bookingsAmiss(
  client: pg.Client,
  businesses: readonly Business[],
  deeds: readonly Deed[],
  { booked }: Played,
): Promise<number> {
  const acknowledged = new Set<string>();
  for (const i of booked) {
    const { business, person, session } = deeds[i];
    acknowledged.add(`${businesses[business].sessions[session]}:${businesses[business].people + person}`);
  }
  for (const { sessions, people } of businesses)
    for (const session of sessions)
      for (let person = 0; person < BOOKED_BEFORE; person++) acknowledged.add(`${session}:${people + person}`);
  const { rows } = await client.query<{ key: string }>(
    `SELECT event_id || ':' || customer_id AS key FROM attendance WHERE status IN ('registered', 'attended')`,
  );
  const there = rows.filter(({ key }) => acknowledged.has(key)).length;
  return acknowledged.size - there + (rows.length - there);
}

/** Returns sessions over capacity, or with a counter that isn't the number of their bookings. */
export const sessionsAmiss = async (client: pg.Client): Promise<number> =>
  count(
    client,
    `SELECT count(*)::int AS n FROM event e LEFT JOIN (
       SELECT provider_id, event_id, count(*) AS n FROM attendance
         WHERE status IN ('registered', 'attended', 'no_show') GROUP BY 1, 2) a
       ON a.provider_id = e.provider_id AND a.event_id = e.id
     WHERE coalesce(a.n, 0) > e.max_occupancy OR e.attending_count <> coalesce(a.n, 0)`,
  );

/** Returns uses of memberships that don't match the bookings. */
export const usesAmiss = async (client: pg.Client): Promise<number> =>
  count(
    client,
    `SELECT count(*)::int AS n FROM attendance a LEFT JOIN (
       SELECT provider_id, attendance_id, sum(amount) AS uses FROM entitlement_entry
         GROUP BY 1, 2) u ON u.provider_id = a.provider_id AND u.attendance_id = a.id
     WHERE coalesce(u.uses, 0) <> CASE WHEN a.status IN ('registered', 'attended') THEN -1 ELSE 0 END`,
  );

/** Returns messages that are pending or being sent. */
export const unsentMails = async (client: pg.Client): Promise<number> =>
  count(client, `SELECT count(*)::int AS n FROM message WHERE status IN ('queued', 'sending')`);

/**
 * Returns people who received a different number of emails than the database recorded. `taken`: received emails by
 * recipient
 */
export async function failedMails(client: pg.Client, taken: ReadonlyMap<string, number>): Promise<number> {
  const { rows } = await client.query<{ recipient: string; n: number }>(
    `SELECT recipient, count(*)::int AS n FROM message WHERE status = 'sent' GROUP BY 1`,
  );
  const sent = new Map(rows.map(({ recipient, n }) => [recipient, n]));
  return [...new Set([...sent.keys(), ...taken.keys()])].filter((one) => sent.get(one) !== taken.get(one)).length;
}

/** Returns reminders that are missing or duplicated. */
export const remindersAmiss = async (client: pg.Client, due: number): Promise<number> =>
  count(
    client,
    `SELECT abs($1 - count(*))::int + (count(*) - count(DISTINCT (provider_id, customer_id)))::int AS n
     FROM message WHERE kind = 'event_reminder' AND status = 'sent'`,
    [due],
  );

/** Returns feed items without a number. */
export const itemsWithoutNumber = async (client: pg.Client): Promise<number> =>
  count(client, `SELECT count(*)::int AS n FROM feed_item WHERE seq IS NULL`);

/** Returns businesses whose feed isn't numbered 1, 2, 3 … without a gap. */
export const feedsAmiss = async (client: pg.Client): Promise<number> =>
  count(
    client,
    `SELECT count(*)::int AS n FROM (
       SELECT count(*) AS items, count(DISTINCT seq) AS numbers, min(seq) AS first, max(seq) AS last FROM feed_item
         GROUP BY provider_id) f
     WHERE first <> 1 OR last <> items OR numbers <> items`,
  );

/** Returns due memberships with more or fewer than one invoice, and invoices that aren't paid. */
export const renewalsAmiss = async (client: pg.Client, due: number): Promise<number> =>
  count(
    client,
    `SELECT abs(count(DISTINCT customer_id) - $1)::int + count(*)::int - count(DISTINCT customer_id)::int +
      (count(*) FILTER (WHERE status <> 'paid'))::int AS n FROM invoice`,
    [due],
  );

export const paidRenewals = async (client: pg.Client): Promise<number> =>
  count(client, `SELECT count(*)::int AS n FROM invoice WHERE status = 'paid'`);

async function count(client: pg.Client, text: string, values: unknown[] = []): Promise<number> {
  const { rows } = await client.query<{ n: number }>(text, values);
  return rows[0].n;
}
