/** The holds of a membership that ends. */
import { addDays } from '../../../../kernel/base/values/date.ts';
import { changeHold, daysOf, momentsOf, type HoldRow } from './hold-row.ts';
import { decideFor, toManner } from './deciding.ts';
import { settleMoney } from './money.ts';
import { takeOut } from './writes.ts';
import { customerMembershipHoldFeed } from './feed.ts';
import { instant, json } from '../../../../kernel/base/db/sql.ts';
import { readOwned, type Owned } from '../owned.ts';
import { stateOn } from './rules/hold.ts';
import { reportHold, reportUpdated } from './reporting.ts';
import { todayOf } from '../writes.ts';
import { usagesOf } from './usage.ts';
import { storedTexts } from '../../../../kernel/work/unit/stored-texts.ts';
import type { Usage } from './rules/payment.ts';
import type { Work } from '../../../../kernel/work/unit/work.ts';

/**
 * Ends the holds of a membership that ends: none reaches the day `on`, and those that begin on it or later are deleted.
 * The caller sets the last day and the status of the membership. It has locked the membership and written its last day
 * before, so that nothing is charged for a later time.
 */
export async function endHoldsOf(work: Work, customerMembership: number, on: string): Promise<void> {
  const owned = await readOwned(work, customerMembership);
  const standing = owned.holds.filter(({ end_date: end }) => end === null || end >= on);
  if (standing.length === 0) return;
  const usage = (await usagesOf(work, [owned])).get(owned.id);
  for (const hold of standing) {
    if (hold.start_date >= on) await takeOut(work, owned, hold, storedTexts(work).say('hold.ended'));
    else await cut(work, owned, hold, { end: addDays(on, -1), usage });
  }
}

async function cut(
  work: Work,
  owned: Owned,
  hold: HoldRow,
  { end, usage }: { end: string; usage: Usage | undefined },
): Promise<void> {
  const days = { ...daysOf(hold), end };
  const decision = await decideFor(work, owned, days, toManner(hold), {
    end: owned.expiration_date,
    replaces: hold,
    usage,
  });
  const over = stateOn(days, todayOf(work)) === 'ended';
  await changeHold(work, hold, {
    end_date: end,
    resolution: json(decision.decided),
    ended_at: instant(work.now),
    ...momentsOf(days, work.tenant.zone),
    ...(over && hold.held_at === null && { held_at: instant(work.now) }),
    ...(over && hold.resumed_at === null && { resumed_at: instant(work.now) }),
    ...(await settleMoney(work, owned, days, decision, hold)),
  });
  const ended = { effect: 'hold_ended', hold: hold.id, days };
  if (over) reportHold(work, owned, { ...ended, kind: customerMembershipHoldFeed.ended });
  else reportUpdated(work, owned, { ...ended, changed: ['end_date'] });
}
