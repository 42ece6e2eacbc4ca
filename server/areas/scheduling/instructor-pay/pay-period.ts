/** Approved pay, with its last day and its total. */
import { action, create, filter, one, staffWith, listAndGet } from '../../../kernel/api/endpoint.ts';
import { date, id, instant, integer, listOf, money, oneOf } from '../../../kernel/base/fields/kinds.ts';
import { formatDecimal } from '../../../kernel/base/values/money.ts';
import { insertRow, updateRow } from '../../../kernel/work/unit/row.ts';
import { instant as instantText, raw, sql } from '../../../kernel/base/db/sql.ts';
import { invalid, Problem } from '../../../kernel/base/problem.ts';
import { lockProgress, lookAgainSince } from './progress.ts';
import { instructorPayPeriodFeed } from './feed.ts';
import { resource } from '../../../kernel/api/resource.ts';
import { seesAllPay } from './pay-item.ts';
import { venueLimit } from '../../../kernel/api/venue-limit.ts';
import { wallAt } from '../../../kernel/base/values/zone.ts';
import type { Work } from '../../../kernel/work/unit/work.ts';

const STATUSES = ['approved', 'reopened'] as const;

const statusOf = (t: string) => raw(`CASE WHEN ${t}.reopened_at IS NULL THEN 'approved' ELSE 'reopened' END`);

export const instructorPayPeriod = resource('instructor_pay_period', {
  description:
    'Pay of instructors that was approved together: every session until a day that no earlier period has. It doesn’t change any more, so that it can be paid out.',
  fields: {
    id: id(),
    status: oneOf(STATUSES).from(statusOf),
    through: date().describe('The last day of the sessions in it, by the clock of their venue.'),
    sessions: integer().describe('For how many instructors and sessions it has pay.'),
    total: money()
      .from((t) => raw(`${t}.total_minor`))
      .describe('All of it when it was approved.'),
    approved_at: instant(),
    reopened_at: instant().nullable().describe('When it was reopened. Null if it was not.'),
  },
  visible: { provider: (_t, viewer) => seesAllPay(viewer), customer: false, unregistered: false },
});

const who = staffWith('super_admin', 'revenue');

/** Returns the condition for open pay for sessions until a day. */
const openUntil = ({ providerId }: Work, through: string) =>
  sql`i.provider_id = ${providerId} AND i.instructor_pay_period_id IS NULL AND EXISTS (SELECT FROM event e
    WHERE e.provider_id = i.provider_id AND e.id = i.event_id AND e.local_starts_at < ${through}::date + 1)`;

interface Sum {
  readonly instructor: number;
  readonly sessions: number;
  readonly minor: number;
  readonly uncovered: number;
}

const sumsOf = (work: Work, through: string): Promise<Sum[]> =>
  work.tx.rows<Sum & Record<string, unknown>>(sql`
    SELECT i.instructor_id AS instructor, count(i.pay_minor)::int AS sessions,
      coalesce(sum(i.pay_minor), 0)::bigint AS minor,
      (count(*) - count(i.pay_minor))::int AS uncovered
    FROM instructor_pay_item i WHERE ${openUntil(work, through)} GROUP BY 1 ORDER BY 1`);

/** Refuses a period with sessions until that day that have not ended, or are not calculated yet. */
async function checkCalculated(work: Work, through: string, calculatedUntil: number): Promise<void> {
  const waiting = await work.tx.one(sql`
    SELECT FROM event e JOIN offering_type o ON o.provider_id = e.provider_id AND o.id = e.offering_type_id
    WHERE e.provider_id = ${work.providerId} AND e.ends_at > ${instantText(calculatedUntil)}::timestamptz
      AND e.status = 'active'
      AND e.local_starts_at < ${through}::date + 1 AND o.schedule_type <> 'room_rental'
      AND EXISTS (SELECT FROM event_instructor t WHERE t.provider_id = e.provider_id AND t.event_id = e.id) LIMIT 1`);
  if (waiting)
    throw new Problem(
      'conflict',
      'Some sessions until that day are not calculated yet. Try again in a few minutes, or choose an earlier day.',
    );
}

