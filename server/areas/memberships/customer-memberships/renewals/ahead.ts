/** The upcoming billing periods in the current state, for a preview. */
import { billedAhead } from './rules/renewal.ts';
import { periodOfRenewal, renewing } from './renew.ts';
import { readOwned } from '../owned.ts';
import { goesOn } from '../rules/status.ts';
import type { DuePeriod } from '../billers.ts';
import type { Work } from '../../../../kernel/work/unit/work.ts';

/** Returns the next periods whose price will be due; fewer if the membership ends before, or is on hold. */
export async function periodsAhead(
  work: Pick<Work, 'tx' | 'providerId'>,
  customerMembership: number,
  count: number,
): Promise<DuePeriod[]> {
  const owned = await readOwned(work, customerMembership);
  if (owned.renews_on === null || !goesOn(owned)) return [];
  return billedAhead(renewing(owned))
    .take(Math.max(count, 0))
    .map((renewal) => periodOfRenewal(owned, renewal))
    .toArray();
}
