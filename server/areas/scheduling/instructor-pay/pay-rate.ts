import {
  boolean,
  date,
  id,
  idsOf,
  instant,
  integer,
  listOf,
  moneyText,
  oneOf,
  text,
} from '../../../kernel/base/fields/kinds.ts';
import { COUNTED_STATUSES, PAY_TYPES } from './rules/pay.ts';
import { may } from '../../../kernel/work/access/viewer.ts';
import { raw, sql } from '../../../kernel/base/db/sql.ts';
import { resource } from '../../../kernel/api/resource.ts';
import type { Row } from '../../../kernel/base/db/rows.ts';
import { shownTiers } from './amounts.ts';

/** Links from a rate to its instructors, offering types and venues. */
export const SCOPES = {
  instructors: { table: 'instructor_pay_rate_instructor', parent: 'instructor_pay_rate_id', child: 'instructor_id' },
  offering_types: {
    table: 'instructor_pay_rate_offering_type',
    parent: 'instructor_pay_rate_id',
    child: 'offering_type_id',
  },
  venues: { table: 'instructor_pay_rate_venue', parent: 'instructor_pay_rate_id', child: 'venue_id' },
} as const;

const amount = (column: string) => moneyText().from((t) => raw(`${t}.${column}`));

export const instructorPayRate = resource('instructor_pay_rate', {
  description:
    'Pay of instructors for a session: a base for the session or for each hour, and amounts for customers. It applies to certain instructors, offering types, venues and days.',
  fields: {
    id: id(),
    name: text({ max: 256 }),
    type: oneOf(PAY_TYPES).describe('Unit that the base is paid for.'),
    base: amount('base_minor').describe('For the session, or for each hour of it. "0.00" to pay for customers only.'),
    tiers: shownTiers().describe(
      'Amounts that customers add: each one the amount of the tier that their number is in. A customer outside of all tiers adds nothing.',
    ),
    counted_statuses: listOf(oneOf(COUNTED_STATUSES), { max: COUNTED_STATUSES.length })
      .from((t) => sql`to_jsonb(${raw(t)}.counted_statuses)`)
      .describe('Which bookings count as customers. `registered` are those that nobody marked.'),
    counts_comped: boolean().describe('Whether bookings that staff gave away count.'),
    pays_empty_sessions: boolean().describe(
      'If false, a session pays nothing if no customer counts, not even the base.',
    ),
    minimum_pay: amount('minimum_minor').nullable().describe('The least that a session pays. Null if there is none.'),
    maximum_pay: amount('maximum_minor').nullable().describe('The most that a session pays. Null if there is none.'),
    instructors: idsOf('instructor', SCOPES.instructors).describe('Instructors that it applies to. Empty: everyone.'),
    offering_types: idsOf('offering_type', SCOPES.offering_types).describe(
      'Offering types that it applies to. Empty: everything.',
    ),
    venues: idsOf('venue', SCOPES.venues).describe('Venues that it applies to. Empty: all venues.'),
    starts_on: date().nullable().describe('The first day of the sessions that it is for. Null if there is none.'),
    ends_on: date().nullable().describe('The last day of the sessions that it is for. Null if there is none.'),
    archived: boolean().describe('Whether it is no longer used for sessions that are calculated from now on.'),
    version: integer({ min: 1 }).describe('Grows by 1 whenever the rate changes.'),
    created_at: instant(),
    updated_at: instant(),
  },
  visible: { provider: (_t, viewer) => may(viewer, 'revenue'), customer: false, unregistered: false },
});

export type RateRow = Row<
  'instructor_pay_rate',
  {
    readonly tiers: readonly { readonly from: number; readonly to: number | null; readonly minor: number }[];
    readonly counted_statuses: readonly (typeof COUNTED_STATUSES)[number][];
  }
>;
