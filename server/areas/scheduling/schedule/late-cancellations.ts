/**
 * What else a late cancellation leads to. Areas that stand later act on the feed item of it; what they would do they
 * tell here, so that a dry run says it before somebody cancels.
 */
import type { Work } from '../../../kernel/work.ts';

/** Adds effects to a work that is undone; the booking is cancelled in it already. */
type Foretell = (work: Work, attendance: number) => Promise<void>;

const foretellers: Foretell[] = [];

export const lateCancellations = {
  /** Called as the later area is loaded. */
  foretellWith(foretell: Foretell): void {
    foretellers.push(foretell);
  },
  async foretell(work: Work, attendance: number): Promise<void> {
    for (const foretell of foretellers) await foretell(work, attendance);
  },
};
