/**
 * The server for a read: the primary, or a replica from some position of the log on. A known position may be wrong: a
 * replica that crashed restarts further back, and one name may belong to several servers. So the session that reads
 * reports its own position before it reads.
 */
import { sql, statement } from '../sql.ts';
import type { Answer, Command } from './batch.ts';
import type { Patience } from '../connections/patience.ts';
import type { Place } from './place.ts';
import type { PoolOptions } from '../connections/connect.ts';

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

export interface ReplicaState {
  readonly name: string;
  /** null: unknown */
  readonly lagMs: number | null;
  /** problem that has lasted for some seconds, for people */
  readonly trouble: string | null;
}

/** Number of reads that a replica could serve by where they were served, and why the primary served them. */
export interface ReadCounts {
  replica: number;
  /** no replica was usable */
  away: number;
  /** none had reached the position in time */
  behind: number;
  /** a replica ended the read, and the primary served it */
  failed: number;
}

/** Other servers that may serve reads: see `server/scale/replicas`. */
export interface ReadServers {
  /** Runs `read` at a server that has everything the primary had before this call, or else at the primary. */
  read<T>(read: (at: Spot) => Promise<T>, primary: Spot): Promise<T>;
  readonly states: readonly ReplicaState[];
  readonly counts: Readonly<ReadCounts>;
  close(): Promise<void>;
}

/** Opens them; `pool`: the options of the primary's pool, with the session for reads. */
export type OpenReadServers = (pool: PoolOptions & { readonly patience: Patience }) => ReadServers;
