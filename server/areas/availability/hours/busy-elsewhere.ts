/** Busy times of instructors that a later area knows of, from calendars elsewhere. That area fills the port. */
import { Port, type Item } from '../../../kernel/api/port.ts';
import type { Period } from '../../../kernel/values/period.ts';
import type { Work } from '../../../kernel/work.ts';

export interface BusyElsewhere extends Item {
  /** what meets `time`, by the id of the instructor */
  readonly read: (
    work: Pick<Work, 'tx' | 'providerId'>,
    instructors: readonly number[],
    time: Period,
  ) => Promise<ReadonlyMap<number, readonly Period[]>>;
}

export const busyElsewhere = new Port<BusyElsewhere>('source of busy times', () => 'instructor');
