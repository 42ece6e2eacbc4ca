/**
 * Uses of codes: reserved while a checkout is open, released if it ends without a purchase, and used when it is
 * completed. The database refuses one use too many, whatever this code decides.
 */
import type { DiscountedPlan } from './plans.ts';
import { checkUsable } from './try-code.ts';
import { codeUsed } from './feed.ts';
import { insertRow, lockRows, updateRow } from '../../../kernel/work/unit/row.ts';
import { keepPlans } from './plans.ts';
import { instant, sql } from '../../../kernel/base/db/sql.ts';
import type { Work } from '../../../kernel/work/unit/work.ts';

interface Use extends Record<string, unknown> {
  readonly id: number;
  readonly discount_code_id: number;
  readonly customer_id: number;
  readonly state: 'reserved' | 'used';
}

const useOf = (work: Work, checkout: number): Promise<Use | undefined> =>
  work.tx.one<Use>(
    sql`SELECT * FROM discount_code_use WHERE provider_id = ${work.providerId} AND checkout_id = ${checkout} FOR NO KEY UPDATE`,
  );

/**
 * Reserves one use of a code for a checkout, and replaces a use of another code that it had. Repeating it with the same
 * code changes nothing. Codes are locked after events, customers and what customers own, so a checkout releases its
 * seats before it calls this.
 * @throws Problem with the reason if the code can't be used, or no longer can
 */
export async function reserveUse(
  work: Work,
  { code, checkout, customer }: { code: number; checkout: number; customer: number },
): Promise<void> {
  const held = await useOf(work, checkout);
  if (held?.discount_code_id === code) return;
  await lockRows(work, 'discount_code', held ? [held.discount_code_id, code] : [code]);
  if (held) await giveBack(work, held);
  await checkUsable(work, code, customer, checkout);
  await insertRow(work, 'discount_code_use', {
    discount_code_id: code,
    checkout_id: checkout,
    customer_id: customer,
    state: 'reserved',
  });
}

/** Releases the use that a checkout has reserved, if any. A use of a completed checkout stays. */
export async function releaseUse(work: Work, checkout: number): Promise<void> {
  const held = await useOf(work, checkout);
  if (held?.state === 'reserved') await giveBack(work, held);
}

async function giveBack(work: Work, use: Use): Promise<void> {
  work.touch('discount_code_use', use.id, use);
  await work.tx.run(sql`DELETE FROM discount_code_use WHERE provider_id = ${work.providerId} AND id = ${use.id}`);
}

/**
 * Confirms the use for a completed checkout, with the amount that the code took off (minor units). Its plans keep their
 * discount as it is agreed now. A second call changes nothing.
 * @throws Error if the checkout has no reserved use: after a late payment, reserve again first
 */
export async function confirmUse(
  work: Work,
  { checkout, amount, plans = [] }: { checkout: number; amount: number; plans?: readonly DiscountedPlan[] },
): Promise<void> {
  const held = await useOf(work, checkout);
  if (!held) throw new Error(`checkout ${checkout} holds no use of a discount code`);
  if (held.state === 'used') return;
  work.touch('discount_code_use', held.id, held);
  await updateRow(work, 'discount_code_use', held.id, {
    state: 'used',
    amount_minor: amount,
    used_at: instant(work.now),
  });
  await keepPlans(work, held.discount_code_id, plans);
  work.record(codeUsed, held.discount_code_id, { discount_code: held.discount_code_id, customer: held.customer_id });
}
