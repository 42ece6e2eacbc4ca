/** Rules for the parts that a membership needs before it can be sold: docs/algorithms/membership-products.md. Pure. */
export const TYPES = ['pack', 'prepaid_plan', 'recurring_plan'] as const;
export type MembershipType = (typeof TYPES)[number];

export const INCOMPLETE = {
  allotment_missing: 'It has no allotment, which says what it can be used for. Set it with PUT.',
  uses_missing: 'A pack is a number of uses. Its allotment needs a limit for the period `total`.',
  duration_missing: 'A prepaid plan must end. Give it a duration or an expiration_date.',
  payment_plan_missing: 'A recurring plan needs a payment plan that is for sale. Add one.',
} as const;

export type IncompleteReason = keyof typeof INCOMPLETE;

interface Completeness {
  readonly type: MembershipType;
  readonly hasDuration: boolean;
  readonly hasExpirationDate: boolean;
  readonly hasAllotment: boolean;
  /** true if there is a limit on all uses together */
  readonly hasTotalLimit: boolean;
  readonly plansForSale: number;
}

/** Returns all reasons, in the order in which they are best resolved; none if it is complete. */
export function incompleteReasons({
  type,
  hasDuration,
  hasExpirationDate,
  hasAllotment,
  hasTotalLimit,
  plansForSale,
}: Completeness): IncompleteReason[] {
  const missing: Record<IncompleteReason, boolean> = {
    allotment_missing: !hasAllotment,
    uses_missing: type === 'pack' && hasAllotment && !hasTotalLimit,
    duration_missing: type === 'prepaid_plan' && !hasDuration && !hasExpirationDate,
    payment_plan_missing: type === 'recurring_plan' && plansForSale === 0,
  };
  return (Object.keys(INCOMPLETE) as IncompleteReason[]).filter((reason) => missing[reason]);
}
