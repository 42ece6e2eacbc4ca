/** Actions on a test business as a whole, while its clock isn't being advanced. */
import { changeBusiness } from './business.ts';
import { CLOCK_PROBLEMS } from './problems.ts';
import { endTestClock, lockClock } from '../../../kernel/work/clock/test-clock.ts';
import { Problem } from '../../../kernel/base/problem.ts';
import { sql } from '../../../kernel/base/db/sql.ts';
import type { Work } from '../../../kernel/work/unit/work.ts';

interface Settled {
  readonly name: string;
  readonly aheadMs: number;
}

/**
 * Reads a test business whose clock isn't being advanced, and won't be until the transaction ends. `otherwise`: the
 * message if it isn't a test business.
 * @throws Problem
 */
export async function readSettled(work: Work, otherwise: string): Promise<Settled> {
  const { tx, providerId } = work;
  const clock = await lockClock(tx, providerId);
  if (!clock) throw new Problem(CLOCK_PROBLEMS.not_a_test_business, otherwise);
  if (clock.advances_to !== null)
    throw new Problem(
      CLOCK_PROBLEMS.test_clock_advancing,
      'The clock is being advanced. Wait until `advance` of the clock is null.',
    );
  const row = await tx.one<{ name: string }>(sql`SELECT name FROM provider WHERE provider_id = ${providerId}`);
  return { name: row!.name, aheadMs: clock.ahead_ms };
}

/** @throws Problem if it is live already, or its clock was ever advanced */
export async function goLive(work: Work): Promise<void> {
  const { tx, providerId } = work;
  const { aheadMs } = await readSettled(work, 'This business is live already.');
  if (aheadMs > 0)
    throw new Problem(
      'conflict',
      'The clock of this business is ahead of the real time, and can’t go back. Delete the business, and create another one.',
    );
  await endTestClock(tx, providerId);
  await changeBusiness(work, { is_test: false }, ['is_test']);
  work.audit({
    action: 'POST /providers/{id}/go_live',
    object: 'provider',
    objectId: providerId,
    before: { is_test: true },
    after: { is_test: false },
  });
}
