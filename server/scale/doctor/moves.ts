/** Moves of businesses to other cells that began and did not end: nobody else releases their resources. */
import { OF_MOVES } from '../cells/move/log.ts';
import type { Check, Finding } from '../../commands/doctor/doctor-finding.ts';

/** A business that is closed for longer than this is no longer being moved, in seconds. */
const CLOSED_S = 60;

interface Stopped {
  readonly business: string;
  readonly cell: number;
  readonly closed: boolean;
  readonly follows: boolean;
  readonly held: string | null;
}

export const moves: Check = async (client) => {
  const { rows } = await client.query<Stopped>(
    `SELECT m.provider_id::text AS business, m.cell, b.state = 'leaving'
      AND b.changed_at < now() - interval '${CLOSED_S} s' AS closed,
       coalesce(s.active, false) AS follows,
         pg_size_pretty(pg_wal_lsn_diff(pg_current_wal_lsn(), s.restart_lsn)) AS held
     FROM public.cell_move m LEFT JOIN public.cell_business b USING (provider_id)
       LEFT JOIN pg_replication_slots s ON s.slot_name = '${OF_MOVES}' || (SELECT oid FROM pg_database
         WHERE datname = current_database()) || '_' || m.provider_id
     WHERE b.state IS DISTINCT FROM 'arriving' AND m.began_at < now() - interval '${CLOSED_S} s' ORDER BY 1`,
  );
  const findings = rows
    .filter(({ closed, follows }) => closed || !follows)
    .map(({ business, cell, closed, held }): Finding => ({
      wrong: closed
        ? `Business ${business} is closed: its move to cell ${cell} was stopped at its end.`
        : `The move of business ${business} to cell ${cell} was stopped${held === null ? '' : `, and the database keeps ${held} of its log for it`}.`,
      remedy: `Run "rollcall move ${business} ${cell}" again, or take it back with --cancel.`,
    }));
  const { rows: slots } = await client.query<{ name: string; held: string }>(
    `SELECT slot_name AS name, pg_size_pretty(pg_wal_lsn_diff(pg_current_wal_lsn(), restart_lsn)) AS held
      FROM pg_replication_slots
     WHERE database = current_database() AND starts_with(slot_name, '${OF_MOVES}') AND NOT active
       AND NOT EXISTS (SELECT FROM public.cell_move m WHERE slot_name LIKE '%\\_' || m.provider_id)`,
  );
  for (const { name, held } of slots)
    findings.push({
      wrong: `The database keeps ${held} of its log for a move that is over.`,
      remedy: `SELECT pg_drop_replication_slot('${name}');`,
    });
  return { findings };
};
