import { boolean, id, listOf, oneOf } from '../../../kernel/base/fields/kinds.ts';
import { choice, EVERYONE, filter, staffWith, type Who, listAndGet } from '../../../kernel/api/endpoint.ts';
import { contains } from '../../../kernel/api/reading/text-filters.ts';
import { isFor } from './facts.ts';
import { isDropin, membership } from './membership.ts';
import { joiningFee, membershipPaymentPlan } from './payment-plan.ts';
import { membershipCategory } from './category.ts';
import { membershipRegistrationGrant, registrationOption } from './grant.ts';
import { membershipTerms, termsConsent } from './terms.ts';
import { raw, sql, type Param } from '../../../kernel/base/db/sql.ts';
import { TYPES } from './rules/incomplete.ts';

const flag = (column: string) =>
  choice(boolean(), { true: (t) => raw(`${t}.${column}`), false: (t) => raw(`NOT ${t}.${column}`) });
const ofMembership = filter(id(), (t, membershipId) => sql`${raw(t)}.membership_id = ${membershipId}`);
const ids = () => listOf(id(), { max: 200 }).describe('Comma-separated list of ids.');

const byPlace = {
  order: { by: (t: string) => raw(`${t}.sort_order`) },
  name: { by: (t: string) => raw(`lower(${t}.name)`) },
  id: { by: (t: string) => raw(`${t}.id`) },
};

/** Staff need the permission; customers and visitors see what is offered to them. */
const offered = (...permissions: Parameters<typeof staffWith>): Who => ({
  ...staffWith(...permissions),
  customer: true,
  unregistered: true,
});

/** Memberships for all of the requested offering types, not only for one of them. */
const forOfferingTypes = (
  t: string,
  wanted: Param,
) => sql`(SELECT count(DISTINCT mc.offering_type_id) FROM membership_coverage mc
  WHERE mc.provider_id = ${raw(t)}.provider_id AND mc.membership_id = ${raw(t)}.id
    AND mc.offering_type_id = ANY(${wanted}::bigint[]))
  = (SELECT count(DISTINCT wanted) FROM unnest(${wanted}::bigint[]) wanted)`;

/** Memberships and their categories. */
export const findMemberships = [
  ...listAndGet(membership, {
    path: '/memberships',
    summary: 'List memberships',
    get: 'Get a membership',
    description:
      'In the order set by the business. Customers and visitors see those that are complete, not archived and visible to customers.',
    who: EVERYONE,
    filters: {
      allow_repeat_purchases: flag('allow_repeat_purchases'),
      categories: filter(ids(), (t, wanted) => sql`${raw(t)}.category_id = ANY(${wanted}::bigint[])`),
      for_sale: flag('for_sale'),
      is_dropin: choice(boolean(), { true: isDropin, false: (t) => sql`NOT ${isDropin(t)}` }),
      offering_type: filter(
        ids().describe('Comma-separated list of ids. Finds memberships that can be used for all of them.'),
        forOfferingTypes,
      ),
      permits_registration_for_event: filter(
        id().describe('Finds memberships that can be used for this event.'),
        (t, event) => sql`EXISTS (SELECT FROM event e
        JOIN offering_type o ON o.provider_id = e.provider_id AND o.id = e.offering_type_id
        WHERE e.provider_id = ${raw(t)}.provider_id AND e.id = ${event} AND ${isFor(t, 'o')})`,
      ),
      visible_to_customers: flag('visible_to_customers'),
      name_contains: contains('name_contains'),
      type: filter(listOf(oneOf(TYPES)), (t, types) => sql`${raw(t)}.type = ANY(${types}::text[])`),
      archived: choice(boolean(), {
        true: (t) => raw(`${t}.archived_at IS NOT NULL`),
        false: (t) => raw(`${t}.archived_at IS NULL`),
      }),
      is_draft: choice(boolean(), {
        true: (t) => raw(`${t}.incomplete_reasons <> '{}'`),
        false: (t) => raw(`${t}.incomplete_reasons = '{}'`),
      }),
      ids: filter(ids(), (t, wanted) => sql`${raw(t)}.id = ANY(${wanted}::bigint[])`),
    },
    sort: byPlace,
    defaultSort: 'order',
  }),
  ...listAndGet(membershipCategory, {
    path: '/membership_categories',
    summary: 'List membership categories',
    get: 'Get a membership category',
    description:
      'In the order set by the business. Customers and visitors see those that contain a membership that they can see.',
    who: offered('customers'),
    sort: byPlace,
    defaultSort: 'order',
  }),
];

/** Prices and terms. */
export const findPrices = [
  ...listAndGet(membershipPaymentPlan, {
    path: '/membership_payment_plans',
    summary: 'List payment plans',
    get: 'Get a payment plan',
    description: 'Customers and visitors see those that are for sale, of memberships that they can see.',
    who: offered('super_admin'),
    filters: {
      membership: ofMembership,
      status: filter(membershipPaymentPlan.fields.status, (t, status) => sql`${raw(t)}.status = ${status}`),
    },
    sort: { id: byPlace.id, price: { by: (t) => raw(`${t}.price_minor`) } },
  }),
  ...listAndGet(joiningFee, {
    path: '/joining_fees',
    summary: 'List joining fees',
    get: 'Get a joining fee',
    description: 'Customers and visitors see those of payment plans that they can see.',
    who: offered('super_admin'),
    filters: {
      membership_payment_plan: filter(
        id(),
        (t, plan) =>
          sql`EXISTS (SELECT FROM membership_payment_plan p
            WHERE p.provider_id = ${raw(t)}.provider_id AND p.id = ${plan} AND p.joining_fee_id = ${raw(t)}.id)`,
      ),
    },
  }),
  ...listAndGet(membershipTerms, {
    path: '/membership_terms',
    summary: 'List membership terms',
    get: 'Get membership terms',
    description: 'Customers and visitors see those that have a text, of memberships that they can see.',
    who: offered('super_admin'),
    filters: { membership: ofMembership },
  }),
  ...listAndGet(termsConsent, {
    path: '/terms_consents',
    summary: 'List agreements to terms',
    get: 'Get an agreement to terms',
    description: "Customers see their own and their family's.",
    who: { ...staffWith('super_admin', 'customers'), customer: true },
    filters: {
      customer: filter(id(), (t, customer) => sql`${raw(t)}.customer_id = ${customer}`),
      membership_terms: filter(id(), (t, terms) => sql`${raw(t)}.membership_terms_id = ${terms}`),
      membership: filter(
        id(),
        (t, membershipId) =>
          sql`EXISTS (SELECT FROM membership_terms w
            WHERE w.provider_id = ${raw(t)}.provider_id AND w.id = ${raw(t)}.membership_terms_id
              AND w.membership_id = ${membershipId})`,
      ),
    },
    sort: { id: byPlace.id },
  }),
];

/** Grants and registration options. */
export const findGrants = [
  ...listAndGet(registrationOption, {
    path: '/registration_options',
    summary: 'List the ways to register for offering types',
    get: 'Get a way to register for an offering type',
    who: EVERYONE,
    filters: { offering_type: filter(ids(), (t, wanted) => sql`${raw(t)}.id = ANY(${wanted}::bigint[])`) },
  }),
  ...listAndGet(membershipRegistrationGrant, {
    path: '/membership_registration_grants',
    summary: 'List membership grants',
    get: 'Get a membership grant',
    who: staffWith('super_admin'),
    filters: { membership: ofMembership },
  }),
];
