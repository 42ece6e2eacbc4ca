/** Thousands of businesses with their customers, memberships and today's sessions, as one installation. */
import pg from 'pg';
import { BOOKED_BEFORE, HOT, HOURS, PLACES, sizes, type Town } from './plan.ts';
import { makeSecret } from '../../server/areas/people/identity/tokens/opaque-secret.ts';
import { vacuum } from '../kit/installation.ts';

export interface Business {
  readonly id: number;
  readonly slug: string;
  readonly token: string;
  /** first of the consecutive ids of its people */
  readonly people: number;
  /** ids of today's sessions, in the order of `HOURS` */
  readonly sessions: readonly number[];
}

const PORTION = 500;

/** Fills an empty, migrated database. `morning`: six o'clock of the day, in epoch milliseconds */
export async function build(url: string, town: Town, morning: number): Promise<Business[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query('SET synchronous_commit = off');
    const all = sizes(town);
    const built: Business[] = [];
    for (let at = 0; at < all.length; at += PORTION)
      built.push(...(await buildSome(client, all.slice(at, at + PORTION), at, morning)));
    return built;
  } finally {
    await client.end();
    await vacuum(url);
  }
}

async function buildSome(
  client: pg.Client,
  people: readonly number[],
  first: number,
  morning: number,
): Promise<Business[]> {
  const tokens = people.map(() => makeSecret('rcm_'));
  await client.query('BEGIN');
  await client.query(
    `CREATE TEMP TABLE made ON COMMIT DROP AS WITH new AS (
       INSERT INTO provider (name, slug, timezone, currency, country)
       SELECT 'Studio ' || n, 'studio-' || n, 'UTC', 'GBP', 'GB' FROM generate_series($1::int, $1::int + $2::int - 1) n
       RETURNING provider_id, slug)
     SELECT provider_id, slug, p.nth::int, p.people FROM new JOIN unnest($3::int[])
     WITH ORDINALITY p (people, nth) ON slug = 'studio-' || ($1::int + p.nth - 1)`,
    [first, people.length, people],
  );
  await client.query(
    `INSERT INTO machine_token (provider_id, name, token_hash, token_hint)
     SELECT provider_id, 'bench', t.hash, t.hint FROM made JOIN unnest($1::bytea[], $2::text[])
     WITH ORDINALITY t (hash, hint, nth) USING (nth)`,
    [tokens.map((t) => t.hash), tokens.map((t) => t.hint)],
  );
  for (const text of [...TABLES, ...NIGHT]) await client.query(text);
  await client.query(
    `INSERT INTO event (provider_id, offering_type_id, venue_id, name, timezone, max_occupancy, starts_at, ends_at,
      local_starts_at, local_ends_at)
     SELECT m.provider_id, o.id, v.id, 'Class', 'UTC', $2, s.at, s.at + interval '50 minutes', s.at AT TIME ZONE 'UTC',
       (s.at + interval '50 minutes') AT TIME ZONE 'UTC'
     FROM made m JOIN venue v USING (provider_id) JOIN offering_type o USING (provider_id), unnest($3::float[])
     WITH ORDINALITY h (hour, nth),
       LATERAL (SELECT to_timestamp($1::float8 / 1000) + (h.hour - 6) * interval '1 hour' AS at) s
       ORDER BY m.nth, h.nth`,
    [morning, PLACES, HOURS],
  );
  await client.query(BOOKED, [BOOKED_BEFORE, morning]);
  await client.query(REMINDED, [BOOKED_BEFORE, HOT, morning]);
  const { rows } = await client.query<{ id: string; slug: string; nth: number; first: string; sessions: string[] }>(
    `SELECT provider_id AS id, slug, nth, (SELECT min(id) FROM customer c WHERE c.provider_id = m.provider_id) AS first,
       (SELECT array_agg(id ORDER BY id) FROM event e WHERE e.provider_id = m.provider_id) AS sessions FROM made m
       ORDER BY nth`,
  );
  await client.query('COMMIT');
  return rows.map(({ id, slug, nth, first: person, sessions }) => ({
    id: Number(id),
    slug,
    token: tokens[nth - 1].secret,
    people: Number(person),
    sessions: sessions.map(Number),
  }));
}

