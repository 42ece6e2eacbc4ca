/** Billed memberships for tests: a refund of a membership is a share of what was billed for it. */
import { addDays } from '../../kernel/base/values/date.ts';
import { currentPeriod } from '../../areas/memberships/customer-memberships/worth.ts';
import { issueInvoice } from '../../areas/money/invoices/index.ts';
import { plain, priceOfCharged } from '../../areas/pricing/fees/index.ts';
import { readOwned } from '../../areas/memberships/customer-memberships/owned.ts';
import { shareOfDays } from '../../kernel/base/values/cycle.ts';
import { todayOf } from '../../areas/memberships/customer-memberships/writes.ts';
import type { World } from '../world.ts';

const LINES = {
  pack: 'pack_membership',
  prepaid_plan: 'prepaid_plan_membership',
  recurring_plan: 'recurring_plan_membership',
} as const;

/**
 * Bills a membership at the agreed price: the current period of a recurring plan that has begun, otherwise the sale.
 * Returns the id of the invoice.
 */
export const bill = (world: World, id: number): Promise<number> =>
  world.work(world.harbour, async (work) => {
    const owned = await readOwned(work, id);
    const { cycle, start_date: start, billed_price_minor: price } = owned;
    const [today, name] = [todayOf(work), 'Club'];
    const begun = cycle !== null && start! <= today;
    const period = begun ? currentPeriod(owned, today) : null;
    const first = period === null || start! >= period.start;
    const issued = await issueInvoice(work, {
      payer: owned.customer_id,
      about: { object: 'customer', id: owned.customer_id },
      dueOn: today,
      lines: [
        {
          type: LINES[owned.membership_type],
          description: name,
          billed: { object: 'customermembership', id, name },
          customer: owned.customer_id,
          quantity: 1,
          price: priceOfCharged(plain(period && first ? shareOfDays(price, period, start!, period.end) : price)),
          period: period === null || first ? undefined : { start: period.start, end: addDays(period.end, -1) },
        },
      ],
      discountCode: null,
    });
    return issued.id;
  });
