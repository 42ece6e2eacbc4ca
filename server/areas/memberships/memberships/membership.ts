import { activeMemberCount, hasActiveMembers } from './owners.ts';
import {
  boolean,
  collection,
  date,
  id,
  moneyText,
  instant,
  integer,
  listOf,
  money,
  oneOf,
  ref,
  text,
  uri,
} from '../../../kernel/base/fields/kinds.ts';
import { DURATION_UNITS, termOf, type Lifetime } from './rules/lifetime.ts';
import { feeOn } from './rules/fee.ts';
import { raw, sql, type Sql } from '../../../kernel/base/db/sql.ts';
import { resource } from '../../../kernel/api/resource.ts';
import { wallAt } from '../../../kernel/base/values/zone.ts';
import { wireMoney } from '../../../kernel/base/values/money.ts';
import { INCOMPLETE, TYPES } from './rules/incomplete.ts';

/**
 * Returns the condition that customers and visitors see a membership: complete, intended for them, and not archived.
 */
export const shownToCustomers = (t: string): Sql =>
  raw(`${t}.visible_to_customers AND ${t}.archived_at IS NULL AND ${t}.incomplete_reasons = '{}'`);

/** Returns the lowest first price: the fee, or the lowest price of its plans for sale. */
const price = (
  t: string,
): Sql => sql`CASE ${raw(t)}.type WHEN 'recurring_plan' THEN (SELECT min(p.price_minor) FROM membership_payment_plan p
  WHERE p.provider_id = ${raw(t)}.provider_id AND p.membership_id = ${raw(t)}.id AND p.status = 'for_sale')
  ELSE ${raw(t)}.one_time_fee_minor END`;

/**
 * Returns the field for the lowest first price of a start today: a fixed prepaid term that has begun costs its
 * remaining days.
 */
const priceNow = () =>
  money()
    .nullable()
    .computed(
      (t) => [
        price(t),
        raw(`
          CASE WHEN ${t}.use_prorate THEN jsonb_build_object('startDate', ${t}.start_date, 'expirationDate',
            ${t}.expiration_date, 'duration', ${t}.duration, 'durationUnit', ${t}.duration_unit,
      'beginOnFirstRegistration', ${t}.begin_on_first_registration) END`),
      ],
      ([minor, prorated], { now, zone, currency }) => {
        if (minor === null) return null;
        const today = wallAt(now, zone).date;
        const lifetime: Lifetime | null = prorated === null ? null : JSON.parse(prorated);
        const due =
          lifetime === null
            ? Number(minor)
            : feeOn(
                Number(minor),
                { ...lifetime, useProrate: true },
                termOf(lifetime, { boughtOn: today, firstUseOn: null }),
                today,
              );
        return wireMoney({ minor: due, currency });
      },
    );

/** Returns the condition of `isDropIn` in the rules. */
export const isDropin = (t: string): Sql => sql`(${raw(t)}.type = 'pack' AND EXISTS (SELECT FROM membership_limit l
  WHERE l.provider_id = ${raw(t)}.provider_id AND l.membership_id = ${raw(t)}.id AND l.period = 'total'
    AND l.max_uses = 1))`;

const age = () => integer({ min: 0, max: 150 }).nullable();

