/** Rules for buying a membership, with every reason against it: docs/algorithms/membership-products.md. Pure. */
import { ageOn } from '../../../../kernel/base/values/date.ts';
import type { Wordings } from '../../../../kernel/base/values/wording.ts';
import { many, one, say } from '../../../../kernel/base/values/words.ts';

interface PurchaseFacts {
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
    /** true if they have held any membership, or come to any event */
    readonly known: boolean;
    /** true if they have held this membership, even if it ended; one entered by mistake does not count */
    readonly ownedBefore: boolean;
  };
}

/** Reasons, each with a remedy for staff and for customers. */
export const REASONS = {
  archived: {
    staff: 'The membership is archived. Choose another one.',
    customer: say`This ${one.membership} is no longer available. Choose another one.`,
  },
  draft: {
    staff: 'The membership is not complete. See its incomplete_reasons for what is missing.',
    customer: say`This ${one.membership} is not available yet. Choose another one.`,
  },
  not_for_sale: {
    staff: 'The membership is not for sale. Choose another one, or put it on sale.',
    customer: say`This ${one.membership} is not for sale. Choose another one.`,
  },
  only_by_provider: {
    staff: 'Only staff can sell this membership.',
    customer: say`This ${one.membership} is not sold online. Ask the business for it.`,
  },
  new_customers_only: {
    staff:
      'The membership is for new customers only, and this customer has already held a membership or come to an event.',
    customer: say`This ${one.membership} is for new ${many.customer} only. Choose another one.`,
  },
  held_before: {
    staff: 'The membership can be bought only once, and the customer has already had it.',
    customer: say`This ${one.membership} can be bought only once, and you have already had it. Choose another one.`,
  },
  age_unknown: {
    staff: "The membership has an age limit, and the customer's date of birth is not known. Enter it first.",
    customer: say`This ${one.membership} has an age limit, and there is no date of birth on record. Ask the business to add it.`,
  },
  age_too_low: {
    staff: 'The customer is younger than the membership allows.',
    customer: say`This ${one.membership} is for older people. Choose another one.`,
  },
  age_too_high: {
    staff: 'The customer is older than the membership allows.',
    customer: say`This ${one.membership} is for younger people. Choose another one.`,
  },
} as const satisfies Record<string, Wordings>;

type PurchaseReason = keyof typeof REASONS;

/** Returns every reason against the purchase, the most important first; none if it is allowed. */
export function mayBuy({ byStaff, today, membership: m, customer }: PurchaseFacts): PurchaseReason[] {
  const limited = m.minAge !== null || m.maxAge !== null;
  const age = customer.birth === null ? null : ageOn(customer.birth, today);
  const against: Record<PurchaseReason, boolean> = {
    archived: m.archived,
    draft: m.draft,
    not_for_sale: !m.archived && !m.forSale,
    only_by_provider: m.onlyByProvider && !byStaff,
    new_customers_only: m.newCustomersOnly && customer.known,
    held_before: !m.allowRepeatPurchases && customer.ownedBefore,
    age_unknown: limited && age === null,
    age_too_low: age !== null && m.minAge !== null && age < m.minAge,
    age_too_high: age !== null && m.maxAge !== null && age > m.maxAge,
  };
  return (Object.keys(REASONS) as PurchaseReason[]).filter((reason) => against[reason]);
}
