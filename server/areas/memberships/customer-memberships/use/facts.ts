/**
 * Everything that the choice of a membership needs to know about a customer and an event: SQL written once, for
 * bookings, explanations and fields.
 */
import { chooseMembership, type Asked, type Candidate, type Choice } from './rules/choice.ts';
import {
  selectBreadth,
  isFor,
  limitsOf,
  paymentPlanFacts,
  potsFor,
  termOf,
  type Lifetime,
  type PeriodLimit,
} from '../../memberships/index.ts';
import { againstUseOn, type Status } from '../rules/status.ts';
import { holdsOf, restsOn } from './hold-facts.ts';
import { selectUnpaidNumber } from './unpaid.ts';
import { raw, sql, type Sql } from '../../../../kernel/base/db/sql.ts';
import type { Agreed, Bound } from '../rules/contract.ts';
import type { Asked as AskedOfPayer } from '../../../scheduling/schedule/index.ts';
import type { Cycle } from '../../../../kernel/base/values/cycle.ts';
import type { Pause, Use } from './rules/allotment.ts';

/** Returns the billing periods of customer membership `t` as the jsonb of a `Cycle`; null if it has none. */
export const cycleOf = (t: string): Sql =>
  raw(`CASE WHEN ${t}.billing_unit IS NOT NULL THEN jsonb_strip_nulls(jsonb_build_object(
  'unit', ${t}.billing_unit, 'length', ${t}.billing_length, 'anchor', ${t}.billing_anchor, 'day', ${t}.billing_day))
  END`);

/**
 * The terms by which a recurring plan binds a customer, as jsonb; null for other types, or if it has ended. A
 * cancellation does not count as its end.
 */
export interface BoundFacts extends Bound {
  readonly agreed: Agreed;
}
export const boundLimits = (
  t: string,
): Sql => sql`(SELECT jsonb_build_object('start', ${raw(t)}.start_date, 'cycle', ${cycleOf(t)},
    'end', CASE WHEN ${raw(t)}.is_set_for_cancellation THEN ${raw(t)}.end_before_cancellation
      ELSE ${raw(t)}.expiration_date END,
    'extending', (SELECT coalesce(jsonb_agg(jsonb_build_object('start', h.start_date, 'end', h.end_date)), '[]'::jsonb)
      FROM customer_membership_hold h
      WHERE h.provider_id = ${raw(t)}.provider_id AND h.customer_membership_id = ${raw(t)}.id AND h.extend_expirations),
        'agreed', ${paymentPlanFacts('p')})
  FROM membership_payment_plan p WHERE p.provider_id = ${raw(t)}.provider_id AND p.id = ${raw(t)}.payment_plan_id
    AND ${raw(t)}.status IN ('active', 'hold'))`;

/**
 * Returns the number of days before and after a day in which uses may count: in its periods, the ones before and the
 * ones after.
 */
const reach = (t: string): Sql =>
  raw(
    `(70 + 2 * CASE ${t}.billing_unit WHEN 'months' THEN 31 WHEN 'weeks' THEN 7 ELSE 0 END * coalesce(${t}.billing_length, 0))`,
  );

const around = (t: string, on: Sql): Sql => sql`(n.event_starts_on BETWEEN ${on} - ${reach(t)} AND ${on} + ${reach(t)}
        OR EXISTS (SELECT FROM membership_limit l
          WHERE l.provider_id = ${raw(t)}.provider_id AND l.membership_id = ${raw(t)}.membership_id
            AND l.period = 'total'))`;

/**
 * Returns the uses of customer membership `t` from the ledger, as the jsonb of a list of `Use`: those around a day, or
 * all of them if there is a total limit, or without a day.
 */
export const usesOf = (t: string, on: Sql | null): Sql => sql`coalesce((
  SELECT jsonb_agg(jsonb_build_object('offeringType', s.offering_type_id, 'on', s.event_starts_on, 'count', s.used))
  FROM (
    SELECT n.offering_type_id, n.event_starts_on, -sum(n.amount) AS used FROM entitlement_entry n
    WHERE n.provider_id = ${raw(t)}.provider_id AND n.customer_membership_id = ${raw(t)}.id
      AND ${on === null ? raw('true') : around(t, on)}
    GROUP BY n.offering_type_id, n.event_starts_on HAVING sum(n.amount) <> 0) s), '[]'::jsonb)`;

/** Memberships that ended longer ago are left out, because they explain nothing. */
const MEMORY = "interval '90 days'";

/** Returns the memberships that customer `c` may use, for event `e`. */
const usableFor = (c: string): Sql => sql`(
  SELECT jsonb_agg(jsonb_build_object('id', cm.id, 'own', u.own, 'name', m.name, 'membership', m.id, 'status',
    cm.status, 'start', cm.start_date, 'end', cm.expiration_date,
    'covers', ${isFor('m', 'o')}, 'breadth', ${selectBreadth('m')},
    'limits', ${limitsOf('m')}, 'cycle', ${cycleOf('cm')}, 'holds', ${holdsOf('cm')}, 'unpaid',
      ${selectUnpaidNumber('cm')},
    'uses', ${usesOf('cm', raw('e.local_starts_at::date'))},
    'begins', CASE WHEN cm.start_date IS NULL
      THEN jsonb_build_object('boughtOn', cm.bought_on, 'duration', m.duration, 'durationUnit', m.duration_unit,
        'expirationDate', cm.expiration_date) END)
    ORDER BY u.own DESC, cm.id)
  FROM customer_membership_user u
    JOIN customer_membership cm ON cm.provider_id = u.provider_id AND cm.id = u.customer_membership_id
    JOIN membership m ON m.provider_id = cm.provider_id AND m.id = cm.membership_id
  WHERE u.provider_id = ${raw(c)}.provider_id AND u.customer_id = ${raw(c)}.id
    AND (cm.status IN ('active', 'hold')
      OR (cm.ended_at > e.starts_at - ${raw(MEMORY)} AND cm.cancellation_reason IS DISTINCT FROM 'mistake')))`;

