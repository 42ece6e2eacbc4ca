/** The invoice that has to be paid before a membership can be used. */
import { changeOwned, item, lockOwned } from '../owned.ts';
import { goesOn } from '../rules/status.ts';
import { customerMembershipFeed } from '../feed.ts';
import type { Work } from '../../../../kernel/work/unit/work.ts';

/**
 * Refuses bookings with the membership until this invoice is paid; null to allow them. Existing bookings stay. Returns
 * whether anything changed: a membership that has ended is left alone.
 */
export async function setUnpaid(work: Work, customerMembership: number, invoice: number | null): Promise<boolean> {
  const owned = await lockOwned(work, customerMembership);
  if (owned.unpaid_invoice_id === invoice || (invoice !== null && !goesOn(owned))) return false;
  await changeOwned(work, owned, {
    to: { unpaid_invoice_id: invoice },
    items: [
      invoice === null
        ? item(customerMembershipFeed.restored, {})
        : item(customerMembershipFeed.suspended, { invoice }),
    ],
  });
  return true;
}
