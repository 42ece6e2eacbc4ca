/** Infractions and their cost, so that people see the reason. */
import { APPLIES_TO, INFRACTIONS } from './rules/sequences.ts';
import {
  date,
  id,
  idsOf,
  instant,
  integer,
  listOf,
  money,
  oneOf,
  ref,
  refBy,
  text,
} from '../../../kernel/base/fields/kinds.ts';
import { filter, type Filter, type Who, listAndGet } from '../../../kernel/api/endpoint.ts';
import { nowInstant, viewingVenues } from '../../../kernel/work/access/viewer.ts';
import { ofMyFamily } from '../../people/customers/index.ts';
import { PRICES } from '../../money/account-entries/index.ts';
import { raw, sql, type Sql } from '../../../kernel/base/db/sql.ts';
import { resource } from '../../../kernel/api/resource.ts';
import { ruleOf } from './system.ts';

export const STRIKE_STATUSES = [
  'open',
  'voided',
  'expired',
  'in_penalty_sequence',
  'upcoming_charge',
  'charged',
  'charge_skipped',
] as const;
const PENALTY_STATUSES = ['upcoming_charge', 'charged', 'charge_skipped', 'voided'] as const;
const END_REASONS = ['forgiven', 'voided', 'corrected', 'event_cancelled', 'booking_dropped'] as const;

const ofRule =
  (column: string) =>
  (t: string): Sql =>
    raw(
      `(SELECT r.${column} FROM membership_penalty_rule r
        WHERE r.provider_id = ${t}.provider_id AND r.id = ${t}.rule_id)`,
    );
const bookingText = (t: string, column: string): string =>
  `(SELECT a.${column} FROM attendance a WHERE a.provider_id = ${t}.provider_id AND a.id = ${t}.attendance_id)`;
const ofBooking =
  (column: string) =>
  (t: string): Sql =>
    raw(bookingText(t, column));
const holder = (t: string): string =>
  `(SELECT cm.customer_id FROM customer_membership cm
    WHERE cm.provider_id = ${t}.provider_id AND cm.id = ${t}.customer_membership_id)`;
/** Returns the customer who was booked; for a deleted booking, the holder of the membership. */
const booked = (t: string): string => `coalesce(${bookingText(t, 'customer_id')}, ${holder(t)})`;
const customerOf = (t: string): Sql => raw(booked(t));

const penaltyStatus = (p: string): Sql =>
  raw(
    `CASE WHEN ${p}.voided_at IS NOT NULL THEN 'voided' WHEN ${p}.skipped THEN 'charge_skipped'
      WHEN ${p}.charged_at IS NOT NULL THEN 'charged' ELSE 'upcoming_charge' END`,
  );

/** Returns the status of a strike: the last one of a sequence is charged for; earlier ones belong to it. */
export const strikeStatus = (t: string): Sql => sql`CASE WHEN ${raw(t)}.ended_at IS NOT NULL THEN 'voided'
  WHEN ${raw(t)}.penalty_id IS NOT NULL
    THEN (SELECT CASE WHEN ${raw(t)}.sequence_position <= r.max_infractions THEN 'in_penalty_sequence'
      ELSE ${penaltyStatus('p')} END
    FROM membership_penalty p JOIN membership_penalty_rule r ON r.provider_id = p.provider_id AND r.id = p.rule_id
    WHERE p.provider_id = ${raw(t)}.provider_id AND p.id = ${raw(t)}.penalty_id)
  WHEN ${raw(t)}.expires_at <= ${nowInstant}::timestamptz THEN 'expired' ELSE 'open' END`;

export const membershipStrike = resource('membership_strike', {
  description:
    'An infraction under a rule: a customer cancelled late, or did not show up for a booking that a membership paid for.',
  fields: {
    id: id(),
    customer: refBy('customer', customerOf).describe('The customer who was booked.'),
    customer_membership: ref('customermembership', 'customer_membership_id'),
    attendance: ref('attendance').nullable().describe('Null if the booking was removed.'),
    event: refBy('event', ofBooking('event_id')).nullable(),
    type: oneOf(INFRACTIONS),
    status: oneOf(STRIKE_STATUSES).from(strikeStatus),
    penalty_system: refBy('membership_penalty_system', ofRule('membership_penalty_system_id')),
    applies_to: oneOf(APPLIES_TO).from(ofRule('applies_to')),
    rule: ruleOf(),
    sequence_position: integer({ min: 1 })
      .nullable()
      .describe('Number of infractions at that time, including this one. Within a penalty, its position there.'),
    penalty: ref('membership_penalty', 'penalty_id').nullable(),
    expires_at: instant().describe('From then on, it no longer counts towards later infractions.'),
    end_reason: oneOf(END_REASONS).nullable().describe('Why it no longer counts. Null if it still counts.'),
    note: text({ max: 500 }).nullable().describe('The note that staff wrote when they forgave it.'),
    ended_at: instant().nullable(),
    created_at: instant(),
  },
  place: {
    within: (
      t,
    ) => sql`EXISTS (SELECT FROM attendance a JOIN event e ON e.provider_id = a.provider_id AND e.id = a.event_id
    WHERE a.provider_id = ${raw(t)}.provider_id AND a.id = ${raw(t)}.attendance_id
      AND e.venue_id = ANY(${viewingVenues}::bigint[]))`,
    elsewhere: 'hidden',
  },
  visible: {
    provider: true,
    customer: (t) => sql`(${ofMyFamily(booked(t))} OR ${ofMyFamily(holder(t))})`,
    unregistered: false,
  },
});

