/** Pricing of a checkout as it is now, with the result saved: after every change, and before every payment. */
import { creditOf } from '../../../money/ledger/index.ts';
import { instant, json, sql } from '../../../../kernel/base/db/sql.ts';
import { ITEM_KINDS, kindOf } from '../item-kinds/index.ts';
import { priceCheckout, type CheckoutPrice, type ItemToPrice } from './pricing.ts';
import { readFees } from '../../../pricing/fees/index.ts';
import { tryCode, type AppliedCode, type CodeItem } from '../../discount-codes/index.ts';
import { updateRowLater } from '../../../../kernel/work/unit/row.ts';
import type { CheckoutRow, ItemRow } from '../rows.ts';
import type { PriceFacts } from '../item-kinds/kind.ts';
import type { Problem } from '../../../../kernel/base/problem.ts';
import type { Work } from '../../../../kernel/work/unit/work.ts';

export interface Priced {
  readonly items: readonly ItemRow[];
  readonly facts: readonly PriceFacts[];
  readonly price: CheckoutPrice;
  readonly code: AppliedCode | null;
  /** the reason why the code takes nothing off; null if it does, or there is no code */
  readonly refusedCode: Problem | null;
}

/** Reads and calculates without writing. Refuses an item that can no longer be bought. */
export async function priceNow(work: Work, checkout: CheckoutRow, items: readonly ItemRow[]): Promise<Priced> {
  const [facts, book, credit] = await Promise.all([
    factsOf(work, checkout, items),
    readFees(work.tx, work.providerId),
    checkout.use_account_credit ? creditOf(work, checkout.customer_id) : 0,
  ]);
  const { code, refusedCode } = await codeOf(work, checkout, items, facts);
  const asked = items.map((item, n): ItemToPrice => {
    const { taxed, unitPrice } = facts[n];
    return {
      unitPrice: item.unit_price_minor ?? unitPrice,
      quantity: item.quantity,
      on: taxed === null ? { fees: [] } : book.on(taxed.type, taxed.venue),
      discount: code?.items.find((one) => one.item === item.id)?.discount ?? 0,
      credit: facts[n].credit,
    };
  });
  return { items, facts, price: priceCheckout(asked, credit), code, refusedCode };
}

async function factsOf(work: Work, checkout: CheckoutRow, items: readonly ItemRow[]): Promise<PriceFacts[]> {
  const found = new Map<number, PriceFacts>();
  for (const kind of ITEM_KINDS) {
    const mine = items.filter((item) => kindOf(item) === kind);
    if (mine.length === 0) continue;
    for (const [id, facts] of await kind.facts(work, mine, { checkout, items })) found.set(id, facts);
  }
  return items.map((item) => found.get(item.id)!);
}

async function codeOf(
  work: Work,
  { id, customer_id: customer, discount_code }: CheckoutRow,
  items: readonly ItemRow[],
  facts: readonly PriceFacts[],
): Promise<Pick<Priced, 'code' | 'refusedCode'>> {
  if (discount_code === null) return { code: null, refusedCode: null };
  const asked = items.flatMap((item, n): CodeItem[] => {
    const { discounted, unitPrice } = facts[n];
    if (discounted === null) return [];
    const amount = (item.unit_price_minor ?? unitPrice) * item.quantity;
    return [{ item: item.id, purchaseType: discounted.type, objects: discounted.objects, amount }];
  });
  const found = await tryCode(work, { code: discount_code, customer, items: asked, checkout: id });
  return 'refused' in found ? { code: null, refusedCode: found.refused } : { code: found, refusedCode: null };
}

export interface Repriced {
  readonly checkout: CheckoutRow;
  readonly items: readonly ItemRow[];
}

/**
 * Saves the price, which callers see and payers pay from now on. Returns the updated rows. `more`: columns that change
 * with it.
 */
export function keepPrice(
  work: Work,
  checkout: CheckoutRow,
  priced: Priced,
  more: Readonly<Record<string, unknown>> = {},
): Repriced {
  const { items, facts, price, code, refusedCode } = priced;
  const rows = items.map((item, n) => ({
    id: item.id,
    description: facts[n].description.slice(0, 1000),
    standard_unit_price_minor: facts[n].unitPrice,
    standard_recurring_price_minor: facts[n].recurringPrice,
    price: price.prices[n],
    total_minor: price.prices[n].total,
    credit_minor: facts[n].credit,
  }));
  if (rows.length > 0)
    work.tx.later(sql`UPDATE checkout_item i SET description = n.description,
        standard_unit_price_minor = n.standard_unit_price_minor, standard_recurring_price_minor = n.standard_recurring_price_minor,
        price = n.price, total_minor = n.total_minor, credit_minor = n.credit_minor, updated_at = ${instant(work.now)}
      FROM jsonb_populate_recordset(NULL::checkout_item, ${json(rows)}::jsonb) n
      WHERE i.provider_id = ${work.providerId} AND i.id = n.id`);
  const columns = {
    list_price_minor: price.totals.listPrice,
    discount_minor: price.totals.discount,
    pre_tax_price_minor: price.totals.preTax,
    total_minor: price.totals.total,
    credit_minor: price.credit,
    discount_code_id: code?.id ?? null,
    discount_code_error:
      refusedCode === null ? null : refusedCode.localizedFor('customer', work.tenant.words).message.slice(0, 1000),
  };
  updateRowLater(work, 'checkout', checkout.id, { ...more, ...columns });
  return { checkout: { ...checkout, ...columns }, items: items.map((item, n) => ({ ...item, ...rows[n] })) };
}
