/** What ends every change of a checkout: it is held for longer, priced again, and the use of its code is held or given back. */
import { withDelivery } from './delivery.ts';
import { DISCOUNT_PROBLEMS, releaseUse, reserveUse } from '../discount-codes/index.ts';
import { expiryOf } from './times.ts';
import { extend } from './held.ts';
import { instant } from '../../../kernel/base/db/sql.ts';
import { keepPrice, priceNow, type Priced } from './reprice.ts';
import type { CheckoutRow, ItemRow } from './rows.ts';
import type { Problem } from '../../../kernel/base/problem.ts';
import type { Work } from '../../../kernel/work/unit/work.ts';

/**
 * After a change, with the items that are left: what is held for them is held for longer, but for `held`, which has just been
 * held, and everything is priced again. Locks come in their order: events, then what is priced, then the code. `newCode`: the caller has just entered it, so whatever is against it is refused.
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

/** A code that is entered before anything is added takes something off as soon as it can. */
const waits = (refused: Problem, items: readonly ItemRow[]): boolean =>
  items.length === 0 && refused.kind === DISCOUNT_PROBLEMS.discount_code_not_applicable;

/** A use of the code is held exactly while it takes something off: `discount_code_id` of the row says of which. */
export async function holdCode(work: Work, checkout: CheckoutRow, { code }: Priced): Promise<void> {
  const { id, customer_id: customer, discount_code_id: before } = checkout;
  if (code !== null) await reserveUse(work, { code: code.id, checkout: id, customer });
  else if (before !== null) await releaseUse(work, id);
}
