/** Stored clocks of test businesses: see docs/adr/0017-test-clock.md. */
import { instant, sql } from '../../base/db/sql.ts';
import type { Reads, Transaction } from '../../base/db/database.ts';

/** A clock; only test businesses have one. */
export interface ClockRow {
  readonly ahead_ms: number;
  /** start and target of the current advance in the business's time, epoch ms */
  readonly advances_from: number | null;
  readonly advances_to: number | null;
  /** why the last advance ended early */
  readonly failure: string | null;
}

export const makeTestClock = (tx: Transaction, providerId: number): Promise<number> =>
  tx.run(sql`INSERT INTO test_clock (provider_id) VALUES (${providerId})`);

export const readClock = (tx: Reads, providerId: number): Promise<ClockRow | undefined> =>
  tx.one<ClockRow>(
    sql`SELECT ahead_ms, advances_from, advances_to, failure FROM test_clock WHERE provider_id = ${providerId}`,
  );

/** Returns the clock, locked: an advance that begins in the meantime waits. */
export const lockClock = (tx: Reads, providerId: number): Promise<ClockRow | undefined> =>
  tx.one<ClockRow>(
    sql`SELECT ahead_ms, advances_from, advances_to, failure FROM test_clock WHERE provider_id = ${providerId}
      FOR NO KEY UPDATE`,
  );

/** Returns the business to real time; the database refuses it if its clock is ahead. */
export const endTestClock = (tx: Transaction, providerId: number): Promise<number> =>
  tx.run(sql`DELETE FROM test_clock WHERE provider_id = ${providerId}`);

/** Makes the worker advance the clock, step by step. */
export const beginAdvance = (tx: Transaction, providerId: number, from: number, to: number): Promise<number> =>
  tx.run(
    sql`UPDATE test_clock SET advances_from = ${instant(from)}, advances_to = ${instant(to)}, failure = NULL
      WHERE provider_id = ${providerId}`,
  );

export const endAdvance = (tx: Transaction, providerId: number, failure: string | null): Promise<number> =>
  tx.run(
    sql`UPDATE test_clock SET advances_from = NULL, advances_to = NULL, failure = ${failure}
      WHERE provider_id = ${providerId}`,
  );

/**
 * Sets how far ahead the clock is. Nobody waits until this is on disk: a crash could only undo the last steps that did
 * no work, because any later work flushes it to disk too.
 */
export async function moveClock(tx: Transaction, providerId: number, aheadMs: number): Promise<void> {
  await tx.all([
    sql`SELECT set_config('synchronous_commit', 'off', true)`,
    sql`UPDATE test_clock SET ahead_ms = greatest(ahead_ms, ${aheadMs}::bigint) WHERE provider_id = ${providerId}`,
  ]);
}
