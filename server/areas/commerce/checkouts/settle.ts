/**
 * Final step of every change of a checkout: extends reservations, reprices, and reserves or releases the use of its
 * code.
 */
import { withDelivery } from './items/delivery.ts';
import { DISCOUNT_PROBLEMS, releaseUse, reserveUse } from '../discount-codes/index.ts';
import { expiryOf } from './reservations/times.ts';
import { extend } from './reservations/held.ts';
import { instant } from '../../../kernel/base/db/sql.ts';
import { keepPrice, priceNow, type Priced } from './pricing/reprice.ts';
import type { CheckoutRow, ItemRow } from './rows.ts';
import type { Problem } from '../../../kernel/base/problem.ts';
import type { Work } from '../../../kernel/work/unit/work.ts';

/**
 * Settles a checkout after a change, with the remaining items: reservations are extended, except for `held`, which was
 * just reserved, and everything is repriced. Locks keep their order: events, then what is priced, then the code.
 * `newCode`: the caller has just entered it, so any objection to it is refused.
 */
export async function settle(
  work: Work,
  checkout: CheckoutRow,
  changed: readonly ItemRow[],
  { newCode = false, held = [] }: { newCode?: boolean; held?: readonly ItemRow[] } = {},
): Promise<Priced> {
  const items = await withDelivery(work, checkout, changed);
  const until = expiryOf(work.now, checkout.created_at);
  await extend(
    work,
    items.filter((item) => !held.includes(item)),
    { until },
  );
  const priced = await priceNow(work, checkout, items);
  if (newCode && priced.refusedCode && !waits(priced.refusedCode, items)) throw priced.refusedCode;
  keepPrice(work, checkout, priced, { expires_at: instant(until) });
  await holdCode(work, checkout, priced);
  return priced;
}

/** Returns whether a code waits: one that is entered before any items takes effect as soon as it can. */
const waits = (refused: Problem, items: readonly ItemRow[]): boolean =>
  items.length === 0 && refused.kind === DISCOUNT_PROBLEMS.discount_code_not_applicable;

/** Reserves a use of the code while it reduces the price. `discount_code_id` of the row names the code. */
export async function holdCode(work: Work, checkout: CheckoutRow, { code }: Priced): Promise<void> {
  const { id, customer_id: customer, discount_code_id: before } = checkout;
  if (code !== null) await reserveUse(work, { code: code.id, checkout: id, customer });
  else if (before !== null) await releaseUse(work, id);
}
