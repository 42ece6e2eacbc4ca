/**
 * Positions in the log: how far the primary's is, and how far a replica has replayed it. A replica at the position that
 * the primary had at the time of a request has every change that was confirmed to anybody before: commits are
 * confirmed, and visible to others, only after the log is flushed up to them. If commits are not waited for
 * (`synchronous_commit = off`), the end of the log counts instead.
 */
import { Inquiry } from '../../kernel/base/db/connections/inquiry.ts';
import type { Patience } from '../../kernel/base/db/connections/patience.ts';

/**
 * A position. Only positions of one timeline of one database can be compared: a promoted server begins a new timeline.
 */
export interface Position {
  /** the cluster and its database, the same on all servers */
  readonly database: string;
  readonly timeline: number;
  /** bytes of the log */
  readonly at: number;
}

/** The position of a replica; `timeline` is null while it follows no server. */
export interface Replayed {
  readonly database: string;
  readonly timeline: number | null;
  readonly at: number | null;
  readonly recovers: boolean;
  /** the login may not see which server it follows */
  readonly hidden: boolean;
}

/** A later response would help nobody; a busy server still meets this limit. */
const WITHIN_MS = 2000;

/** Identifies the cluster and its database. */
export const DATABASE = `SELECT concat_ws('/', (SELECT system_identifier FROM pg_control_system()),
  (SELECT oid FROM pg_database WHERE datname = current_database())) AS database`;

// Reads no table: it runs before each read that a replica may serve.
export const PRIMARY = `
  SELECT (CASE current_setting('synchronous_commit') WHEN 'off' THEN pg_current_wal_insert_lsn()
    ELSE pg_current_wal_flush_lsn() END - '0/0')::float8 AS at,
  left(pg_walfile_name(pg_current_wal_insert_lsn()), 8) AS timeline`;

// The timeline that it receives: a replica that has replayed beyond the start of a new timeline receives nothing.
export const REPLICA = `SELECT (pg_last_wal_replay_lsn() - '0/0')::float8 AS at, pg_is_in_recovery() AS recovers,
  CASE r.status WHEN 'streaming' THEN r.received_tli END AS timeline, r.pid IS NOT NULL AND r.status IS NULL AS hidden
  FROM (SELECT) AS one LEFT JOIN pg_stat_wal_receiver r ON true`;

export const timelineOf = ({ timeline }: { timeline: string }): number => parseInt(timeline, 16);

export class PrimaryPosition {
  readonly #inquiry: Inquiry<{ database: string; at: number; timeline: string }>;

  constructor(url: string, patience: Patience) {
    this.#inquiry = new Inquiry({ url, patience, text: PRIMARY, first: DATABASE, withinMs: WITHIN_MS });
  }

  /**
   * Returns a position that is never older than the request.
   * @throws Error if the primary doesn't respond
   */
  async now(): Promise<Position> {
    const said = await this.#inquiry.fresh();
    return { ...said, timeline: timelineOf(said) };
  }

  close(): void {
    this.#inquiry.close();
  }
}

export const replayedBy = (url: string, patience: Patience): Inquiry<Replayed> =>
  new Inquiry({ url, patience, text: REPLICA, first: DATABASE, withinMs: WITHIN_MS });
