/** The rule for the days that a period closes, or the reason why it can't. */
import { addDays } from '../../../../kernel/base/values/date.ts';

interface Facts {
  /** by the calendar of the business */
  readonly today: string;
  /** last closed day; null if there is none */
  readonly closedThrough: string | null;
  /** day of the first posting; null if nothing was ever posted */
  readonly firstPosting: string | null;
}

type Decision =
  | { readonly closes: { readonly from: string; readonly to: string } }
  | { readonly refused: 'not_over' | 'already_closed' };

/**
 * Decides the days of a period. It begins on the day after the last one, so that no day is ever left out. Today is
 * never closed, because changes of money are posted on the day on which they happen.
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
