/** Questions that cells of one installation ask each other. */
import type { Database } from '../../kernel/base/db/database.ts';
import type { Installation } from '../../kernel/work/unit/installation.ts';
import type { OperationDeclarations } from '../../kernel/api/calls.ts';

/** The body is JSON, and comes from a cell of this installation. */
export interface CellQuestion<Asked = any, Answer = unknown> {
  /** unique name, for example `account_by_email` */
  readonly name: string;
  readonly answer: (means: CellMeans, asked: Asked) => Promise<Answer>;
}

export interface CellMeans {
  readonly db: Database;
  readonly registry: OperationDeclarations;
  readonly installation: Installation;
  readonly now: number;
  /** number of the cell that asks */
  readonly from: number;
}
