/** The billing periods that will begin, as they stand now: for a preview. */
import { nextRenewal } from './rules/renewal.ts';
import { periodOfRenewal, renewing } from './renew.ts';
import { readOwned } from '../owned.ts';
import { goesOn } from '../rules/status.ts';
import type { DuePeriod } from '../billers.ts';
import type { Work } from '../../../../kernel/work.ts';

/** Nobody looks further: a hold without an end lasts for ever. */
const MOST_PERIODS = 60;
const ENDLESS = '2999-12-31';

/** The next so many whose price will be due; fewer if it ends before, or is on hold. */
export async function periodsAhead(
  work: Pick<Work, 'tx' | 'providerId'>,
  customerMembership: number,
  count: number,
): Promise<DuePeriod[]> {
  const owned = await readOwned(work, customerMembership);
  const found: DuePeriod[] = [];
  if (owned.renews_on === null || !goesOn(owned)) return found;
  let at = renewing(owned);
  for (let n = 0; n < MOST_PERIODS && found.length < count; n++) {
    const renewal = nextRenewal(at, ENDLESS);
    if (renewal === null) break;
    if (renewal.billed) found.push(periodOfRenewal(owned, renewal));
    at = { ...at, renewsOn: renewal.period.end };
  }
  return found;
}
