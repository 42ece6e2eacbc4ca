/**
 * Memberships that are paid by the month, while days pass. Days are numbers, counted from 1970-01-01; money is in whole
 * cents. A period is billed once, on its first day, unless the membership is on hold or over by then. A hold gives back
 * its days of a billed period, and the days after a hold are charged if their period wasn't billed.
 */
import { refused, type Model, type Outcome } from './model.ts';

export interface Hold {
  /** names the hold in steps and answers */
  readonly label: number;
  readonly from: number;
  /** its last day; null: until someone ends it */
  readonly to: number | null;
}

export interface Member {
  readonly holds: readonly Hold[];
  readonly lastDay: number | null;
  /** first days of the periods that were billed */
  readonly billed: readonly number[];
}

export interface Plans {
  readonly price: number;
  /** first day of all memberships, from which their periods are counted */
  readonly began: number;
  readonly today: number;
  readonly members: readonly Member[];
}

export type PlanStep =
  /** `after`: days from today to the first day; `days`: null for a hold without an end */
  | {
      readonly do: 'hold';
      readonly member: number;
      readonly label: number;
      readonly after: number;
      readonly days: number | null;
    }
  /** ends the newest hold that the caller knows; the answer names it */
  | { readonly do: 'end'; readonly member: number }
  | { readonly do: 'cancel' | 'look'; readonly member: number }
  /** days pass, and the answer is what was billed, given back and charged until then */
  | { readonly do: 'pass'; readonly days: number };

const DAY_MS = 86_400_000;

/** Returns the first day of the period with this number: a month that is too short has it on its last day. */
function startOf(began: number, period: number): number {
  const first = new Date(began * DAY_MS);
  const [year, month] = [first.getUTCFullYear(), first.getUTCMonth() + period];
  const lastOfMonth = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
  return Date.UTC(year, month, Math.min(first.getUTCDate(), lastOfMonth)) / DAY_MS;
}

/** Returns the first day of the period that has this day, and that of the next one. */
function periodOf(began: number, day: number): readonly [number, number] {
  let period = 0;
  while (startOf(began, period + 1) <= day) period++;
  return [startOf(began, period), startOf(began, period + 1)];
}

const covers = ({ from, to }: Hold, day: number): boolean => from <= day && (to === null || day <= to);
const isOver = ({ lastDay }: Member, day: number): boolean => lastDay !== null && day > lastDay;

/** Value of the days `from` to before `until` of a period: parts that meet come to the same as one part. */
function part(price: number, [start, end]: readonly [number, number], from: number, until: number): number {
  const upTo = (day: number) => Math.round((price * (day - start)) / (end - start));
  return upTo(Math.min(until, end)) - upTo(from);
}

/** Returns what the holds of a member give back, and what is charged after them. */
function moneyOf({ price, began }: Plans, member: Member): { readonly back: number; readonly charged: number } {
  let [back, charged] = [0, 0];
  for (const { from, to } of member.holds) {
    const begins = periodOf(began, from);
    const after = to === null ? Infinity : to + 1;
    if (from > begins[0] || member.billed.includes(from)) back += part(price, begins, from, after);
    if (to === null || isOver(member, after)) continue;
    const resumes = periodOf(began, after);
    if (from <= resumes[0] && resumes[0] < after && !member.billed.includes(resumes[0]))
      charged += part(price, resumes, after, resumes[1]);
  }
  return { back, charged };
}

const changed = (all: Plans, member: number, to: Partial<Member>): Plans => ({
  ...all,
  members: all.members.map((one, n) => (n === member ? { ...one, ...to } : one)),
});

function billed(all: Plans, day: number): Plans {
  if (periodOf(all.began, day)[0] !== day) return all;
  const members = all.members.map((one) =>
    isOver(one, day) || one.holds.some((hold) => covers(hold, day)) ? one : { ...one, billed: [...one.billed, day] },
  );
  return { ...all, members };
}

/** Ends a hold without an end together with its membership. */
const closed = (member: Member, today: number): Member =>
  isOver(member, today)
    ? { ...member, holds: member.holds.map((one) => ({ ...one, to: one.to ?? member.lastDay })) }
    : member;

function passed(all: Plans, days: number): Plans {
  const today = all.today + days;
  let next = all;
  for (let day = all.today + 1; day <= today; day++) next = billed(next, day);
  return { ...next, today, members: next.members.map((member) => closed(member, today)) };
}

/** Days in answers are counted from the first day of the memberships. */
export const report = (began: number, bills: readonly number[], back: number, charged: number): string =>
  `billed on ${bills.map((day) => day - began).join(' ')}, ${back} back, ${charged} charged`;

const listed = (began: number, holds: readonly Pick<Hold, 'from' | 'to'>[]): string =>
  holds
    .toSorted((a, b) => a.from - b.from)
    .map(({ from, to }) => `${from - began} to ${to === null ? '' : to - began}`)
    .join(', ') || 'no holds';
export { listed as listHolds };

function held(all: Plans, step: PlanStep & { do: 'hold' }): readonly Outcome<Plans>[] {
  const member = all.members[step.member];
  const from = all.today + step.after;
  const to = step.days === null ? null : from + step.days - 1;
  if (isOver(member, all.today)) return refused(all, 'over');
  const meets = member.holds.some((one) => (one.to === null || one.to >= from) && (to === null || one.from <= to));
  const reasons = [
    ...(meets || isOver(member, from) ? ['not then'] : []),
    ...(to !== null && isOver(member, to) ? ['too long'] : []),
  ];
  if (reasons.length > 0) return refused(all, ...reasons);
  return [
    { answer: 'held', state: changed(all, step.member, { holds: [...member.holds, { label: step.label, from, to }] }) },
  ];
}

/** Ending a hold of which no day has passed removes it. */
function ended(all: Plans, step: PlanStep & { do: 'end' }): readonly Outcome<Plans>[] {
  const { holds } = all.members[step.member];
  return holds.map((hold) => {
    const others = holds.filter((one) => one !== hold);
    if (hold.to !== null && hold.to < all.today) return { answer: `${hold.label} has ended`, state: all };
    const left = hold.from < all.today ? [...others, { ...hold, to: all.today - 1 }] : others;
    return { answer: `${hold.label} ended`, state: changed(all, step.member, { holds: left }) };
  });
}

/** A membership that is cancelled ends with its period, and no hold lasts longer. */
function cancelled(all: Plans, step: PlanStep & { do: 'cancel' | 'look' }): readonly Outcome<Plans>[] {
  const member = all.members[step.member];
  if (isOver(member, all.today)) return refused(all, 'over');
  const lastDay = periodOf(all.began, all.today)[1] - 1;
  const holds = member.holds
    .filter(({ from }) => from <= lastDay)
    .map((hold) => (hold.to === null || hold.to > lastDay ? { ...hold, to: lastDay } : hold));
  return [{ answer: `until ${lastDay - all.began}`, state: changed(all, step.member, { lastDay, holds }) }];
}

export const PLANS: Model<Plans, PlanStep> = {
  after(all, step) {
    switch (step.do) {
      case 'hold':
        return held(all, step);
      case 'end':
        return [...ended(all, step), ...refused(all, 'gone')];
      case 'cancel':
        return cancelled(all, step);
      case 'look':
        return refused(all, listed(all.began, all.members[step.member].holds));
      case 'pass': {
        const next = passed(all, step.days);
        const reports = next.members.map((one) => {
          const { back, charged } = moneyOf(next, one);
          return report(next.began, one.billed, back, charged);
        });
        return [{ answer: reports.join('; '), state: next }];
      }
    }
  },
};
