/**
 * The list of processes on one database: each reports its state and what it took from rate limits, in one statement.
 */
import type { Connection } from '../../kernel/base/db/connections/connection.ts';
import type { StreamCounts } from '../../kernel/api/scale.ts';

/** A process that has not reported for this long, in milliseconds, no longer counts. */
export const ALIVE_MS = 5000;
/** Reports are kept for longer than any limit needs them. */
const REPORTS_KEPT_SECONDS = 100;
const FORGOTTEN_AFTER = '1 hour';

export type Role = 'all' | 'server' | 'worker';

/** Properties of a process that stay the same while it lives. */
export interface Self {
  readonly id: string;
  readonly role: Role;
  readonly release: string;
  readonly host: string;
  readonly pid: number;
}

type Due = Readonly<Record<string, number>>;

/** Usage of rate limits: milliseconds of refill by caller. */
interface Report {
  readonly number: number;
  /** since the previous report */
  readonly taken: Due;
  /** complete state, for processes that start */
  readonly whole: Due | null;
}

/** The variable part of a report. */
interface Said {
  /** number of servers that it counts */
  readonly servers: number;
  /** epoch milliseconds by its own clock */
  readonly now: number;
  /** null: unchanged */
  readonly streams: StreamCounts | null;
  readonly report: Report | null;
  /** the last report received from each other process */
  readonly heard: Readonly<Record<string, number>>;
}

/** The known state of another process, dead or alive. */
export interface Other extends Self {
  readonly servers: number;
  readonly streams: StreamCounts;
  readonly startedMsAgo: number;
  readonly seenMsAgo: number;
  readonly ended: boolean;
  /** since the last one that was received, oldest first */
  readonly reports: readonly (Report & { readonly msAgo: number })[];
}

const SAY = `
  WITH said AS (
    INSERT INTO process AS p (id, role, release, host, pid, servers, clock_ahead_ms, streams, seen_at)
    VALUES ($1, $2, $3, $4, $5, $6, $7::float8 - extract(epoch FROM clock_timestamp())::float8 * 1000,
      coalesce($8::jsonb, '{}'), clock_timestamp())
    ON CONFLICT (id) DO UPDATE SET servers = excluded.servers, clock_ahead_ms = excluded.clock_ahead_ms,
      streams = CASE WHEN $8::jsonb IS NULL THEN p.streams ELSE excluded.streams END, seen_at = excluded.seen_at
  ), reported AS (
    INSERT INTO process_report (process_id, number, taken, whole)
    SELECT $1, $9, $10::jsonb, $11::jsonb WHERE $10::jsonb IS NOT NULL
  )
  SELECT p.id, p.role, p.release, p.host, p.pid, p.servers, p.streams, p.ended,
    extract(epoch FROM clock_timestamp() - p.started_at)::float8 * 1000 AS "startedMsAgo",
    extract(epoch FROM clock_timestamp() - p.seen_at)::float8 * 1000 AS "seenMsAgo",
    coalesce((SELECT json_agg(json_build_object('number', r.number, 'taken', r.taken, 'whole', r.whole,
        'msAgo', extract(epoch FROM clock_timestamp() - r.at) * 1000) ORDER BY r.number)
      FROM process_report r
      WHERE r.process_id = p.id AND r.number > coalesce(($12::jsonb ->> p.id::text)::bigint, 0)), '[]') AS reports
  FROM process p WHERE p.id <> $1`;

/** Sends a report, and returns the reports of all others. */
export async function say(connection: Connection, self: Self, said: Said): Promise<Other[]> {
  const { id, role, release, host, pid } = self;
  const { servers, now, streams, report, heard } = said;
  const { rows } = await connection.query({
    name: 'say',
    text: SAY,
    values: [
      id,
      role,
      release,
      host,
      pid,
      servers,
      now,
      streams && JSON.stringify(streams),
      report?.number ?? null,
      report && JSON.stringify(report.taken),
      report?.whole ? JSON.stringify(report.whole) : null,
      JSON.stringify(heard),
    ],
  });
  return rows;
}

/** Deletes old rows. Processes that do this at the same time skip each other's rows. */
export async function tidy(connection: Connection): Promise<void> {
  await connection.query(
    `DELETE FROM process_report WHERE ctid = ANY (ARRAY(
       SELECT ctid FROM process_report WHERE at < now() - interval '${REPORTS_KEPT_SECONDS} s'
         FOR UPDATE SKIP LOCKED))`,
  );
  await connection.query(
    `DELETE FROM process WHERE id IN (
       SELECT id FROM process WHERE seen_at < now() - interval '${FORGOTTEN_AFTER}' FOR UPDATE SKIP LOCKED)`,
  );
}

/** Removes a process that ends from the list. */
export async function leave(connection: Connection, { id }: Self): Promise<void> {
  await connection.query('UPDATE process SET ended = true WHERE id = $1', [id]);
}
