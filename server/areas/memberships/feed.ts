import { id, integer, listOf, text } from '../../kernel/api/kinds.ts';
import { feedItemKind } from '../../kernel/feed/feed-item.ts';

/** What is told when something of this kind is made, changed and deleted. */
function told<const Kind extends string>(kind: Kind, what: string) {
  const object = { object: kind };
  const of = { [kind]: id() } as Record<Kind, ReturnType<typeof id>>;
  return {
    created: feedItemKind(`${kind}.created`, { ...object, description: `There is a new ${what}.`, payload: of }),
    updated: feedItemKind(`${kind}.updated`, { ...object, description: `A ${what} changed, its place in lists included; \`changed\` names the properties.`, payload: { ...of, changed: listOf(text()) } }),
    deleted: feedItemKind(`${kind}.deleted`, { ...object, description: `A ${what} was deleted.`, payload: of }),
  };
}

export const categoryFeed = told('membership_category', 'category of memberships');
export const membershipFeed = told('membership', 'membership');
export const planFeed = told('membership_payment_plan', 'payment plan');
export const feeFeed = told('joining_fee', 'joining fee');
export const grantFeed = told('membership_registration_grant', 'grant of a membership');

export const membershipArchived = feedItemKind('membership.archived', {
  object: 'membership',
  description: 'A membership is sold and shown no more; who holds it keeps it.',
  payload: { membership: id() },
});

export const membershipUnarchived = feedItemKind('membership.unarchived', {
  object: 'membership',
  description: 'A membership was taken out of the archive. It is not for sale until that is said.',
  payload: { membership: id() },
});

export const termsCreated = feedItemKind('membership_terms.created', {
  object: 'membership_terms',
  description: 'There are terms of a membership, or of one of its plans.',
  payload: { membership_terms: id(), membership: id() },
});

export const termsVersioned = feedItemKind('membership_terms.versioned', {
  object: 'membership_terms',
  description: 'The terms of a membership have new words.',
  payload: { membership_terms: id(), membership_terms_version: id(), membership: id(), version: integer({ min: 1 }) },
});

export const termsAgreed = feedItemKind('terms_consent.created', {
  object: 'terms_consent',
  description: 'A customer agreed to the terms of a membership.',
  payload: { terms_consent: id(), membership_terms: id(), customer: id(), version: integer({ min: 1 }) },
});

export const FEED = [
  ...[categoryFeed, membershipFeed, feeFeed].flatMap(({ created, updated, deleted }) => [created, updated, deleted]),
  ...[planFeed, grantFeed].flatMap(({ created, updated }) => [created, updated]),
  grantFeed.deleted,
  membershipArchived,
  membershipUnarchived,
  termsCreated,
  termsVersioned,
  termsAgreed,
];