const approve = create(instructorPayPeriod, {
  path: '/instructor_pay_periods',
  summary: 'Approve the pay of instructors',
  description:
    'Approves the pay for all sessions until a day that are not approved yet. From then on it stays as it is, whatever is corrected. Sessions that no rate covers are left out. `?dry_run=true` shows what each instructor gets.',
  who,
  body: { through: date().describe('The last day of the sessions. It must be over.') },
  problems: ['conflict'],
  run: async ({ work, body: { through } }) => {
    if (work.viewer.venues !== null) throw venueLimit(work.viewer, 'this concerns the whole business.');
    const today = wallAt(work.now, work.tenant.zone).date;
    if (through >= today) throw invalid('through', `The day must be over: today is ${today}. Choose an earlier day.`);
    const calculatedUntil = await lockProgress(work);
    if (calculatedUntil !== undefined) await checkCalculated(work, through, calculatedUntil);
    const sums = await sumsOf(work, through);
    const sum = (of: (one: Sum) => number): number => sums.reduce((all, one) => all + of(one), 0);
    const sessions = sum((one) => one.sessions);
    if (sessions === 0)
      throw new Problem(
        'conflict',
        'There is no open pay until that day. Everything is approved, or no rate covers it.',
      );
    const period = await insertRow(work, 'instructor_pay_period', {
      through,
      sessions,
      total_minor: sum((one) => one.minor),
      approved_at: instantText(work.now),
    });
    // The audit entry of the period covers all of them.
    await work.tx.run(sql`
      UPDATE instructor_pay_item i SET instructor_pay_period_id = ${period}, updated_at = ${instantText(work.now)}
      WHERE i.pay_minor IS NOT NULL AND ${openUntil(work, through)}`);
    for (const { instructor, sessions: paid, minor, uncovered } of sums)
      work.effect('instructor_total', 'instructor_pay_period', period, {
        instructor,
        sessions: paid,
        pay: formatDecimal({ minor, currency: work.tenant.currency }),
        not_covered: uncovered,
      });
    work.record(instructorPayPeriodFeed.approved, period, { instructor_pay_period: period, through });
    return period;
  },
});

const reopen = action({
  path: '/instructor_pay_periods/{id}/reopen',
  summary: 'Reopen a pay period',
  description:
    'Its pay is open again: it is calculated again where bookings have changed, and can be approved with another period. Reopening one that is already reopened changes nothing.',
  who: staffWith('super_admin'),
  target: instructorPayPeriod,
  returns: one(instructorPayPeriod),
  run: async ({ work, target: { id: period, through, reopened_at: reopened } }) => {
    if (reopened !== null) return period;
    await lockProgress(work);
    const first = await work.tx.one<{ day: string }>(sql`
      SELECT min(e.local_starts_at)::date AS day FROM instructor_pay_item i
      JOIN event e ON e.provider_id = i.provider_id AND e.id = i.event_id
      WHERE i.provider_id = ${work.providerId} AND i.instructor_pay_period_id = ${period}`);
    await work.tx.run(sql`
      UPDATE instructor_pay_item SET instructor_pay_period_id = NULL, updated_at = ${instantText(work.now)}
      WHERE provider_id = ${work.providerId} AND instructor_pay_period_id = ${period}`);
    await updateRow(work, 'instructor_pay_period', period, { reopened_at: instantText(work.now) });
    // Corrections that were made while it was approved count now.
    await lookAgainSince(work, first!.day);
    work.record(instructorPayPeriodFeed.reopened, period, { instructor_pay_period: period, through });
    return period;
  },
});

export const periodEndpoints = [
  ...listAndGet(instructorPayPeriod, {
    path: '/instructor_pay_periods',
    summary: 'List pay periods',
    get: 'Get a pay period',
    who,
    filters: { status: filter(listOf(oneOf(STATUSES)), (t, wanted) => sql`${statusOf(t)} = ANY(${wanted}::text[])`) },
    sort: { id: { by: (t) => raw(`${t}.id`) }, through: { by: (t) => raw(`${t}.through`) } },
  }),
  approve,
  reopen,
];
