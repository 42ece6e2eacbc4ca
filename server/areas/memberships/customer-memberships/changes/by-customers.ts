/**
 * Ending of memberships by customers themselves: cancel a recurring plan on the terms that were
 * agreed, and undo that.
 */
import { checkActsFor } from '../../../people/customers/index.ts';
import { day, one, say } from '../../../../kernel/base/values/words.ts';
import { goesOn } from '../rules/status.ts';
import { invalid, Problem } from '../../../../kernel/base/problem.ts';
import type { Owned } from '../owned.ts';
import type { Who } from '../../../../kernel/api/endpoint.ts';
import type { Work } from '../../../../kernel/work/unit/work.ts';

/** Staff need the permission; customers act for their family. */
export const owners: Who = { provider: ['super_admin', 'customers'], customer: true, unregistered: false };

const FOR_STAFF = 'Only staff can set this. Leave it out.';

async function checkActs(work: Work, owned: Owned): Promise<void> {
  await checkActsFor(work, owned.customer_id);
  if (!goesOn(owned)) throw new Problem('already_ended', say`This ${one.membership} has already ended.`);
}

/** Refuses a cancellation by a customer who may not do it. */
export async function checkMayCancel(
  work: Work,
  owned: Owned,
  body: { readonly forced_expiration_date?: string | null; readonly cancellation_reason: string },
): Promise<void> {
  if (work.viewer.mode === 'provider') return;
  if ((body.forced_expiration_date ?? null) !== null) throw invalid('forced_expiration_date', FOR_STAFF);
  if (body.cancellation_reason !== 'cancelled') throw invalid('cancellation_reason', FOR_STAFF);
  await checkActs(work, owned);
  // A decision of staff about the end, such as an earlier day, stays.
  if (owned.is_set_for_cancellation)
    throw new Problem('already_cancelled', say`This ${one.membership} already ends on ${day(owned.expiration_date!)}.`);
  if (owned.bound === null)
    throw new Problem(
      'conflict',
      say`This ${one.membership} doesn't renew, so there is nothing to end. Questions? Ask the business.`,
    );
}

/** Refuses to let a customer undo what the business decided. */
export async function checkMayReactivate(
  work: Work,
  owned: Owned,
  body: { readonly expiration_date?: string | null },
): Promise<void> {
  if (work.viewer.mode === 'provider') return;
  if ((body.expiration_date ?? null) !== null) throw invalid('expiration_date', FOR_STAFF);
  await checkActs(work, owned);
  if (owned.is_set_for_cancellation && !owned.cancelled_by_customer)
    throw new Problem(
      'permission_denied',
      say`The business ended this ${one.membership}. Ask the business to continue it.`,
    );
}
