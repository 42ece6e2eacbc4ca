import { id, integer } from '../../../kernel/base/fields/kinds.ts';
import { feedKinds } from '../../../kernel/work/feed/feed-item.ts';

export const categoryFeed = feedKinds(
  'membership_category',
  { membership_category: id() },
  {
    created: 'A membership category was created.',
    updated: 'A membership category was changed, including its position in lists; `changed` names the properties.',
    deleted: 'A membership category was deleted.',
  },
);
export const membershipFeed = feedKinds(
  'membership',
  { membership: id() },
  {
    created: 'A membership was created.',
    updated: 'A membership was changed, including its position in lists; `changed` names the properties.',
    deleted: 'A membership was deleted.',
    archived: 'A membership was archived. It is no longer sold or shown. People who hold it keep it.',
    unarchived: 'A membership was unarchived. It is not for sale until it is put on sale.',
    shared_with_families: 'The membership is now shared with the families of everyone who holds it or will hold it.',
  },
);
export const planFeed = feedKinds(
  'membership_payment_plan',
  { membership_payment_plan: id() },
  {
    created: 'A payment plan was created.',
    updated: 'A payment plan was changed, including its position in lists; `changed` names the properties.',
  },
);
export const feeFeed = feedKinds(
  'joining_fee',
  { joining_fee: id() },
  {
    created: 'A joining fee was created.',
    updated: 'A joining fee was changed, including its position in lists; `changed` names the properties.',
    deleted: 'A joining fee was deleted.',
  },
);
export const grantFeed = feedKinds(
  'membership_registration_grant',
  { membership_registration_grant: id() },
  {
    created: 'A membership grant was created.',
    updated: 'A membership grant was changed, including its position in lists; `changed` names the properties.',
    deleted: 'A membership grant was deleted.',
  },
);

export const membershipTermsFeed = feedKinds(
  'membership_terms',
  { membership_terms: id(), membership: id() },
  {
    created: 'Terms of a membership, or of one of its plans, were created.',
    versioned: {
      description: "The text of a membership's terms was changed.",
      payload: { membership_terms_version: id(), version: integer({ min: 1 }) },
    },
  },
);

export const termsConsentFeed = feedKinds(
  'terms_consent',
  { terms_consent: id(), membership_terms: id(), customer: id(), version: integer({ min: 1 }) },
  {
    created: 'A customer agreed to the terms of a membership.',
  },
);

export const FEED = [categoryFeed, membershipFeed, planFeed, feeFeed, grantFeed, membershipTermsFeed, termsConsentFeed];
