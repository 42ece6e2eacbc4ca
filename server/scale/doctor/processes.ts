/** Checks of processes and database servers; each only reads. */
import { compareReleases } from '../../kernel/base/release.ts';
import { ALIVE_MS } from '../processes/roll.ts';
import { MIX_MS } from '../processes/peers.ts';
import { OF_MOVES } from '../cells/move/log.ts';
import { SESSION } from '../cells/move/ends.ts';
import { SKEW_MS, type Check, type Finding } from '../../commands/doctor/doctor-finding.ts';

const MEGABYTE = 1_000_000;
/** A standby that keeps up is never this far behind. */
const MAX_BEHIND_BYTES = 64 * MEGABYTE;

const seconds = (ms: number): string => `${Math.round(Math.abs(ms) / 1000)} s`;

const ALIVE = `NOT ended AND seen_at > clock_timestamp() - ${ALIVE_MS} * interval '1 ms'`;

/** Finds releases that have run in parallel for longer than it takes to replace one process after another. */
export const releases: Check = async (client) => {
  const { rows } = await client.query(
    `SELECT release, extract(epoch FROM clock_timestamp() - min(started_at))::float8 * 1000 AS ms,
       string_agg(format('process %s on %s', pid, host), ', ' ORDER BY host, pid) AS which
     FROM process WHERE ${ALIVE} GROUP BY release`,
  );
  const inOrder = rows.toSorted((a, b) => compareReleases(a.release, b.release));
  if (inOrder.length < 2 || inOrder.some(({ ms }) => ms < MIX_MS)) return { findings: [] };
  const newest = inOrder.at(-1).release;
  return {
    findings: inOrder.slice(0, -1).map(({ release, which }) => ({
      wrong: `Release ${release} has been running beside ${newest} for more than ${MIX_MS / 60_000} minutes: ${which}.`,
      remedy: `Upgrade these processes to ${newest}, or stop them.`,
    })),
  };
};

/** Compares clocks: each process compares its own with the database's when it reports itself alive. */
export const processClocks: Check = async (client) => {
  const { rows } = await client.query(
    `SELECT host, pid, clock_ahead_ms AS ms FROM process WHERE ${ALIVE} AND abs(clock_ahead_ms) > $1
      ORDER BY host, pid`,
    [SKEW_MS],
  );
  return {
    findings: rows.map(({ host, pid, ms }) => ({
      wrong: `The clock of ${host} is ${seconds(ms)} ${ms > 0 ? 'ahead of' : 'behind'} the clock of the database (process ${pid}).`,
      remedy: 'Synchronize both with a time server (NTP).',
    })),
  };
};

const far = <T extends { bytes: number }>(rows: readonly T[]): T[] =>
  rows.filter((row) => row.bytes > MAX_BEHIND_BYTES);

/**
 * Checks standbys. A login without permission to read their state sees rows without it. Moves read the log too, but are
 * not standbys: `moves` checks those.
 */
export const standbys: Check = async (client) => {
  const {
    rows: [{ standby }],
  } = await client.query('SELECT pg_is_in_recovery() AS standby');
  if (standby) return { findings: [] };
  const { rows: behind } = await client.query(
    `SELECT coalesce(nullif(application_name, ''), host(client_addr), pid::text) AS name,
       pg_wal_lsn_diff(pg_current_wal_lsn(), replay_lsn)::float8 AS bytes
     FROM pg_stat_replication WHERE state = 'streaming' AND replay_lsn IS NOT NULL AND application_name <> $1
       ORDER BY 1`,
    [SESSION],
  );
  const { rows: kept } = await client.query(
    `SELECT slot_name AS name, pg_wal_lsn_diff(pg_current_wal_lsn(), restart_lsn)::float8 AS bytes
     FROM pg_replication_slots WHERE NOT active AND restart_lsn IS NOT NULL
       AND NOT starts_with(slot_name, '${OF_MOVES}') ORDER BY 1`,
  );
  return {
    findings: [
      ...far(behind).map(({ name, bytes }): Finding => ({
        wrong: `The standby ${name} is ${Math.round(bytes / MEGABYTE)} MB behind the primary.`,
        remedy:
          'Look at its log, its disk and the network between the two. If it was promoted now, it would first have to replay all of this.',
      })),
      ...far(kept).map(({ name, bytes }): Finding => ({
        wrong: `No standby uses the replication slot ${name}, for which the primary keeps ${Math.round(bytes / MEGABYTE)} MB of its log.`,
        remedy: `Start the standby. If it is gone for good, run SELECT pg_drop_replication_slot('${name}'); otherwise the disk fills up.`,
      })),
    ],
  };
};
