/**
 * Evaluates the conditions of a workflow's action: the facts about a customer in, a verdict with the facts it used out.
 * The worked tables are in docs/algorithms/workflows.md. A new kind of condition needs a type here, a line in `DECIDE`,
 * its properties in workflows/conditions.ts, and its fact in workflows/facts.ts.
 */
import { addDays, ageOn, daysBetween } from '../../../../kernel/base/values/zone.ts';

export const COMPARISONS = ['equals', 'not_equals', 'less_than', 'at_most', 'at_least', 'more_than'] as const;
export const EQUALITIES = ['equals', 'not_equals'] as const;

type Comparison = (typeof COMPARISONS)[number];
type Equality = (typeof EQUALITIES)[number];

/** A condition. Labels and statuses are given by slug; `null` for a status means none. */
export type Condition =
  | { readonly condition_type: 'customer_label'; readonly operator: Equality; readonly label: string }
  | { readonly condition_type: 'crm_status_change'; readonly from?: string | null; readonly to?: string | null }
  | { readonly condition_type: 'customer_status'; readonly operator: Equality; readonly status: string | null }
  | { readonly condition_type: 'visits'; readonly operator: Comparison; readonly count: number; readonly days: number }
  | { readonly condition_type: 'days_since_last_visit'; readonly operator: Comparison; readonly days: number }
  | { readonly condition_type: 'upcoming_booking'; readonly operator: Equality; readonly value: boolean }
  | { readonly condition_type: 'age'; readonly operator: Comparison; readonly years: number }
  | { readonly condition_type: 'venue'; readonly operator: Equality; readonly venue: number }
  | {
      readonly condition_type: 'customer_field';
      readonly operator: Equality;
      readonly field: number;
      readonly value: string | null;
    }
  | { readonly condition_type: 'membership_held'; readonly operator: Equality; readonly membership?: number | null };

export type ConditionType = Condition['condition_type'];

/** Facts about the customer when the action is due. Dates are `YYYY-MM-DD` in the zone of the business. */
export interface Facts {
  readonly today: string;
  readonly enteredOn: string;
  readonly labels: readonly string[];
  readonly status: string | null;
  /** the change of status in the feed item that triggered the run; null: it was no change of status */
  readonly change: { readonly from: string | null; readonly to: string | null } | null;
  /** days on which the customer came, by a marked visit or a check-in; in any order, each once */
  readonly visitDays: readonly string[];
  readonly upcomingBooking: boolean;
  readonly birth: string | null;
  readonly venue: number | null;
  /** answers to questions of the business by their ids, in lower case: `yes`; several of several choices */
  readonly answers: ReadonlyMap<number, readonly string[]>;
  /** ids of active memberships: the customer's own, and those shared with them */
  readonly memberships: readonly number[];
}

export interface Verdict {
  readonly condition: Condition;
  readonly holds: boolean;
  /** facts that were used */
  readonly facts: Record<string, unknown>;
}

type Decided = Omit<Verdict, 'condition'>;

function compare(value: number, operator: Comparison, with_: number): boolean {
  switch (operator) {
    case 'equals':
      return value === with_;
    case 'not_equals':
      return value !== with_;
    case 'less_than':
      return value < with_;
    case 'at_most':
      return value <= with_;
    case 'at_least':
      return value >= with_;
    case 'more_than':
      return value > with_;
  }
}

const same = (is: boolean, operator: Equality): boolean => is === (operator === 'equals');

/** Excludes visits that a simulation of the past must not know yet. */
const visitsUntil = ({ visitDays, today }: Facts): string[] => visitDays.filter((day) => day <= today);

const DECIDE: {
  readonly [T in ConditionType]: (condition: Extract<Condition, { condition_type: T }>, facts: Facts) => Decided;
} = {
  customer_label: ({ operator, label }, { labels }) => ({
    holds: same(labels.includes(label), operator),
    facts: { labels },
  }),

  crm_status_change: ({ from, to }, { change }) => ({
    holds: change !== null && (from === undefined || change.from === from) && (to === undefined || change.to === to),
    facts: { change },
  }),

  customer_status: ({ operator, status }, facts) => ({
    holds: same(facts.status === status, operator),
    facts: { status: facts.status },
  }),

  /** The last N days include today. */
  visits: ({ operator, count, days }, facts) => {
    const since = addDays(facts.today, 1 - days);
    const visits = visitsUntil(facts).filter((day) => day >= since).length;
    return { holds: compare(visits, operator, count), facts: { visits, since } };
  },

  /** For a customer who never came, the days count from the day they were added: new people are not lost ones. */
  days_since_last_visit: ({ operator, days }, facts) => {
    const last = visitsUntil(facts).toSorted().at(-1) ?? null;
    const since = Math.max(daysBetween(last ?? facts.enteredOn, facts.today), 0);
    return {
      holds: compare(since, operator, days),
      facts: { last_visit: last, ...(last === null && { entered_on: facts.enteredOn }), days: since },
    };
  },

  upcoming_booking: ({ operator, value }, { upcomingBooking }) => ({
    holds: same(upcomingBooking === value, operator),
    facts: { upcoming_booking: upcomingBooking },
  }),

  /** For an unknown age, no condition holds, not even that it differs. */
  age: ({ operator, years }, { birth, today }) => {
    const age = birth === null ? null : ageOn(birth, today);
    return { holds: age !== null && compare(age, operator, years), facts: { age } };
  },

  venue: ({ operator, venue }, facts) => ({
    holds: same(facts.venue === venue, operator),
    facts: { venue: facts.venue },
  }),

  /** The answer itself is not part of the record: it may be about health. */
  customer_field: ({ operator, field, value }, { answers }) => {
    const given = answers.get(field);
    return {
      holds: same(value === null ? given === undefined : (given?.includes(value.toLowerCase()) ?? false), operator),
      facts: { is_answered: given !== undefined },
    };
  },

  membership_held: ({ operator, membership }, { memberships }) => ({
    holds: same(
      membership === undefined || membership === null ? memberships.length > 0 : memberships.includes(membership),
      operator,
    ),
    facts: { memberships },
  }),
};

export function decide(condition: Condition, facts: Facts): Verdict {
  const decided = (DECIDE[condition.condition_type] as (condition: Condition, facts: Facts) => Decided)(
    condition,
    facts,
  );
  return { condition, ...decided };
}

/**
 * Evaluates all conditions; all must hold, and an empty list holds. Every condition is evaluated, so that the record
 * has all reasons.
 */
export const decideAll = (conditions: readonly Condition[], facts: Facts): Verdict[] =>
  conditions.map((condition) => decide(condition, facts));

/** The content of the feed item never changes: a condition about it that does not hold never will. */
export const isOfTrigger = ({ condition_type }: Condition): boolean => condition_type === 'crm_status_change';

/** Facts of which only the present value is stored: a simulation of the past uses today's. */
export const IS_OF_TODAY: ReadonlySet<ConditionType> = new Set([
  'customer_label',
  'customer_status',
  'upcoming_booking',
  'venue',
  'customer_field',
  'membership_held',
] as const satisfies ConditionType[]);
