/**
 * Entries of a customer's account that go on an invoice: docs/algorithms/renewal-billing.md. Amounts are minor units.
 * Pure.
 */

export interface Entry {
  readonly id: number;
  readonly kind: 'charge' | 'credit';
  readonly amount: number;
  /** YYYY-MM-DD */
  readonly dueOn: string;
}

/**
 * Returns the entries that an invoice of this day collects, in their order: every charge that is due, and every credit
 * that is due and still fits. Entries are never split, and an invoice total is never below 0; a credit that doesn't fit
 * becomes account credit. `total` is the sum of the rest of the invoice.
 */
export function entriesFor<E extends Entry>(entries: readonly E[], day: string, total: number): E[] {
  const due = entries.filter(({ dueOn }) => dueOn <= day);
  const charges = due.filter(({ kind }) => kind === 'charge');
  let room = total + charges.reduce((sum, { amount }) => sum + amount, 0);
  const fitting = new Set<E>(charges);
  for (const entry of due) {
    if (entry.kind !== 'credit' || entry.amount > room) continue;
    room -= entry.amount;
    fitting.add(entry);
  }
  return due.filter((entry) => fitting.has(entry));
}
