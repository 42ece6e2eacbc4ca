/**
 * Checkouts of one product that are paid by card, once nothing is in progress any more. It compares three books: the
 * answers that callers got, what the service says, and what the bank of the customers has. Money is in whole cents.
 */

/** A charge in the book of the bank. */
export interface Charge {
  readonly state: 'succeeded' | 'failed' | 'pending';
  readonly amount: number;
  /** what went back to the card */
  readonly returned: number;
}

export interface Purchase {
  /** price of the item */
  readonly price: number;
  /** what the service says in the end */
  readonly status: string;
  readonly invoices: readonly { readonly total: number; readonly due: number }[];
  /** an answer said that it is sold */
  readonly wasSold: boolean;
  /** sum of the refunds that answers acknowledged */
  readonly refunded: number;
  readonly charges: readonly Charge[];
}

const sum = (amounts: readonly number[]): number => amounts.reduce((total, amount) => total + amount, 0);

function contradictionsOf(one: Purchase): readonly string[] {
  const isSold = one.status === 'completed';
  const money = sum(
    one.charges.filter(({ state }) => state === 'succeeded').map((charge) => charge.amount - charge.returned),
  );
  const owed = isSold ? one.price - one.refunded : 0;
  const found = {
    'lost: an answer said that it is sold': one.wasSold && !isSold,
    'doubled: the bank gave more than the price less the refunds': money > owed,
    'lost: the bank gave less than the price less the refunds': money < owed,
    'wrong: a sale has one invoice over its price, and what was not sold has none':
      one.invoices.length !== (isSold ? 1 : 0) || one.invoices.some(({ total }) => total !== one.price),
    'wrong: a sale is paid': one.invoices.some(({ due }) => due !== 0),
    'undone: the bank has decided, and the service waits': one.status === 'pending',
    'undone: the bank waits': one.charges.some(({ state }) => state === 'pending'),
  };
  return Object.entries(found).flatMap(([what, is]) => (is ? [what] : []));
}

/** Returns what can't be true together, in words. */
export function contradictions(
  all: readonly Purchase[],
  stock: { readonly before: number; readonly after: number },
): readonly string[] {
  const sold = all.filter(({ status }) => status === 'completed').length;
  return [
    ...all.flatMap((one, n) => contradictionsOf(one).map((what) => `purchase ${n}: ${what}: ${JSON.stringify(one)}`)),
    ...(stock.before - sold === stock.after
      ? []
      : [`wrong: ${sold} of ${stock.before} are sold, ${stock.after} are left`]),
  ];
}
