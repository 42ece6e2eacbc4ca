/** State of a business that lives in another cell, as the database reports it when a transaction is opened. */

type Whereabouts = 'arriving' | 'leaving' | 'left';

/** Nothing was done. A retry is forwarded to the other cell, or finds the business here once it has arrived. */
export class BusinessElsewhere extends Error {
  override name = 'BusinessElsewhere';
  readonly state: Whereabouts;
  /** its current cell, or the one that it moves to */
  readonly cell: number;
  constructor(state: Whereabouts, cell: number) {
    super(`the business is ${state}: cell ${cell}`);
    this.state = state;
    this.cell = cell;
  }
}

/** Error code of `stop_elsewhere` in db/migrations. */
const ELSEWHERE = 'RC001';

/** Converts a database error for the caller. */
export function asElsewhere(error: unknown): unknown {
  const { code, detail = '' } = error as { code?: string; detail?: string };
  if (code !== ELSEWHERE) return error;
  const [state, cell] = detail.split(' ');
  return new BusinessElsewhere(state as Whereabouts, Number(cell));
}
