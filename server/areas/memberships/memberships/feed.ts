import { id, integer, listOf, text } from '../../../kernel/base/fields/kinds.ts';
import { feedItemKind } from '../../../kernel/work/feed/feed-item.ts';

/** Returns the feed items for creating, changing and deleting an object of this type. */
function told<const Kind extends string>(kind: Kind, what: string) {
  const object = { object: kind };
  const of = { [kind]: id() } as Record<Kind, ReturnType<typeof id>>;
  return {
    created: feedItemKind(`${kind}.created`, { ...object, description: `A ${what} was created.`, payload: of }),
    updated: feedItemKind(`${kind}.updated`, {
      ...object,
      description: `A ${what} was changed, including its position in lists; \`changed\` names the properties.`,
      payload: { ...of, changed: listOf(text()) },
    }),
    deleted: feedItemKind(`${kind}.deleted`, { ...object, description: `A ${what} was deleted.`, payload: of }),
  };
}

export const categoryFeed = told('membership_category', 'membership category');
export const membershipFeed = told('membership', 'membership');
export const planFeed = told('membership_payment_plan', 'payment plan');
export const feeFeed = told('joining_fee', 'joining fee');
export const grantFeed = told('membership_registration_grant', 'membership grant');

export const membershipArchived = feedItemKind('membership.archived', {
  object: 'membership',
  description: 'A membership was archived. It is no longer sold or shown. People who hold it keep it.',
  payload: { membership: id() },
});

export const membershipUnarchived = feedItemKind('membership.unarchived', {
  object: 'membership',
  description: 'A membership was unarchived. It is not for sale until it is put on sale.',
  payload: { membership: id() },
});

export const membershipSharedWithFamilies = feedItemKind('membership.shared_with_families', {
  object: 'membership',
  description: 'The membership is now shared with the families of everyone who holds it or will hold it.',
  payload: { membership: id() },
});

export const termsCreated = feedItemKind('membership_terms.created', {
  object: 'membership_terms',
  description: 'Terms of a membership, or of one of its plans, were created.',
  payload: { membership_terms: id(), membership: id() },
});

export const termsVersioned = feedItemKind('membership_terms.versioned', {
  object: 'membership_terms',
  description: "The text of a membership's terms was changed.",
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
  membershipSharedWithFamilies,
  termsCreated,
  termsVersioned,
  termsAgreed,
];
