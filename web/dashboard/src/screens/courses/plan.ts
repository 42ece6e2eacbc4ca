/** When the sessions of a course are: the first one, the others at the same distance, and those that are different. Pure. */
import { daysAfter } from '../../app/days.ts';

export interface Times {
  /** `2026-11-27` */
  readonly date: string;
  /** `18:00` by the clock of the venue */
  readonly from: string;
  readonly to: string;
}

export interface Row {
  /** how many times the distance after the first */
  readonly step: number;
  /** what somebody changed of this one */
  readonly own?: Partial<Times>;
}

export interface Plan {
  readonly first: Times;
  /** days from one session to the next */
  readonly every: number;
  /** without the first one */
  readonly others: readonly Row[];
}

/** One session each week, and `count` in all. */
export const weekly = (first: Times, count: number): Plan => resized({ first, every: 7, others: [] }, count);

/** Every session, in the order of the rows. */
export const sessionsOf = ({ first, every, others }: Plan): Times[] => [
  first,
  ...others.map(({ step, own }) => ({
    ...first,
    ...(first.date !== '' && { date: daysAfter(first.date, step * every) }),
    ...own,
  })),
];

/** With so many sessions: the last ones go, or others follow. */
export function resized(plan: Plan, count: number): Plan {
  const others = plan.others.slice(0, Math.max(0, count - 1));
  while (others.length < count - 1) others.push({ step: (others.at(-1)?.step ?? 0) + 1 });
  return { ...plan, others };
}

/** A session is left out: those after it stay where they are. */
export const without = (plan: Plan, n: number): Plan => ({
  ...plan,
  others: plan.others.filter((_, i) => i !== n - 1),
});

/** Session `n`, from 0, is different from the others; what is said of the first holds for all that are not. */
export const changed = (plan: Plan, n: number, change: Partial<Times>): Plan =>
  n === 0
    ? { ...plan, first: { ...plan.first, ...change } }
    : {
        ...plan,
        others: plan.others.map((row, i) => (i === n - 1 ? { ...row, own: { ...row.own, ...change } } : row)),
      };

/** As the interface takes them: wall times, which it reads in the zone of the venue. A session may end after midnight. */
export const datesOf = (plan: Plan): { readonly starts_at: string; readonly ends_at: string }[] =>
  sessionsOf(plan).map(({ date, from, to }) => ({
    starts_at: `${date}T${from}`,
    ends_at: `${date !== '' && to !== '' && to <= from ? daysAfter(date, 1) : date}T${to}`,
  }));
