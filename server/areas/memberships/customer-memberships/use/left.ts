/** The uses that are left on a membership after a booking. */
import { toCounted, type UsageFacts } from './usage-periods.ts';
import { cycleOf, usesOf } from './facts.ts';
import { holdsOf } from './hold-facts.ts';
import { limitsOf, potsFor } from '../../memberships/index.ts';
import { sql } from '../../../../kernel/base/db/sql.ts';
import { usesLeft } from './rules/allotment.ts';
import type { Work } from '../../../../kernel/work/unit/work.ts';

/** Returns how many more events of this offering type, on this day, the membership pays for; null: any number. */
export async function usesLeftOn(
  work: Pick<Work, 'tx' | 'providerId'>,
  { id, offeringType, on }: { readonly id: number; readonly offeringType: number; readonly on: string },
): Promise<number | null> {
  const row = (await work.tx.one<UsageFacts>(sql`
    SELECT cm.start_date AS start, cm.expiration_date AS "end", ${cycleOf('cm')} AS cycle, ${limitsOf('m')} AS limits,
      ${holdsOf('cm')} AS holds, ${usesOf('cm', null)} AS uses
    FROM customer_membership cm JOIN membership m ON m.provider_id = cm.provider_id AND m.id = cm.membership_id
    WHERE cm.provider_id = ${work.providerId} AND cm.id = ${id}`))!;
  return usesLeft(potsFor(row, offeringType), on, toCounted(row));
}
