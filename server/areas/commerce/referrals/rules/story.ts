/** A referral in words, for both people and for staff. */
import type { CancelReason } from './decide.ts';

export interface ReferralFacts {
  readonly referrer: string;
  readonly customer: string;
  /** days in words */
  readonly signedUp: string;
  readonly ended: string | null;
  readonly status: 'pending' | 'confirmed' | 'cancelled';
  readonly confirmsOn: 'first_visit' | 'first_purchase';
  readonly confirmedBy: 'first_visit' | 'first_purchase' | 'staff' | null;
  readonly cancelReason: CancelReason | null;
  readonly withheld: 'limit' | 'deleted' | null;
  /** amounts in words; null means nothing */
  readonly promised: { readonly referrer: string | null; readonly customer: string | null };
  readonly given: { readonly referrer: string | null; readonly customer: string | null };
  readonly membership: boolean;
  readonly discountCode: boolean;
}

export function describeReferral(referral: ReferralFacts): string[] {
  const { referrer, customer } = referral;
  return [
    `${customer} signed up with the code of ${referrer} on ${referral.signedUp}.`,
    ...(referral.membership ? [`${customer} got a free membership.`] : []),
    ...(referral.discountCode ? [`${customer} got a discount code.`] : []),
    ...ENDS[referral.status](referral),
  ];
}

const RULES = {
  first_visit: (name: string) => `${name} comes for the first time`,
  first_purchase: (name: string) => `${name} pays for something for the first time`,
} as const;

const CONFIRMED = {
  first_visit: (name: string) => `${name} came for the first time`,
  first_purchase: (name: string) => `${name} paid for something for the first time`,
  staff: () => 'staff confirmed it',
} as const;

const CANCELLED: Record<CancelReason, (referral: ReferralFacts) => string> = {
  own_code: () => 'The code was their own.',
  same_family: () => 'Both belong to the same family.',
  known_before: ({ customer }) => `${customer} was known before.`,
  staff: () => 'Staff cancelled it.',
};

const WITHHELD = {
  limit: ({ referrer }: ReferralFacts) =>
    `${referrer} got nothing for it, because they have had as many rewards as there are in a year.`,
  deleted: ({ referrer }: ReferralFacts) => `${referrer} got nothing for it, because their record had been deleted.`,
} as const;

const ENDS: Record<ReferralFacts['status'], (referral: ReferralFacts) => string[]> = {
  pending: ({ promised, referrer, customer, confirmsOn }) => {
    const gets = [
      ...(promised.referrer === null ? [] : [`${referrer} gets ${promised.referrer} of account credit`]),
      ...(promised.customer === null ? [] : [`${customer} gets ${promised.customer} of account credit`]),
    ];
    const when = RULES[confirmsOn](customer);
    return gets.length === 0 ? [`It counts when ${when}.`] : [`When ${when}, ${gets.join(', and ')}.`];
  },
  confirmed: (referral) => {
    const { given, referrer, customer, confirmedBy, ended, withheld } = referral;
    return [
      `It was confirmed on ${ended}: ${CONFIRMED[confirmedBy!](customer)}.`,
      ...(given.referrer === null ? [] : [`${referrer} got ${given.referrer} of account credit.`]),
      ...(withheld === null ? [] : [WITHHELD[withheld](referral)]),
      ...(given.customer === null ? [] : [`${customer} got ${given.customer} of account credit.`]),
    ];
  },
  cancelled: (referral) => [`It was cancelled on ${referral.ended}. ${CANCELLED[referral.cancelReason!](referral)}`],
};
