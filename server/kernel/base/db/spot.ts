/**
 * Where something is read: at the primary, or at a replica from some position of the log on. What was known of the
 * replica may be so of another server meanwhile: one that crashed begins again further back, and a name may stand for
 * several. So the session that reads says itself how far it is, before it reads.
 */
import { sql, statement } from './sql.ts';
import type { Answer, Command } from './batch.ts';
import type { Place } from './place.ts';

export interface Spot {
  readonly place: Place;
  /** the position that the server must have replayed at least; null: it is the primary */
  readonly least: number | null;
}

/** The server has not got to where it must have been. Nothing was answered. */
export class Behind extends Error {
  constructor() {
    super('the replica has not replayed what the primary had');
  }
}

const REPLAYED: Command = {
  statement: statement(sql`SELECT (pg_last_wal_replay_lsn() - '0/0')::float8`),
  values: [],
};

/** What is sent before the reads. */
export const proofOf = ({ least }: Spot): Command[] => (least === null ? [] : [REPLAYED]);

/** @throws Behind when that was answered otherwise than it must be */
export function checkProof({ least }: Spot, answer: Answer): void {
  // Null where nothing was ever replayed: then it is no standby.
  if (least !== null && !(Number(answer.rows[0][0] ?? -1) >= least)) throw new Behind();
}
