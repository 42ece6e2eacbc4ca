/** The plan of a course's sessions: the first one, the others at regular intervals, and exceptions. Pure. */
import { daysAfter } from '../../app/days.ts';

export interface Times {
  /** `2026-11-27` */
  readonly date: string;
  /** `18:00` in the time zone of the venue */
  readonly from: string;
  readonly to: string;
}

export interface Row {
  /** number of intervals after the first session */
  readonly step: number;
  /** changes to this session */
  readonly own?: Partial<Times>;
}

export interface Plan {
  readonly first: Times;
  /** interval between sessions in days */
  readonly every: number;
  /** without the first one */
  readonly others: readonly Row[];
}

/** Returns a plan with one session each week, and `count` in all. */
export const weekly = (first: Times, count: number): Plan => resized({ first, every: 7, others: [] }, count);

/** Returns all sessions, in the order of the rows. */
export const sessionsOf = ({ first, every, others }: Plan): Times[] => [
  first,
  ...others.map(({ step, own }) => ({
    ...first,
    ...(first.date !== '' && { date: daysAfter(first.date, step * every) }),
    ...own,
  })),
];

/** Returns the plan with this many sessions: removes the last ones, or appends others. */
export function resized(plan: Plan, count: number): Plan {
  const others = plan.others.slice(0, Math.max(0, count - 1));
  while (others.length < count - 1) others.push({ step: (others.at(-1)?.step ?? 0) + 1 });
  return { ...plan, others };
}

/** Removes a session: those after it keep their dates. */
export const without = (plan: Plan, n: number): Plan => ({
  ...plan,
  others: plan.others.filter((_, i) => i !== n - 1),
});

/** Changes session `n`, from 0; a change of the first one applies to all that have no changes of their own. */
export const changed = (plan: Plan, n: number, change: Partial<Times>): Plan =>
  n === 0
    ? { ...plan, first: { ...plan.first, ...change } }
    : {
        ...plan,
        others: plan.others.map((row, i) => (i === n - 1 ? { ...row, own: { ...row.own, ...change } } : row)),
      };

/**
 * Returns the dates for the interface: wall times, which it interprets in the zone of the venue. A session may end
 * after midnight.
 */
export const datesOf = (plan: Plan): { readonly starts_at: string; readonly ends_at: string }[] =>
  sessionsOf(plan).map(({ date, from, to }) => ({
    starts_at: `${date}T${from}`,
    ends_at: `${date !== '' && to !== '' && to <= from ? daysAfter(date, 1) : date}T${to}`,
  }));