/** Everybody has the plan of their business, which covers its classes: for exactly two years. */
const TABLES = [
  `INSERT INTO venue (provider_id, name, timezone) SELECT provider_id, 'Hall', 'UTC' FROM made`,
  `INSERT INTO offering_type (provider_id, name) SELECT provider_id, 'Class' FROM made`,
  `INSERT INTO customer (provider_id, first_name, last_name, email)
   SELECT provider_id, 'First' || n, 'Last' || n, 'person' || n || '@' || slug || '.example'
     FROM made, generate_series(1, people) n ORDER BY nth, n`,
  `INSERT INTO membership_category (provider_id, name) SELECT provider_id, 'Plans' FROM made`,
  `INSERT INTO membership (provider_id, type, name, category_id, visible_to_customers, purchasable_only_by_provider,
    new_customers_only, allow_repeat_purchases, allotment_types)
   SELECT provider_id, 'recurring_plan', 'Club', c.id, true, false, false, true, '{event}' FROM made
     JOIN membership_category c USING (provider_id)`,
  `INSERT INTO membership_limit (provider_id, membership_id, membership_type, period, max_uses)
   SELECT provider_id, m.id, 'recurring_plan', 'billing_period', 30 FROM made JOIN membership m USING (provider_id)`,
  `INSERT INTO membership_payment_plan (provider_id, membership_id, price_minor, billing_period_length,
    billing_period_unit)
   SELECT provider_id, m.id, 4000, 1, 'months' FROM made JOIN membership m USING (provider_id)`,
  `INSERT INTO membership_registration_grant (provider_id, membership_id, offering_type_id, on_allotment_price_minor)
   SELECT provider_id, m.id, o.id, 0 FROM made JOIN membership m USING (provider_id) JOIN offering_type o
     USING (provider_id)`,
  `INSERT INTO customer_membership (provider_id, customer_id, membership_id, membership_type, payment_plan_id, status,
    bought_on, start_date, billed_price_minor, billing_unit, billing_length, billing_anchor)
   SELECT c.provider_id, c.id, m.id, 'recurring_plan', p.id, 'active', d.day, d.day, 4000, 'months', 1, d.day
   FROM made JOIN customer c USING (provider_id) JOIN membership m USING (provider_id) JOIN membership_payment_plan p
     USING (provider_id),
     (SELECT ((now() AT TIME ZONE 'UTC')::date - interval '2 years')::date AS day) d`,
];

/** Nightly jobs are recorded as done. */
const NIGHT = [
  `INSERT INTO crm_day (provider_id, day) SELECT provider_id, (now() AT TIME ZONE 'UTC')::date FROM made`,
  `INSERT INTO report_check (provider_id, checked_on, checked_at)
    SELECT provider_id, (now() AT TIME ZONE 'UTC')::date, now() FROM made`,
  `INSERT INTO job_effect (provider_id, job_key) SELECT provider_id,
    'find_expiring_cards:' || (now() AT TIME ZONE 'UTC')::date FROM made`,
];

/** The first people of each business have booked all of its sessions with their membership. */
const BOOKED = `WITH booked AS (
    INSERT INTO attendance (provider_id, event_id, customer_id, status, registered_at)
    SELECT m.provider_id, e.id, c.id, 'registered', to_timestamp($2::float8 / 1000) - interval '12 hours' FROM made m
      JOIN event e USING (provider_id),
      LATERAL (SELECT id FROM customer WHERE provider_id = m.provider_id ORDER BY id LIMIT $1) c
        RETURNING provider_id, id, event_id, customer_id, registered_at)
  INSERT INTO entitlement_entry (provider_id, customer_membership_id, attendance_id, customer_id, offering_type_id,
    event_starts_on, amount, reason, open, at)
  SELECT b.provider_id, cm.id, b.id, b.customer_id, e.offering_type_id, e.local_starts_at::date, -1, 'registered',
    true, b.registered_at
  FROM booked b JOIN event e ON e.provider_id = b.provider_id AND e.id = b.event_id
  JOIN customer_membership cm ON cm.provider_id = b.provider_id AND cm.customer_id = b.customer_id`;

/** Reminders for the evening are due twelve hours before: all of them at six. */
const REMINDED = `INSERT INTO event_reminder (provider_id, event_id, customer_id, due_at)
  SELECT m.provider_id, e.id, c.id, to_timestamp($3::float8 / 1000) FROM made m,
    LATERAL (SELECT id FROM event WHERE provider_id = m.provider_id ORDER BY id OFFSET $2 LIMIT 1) e,
    LATERAL (SELECT id FROM customer WHERE provider_id = m.provider_id ORDER BY id LIMIT $1) c`;
