/** Which days a period is about to close, or why it can't. */
import { addDays } from '../../../../kernel/base/values/date.ts';

export interface Facts {
  /** by the calendar of the business */
  readonly today: string;
  /** the last day that is closed; null: none is */
  readonly closedThrough: string | null;
  /** the day of the first posting; null: nothing was ever posted */
  readonly firstPosting: string | null;
}

export type Decision =
  | { readonly closes: { readonly from: string; readonly to: string } }
  | { readonly refused: 'not_over' | 'already_closed' };

/**
 * A period begins on the day after the last one, so that no day is ever left out. Today is never closed: what happens to
 * money is posted on the day on which it happens.
 */
export function periodThrough(through: string, { today, closedThrough, firstPosting }: Facts): Decision {
  if (through >= today) return { refused: 'not_over' };
  if (closedThrough !== null)
    return through <= closedThrough
      ? { refused: 'already_closed' }
      : { closes: { from: addDays(closedThrough, 1), to: through } };
  const from = firstPosting !== null && firstPosting < through ? firstPosting : through;
  return { closes: { from, to: through } };
}
