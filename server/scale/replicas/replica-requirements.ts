/**
 * Reasons why reads can't be sent to a server: one list for the service, and for operators who want to know why it
 * doesn't send them.
 */
import type { Position, Replayed } from './position.ts';

export interface Unfit {
  /** completes a sentence that starts with the server's name: "takes writes" */
  readonly is: string;
  /** a sentence */
  readonly remedy: string;
}

export const SHARED: Unfit = {
  is: 'is behind a pooler that gives one connection to several sessions in turns',
  remedy: 'Set pool_mode = session there, or connect directly.',
};

const WRITABLE: Unfit = { is: 'takes writes', remedy: 'Name standbys only in REPLICA_URL.' };

const STRANGE: Unfit = {
  is: 'is a standby of another database',
  remedy: 'Name standbys of the database of DATABASE_URL in REPLICA_URL.',
};

const HIDDEN: Unfit = {
  is: 'does not let the role of REPLICA_URL see whether it follows the primary',
  remedy: 'GRANT pg_read_all_stats to that role, on the primary.',
};

const APART: Unfit = {
  is: 'does not follow the primary',
  remedy: 'Let it stream from the primary (primary_conninfo), and look at its log.',
};

/**
 * Returns the first problem; null if there is none. `primary`: the primary's position; null: unknown, so that only the
 * server's own state counts.
 */
export function findUnmetRequirements(
  { database, timeline, at, recovers, hidden }: Replayed,
  primary: Pick<Position, 'database' | 'timeline'> | null,
): Unfit | null {
  if (!recovers) return WRITABLE;
  if (primary && database !== primary.database) return STRANGE;
  if (hidden) return HIDDEN;
  return primary && (timeline !== primary.timeline || at === null) ? APART : null;
}
