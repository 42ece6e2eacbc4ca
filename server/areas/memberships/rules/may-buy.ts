/** Whether a customer may buy a membership, and each reason against it: docs/algorithms/membership-products.md. Pure. */
import { ageOn } from '../../../kernel/values/date.ts';

export interface PurchaseFacts {
  readonly byStaff: boolean;
  /** YYYY-MM-DD at the business */
  readonly today: string;
  readonly membership: {
    readonly archived: boolean;
    readonly draft: boolean;
    readonly forSale: boolean;
    readonly onlyByProvider: boolean;
    readonly newCustomersOnly: boolean;
    readonly allowRepeatPurchases: boolean;
    readonly minAge: number | null;
    readonly maxAge: number | null;
  };
  readonly customer: {
    /** YYYY-MM-DD */
    readonly birth: string | null;
    /** has held any membership, or come to any event */
    readonly known: boolean;
    /** has held this very membership, whatever became of it; bought by mistake does not count */
    readonly heldBefore: boolean;
  };
}

export const REASONS = {
  archived: 'The membership is archived. Choose another one.',
  draft: 'The membership is not complete. Its incomplete_reasons say what is missing.',
  not_for_sale: 'The membership is not for sale. Choose another one, or put it on sale.',
  only_by_provider: 'The membership is sold by staff alone. Ask at the business.',
  new_customers_only: 'The membership is for new customers, who have neither held a membership nor come to an event.',
  held_before: 'The membership can be had once, and the customer has had it.',
  age_unknown: 'The membership has an age limit and the date of birth is not known. Enter it first.',
  age_too_low: 'The customer is younger than the membership allows.',
  age_too_high: 'The customer is older than the membership allows.',
} as const;

export type PurchaseReason = keyof typeof REASONS;

/** Every reason against it, the weightiest first; none: go ahead. */
export function mayBuy({ byStaff, today, membership: m, customer }: PurchaseFacts): PurchaseReason[] {
  const limited = m.minAge !== null || m.maxAge !== null;
  const age = customer.birth === null ? null : ageOn(customer.birth, today);
  const against: Record<PurchaseReason, boolean> = {
    archived: m.archived,
    draft: m.draft,
    not_for_sale: !m.archived && !m.forSale,
    only_by_provider: m.onlyByProvider && !byStaff,
    new_customers_only: m.newCustomersOnly && customer.known,
    held_before: !m.allowRepeatPurchases && customer.heldBefore,
    age_unknown: limited && age === null,
    age_too_low: age !== null && m.minAge !== null && age < m.minAge,
    age_too_high: age !== null && m.maxAge !== null && age > m.maxAge,
  };
  return (Object.keys(REASONS) as PurchaseReason[]).filter((reason) => against[reason]);
}
