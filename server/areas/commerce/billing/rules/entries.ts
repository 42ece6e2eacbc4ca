/** What of a customer's account is on an invoice: docs/algorithms/renewal-billing.md. Amounts are minor units. Pure. */

export interface Entry {
  readonly id: number;
  readonly kind: 'charge' | 'credit';
  readonly amount: number;
  /** YYYY-MM-DD */
  readonly dueOn: string;
}

/**
 * The entries that an invoice of this day collects, in their order: every charge that is due, and every credit that is
 * due and still fits. An entry is never divided, and an invoice never comes to less than 0; a credit that does not fit
 * becomes account credit. `total`: what the rest of the invoice comes to.
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