/**
 * Returns a SELECT of `id` and `membership` of all that a customer may use for an event on a day, by the same rules as
 * `againstUseOn`.
 */
export const usableBy = (
  customer: unknown,
  on: Sql,
): Sql => sql`SELECT cm.id, cm.membership_id AS membership FROM customer_membership_user u
  JOIN customer_membership cm ON cm.provider_id = u.provider_id AND cm.id = u.customer_membership_id
  WHERE u.provider_id = current_provider_id() AND u.customer_id = ${customer}::bigint
    AND cm.status IN ('active', 'hold') AND NOT ${restsOn('cm', on)}
    AND (cm.start_date IS NULL OR cm.start_date <= ${on})
    AND (cm.expiration_date IS NULL OR cm.expiration_date >= ${on}) AND ${selectUnpaidNumber('cm')} IS NULL`;

const sold = raw(`m.incomplete_reasons = '{}' AND (m.archived_at IS NULL OR m.active_member_count > 0)`);

/** Returns one jsonb with everything about customer `c` for an event; read it with `entitlementsOf`. */
export const entitlementColumn = (c: string, eventId: Sql): Sql => sql`(
  SELECT jsonb_build_object('on', e.local_starts_at::date, 'offeringType', e.offering_type_id,
    'covered', EXISTS (SELECT FROM membership m WHERE m.provider_id = e.provider_id AND ${isFor('m', 'o')} AND ${sold}),
    'allowsDropins', o.allows_dropins,
    'sells', NOT o.allows_dropins AND EXISTS (SELECT FROM membership m WHERE m.provider_id = e.provider_id AND ${sold}),
    'paid', EXISTS (SELECT FROM attendance a
      JOIN entitlement_entry n ON n.provider_id = a.provider_id AND n.attendance_id = a.id AND n.open
      WHERE a.provider_id = e.provider_id AND a.event_id = e.id AND a.customer_id = ${raw(c)}.id),
    'usable', ${usableFor(c)})
  FROM event e JOIN offering_type o ON o.provider_id = e.provider_id AND o.id = e.offering_type_id
  WHERE e.provider_id = ${raw(c)}.provider_id AND e.id = ${eventId})`;

/** A membership that a customer may use: their own, or one that is shared with them. */
interface Usable {
  id: number;
  own: boolean;
  name: string;
  membership: number;
  status: Status;
  start: string | null;
  end: string | null;
  covers: boolean;
  breadth: number;
  limits: PeriodLimit[];
  cycle: Cycle | null;
  holds: (Pause & { prorates: boolean })[];
  unpaid: string | null;
  uses: Use[];
  begins: (Pick<Lifetime, 'duration' | 'durationUnit' | 'expirationDate'> & { boughtOn: string }) | null;
}

/** The facts about one customer for one event. */
export interface Entitlements extends Omit<Asked, 'wanted' | 'settled' | 'candidates'> {
  readonly offeringType: number;
  /** true if a use for this booking was not credited, and pays for booking it again */
  readonly paid: boolean;
  readonly candidates: readonly (Candidate & { readonly begins: Usable['begins'] })[];
  /** ids of the memberships that the customer may use on the day of the event */
  readonly memberships: readonly number[];
}

export function entitlementsOf(text: string): Entitlements {
  const { usable, ...rest }: Omit<Entitlements, 'candidates' | 'memberships'> & { usable: Usable[] | null } =
    JSON.parse(text);
  // A membership that is both owned by and shared with the customer is listed twice: the first one is their own.
  const unique = (usable ?? []).filter((h, i, all) => all.findIndex((other) => other.id === h.id) === i);
  return {
    ...rest,
    candidates: unique.map((h) => ({
      ...h,
      pots: potsFor(h, rest.offeringType),
      pauses: h.holds.filter((hold) => hold.prorates),
    })),
    memberships: [...new Set(unique.filter((h) => againstUseOn(h, rest.on) === null).map((h) => h.membership))],
  };
}

/** Chooses the membership that pays for a booking, from the facts about the customer and the event. */
export function choose(known: Entitlements, { wanted, settled, taken }: AskedOfPayer): Choice {
  const candidates = known.candidates.map((c) =>
    taken.has(c.id)
      ? { ...c, uses: [...c.uses, { offeringType: known.offeringType, on: known.on, count: taken.get(c.id)! }] }
      : c,
  );
  return chooseMembership({ ...known, candidates, wanted, settled });
}

/**
 * Returns the term of a membership that begins with its first use, if it is used for this event; null if it has already
 * begun.
 */
export function beginning(known: Entitlements, id: number): { start: string; end: string | null } | null {
  const begins = known.candidates.find((c) => c.id === id)?.begins;
  if (!begins) return null;
  const term = termOf(
    { ...begins, startDate: null, beginOnFirstRegistration: true },
    { boughtOn: begins.boughtOn, firstUseOn: known.on },
  );
  return { start: known.on, end: term.expirationDate };
}
