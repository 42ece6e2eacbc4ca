import { answer, read, staffWith } from '../../../../kernel/api/endpoint.ts';
import { boolean, date, id, integer, listOf, object, text } from '../../../../kernel/base/fields/kinds.ts';
import { customerMembership } from '../customer-membership.ts';
import { cycleOf, usesOf } from './facts.ts';
import { holdsOf } from './hold-facts.ts';
import { limitsOf } from '../../memberships/index.ts';
import { toCounted, countsOf, limitsIn, offeringTypePot, periodOf, type UsageFacts } from './usage-periods.ts';
import { sql } from '../../../../kernel/base/db/sql.ts';
import { checkDay, todayOf } from '../writes.ts';
import type { Work } from '../../../../kernel/work/unit/work.ts';

const adjustment = object({
  active_days: integer({ min: 0 }),
  holds: listOf(object({ start_date: date(), end_date: date() })),
  original_max_uses: integer({ min: 0 }),
  prorated_max_uses: integer({ min: 0 }).nullable(),
  total_days: integer({ min: 1 }),
})
  .nullable()
  .describe('The number of uses without the reduction by holds. Null if no hold reduces it.');

const counts = {
  max_uses: integer({ min: 0 })
    .nullable()
    .describe('Including uses carried over from the previous period. Null means no limit.'),
  used_count: integer(),
  remaining_count: integer({ min: 0 }).nullable(),
  prorate_adjustment: adjustment,
};

export const showUsage = read({
  path: '/customer_memberships/{id}/usage',
  summary: 'Get how often a membership was used and can still be used',
  description:
    'For each period of its allotment that contains the date. What counts is the day of the event, not the day of the booking.',
  who: staffWith('super_admin'),
  target: customerMembership,
  query: { date: date().optional().describe('If left out, today.') },
  returns: answer({
    usage_periods: listOf(
      object({
        period_type: text(),
        start_date: date().nullable(),
        end_date: date().nullable().describe('The last day.'),
        ...counts,
        offering_type_limits: listOf(
          object({ offering_type: object({ id: id(), name: text() }), is_extra: boolean(), ...counts }),
        ),
      }),
    ),
  }),
  run: async ({ work, target, query }) => {
    const on = query.date ?? todayOf(work);
    checkDay('date', on);
    return { usage_periods: await usageOf(work, target.id, on) };
  },
});

/** Returns the periods of an allotment that include a day, with their usage; one without a limit if there is none. */
export async function usageOf(
  work: Work,
  customerMembershipId: number,
  on: string,
): Promise<Record<string, unknown>[]> {
  const row = (await work.tx.one<UsageFacts>(sql`
    SELECT cm.start_date AS start, cm.expiration_date AS "end", ${cycleOf('cm')} AS cycle, ${limitsOf('m')} AS limits,
      ${holdsOf('cm')} AS holds, ${usesOf('cm', null)} AS uses
    FROM customer_membership cm JOIN membership m ON m.provider_id = cm.provider_id AND m.id = cm.membership_id
    WHERE cm.provider_id = ${work.providerId} AND cm.id = ${customerMembershipId}`))!;
  const [counted, limits] = [toCounted(row), limitsIn(row)];
  const names = await namesOf(
    work,
    limits.flatMap((l) => l.offeringTypes.map((o) => o.offeringType)),
  );
  return limits.map((limit) => ({
    ...periodOf(limit, row, on),
    offering_type_limits: limit.offeringTypes.map((own) => {
      const { dates: _, ...counts } = countsOf(offeringTypePot(limit, own), false, on, counted);
      return {
        offering_type: { id: own.offeringType, name: names.get(own.offeringType) },
        is_extra: own.isExtra,
        ...counts,
      };
    }),
  }));
}

async function namesOf(work: Work, ids: readonly number[]): Promise<Map<number, string>> {
  if (ids.length === 0) return new Map();
  const rows = await work.tx.rows<{ id: number; name: string }>(
    sql`SELECT id, name FROM offering_type WHERE provider_id = ${work.providerId} AND id = ANY(${ids}::bigint[])`,
  );
  return new Map(rows.map((row) => [row.id, row.name]));
}
