/**
 * How far the log of the primary is, and how far a replica has replayed it. A replica that is at the position that the
 * primary had when somebody asked has every change that was confirmed to anybody by then: commits are confirmed, and
 * seen by others, only once the log is flushed to where they stand. Where commits are not waited for
 * (`synchronous_commit = off`) that is the end of the log instead.
 */
import { Inquiry } from './inquiry.ts';
import type { Patience } from './patience.ts';

/** Positions of one timeline of one database can be compared, and no others: a promoted server begins a new timeline. */
export interface Position {
  /** the cluster and the database in it, the same on all its servers */
  readonly database: string;
  readonly timeline: number;
  /** bytes of the log */
  readonly at: number;
}

/** The same of a replica; `timeline` is null while it follows nobody. */
export interface Replayed {
  readonly database: string;
  readonly timeline: number | null;
  readonly at: number | null;
  readonly recovers: boolean;
  /** the login may not see whom the server follows */
  readonly hidden: boolean;
}

/** More is an answer that would help nobody; a busy server answers this nevertheless. */
const WITHIN_MS = 2000;

/** Which cluster, and which database in it. */
export const DATABASE = `SELECT concat_ws('/', (SELECT system_identifier FROM pg_control_system()),
  (SELECT oid FROM pg_database WHERE datname = current_database())) AS database`;

// Reads no table: it is asked before each read that a replica may answer.
export const PRIMARY = `SELECT (CASE current_setting('synchronous_commit') WHEN 'off' THEN pg_current_wal_insert_lsn() ELSE pg_current_wal_flush_lsn() END - '0/0')::float8 AS at,
  left(pg_walfile_name(pg_current_wal_insert_lsn()), 8) AS timeline`;

// The timeline that it receives: one that has replayed beyond the point where a new timeline began receives nothing.
export const REPLICA = `SELECT (pg_last_wal_replay_lsn() - '0/0')::float8 AS at, pg_is_in_recovery() AS recovers,
  CASE r.status WHEN 'streaming' THEN r.received_tli END AS timeline, r.pid IS NOT NULL AND r.status IS NULL AS hidden
  FROM (SELECT) AS one LEFT JOIN pg_stat_wal_receiver r ON true`;

export const timelineOf = ({ timeline }: { timeline: string }): number => parseInt(timeline, 16);

export class PrimaryPosition {
  readonly #inquiry: Inquiry<{ database: string; at: number; timeline: string }>;

  constructor(url: string, patience: Patience) {
    this.#inquiry = new Inquiry({ url, patience, text: PRIMARY, first: DATABASE, withinMs: WITHIN_MS });
  }

  /** Never older than the question. @throws Error when the primary doesn't answer */
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
