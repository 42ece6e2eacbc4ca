/** Memberships as a payer of bookings, for the schedule's port `payers`. */
import { choose, entitlementColumn, entitlementsOf, usableBy, type Entitlements } from './facts.ts';
import { credit, gaveBack, givenBackFor, lockUsable, payingMembership } from './ledger.ts';
import { debit } from './debit.ts';
import { id, refBy } from '../../../../kernel/base/fields/kinds.ts';
import { invalid } from '../../../../kernel/base/problem.ts';
import { MEMBERSHIP_PROBLEMS } from '../problems.ts';
import { NO_OBJECTION, REFUSALS, type Choice } from './rules/choice.ts';
import { sql } from '../../../../kernel/base/db/sql.ts';
import type { Properties } from '../../../../kernel/api/resource.ts';
import type { UncoveringPayer } from '../../../scheduling/schedule/index.ts';

export const MEMBERSHIP_TO_USE = id()
  .nullable()
  .optional()
  .describe('If left out or null, Rollcall chooses one; see docs/algorithms/membership-choice.md.');

export const MEMBERSHIP_TO_TRY = id()
  .optional()
  .describe('The membership to use. If left out, the one that would be used first.');

export const attendanceProperties: Properties = {
  fields: {
    customer_membership: refBy('customermembership', payingMembership)
      .nullable()
      .describe('The membership that pays, unless its use was given back. Null for a drop-in.'),
  },
};

export const membershipPayer: UncoveringPayer<Entitlements, Choice> = {
  name: 'membership',
  description: 'A membership that the customer can use.',
  resource: 'customermembership',
  subject: 'customer_membership',
  notComped: 'A comped booking uses no membership. Leave out one of the two.',
  refuseUnknown: ({ candidates }, named) =>
    candidates.some((c) => c.id === named)
      ? null
      : invalid('customer_membership', `The customer has no membership with the id ${named}.`),
  refusals: REFUSALS.map((code) => ({ kind: MEMBERSHIP_PROBLEMS[code], passed: NO_OBJECTION[code] })),
  lock: lockUsable,
  facts: entitlementColumn,
  read: entitlementsOf,
  paid: ({ paid }) => paid,
  choose,
  debit,
  credit,
  gaveBack,
  givenBackFor,
  belonging: {
    usable: usableBy,
    memberships: ({ memberships }) => memberships,
    shows: ({ candidates }) => candidates.some((c) => c.covers && c.status === 'active'),
  },
  uncovering: {
    bookings: (provider, which) => sql`
      SELECT n.attendance_id AS attendance, n.customer_membership_id AS subject, n.event_starts_on AS day
      FROM unnest(${which.map((w) => w.subject)}::bigint[], ${which.map((w) => w.from)}::date[],
        ${which.map((w) => w.to)}::date[],
                  ${which.map((w) => w.customer ?? null)}::bigint[]) AS w (id, first, last, customer)
        JOIN entitlement_entry n ON n.provider_id = ${provider} AND n.customer_membership_id = w.id AND n.open
          AND n.event_starts_on >= w.first AND (w.last IS NULL OR n.event_starts_on <= w.last)
          AND (w.customer IS NULL OR n.customer_id = w.customer)`,
    users: (provider, ids) =>
      sql`SELECT u.customer_id FROM customer_membership_user u
        WHERE u.provider_id = ${provider} AND u.customer_membership_id = ANY(${ids}::bigint[])`,
  },
};