const chargeOf = (p: string): Sql => sql`(SELECT min(e.id) FROM account_entry e
  WHERE e.provider_id = ${raw(p)}.provider_id AND e.subject_object = 'membership_penalty'
    AND e.subject_id = ${raw(p)}.id AND e.kind = 'charge')`;

export const membershipPenalty = resource('membership_penalty', {
  description: 'The penalty for one infraction too many, from the time it is decided until it is charged or voided.',
  fields: {
    id: id(),
    customer_membership: ref('customermembership', 'customer_membership_id'),
    penalty_system: refBy('membership_penalty_system', ofRule('membership_penalty_system_id')),
    applies_to: oneOf(APPLIES_TO).from(ofRule('applies_to')),
    rule: ruleOf(),
    status: oneOf(PENALTY_STATUSES)
      .from(penaltyStatus)
      .describe('`charge_skipped`: another rule charges for the same infraction.'),
    amount: money().from((t) => raw(`${t}.amount_minor`)),
    due_date: date().from((t) => raw(`${t}.due_on`)),
    account_entry: refBy('account_entry', chargeOf)
      .nullable()
      .describe('The charge and its explanation. Null if it was skipped.'),
    strikes: idsOf('membership_strike', { column: 'penalty_id' }),
    charged_at: instant().nullable(),
    voided_at: instant().nullable(),
    created_at: instant(),
  },
  visible: { provider: true, customer: (t) => ofMyFamily(holder(t)), unregistered: false },
  shown: { amount: PRICES },
});

const who: Who = { provider: true, customer: true, unregistered: false };
const ids = (of: (t: string) => Sql): Filter =>
  filter(listOf(id()), (t, wanted) => sql`${of(t)} = ANY(${wanted}::bigint[])`);
const words = (values: readonly string[], of: (t: string) => Sql): Filter =>
  filter(listOf(oneOf(values)), (t, wanted) => sql`(${of(t)}) = ANY(${wanted}::text[])`);
const column =
  (name: string) =>
  (t: string): Sql =>
    raw(`${t}.${name}`);

export const findStrikes = [
  ...listAndGet(membershipStrike, {
    path: '/membership_strikes',
    summary: 'List strikes',
    get: 'Get a strike',
    description:
      'Strikes are late cancellations and absences that count for penalties. Customers see those of their family, and those of the memberships that their family holds.',
    who,
    filters: {
      customer: ids(customerOf),
      customer_membership: ids(column('customer_membership_id')),
      event: ids(ofBooking('event_id')),
      penalty: ids(column('penalty_id')),
      penalty_system: ids(ofRule('membership_penalty_system_id')),
      rule_applies_to: words(APPLIES_TO, ofRule('applies_to')),
      status: words(STRIKE_STATUSES, strikeStatus),
      type: words(INFRACTIONS, column('type')),
    },
    sort: { id: { by: column('id') }, created_at: { by: column('created_at') } },
  }),
  ...listAndGet(membershipPenalty, {
    path: '/membership_penalties',
    summary: 'List penalties',
    get: 'Get a penalty',
    description: 'Customers see those of memberships that their family holds.',
    who,
    filters: {
      customer_membership: ids(column('customer_membership_id')),
      penalty_system: ids(ofRule('membership_penalty_system_id')),
      status: words(PENALTY_STATUSES, penaltyStatus),
      due_date_gte: filter(date(), (t, v) => sql`${raw(t)}.due_on >= ${v}::date`),
      due_date_lte: filter(date(), (t, v) => sql`${raw(t)}.due_on <= ${v}::date`),
    },
    sort: { id: { by: column('id') }, due_date: { by: column('due_on') } },
  }),
];
