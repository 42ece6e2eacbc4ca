import { id, instant, integer, oneOf, ref, text, embedded } from '../../../kernel/base/fields/kinds.ts';
import { ofMyFamily } from '../../people/customers/index.ts';
import { raw, sql, type Sql } from '../../../kernel/base/db/sql.ts';
import { resource } from '../../../kernel/api/resource.ts';
import { shownToCustomers } from './membership.ts';

const WAYS = ['online', 'in_person', 'on_paper', 'by_phone', 'by_email'] as const;

/** Terms without a text are visible to staff only. */
const readable = (t: string): Sql => sql`${raw(t)}.version > 0 AND EXISTS (SELECT FROM membership m
  WHERE m.provider_id = ${raw(t)}.provider_id AND m.id = ${raw(t)}.membership_id AND ${shownToCustomers('m')})`;

const agreedByMyFamily = (
  t: string,
): Sql => sql`EXISTS (SELECT FROM terms_consent c WHERE c.provider_id = ${raw(t)}.provider_id
  AND c.membership_terms_id = ${raw(t)}.membership_terms_id AND c.version = ${raw(t)}.version
  AND ${ofMyFamily('c.customer_id')})`;

const currentOfReadable = (
  t: string,
): Sql => sql`EXISTS (SELECT FROM membership_terms w WHERE w.provider_id = ${raw(t)}.provider_id
  AND w.id = ${raw(t)}.membership_terms_id AND w.version = ${raw(t)}.version AND ${readable('w')})`;

export const membershipTerms = resource('membership_terms', {
  description:
    'Terms that people agree to when they buy a membership, either for the whole membership or for one of its plans.',
  fields: {
    id: id(),
    membership: ref('membership'),
    plan: ref('membership_payment_plan', 'plan_id')
      .nullable()
      .describe('Null means all plans that have no terms of their own.'),
    base_terms: text({ max: 100_000, blank: true }).describe('Empty until the terms are written.'),
    version: integer({ min: 0 }).describe('Increases with every change. 0 if nothing has been written yet.'),
    updated_at: instant(),
    versions: embedded('membership_terms_version', { column: 'membership_terms_id' })
      .deferred()
      .describe('The versions of the terms, oldest first.'),
  },
  visible: { provider: true, customer: readable, unregistered: readable },
});

export const membershipTermsVersion = resource('membership_terms_version', {
  description: 'The text of terms during a certain time. It never changes.',
  fields: {
    id: id(),
    version: integer({ min: 1 }),
    base_terms: text({ max: 100_000 }),
    created_at: instant(),
  },
  visible: {
    provider: true,
    customer: (t) => sql`${currentOfReadable(t)} OR ${agreedByMyFamily(t)}`,
    unregistered: currentOfReadable,
  },
});

export const termsConsent = resource('terms_consent', {
  description: 'A record that a customer agreed to a version of terms, when and how. It never changes.',
  fields: {
    id: id(),
    customer: ref('customer'),
    membership_terms: ref('membership_terms'),
    version: integer({ min: 1 }),
    terms_version: ref('membership_terms_version', 'terms_version_id').describe(
      'The text that the customer agreed to.',
    ),
    how: oneOf(WAYS),
    agreed_at: instant(),
    by_customer: ref('customer', 'by_customer_id')
      .nullable()
      .describe('Person who agreed: the customer, or the person who manages the family.'),
    by_staff: ref('staff', 'by_staff_id').nullable().describe('The staff member who recorded the agreement.'),
  },
  visible: { provider: true, customer: (t) => ofMyFamily(`${t}.customer_id`), unregistered: false },
});
