/** One failure of a cell, caused on purpose while customers book. */
import type { Booked } from '../../server/test/processes/booking-storm.ts';
import type { Cell } from './cell.ts';
import type { Load } from './load.ts';

export interface Drill {
  readonly name: string;
  /** what the drill does, in words for the table */
  readonly does: string;
  /** the alerts that detect it; each fires if the condition lasts as long as the alert's `for` */
  readonly raises: readonly string[];
  /**
   * Causes the failure, waits until it has passed, and restores everything. `load` books in the meantime; its
   * acknowledged bookings are checked afterwards with everything else.
   * @returns further measurements, in words
   * @throws the expectation that did not hold
   */
  run(around: Around): Promise<readonly string[]>;
}

interface Around {
  readonly cell: Cell;
  readonly load: Load;
  /** every booking acknowledged since the cell was created */
  readonly booked: () => Booked[];
  /** records bookings that were acknowledged to clients other than `load` */
  readonly alsoBooked: (more: readonly Booked[]) => void;
}
