/** Rules for the coverage of sessions by rates. Pure. */
import { rateFor, type Scope, type Taught } from './select-rate.ts';

interface Together {
  readonly offering_type: number;
  readonly venue: number;
  sessions: number;
  readonly first_on: string;
  last_on: string;
  /** rates that cover them equally well, the one that applies first */
  readonly instructor_pay_rates: readonly number[];
}

interface Coverage {
  readonly sessions: number;
  readonly covered_sessions: number;
  readonly uncovered: readonly Omit<Together, 'instructor_pay_rates'>[];
  readonly ambiguous: readonly Together[];
}

/** Returns the coverage of `plan`, which is in the order of days. */
export function coverageOf(plan: readonly Taught[], rates: readonly Scope[]): Coverage {
  const groups = new Map<string, Together>();
  let covered = 0;
  for (const taught of plan) {
    const { rate, rivals } = rateFor(rates, taught);
    if (rate) covered += 1;
    if (rate && rivals.length === 0) continue;
    const ids = rate ? [rate, ...rivals].map(({ id }) => id) : [];
    const key = [taught.offeringType, taught.venue, ...ids].join();
    const group = groups.get(key);
    if (group) {
      group.sessions += 1;
      group.last_on = taught.day;
    } else {
      groups.set(key, {
        offering_type: taught.offeringType,
        venue: taught.venue,
        sessions: 1,
        first_on: taught.day,
        last_on: taught.day,
        instructor_pay_rates: ids,
      });
    }
  }
  const all = [...groups.values()];
  return {
    sessions: plan.length,
    covered_sessions: covered,
    uncovered: all
      .filter((one) => one.instructor_pay_rates.length === 0)
      .map(({ instructor_pay_rates: _none, ...one }) => one),
    ambiguous: all.filter((one) => one.instructor_pay_rates.length > 0),
  };
}
