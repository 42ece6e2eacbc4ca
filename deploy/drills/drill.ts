/** One thing that can happen to a cell, done on purpose while people book. */
import type { Booked } from '../../server/test/booking-storm.ts';
import type { Cell } from './cell.ts';
import type { Load } from './load.ts';

export interface Drill {
  readonly name: string;
  /** what is done, in words for the table */
  readonly does: string;
  /** the alerts that see it; each tells people if it lasts as long as the alert's `for` says */
  readonly raises: readonly string[];
  /**
   * Does it, waits until it is over, and gives everything back. `load` books meanwhile; what it acknowledged is checked
   * afterwards with everything else.
   * @returns what else was measured, in words
   * @throws what did not hold
   */
  run(around: Around): Promise<readonly string[]>;
}

export interface Around {
  readonly cell: Cell;
  readonly load: Load;
  /** everything that was acknowledged since the cell was made */
  readonly booked: () => Booked[];
  /** what was acknowledged to others than `load` */
  readonly alsoBooked: (more: readonly Booked[]) => void;
}
