/**
 * The server for a read: the primary, or a replica from some position of the log on. A known position may be wrong: a
 * replica that crashed restarts further back, and one name may belong to several servers. So the session that reads
 * reports its own position before it reads.
 */
import { sql, statement } from '../sql.ts';
import type { Answer, Command } from '../sharing/batch.ts';
import type { Place } from '../sharing/place.ts';

export interface Spot {
  readonly place: Place;
  /** the position that the server must have replayed at least; null: the primary */
  readonly least: number | null;
}

/** The server has not reached the required position. Nothing was read. */
export class Behind extends Error {
  constructor() {
    super('the replica has not replayed what the primary had');
  }
}

const REPLAYED: Command = {
  statement: statement(sql`SELECT (pg_last_wal_replay_lsn() - '0/0')::float8`),
  values: [],
};

/** Returns the commands to send before the reads. */
export const proofOf = ({ least }: Spot): Command[] => (least === null ? [] : [REPLAYED]);

/**
 * Checks the response to those commands.
 * @throws Behind if the server is not at the position
 */
export function checkProof({ least }: Spot, answer: Answer): void {
  // Null if nothing was ever replayed: then it is not a standby.
  if (least !== null && !(Number(answer.rows[0][0] ?? -1) >= least)) throw new Behind();
}
