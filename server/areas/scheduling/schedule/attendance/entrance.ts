/** Reasons for which somebody is not checked in, which later areas know: for example an unsigned waiver. */
import { Port, type Item } from '../../../../kernel/base/fields/port.ts';
import { Problem, type Required } from '../../../../kernel/base/problem.ts';
import { say } from '../../../../kernel/base/values/words.ts';
import { SCHEDULE_PROBLEMS } from '../problems.ts';
import type { Work } from '../../../../kernel/work/unit/work.ts';

/** A rule for the door. `name`: the kind of requirement that it finds. */
export interface EntranceRule extends Item {
  /** Returns what a customer has to settle before they are checked in. */
  readonly missing: (work: Work, customer: number) => Promise<readonly Required[]>;
}

export const entranceRules = new Port<EntranceRule>('rule for the door', () => 'customer');

/** Refuses a check-in of somebody who has to settle something first. */
export async function checkEntrance(work: Work, customer: number): Promise<void> {
  const missing: Required[] = [];
  for (const rule of entranceRules.items) missing.push(...(await rule.missing(work, customer)));
  if (missing.length === 0) return;
  const titles = missing.map(({ title }) => `“${title}”`).join(', ');
  throw new Problem(SCHEDULE_PROBLEMS.requirements_missing, {
    staff: `The customer must complete ${titles} before they are checked in.`,
    customer: say`Complete ${titles} first, in your account or at the desk.`,
  }).requiring(missing);
}
