/** Holds of memberships that were on hold where they come from. Nothing is credited or charged for them. */
import { customerMembershipHoldFeed } from './feed.ts';
import { insertOpenHolds } from './hold-row.ts';
import { reportHeld, reportHold } from './reporting.ts';
import { todayOf } from '../writes.ts';
import { undecided } from './deciding.ts';
import type { Owned } from '../owned.ts';
import type { Work } from '../../../../kernel/work/unit/work.ts';

type Paused = Pick<Owned, 'id' | 'customer_id' | 'start_date'>;

/** Puts new memberships on hold from today, or from their first day, until somebody ends it. */
export async function pauseMoved(work: Work, paused: readonly Paused[]): Promise<void> {
  if (paused.length === 0) return;
  const today = todayOf(work);
  const days = paused.map(({ start_date: start }) => ({
    start: start !== null && start > today ? start : today,
    end: null,
  }));
  const rows = await insertOpenHolds(
    work,
    paused.map(({ id }, i) => ({ of: id, ...days[i] })),
    undecided(work),
  );
  const holds = new Map(rows.map(({ id, of }) => [of, id]));
  for (const [i, one] of paused.entries()) {
    const owned = one as Owned;
    const hold = holds.get(one.id)!;
    reportHold(work, owned, { kind: customerMembershipHoldFeed.created, effect: 'hold_created', hold, days: days[i] });
    if (days[i].start <= today) reportHeld(work, owned, hold);
  }
}
