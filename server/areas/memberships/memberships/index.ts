import { offeringTypeProperties } from './of-offering-types.ts';
import { changeAllotment, showAllotment } from './allotment.ts';
import { changeCategories } from './change-categories.ts';
import { changeFees, changePlans } from './change-plans.ts';
import { changeGrants } from './change-grants.ts';
import { changeMemberships } from './change-memberships.ts';
import { changeTerms } from './change-terms.ts';
import { FEED } from './feed.ts';
import { findGrants, findMemberships, findPrices } from './find-products.ts';
import { joiningFee, membershipPaymentPlan } from './payment-plan.ts';
import { membership } from './membership.ts';
import { membershipCategory } from './category.ts';
import { membershipRegistrationGrant, registrationOption } from './grant.ts';
import { membershipTerms, membershipTermsVersion, termsConsent } from './terms.ts';
import { orderCategories, orderMemberships } from './ordering.ts';
import { Problem } from '../../../kernel/base/problem.ts';
import { TABLES } from './tables.ts';
import { readTranslations } from '../../../kernel/base/languages/translations.ts';
import type { Area } from '../../../kernel/api/area.ts';

export {
  createMembership,
  createMembershipCategory,
  createPaymentPlan,
  setAllotment,
  type NewMembership,
} from './writes.ts';
export { DAYS_OF_WEEK } from './rules/plan-texts.ts';
export {
  selectBreadth,
  isFor,
  limitsOf,
  membershipOf,
  membershipsNamed,
  paymentPlanFacts,
  paymentPlanOf,
  paymentPlansOf,
  type PaymentPlan,
  type Product,
} from './facts.ts';
export {
  isDropIn,
  leavesUses,
  potsFor,
  type Allotment,
  type OfferingTypeLimit,
  type PeriodLimit,
} from './rules/allotment.ts';
export { createGrant } from './change-grants.ts';
export { lockMemberships, shareFromNowOn } from './owners.ts';
export { membership } from './membership.ts';
export { mayBuy, REASONS } from './rules/may-buy.ts';
export { feeOn } from './rules/fee.ts';
export { termOf, type Lifetime } from './rules/lifetime.ts';
export type { MembershipType } from './rules/incomplete.ts';

const used = (field: string, message: string) => () =>
  new Problem('already_exists', `${field}: ${message}`, { [field]: [message] });

export const memberships: Area = {
  name: 'memberships',
  description:
    'What the business sells to regular customers: packs, prepaid periods and recurring plans, and what they can be used for.',
  tables: TABLES,
  translations: readTranslations('memberships/refusals'),
  resources: [membershipCategory, membership, registrationOption, membershipRegistrationGrant],
  endpoints: [
    ...findMemberships,
    ...changeMemberships,
    orderMemberships,
    showAllotment,
    changeAllotment,
    ...changeCategories,
    orderCategories,
    ...findGrants,
    ...changeGrants,
  ],
  topics: [
    {
      name: 'membership_prices',
      description: 'Payment plans, joining fees, and terms of memberships.',
      resources: [membershipPaymentPlan, joiningFee, membershipTerms, membershipTermsVersion, termsConsent],
      endpoints: [...findPrices, ...changePlans, ...changeFees, ...changeTerms],
    },
  ],
  properties: { offering_type: offeringTypeProperties },
  feed: FEED,
  constraints: {
    membership_terms_one: used('plan', 'The plan already has its own terms. Update those.'),
    membership_registration_grant_one: used(
      'registration_option',
      'The membership already has a grant for this offering type. Update that one.',
    ),
  },
};
