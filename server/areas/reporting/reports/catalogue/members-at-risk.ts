/** Members who may be about to leave: one row for each, with the reasons. The rule is in `rules/members-at-risk.ts`. */
import { anyOf, COUNT, countField, isTrue, named, privateCustomer, withinDays } from './common.ts';
import { boolean, date, listOf, oneOf, text } from '../../../../kernel/base/fields/kinds.ts';
import { column, filterBy, report, allowSeveralValues } from '../report.ts';
import type { Columns } from '../columns.ts';
import { LIMITS, LOOKS_BACK, RISKS, risksOf, sentenceOf, type MemberFacts } from '../rules/members-at-risk.ts';
import { NOW, TODAY } from '../moment.ts';
import { raw, sql, type Sql } from '../../../../kernel/base/db/sql.ts';

const n = (of: number): Sql => raw(String(of));

/** Implements `risksOf` in SQL, over columns named like the facts; a test compares both. */
export const RISKS_OF = ((): Sql => {
  const day = sql`${TODAY}::date`;
  const absent = raw('NOT f.on_hold AND NOT f.has_booking AND f.lately = 0');
  const stopped = sql`(${absent} AND f.weekly >= ${n(LIMITS.weeklyVisits)})`;
  const conditions: Record<(typeof RISKS)[number], Sql> = {
    payment_failed: raw('f.payment_failed'),
    membership_ends: sql`f.ends <= ${day} + ${n(LIMITS.endsWithinDays)}`,
    hold_ends: sql`f.on_hold AND f.hold_ends <= ${day} + ${n(LIMITS.holdEndsWithinDays)}`,
    never_came: sql`NOT f.on_hold AND NOT f.has_booking
      AND ${day} - f.member_since BETWEEN ${n(LIMITS.settlingDays)} AND ${n(LIMITS.settledDays)}
      AND coalesce(f.last_visit < f.member_since, true)`,
    stopped_coming: stopped,
    visits_halved: sql`NOT f.on_hold AND NOT ${stopped} AND f.before >= ${n(LIMITS.comparedVisits)}
      AND f.now * 2 <= f.before`,
  };
  const cases = RISKS.map((risk) => sql`CASE WHEN ${conditions[risk]} THEN ${raw(`'${risk}'`)} END`);
  return sql`array_remove(ARRAY[${cases.reduce((all, one) => sql`${all}, ${one}`)}]::text[], NULL)`;
})();

const AGE = sql`(${TODAY}::date - e.local_starts_at::date)`;
const visits = (from: number, to: number): Sql =>
  sql`count(*) FILTER (WHERE ${AGE} >= ${n(from)} AND ${AGE} < ${n(to)})`;

/** The facts about each member today. Each part is counted over all members: most of them need all parts. */
const FACTS = sql`(SELECT b.provider_id, b.customer_id, b.member_since, b.on_hold, b.ends, h.hold_ends,
    p.customer_id IS NOT NULL AS payment_failed, k.customer_id IS NOT NULL AS has_booking,
    coalesce(v.lately, 0) AS lately, coalesce(v.weekly, 0) AS weekly, coalesce(v.now, 0) AS now,
    coalesce(v.before, 0) AS before,
    v.last_visit
  FROM (SELECT m.provider_id, m.customer_id, min(coalesce(m.start_date, m.bought_on)) AS member_since,
      bool_and(m.status = 'hold') AS on_hold,
      CASE WHEN bool_and(m.expiration_date IS NOT NULL) THEN max(m.expiration_date) END AS ends
    FROM customer_membership m WHERE m.provider_id = current_provider_id() AND m.status IN ('active', 'hold')
    GROUP BY 1, 2) b
  LEFT JOIN (SELECT m.customer_id, CASE WHEN bool_and(h.end_date IS NOT NULL) THEN max(h.end_date) END AS hold_ends
    FROM customer_membership_hold h JOIN customer_membership m ON m.provider_id = h.provider_id
      AND m.id = h.customer_membership_id
    WHERE h.provider_id = current_provider_id() AND h.ended_at IS NULL AND h.start_date <= ${TODAY}::date
      AND coalesce(h.end_date, 'infinity') >= ${TODAY}::date AND m.status = 'hold' GROUP BY 1) h
    ON h.customer_id = b.customer_id
  LEFT JOIN (SELECT DISTINCT i.customer_id FROM invoice i WHERE i.provider_id = current_provider_id()
    AND i.status IN ('failed', 'retrying', 'retry_failed') AND i.due_minor > 0) p ON p.customer_id = b.customer_id
  LEFT JOIN (SELECT DISTINCT a.customer_id FROM event e
    JOIN attendance a ON a.provider_id = e.provider_id AND a.event_id = e.id
    WHERE e.provider_id = current_provider_id() AND e.starts_at > ${NOW}::timestamptz AND e.status = 'active'
      AND a.status = 'registered') k ON k.customer_id = b.customer_id
  LEFT JOIN (SELECT a.customer_id, max(e.local_starts_at::date) AS last_visit,
      ${visits(0, LIMITS.absentDays)} AS lately, ${visits(LIMITS.absentDays, LOOKS_BACK)} AS weekly,
      ${visits(0, LIMITS.comparedDays)} AS now, ${visits(LIMITS.comparedDays, 2 * LIMITS.comparedDays)} AS before
    FROM event e JOIN attendance a ON a.provider_id = e.provider_id AND a.event_id = e.id
    WHERE e.provider_id = current_provider_id() AND e.local_starts_at >= ${TODAY}::date - ${n(LOOKS_BACK - 1)}
      AND e.local_starts_at < ${TODAY}::date + 1 AND a.status = 'attended' GROUP BY 1) v
    ON v.customer_id = b.customer_id) f`;

