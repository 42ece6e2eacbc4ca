/** The memberships that a file names, with their payment plans. */
import { membershipsNamed, paymentPlansOf, type PaymentPlan, type Product } from '../../memberships/index.ts';
import type { Work } from '../../../../kernel/work/unit/work.ts';

interface NamedProduct {
  readonly product: Product;
  /** plans that are for sale */
  readonly plans: readonly PaymentPlan[];
}

/** Reads memberships by name in lower case; `several` if more than one has the name. */
export async function productsFor(
  { tx, providerId }: Work,
  names: readonly string[],
): Promise<Map<string, NamedProduct | 'several'>> {
  const found = await membershipsNamed(tx, providerId, names);
  const plans = Map.groupBy(
    await paymentPlansOf(
      tx,
      providerId,
      found.map(({ id }) => id),
    ),
    (plan) => plan.membership,
  );
  const named = new Map<string, NamedProduct | 'several'>();
  for (const product of found) {
    const name = product.name.toLowerCase();
    named.set(name, named.has(name) ? 'several' : { product, plans: plans.get(product.id) ?? [] });
  }
  return named;
}

/** Returns the only plan, or the one at this price; null if there is none, or several. */
export function planAt(plans: readonly PaymentPlan[], price: number | null): PaymentPlan | null {
  const fitting = plans.length === 1 ? plans : plans.filter((plan) => plan.price === price);
  return fitting.length === 1 ? fitting[0] : null;
}
