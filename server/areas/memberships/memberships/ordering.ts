import { categoryFeed, membershipFeed } from './feed.ts';
import { membership } from './membership.ts';
import { membershipCategory } from './category.ts';
import { ordering } from '../../../kernel/api/resource-changes.ts';
import { staffWith } from '../../../kernel/api/endpoint.ts';

export const orderMemberships = ordering(membership, {
  path: '/memberships',
  nouns: 'memberships',
  who: staffWith('super_admin'),
  moved: (work, id) => work.record(membershipFeed.updated, id, { membership: id, changed: ['order'] }),
});

export const orderCategories = ordering(membershipCategory, {
  path: '/membership_categories',
  nouns: 'membership categories',
  who: staffWith('customers'),
  moved: (work, id) => work.record(categoryFeed.updated, id, { membership_category: id, changed: ['order'] }),
});
