/** Busy times of instructors that a later area knows of, from calendars elsewhere. That area fills the port. */
import { Port, type Item } from '../../../kernel/base/fields/port.ts';
import type { Period } from '../../../kernel/base/values/period.ts';
import type { Work } from '../../../kernel/work/unit/work.ts';

export interface BusyElsewhere extends Item {
  /** what meets `time`, by the id of the instructor */
  readonly read: (
    work: Pick<Work, 'tx' | 'providerId'>,
    instructors: readonly number[],
    time: Period,
  ) => Promise<ReadonlyMap<number, readonly Period[]>>;
}

export const busyElsewhere = new Port<BusyElsewhere>('source of busy times', () => 'instructor');
