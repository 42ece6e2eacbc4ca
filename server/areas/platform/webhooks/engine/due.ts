/** The queries of the engine: which destinations are due, which engine has them, and what to send to one. */
import { instant, join, raw, sql, type Sql } from '../../../../kernel/base/db/sql.ts';
import { liveSecrets } from '../secrets.ts';
import { mayBegin } from '../../../../kernel/work/unit/other-cells.ts';
import type { Database } from '../../../../kernel/base/db/database.ts';
import type { Due } from './message.ts';
import type { Installation } from '../../../../kernel/work/unit/installation.ts';

/** A worker that doesn't renew its lease for this long loses it. */
export const LEASE_SECONDS = 8;

export interface Key {
  readonly provider: number;
  readonly destination: number;
}

/** State of a destination. */
export interface LaneState {
  readonly failures: number;
  readonly failing_since: number | null;
  readonly not_before: number | null;
  readonly slow: boolean;
}

interface Wanted {
  readonly installation: Installation;
  readonly me: string;
  readonly now: number;
  /** how many more destinations may be leased: healthy ones, and those that are slow or fail */
  readonly well: number;
  readonly troubled: number;
  /** leased destinations with nothing left to send at the last check */
  readonly idle: readonly Key[];
}

const lists = (keys: readonly Key[]): Sql =>
  sql`unnest(${keys.map((k) => k.provider)}::bigint[], ${keys.map((k) => k.destination)}::bigint[])`;

const dueIn = (now: number): Sql =>
  sql`EXISTS (SELECT FROM webhook_delivery w
    WHERE w.provider_id = l.provider_id AND w.destination_id = l.destination_id AND w.status = 'pending'
      AND w.next_attempt_at <= ${instant(now)}::timestamptz)`;

// Liveness follows the clock of the database's machine, as in scale/processes.
const lease = raw(`clock_timestamp() + interval '${LEASE_SECONDS} seconds'`);

function take({ installation, me, now }: Wanted, condition: Sql, most: number): Sql {
  return sql`
    WITH due AS (
      SELECT l.provider_id, l.destination_id FROM webhook_lane l
      JOIN webhook_destination d ON d.provider_id = l.provider_id AND d.id = l.destination_id
      WHERE d.status = 'active' AND d.deleted_at IS NULL AND ${condition}
        AND ${mayBegin(installation, sql`l.provider_id`)}
        AND (l.leased_until IS NULL OR l.leased_until < clock_timestamp())
        AND (l.not_before IS NULL OR l.not_before <= ${instant(now)}::timestamptz) AND ${dueIn(now)}
      ORDER BY l.served_at NULLS FIRST LIMIT ${most} FOR UPDATE OF l SKIP LOCKED
    )
    UPDATE webhook_lane l SET leased_by = ${me}::uuid, leased_until = ${lease} FROM due
    WHERE l.provider_id = due.provider_id AND l.destination_id = due.destination_id
    RETURNING l.provider_id AS provider, l.destination_id AS destination, l.failures, l.failing_since,
      l.not_before, l.slow`;
}

/**
 * Leases destinations that have something to send and that no engine has. `idle` are those of the given ones that have
 * something to send again, or must be released because their business is about to move.
 */
export async function takeOn(db: Database, wanted: Wanted): Promise<{ taken: (Key & LaneState)[]; idle: Key[] }> {
  const [well, troubled, idle] = await db.acrossTenants('webhooks of every business are sent by one engine', (tx) =>
    tx.all([
      take(wanted, sql`NOT l.slow AND l.failures = 0`, wanted.well),
      take(wanted, sql`(l.slow OR l.failures > 0)`, wanted.troubled),
      sql`SELECT l.provider_id AS provider, l.destination_id AS destination
        FROM ${lists(wanted.idle)} AS l (provider_id, destination_id)
        WHERE ${dueIn(wanted.now)} OR NOT (${mayBegin(wanted.installation, sql`l.provider_id`)})`,
    ]),
  );
  return { taken: [...well, ...troubled] as (Key & LaneState)[], idle: idle as unknown as Key[] };
}

/** Renews leases; returns those that are still held. */
export const renew = (db: Database, me: string, keys: readonly Key[]): Promise<Key[]> =>
  db.acrossTenants('an engine goes on sending webhooks of every business', (tx) =>
    tx.rows<Key>(sql`
      UPDATE webhook_lane l SET leased_until = ${lease} FROM ${lists(keys)} AS k (provider_id, destination_id)
      WHERE l.provider_id = k.provider_id AND l.destination_id = k.destination_id AND l.leased_by = ${me}::uuid
        AND l.leased_until > clock_timestamp()
      RETURNING l.provider_id AS provider, l.destination_id AS destination`),
  );

/** Releases destinations and saves their state. */
export const release = (db: Database, me: string, lanes: readonly (Key & LaneState)[]): Promise<number> =>
  db.acrossTenants('an engine is done with webhooks of every business', (tx) =>
    tx.run(sql`
      UPDATE webhook_lane l SET leased_by = NULL, leased_until = NULL, served_at = now(), failures = k.failures,
        failing_since = k.failing_since, not_before = k.not_before, slow = k.slow
      FROM unnest(${lanes.map((k) => k.provider)}::bigint[], ${lanes.map((k) => k.destination)}::bigint[],
        ${lanes.map((k) => k.failures)}::int[],
                  ${lanes.map((k) => instant(k.failing_since))}::timestamptz[],
                  ${lanes.map((k) => instant(k.not_before))}::timestamptz[], ${lanes.map((k) => k.slow)}::boolean[])
           AS k (provider_id, destination_id, failures, failing_since, not_before, slow)
      WHERE l.provider_id = k.provider_id AND l.destination_id = k.destination_id AND l.leased_by = ${me}::uuid`),
  );

interface Load {
  /** null if nothing should be sent there any more */
  readonly url: string | null;
  readonly sealed: readonly string[];
  readonly due: readonly Due[];
}

/** Returns the due deliveries of one destination, the longest waiting first, in feed order, without those in flight. */
export async function load(
  db: Database,
  { provider, destination }: Key,
  {
    installation,
    now,
    most,
    without,
  }: { installation: Installation; now: number; most: number; without: readonly number[] },
): Promise<Load> {
  const at = instant(now);
  const [[found], secrets, due] = await db.transaction(provider, (tx) =>
    tx.all([
      sql`SELECT url FROM webhook_destination WHERE provider_id = ${provider} AND id = ${destination}
        AND deleted_at IS NULL AND status = 'active' AND ${mayBegin(installation, sql`provider_id`)}`,
      liveSecrets(provider, destination, now),
      sql`SELECT ${join(
        ['id', 'seq', 'kind', 'message_id', 'attempts', 'failures', 'body', 'created_at'].map((c) => raw(`w.${c}`)),
        ', ',
      )}, i.object, i.object_id, i.payload, i.occurred_at
          FROM (SELECT * FROM webhook_delivery WHERE provider_id = ${provider} AND destination_id = ${destination}
            AND status = 'pending' AND next_attempt_at <= ${at}::timestamptz
                  AND id <> ALL(${without}::bigint[]) ORDER BY next_attempt_at, id LIMIT ${most}) w
          LEFT JOIN feed_item i ON i.provider_id = w.provider_id AND i.seq = w.seq ORDER BY w.seq NULLS FIRST, w.id`,
    ]),
  );
  return { url: found?.url ?? null, sealed: secrets.map((s) => s.sealed), due: due as unknown as Due[] };
}
