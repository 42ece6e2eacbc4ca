/**
 * A sale that is split over several payments, with the change of each: docs/algorithms/cash-sessions.md. Pure; amounts
 * are minor units.
 */

export interface Offered {
  /** amount that it pays; null: everything left to pay, or as much of it as was handed over */
  readonly amount: number | null;
  /** cash that was handed over; null if not stated */
  readonly tendered: number | null;
  /** true for cash */
  readonly cash: boolean;
}

export interface Taken {
  /** more than 0 */
  readonly amount: number;
  readonly tendered: number | null;
  readonly change: number;
}

/**
 * The reason why the sale can't be paid like this. `payment`: position of the payment; null for all of them together.
 */
export interface NotTaken {
  readonly payment: number | null;
  readonly why: 'nothing_left' | 'too_much' | 'tendered_less' | 'tendered_not_cash' | 'zero' | 'missing';
  /** amount left to pay at this point */
  readonly left: number;
}

/** Applies the payments in order, each to the amount left by those before it. */
export function takePayments(due: number, offered: readonly Offered[]): readonly Taken[] | NotTaken {
  let left = due;
  const taken: Taken[] = [];
  for (const [payment, { amount: named, tendered, cash }] of offered.entries()) {
    const no = (why: NotTaken['why']): NotTaken => ({ payment, why, left });
    if (left === 0) return no('nothing_left');
    if (tendered !== null && !cash) return no('tendered_not_cash');
    const amount = named ?? Math.min(left, tendered ?? left);
    if (amount === 0) return no('zero');
    if (amount > left) return no('too_much');
    if (tendered !== null && tendered < amount) return no('tendered_less');
    taken.push({ amount, tendered, change: (tendered ?? amount) - amount });
    left -= amount;
  }
  return left === 0 ? taken : { payment: null, why: 'missing', left };
}
