/** The clocks of test businesses as they are stored: see docs/adr/0017-test-clock.md. */
import { instant, sql } from '../../base/db/sql.ts';
import type { Reads, Transaction } from '../../base/db/database.ts';

/** A clock; of a business that is not made for tests there is none. */
export interface ClockRow {
  readonly ahead_ms: number;
  /** from and to which of its times it is being advanced, epoch ms */
  readonly advances_from: number | null;
  readonly advances_to: number | null;
  /** why the last advance ended before its time */
  readonly failure: string | null;
}

export const makeTestClock = (tx: Transaction, providerId: number): Promise<number> =>
  tx.run(sql`INSERT INTO test_clock (provider_id) VALUES (${providerId})`);

export const readClock = (tx: Reads, providerId: number): Promise<ClockRow | undefined> =>
  tx.one<ClockRow>(
    sql`SELECT ahead_ms, advances_from, advances_to, failure FROM test_clock WHERE provider_id = ${providerId}`,
  );

/** The same, held still: an advance that begins meanwhile waits. */
export const lockClock = (tx: Reads, providerId: number): Promise<ClockRow | undefined> =>
  tx.one<ClockRow>(
    sql`SELECT ahead_ms, advances_from, advances_to, failure FROM test_clock WHERE provider_id = ${providerId} FOR NO KEY UPDATE`,
  );

/** The business has the real time from now on; the database refuses it where its clock is ahead. */
export const endTestClock = (tx: Transaction, providerId: number): Promise<number> =>
  tx.run(sql`DELETE FROM test_clock WHERE provider_id = ${providerId}`);

/** From now on the worker advances the clock, step by step. */
export const beginAdvance = (tx: Transaction, providerId: number, from: number, to: number): Promise<number> =>
  tx.run(
    sql`UPDATE test_clock SET advances_from = ${instant(from)}, advances_to = ${instant(to)}, failure = NULL WHERE provider_id = ${providerId}`,
  );

export const endAdvance = (tx: Transaction, providerId: number, failure: string | null): Promise<number> =>
  tx.run(
    sql`UPDATE test_clock SET advances_from = NULL, advances_to = NULL, failure = ${failure} WHERE provider_id = ${providerId}`,
  );

/**
 * Puts the clock so far ahead. Nobody waits until this is on disk: what a crash could take back is the last steps, with
 * nothing that was done at them, for whatever is done later takes it to the disk too.
 */
export async function moveClock(tx: Transaction, providerId: number, aheadMs: number): Promise<void> {
  await tx.all([
    sql`SELECT set_config('synchronous_commit', 'off', true)`,
    sql`UPDATE test_clock SET ahead_ms = greatest(ahead_ms, ${aheadMs}::bigint) WHERE provider_id = ${providerId}`,
  ]);
}
