/** Busy times of instructors from external calendars. A later area fills this port. */
import { Port, type Item } from '../../../kernel/base/fields/port.ts';
import type { Period } from '../../../kernel/base/values/period.ts';
import type { Work } from '../../../kernel/work/unit/work.ts';

export interface BusyElsewhere extends Item {
  /** returns the busy times that overlap `time`, by id of the instructor */
  readonly read: (
    work: Pick<Work, 'tx' | 'providerId'>,
    instructors: readonly number[],
    time: Period,
  ) => Promise<ReadonlyMap<number, readonly Period[]>>;
}

export const busyElsewhere = new Port<BusyElsewhere>('source of busy times', () => 'instructor');