export const membership = resource('membership', {
  description: 'A product for regular customers: a pack of uses, a prepaid period, or a plan that is paid repeatedly.',
  fields: {
    id: id(),
    type: oneOf(TYPES).describe("Set when the membership is created; can't be changed."),
    name: text({ max: 256 }),
    description: text({ blank: true }),
    category: ref('membership_category', 'category_id'),
    order: integer({ min: 0, max: 1_000_000 })
      .nullable()
      .from((t) => raw(`${t}.sort_order`))
      .describe('Position in lists. Null comes last.'),
    for_sale: boolean(),
    visible_to_customers: boolean(),
    purchasable_only_by_provider: boolean().describe(
      "Only staff can sell it. Customers who see it can't buy it themselves.",
    ),
    new_customers_only: boolean().describe(
      'A trial: only for people who have never held a membership or come to an event.',
    ),
    allow_repeat_purchases: boolean().describe('If false, each customer can buy it only once.'),
    shareable: boolean().describe('Holders can share it with others.'),
    customers_can_hold: boolean().describe(
      'Customers can put it on hold themselves, which extends its last day by the days of the hold. Staff always can.',
    ),
    max_holds_per_year: integer({ min: 0, max: 365 })
      .nullable()
      .describe(
        'The most holds that customers can make themselves within the twelve months before a hold, including that hold. Null means no limit.',
      ),
    max_hold_days_per_year: integer({ min: 0, max: 366 })
      .nullable()
      .describe('The most days of all these holds together. Null means no limit.'),
    shared_with_families: boolean().deferred().describe('Holders share it with their family as soon as they buy it.'),
    min_allowed_age: age().describe('Age in years on the day of the purchase.'),
    max_allowed_age: age().describe('Age in years on the day of the purchase.'),
    one_time_fee: money()
      .nullable()
      .from((t) => raw(`${t}.one_time_fee_minor`))
      .describe('Null for recurring plans, whose plans have prices.'),
    price: priceNow().describe(
      'The price for someone who starts today: the fee, or the part of it for the remaining days if it is prorated; for recurring plans, the lowest price of its plans for sale. Null if there is no price yet.',
    ),
    display_price: priceNow().describe('The price to show in lists, same as `price`.'),
    begin_on_first_registration: boolean(),
    duration: integer({ min: 1, max: 10_000 }).nullable(),
    duration_unit: oneOf(DURATION_UNITS),
    start_date: date().nullable().describe('Null means the day of the purchase.'),
    expiration_date: date()
      .nullable()
      .describe('The last day, no matter when it was bought. If there is also a duration, the earlier date counts.'),
    use_prorate: boolean().describe('Customers who buy a prepaid plan late pay only for the remaining days.'),
    is_dropin: boolean().from(isDropin).describe('A pack with a single use.'),
    is_draft: boolean()
      .from((t) => raw(`${t}.incomplete_reasons <> '{}'`))
      .describe('Something is missing, so customers can neither see nor buy it.'),
    incomplete_reasons: listOf(oneOf(Object.keys(INCOMPLETE))).from((t) => raw(`to_jsonb(${t}.incomplete_reasons)`)),
    has_active_members: boolean().from(hasActiveMembers),
    active_member_count: integer({ min: 0 }).from(activeMemberCount),
    allotment: uri().computed(
      (t) => [raw(`${t}.id`)],
      ([membershipId], wire) => `${wire.baseUrl}/api/v2/memberships/${membershipId}/allotment`,
    ),
    plans: collection(
      'membership_payment_plan',
      { column: 'membership_id' },
      (membershipId) => `/membership_payment_plans?membership=${membershipId}`,
    ),
    terms: collection(
      'membership_terms',
      { column: 'membership_id' },
      (membershipId) => `/membership_terms?membership=${membershipId}`,
    ),
    archived_at: instant().nullable(),
  },
  visible: { provider: true, customer: shownToCustomers, unregistered: shownToCustomers },
});

const f = membership.fields;

/** Writable properties of a membership. */
export const writable = {
  name: f.name,
  description: text({ blank: true }).nullable().optional(),
  category: f.category,
  order: f.order.optional(),
  allow_repeat_purchases: f.allow_repeat_purchases,
  visible_to_customers: f.visible_to_customers,
  purchasable_only_by_provider: f.purchasable_only_by_provider,
  new_customers_only: f.new_customers_only,
  shareable: f.shareable.optional(),
  customers_can_hold: f.customers_can_hold.optional(),
  max_holds_per_year: f.max_holds_per_year.optional(),
  max_hold_days_per_year: f.max_hold_days_per_year.optional(),
  min_allowed_age: f.min_allowed_age.optional(),
  max_allowed_age: f.max_allowed_age.optional(),
  one_time_fee: moneyText().optional().describe('Only for packs and prepaid plans, for which it is required.'),
  begin_on_first_registration: f.begin_on_first_registration.optional().describe('Only for packs and prepaid plans.'),
  duration: f.duration
    .optional()
    .describe('Only for packs and prepaid plans. Null means that the duration sets no end.'),
  duration_unit: f.duration_unit.optional().describe('Only for packs and prepaid plans. The default is `days`.'),
  start_date: f.start_date.optional().describe('Only for packs and prepaid plans.'),
  expiration_date: f.expiration_date.optional().describe('Only for packs and prepaid plans. The last day.'),
  use_prorate: f.use_prorate.optional().describe('Only for prepaid plans.'),
};
