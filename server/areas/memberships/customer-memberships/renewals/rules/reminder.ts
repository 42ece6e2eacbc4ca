/**
 * The reminder before a recurring plan renews: docs/algorithms/renewal-reminders.md. Dates are the business's. Pure.
 */
import { addDays, daysBetween } from '../../../../../kernel/base/values/date.ts';
import { committedUntil, type Agreed, type Bound } from '../../rules/contract.ts';
import { periodAt, periodStart } from '../../../../../kernel/base/values/cycle.ts';
import type { ReminderLaw } from './reminder-laws.ts';

export interface Reminding {
  readonly agreed: Agreed;
  readonly bound: Bound;
  /** first day of the next billing period */
  readonly renewsOn: string;
  /** only people who have never bought anything can buy it */
  readonly trial: boolean;
}

export interface Reminder {
  readonly about: ReminderLaw['about'];
  /** days on which it is sent, both included: as soon as possible */
  readonly from: string;
  readonly until: string;
  /** first day of what is renewed */
  readonly renews: string;
  /** last day to end it, so that it doesn't renew */
  readonly deadline: string;
}

interface Term {
  readonly start: string;
  /** first day of the next term */
  readonly next: string;
  readonly committed: boolean;
}

/** Returns the reminder about the end of the current term that the laws require; null: none. */
export function reminderFor(facts: Reminding, laws: readonly ReminderLaw[], today: string): Reminder | null {
  const term = currentTerm(facts, today);
  if (term === null) return null;
  const { agreed, bound, trial } = facts;
  const isTrial = trial && term.start <= bound.start;
  const days = daysBetween(term.start, term.next);
  const applies = (law: ReminderLaw): boolean =>
    days > law.longerThan &&
    (law.about === 'trial' ? isTrial : (!law.committed || term.committed) && isCounted(bound.start, term, law));
  const found = laws.filter(applies);
  const law = found.find(({ about }) => about === 'trial') ?? found[0];
  if (law === undefined) return null;
  const deadline = addDays(term.next, -1 - (agreed.cancellationNoticeDays ?? 0));
  const anchor = law.before === 'deadline' ? deadline : term.next;
  const [from, until] = [addDays(anchor, -law.earliest), addDays(anchor, -law.latest)];
  return { about: law.about, from, until, renews: term.next, deadline };
}

/** Returns the commitment, or without one the billing period, after which something renews; null: nothing does. */
function currentTerm({ agreed, bound, renewsOn }: Reminding, today: string): Term | null {
  const { cycle, start, end } = bound;
  const committed = agreed.commitmentExpirationScheme === 'stop_contract' ? null : committedUntil(agreed, bound, today);
  const until = committed === null ? renewsOn : addDays(committed, 1);
  const at = periodAt(cycle, until);
  const n = periodStart(cycle, at) < until ? at + 1 : at;
  const next = periodStart(cycle, n);
  if (end !== null && next > end) return null;
  const first = periodStart(cycle, n - (committed === null ? 1 : agreed.committedPeriods!));
  return { start: first < start ? start : first, next, committed: committed !== null };
}

const monthOf = (date: string): number => Number(date.slice(0, 4)) * 12 + Number(date.slice(5, 7));

const monthsBetween = (from: string, to: string): number =>
  monthOf(to) - monthOf(from) - (to.slice(8) < from.slice(8) ? 1 : 0);

/** Returns true if the law counts this renewal: the first in each of its periods since the membership began. */
const isCounted = (start: string, term: Term, { everyMonths: n }: ReminderLaw): boolean =>
  n === null || Math.floor(monthsBetween(start, term.next) / n) > Math.floor(monthsBetween(start, term.start) / n);
