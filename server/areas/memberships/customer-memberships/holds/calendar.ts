/** Calendar changes: holds begin and end on the days of each business, including days on which the service was down. */
import { addDays } from '../../../../kernel/base/values/date.ts';
import { changeHold, daysOf, moveMoments } from './hold-row.ts';
import { changeTerm, decideHolds } from './writes.ts';
import { endHoldsOf } from './ending.ts';
import { goesOn } from '../rules/status.ts';
import { customerMembershipHoldFeed } from './feed.ts';
import { instant, sql, type Sql } from '../../../../kernel/base/db/sql.ts';
import { lockAllOwned, readOwned, type Locked } from '../owned.ts';
import { stateOn } from './rules/hold.ts';
import { reportHeld, reportHold, reportResumed } from './reporting.ts';
import { todayOf } from '../writes.ts';
import { queueForEach } from '../../../../kernel/work/jobs/sweep.ts';
import { isOpen, isWaiting } from '../../../money/account-entries/index.ts';
import type { FeedReader } from '../../../../kernel/work/unit/feed-reader.ts';
import type { Job } from '../../../../kernel/work/unit/job.ts';
import type { Transaction } from '../../../../kernel/base/db/database.ts';
import type { Work } from '../../../../kernel/work/unit/work.ts';

const TASK = 'settle_holds';
const PORTION = 200;

/** Enqueues the job that settles the due holds of this business. */
export const settleHoldsSoon = (work: Work): void => work.enqueue({ task: TASK, payload: {}, key: 'holds' });

export const calendarJob: Job = { task: TASK, run: settleDue };

/** Returns the condition for a hold that is due, or whose membership has ended. */
const isDue = (now: string): Sql => sql`h.resumed_at IS NULL
  AND ((h.held_at IS NULL AND h.begins_at <= ${now}::timestamptz) OR h.over_at <= ${now}::timestamptz OR EXISTS (
  SELECT FROM customer_membership cm WHERE cm.provider_id = h.provider_id AND cm.id = h.customer_membership_id
    AND cm.status IN ('completed', 'cancelled')))`;

/**
 * Returns the tables and condition for holds whose credit was waiting for the bill of its period, and whose period is
 * now billed.
 */
const billed = () => sql`account_entry e JOIN customer_membership_hold h
    ON h.provider_id = e.provider_id AND h.customer_membership_id = e.customer_membership_id
    AND h.credit_entry_id = e.id
  WHERE ${isWaiting('e')} AND ${isOpen('e')} AND EXISTS (
    SELECT FROM invoice_line l WHERE l.provider_id = e.provider_id AND l.billed_object = 'customermembership'
      AND l.billed_id = e.customer_membership_id AND l.credits_line_id IS NULL
      AND l.period_start BETWEEN e.period_start AND e.period_end)`;

/** Enqueues the job for each business that has due holds. */
export async function sweepHolds(tx: Transaction, now: number): Promise<void> {
  const businesses = await tx.rows<{ id: number }>(
    sql`SELECT h.provider_id AS id FROM customer_membership_hold h WHERE ${isDue(instant(now)!)}
      UNION SELECT e.provider_id FROM ${billed()}`,
  );
  await queueForEach(tx, { task: TASK, now, key: () => 'holds' }, businesses);
}

export async function settleDue(work: Work): Promise<void> {
  // The memberships are locked by id before their holds are read: earlier reads may be outdated.
  const { tx, providerId } = work;
  const due = await tx.rows<{ id: number }>(
    sql`SELECT h.customer_membership_id AS id FROM customer_membership_hold h
      WHERE h.provider_id = ${providerId} AND (${isDue(instant(work.now)!)})
      UNION SELECT e.customer_membership_id FROM ${billed()} AND e.provider_id = ${providerId} ORDER BY 1
      LIMIT ${PORTION}`,
  );
  const ids = due.map((row) => row.id);
  for (const owned of await lockAllOwned(work, ids)) {
    if (goesOn(owned)) await settleCalendar(work, owned);
    else await forget(work, owned);
  }
  await settleBilled(work, ids);
  if (ids.length === PORTION) work.enqueue({ task: TASK, payload: {}, key: `holds:${ids.at(-1)}` });
}

/**
 * Decides credits again that were waiting for the bill of their period: from now on, they return a part of that bill.
 */
async function settleBilled(work: Work, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return;
  const rows = await work.tx.rows<{ hold: number; membership: number }>(sql`
    SELECT h.id AS hold, h.customer_membership_id AS membership FROM ${billed()}
      AND e.provider_id = ${work.providerId} AND e.customer_membership_id = ANY(${ids}::bigint[])`);
  if (rows.length === 0) return;
  const holds = rows.map(({ hold }) => hold);
  await decideHolds(work, [...new Set(rows.map(({ membership }) => membership))], holds);
}

/** Reports the calendar changes of a membership's holds: those that have begun, and those that have ended. */
async function settleCalendar(work: Work, owned: Locked): Promise<void> {
  const today = todayOf(work);
  const now = instant(work.now);
  const changed: number[] = [];
  for (const hold of owned.holds) {
    const state = stateOn(daysOf(hold), today);
    const begins = hold.held_at === null && state !== 'upcoming';
    const ends = hold.resumed_at === null && state === 'ended';
    if (!begins && !ends) continue;
    changed.push(hold.id);
    await changeHold(work, hold, { ...(begins && { held_at: now }), ...(ends && { resumed_at: now }) });
    if (begins) reportHeld(work, owned, hold.id);
    if (!ends) continue;
    reportHold(work, owned, {
      kind: customerMembershipHoldFeed.ended,
      effect: 'hold_ended',
      hold: hold.id,
      days: daysOf(hold),
    });
    reportResumed(work, owned, hold.id);
  }
  // The bills of its periods, past and expected, are now known.
  if (changed.length > 0) await decideHolds(work, [owned.id], changed);
  const rests = owned.holds.some((hold) => stateOn(daysOf(hold), today) === 'active');
  await changeTerm(work, owned, { end: owned.expiration_date, status: rests ? 'hold' : 'active' });
}

/** Ends the holds of a membership that has ended with its last day, without reporting that it continues. */
async function forget(work: Work, { id, expiration_date: end }: Locked): Promise<void> {
  await endHoldsOf(work, id, addDays(end ?? addDays(todayOf(work), -1), 1));
  const now = instant(work.now);
  const { holds } = await readOwned(work, id);
  for (const hold of holds.filter(({ resumed_at }) => resumed_at === null))
    await changeHold(work, hold, { ...(hold.held_at === null && { held_at: now }), resumed_at: now });
}

/** Moves the holds after a change of the time zone, because the days of the business then begin at other times. */
export const zoneReader: FeedReader = {
  name: 'holds',
  kinds: ['provider.updated'],
  async read(work, items) {
    if (items.some((one) => (one.payload.changed as string[]).includes('timezone'))) await moveMoments(work);
  },
};
