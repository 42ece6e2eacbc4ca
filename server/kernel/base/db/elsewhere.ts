/** What the database says where a transaction is opened for a business that lives in another cell. */

export type Whereabouts = 'arriving' | 'leaving' | 'left';

/** Nothing was done. A request that is repeated is carried to the cell, or finds the business here once it has arrived. */
export class BusinessElsewhere extends Error {
  override name = 'BusinessElsewhere';
  readonly state: Whereabouts;
  /** where it lives, or goes to */
  readonly cell: number;
  constructor(state: Whereabouts, cell: number) {
    super(`the business is ${state}: cell ${cell}`);
    this.state = state;
    this.cell = cell;
  }
}

/** Of `stop_elsewhere` in db/migrations. */
const ELSEWHERE = 'RC001';

/** An error of the database as its caller gets it. */
export function asElsewhere(error: unknown): unknown {
  const { code, detail = '' } = error as { code?: string; detail?: string };
  if (code !== ELSEWHERE) return error;
  const [state, cell] = detail.split(' ');
  return new BusinessElsewhere(state as Whereabouts, Number(cell));
}