/** The cells of a row that the rule needs, in the order of its facts. */
const FACT_CELLS = [
  sql`${TODAY}::date`,
  ...['member_since', 'on_hold', 'hold_ends', 'ends', 'payment_failed', 'has_booking'].map((of) => raw(`f.${of}`)),
  ...['lately', 'weekly', 'now', 'before', 'last_visit'].map((of) => raw(`f.${of}`)),
];

function factsOf(cells: readonly (string | null)[]): MemberFacts {
  const [today, memberSince, onHold, holdEnds, ends, failed, booked, lately, weekly, now, before, lastVisit] = cells;
  return {
    today: today!,
    memberSince: memberSince!,
    onHold: onHold === 't',
    holdEnds,
    ends,
    paymentFailed: failed === 't',
    hasBooking: booked === 't',
    lately: Number(lately),
    weekly: Number(weekly),
    now: Number(now),
    before: Number(before),
    lastVisit,
  };
}

const venue = named('venue', 'v', 'the venue that the customer belongs to');
const isOnHold = column(boolean(), 'f.on_hold', 'All of their memberships are on hold.');

const columns: Columns = {
  ...privateCustomer('c'),
  ...venue,
  risks: {
    ...column(listOf(oneOf(RISKS)), RISKS_OF, 'Why they may be about to leave, the most urgent reason first.'),
    reads: FACT_CELLS,
    make: (cells) => risksOf(factsOf(cells)),
  },
  reasons: {
    ...column(listOf(text()), RISKS_OF, 'The reasons in words.'),
    reads: FACT_CELLS,
    make: (cells) => {
      const facts = factsOf(cells);
      return risksOf(facts).map((risk) => sentenceOf(risk, facts));
    },
  },
  member_since: column(date(), 'f.member_since', 'First day of the oldest membership that they have now.'),
  is_on_hold: isOnHold,
  hold_ends_on: column(date(), 'f.hold_ends', 'Last day of their hold. Empty if there is none, or it has no end.'),
  membership_ends_on: column(date(), 'f.ends', 'Last day of the membership that ends last. Empty if one has no end.'),
  last_visit_on: column(
    date(),
    'f.last_visit',
    `Day of the last visit. Empty if there was none in ${LOOKS_BACK} days.`,
  ),
  visits_lately: column(countField(), 'f.now', `Visits in the last ${LIMITS.comparedDays} days.`),
  visits_before: column(countField(), 'f.before', `Visits in the ${LIMITS.comparedDays} days before these.`),
  has_booking: column(boolean(), 'f.has_booking', 'Has booked something that is still to come.'),
};

export const membersAtRiskReport = report('members_at_risk', {
  title: 'members at risk',
  description:
    'Members who may be about to leave, and why: a failed payment, a membership or hold that ends, or visits that have become fewer.',
  who: ['customer_payments', 'revenue'],
  from: FACTS,
  joins: {
    c: raw('JOIN customer c ON c.provider_id = f.provider_id AND c.id = f.customer_id'),
    v: raw('LEFT JOIN venue v ON v.provider_id = c.provider_id AND v.id = c.venue_id'),
    x: sql`CROSS JOIN LATERAL unnest(${RISKS_OF}) x(risk)`,
  },
  where: sql`cardinality(${RISKS_OF}) > 0`,
  id: 'f.customer_id',
  seek: { by: 'f.customer_id', of: 1 },
  venue: null,
  columns,
  sort: 'customer.id',
  customer: 'customer.id',
  filters: {
    customers: anyOf('f.customer_id'),
    is_on_hold: isTrue('f.on_hold'),
    ...withinDays('last_visit_on', 'f.last_visit', date),
    risks: filterBy(listOf(oneOf(RISKS)), (risks) => sql`${RISKS_OF} && ${risks}::text[]`),
    venues: anyOf('c.venue_id'),
  },
  grouped: {
    by: {
      ...allowSeveralValues({
        risk: column(oneOf(RISKS), 'x.risk', 'A reason: a member with several counts for each.'),
      }),
      ...venue,
      is_on_hold: isOnHold,
    },
    measures: { count: COUNT },
  },
});
