/** The last day of a membership that somebody holds, so many days later. Pure. */
import { addDays } from '../../../kernel/values/date.ts';

export interface Ending {
  readonly status: 'active' | 'hold' | 'completed' | 'cancelled';
  /** null: it begins with its first use */
  readonly start: string | null;
  /** the last day; null: it has none, or none yet */
  readonly end: string | null;
  /** somebody cancelled it, and it ends with its last day */
  readonly isSetForCancellation: boolean;
}

/** The last day that there is. */
const LATEST = '2999-12-31';

/** The new last day, or what is against it. */
export function extended({ status, start, end, isSetForCancellation }: Ending, days: number): { readonly end: string } | string {
  if (status === 'completed' || status === 'cancelled') return `The membership is ${status}. Reactivate it instead.`;
  if (end === null) return start === null ? 'The membership has not begun, and has no last day yet.' : 'The membership has no last day: it goes on by itself.';
  if (isSetForCancellation) return `The membership is cancelled, and ends on ${end}. Reactivate it first.`;
  const later = addDays(end, days);
  return later > LATEST ? `The last day would be ${later}; at most ${LATEST} is possible.` : { end: later };
}
