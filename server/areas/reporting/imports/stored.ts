/** An import as it is stored. */
import { Problem } from '../../../kernel/base/problem.ts';
import { sql } from '../../../kernel/base/db/sql.ts';
import type { ColumnOf } from './column.ts';
import type { DateFormat } from '../../../kernel/base/csv/read-date.ts';
import type { KindName } from './columns/index.ts';
import type { Word } from './words/questions.ts';
import type { Work } from '../../../kernel/work/unit/work.ts';

/** Number and sum (minor units) of the charges of each day. */
export type Charges = Readonly<Record<string, { readonly count: number; readonly minor: number }>>;

/** Kinds of the amounts of rows. */
export const SUMS = ['credit', 'debt', 'gift_cards'] as const;
export type SumName = (typeof SUMS)[number];

/** Number and sum (minor units) of the amounts of new rows. */
export type Sums = { readonly [S in SumName]?: { readonly count: number; readonly minor: number } };

export interface StoredImport {
  readonly id: number;
  readonly file_name: string | null;
  readonly kind: KindName;
  readonly kind_confirmed: boolean;
  readonly source: string;
  readonly source_confirmed: boolean;
  readonly columns: readonly ColumnOf[];
  readonly words: readonly Word[];
  readonly charges: Charges;
  readonly sums: Sums;
  readonly date_format: DateFormat | null;
  readonly dates_unclear: boolean;
  readonly status: 'ready' | 'checking' | 'checked' | 'running' | 'complete';
  readonly job_id: number | null;
  readonly row_count: number;
  readonly done_line: number;
  readonly done_count: number;
  readonly rows_deleted_at: string | null;
}

/** Returns false for a job that was cancelled or has ended. */
export const isOpen = async ({ tx, providerId }: Work, job: number): Promise<boolean> =>
  (await tx.one(
    sql`SELECT FROM job WHERE provider_id = ${providerId} AND id = ${job} AND state IN ('pending', 'running')`,
  )) !== undefined;

/** Refuses changes while a job is running. */
export async function refuseWhileBusy(
  work: Work,
  { status, job_id: job }: Pick<StoredImport, 'status' | 'job_id'>,
): Promise<void> {
  if ((status !== 'checking' && status !== 'running') || job === null) return;
  if (await isOpen(work, job))
    throw new Problem(
      'conflict',
      `The file is being ${status === 'checking' ? 'checked' : 'imported'}. Wait until that is done, or cancel it with POST /jobs/{id}/cancel.`,
    );
}

export function refuseWithoutRows({ rows_deleted_at: gone }: Pick<StoredImport, 'rows_deleted_at'>): void {
  if (gone !== null)
    throw new Problem(
      'conflict',
      'The rows of this import have been deleted, 30 days after the upload. Upload the file again.',
    );
}

/** Clears the results of all rows: earlier results are useless with another mapping, or for another run. */
export async function forgetFates({ tx, providerId }: Work, id: number): Promise<void> {
  await tx.run(sql`UPDATE import_row SET fate = NULL, object_id = NULL, own_key = NULL, shared_key = NULL,
      changes = '[]',
      issues = CASE WHEN cells IS NULL THEN issues ELSE '[]'::jsonb END
    WHERE provider_id = ${providerId} AND import_id = ${id} AND fate IS NOT NULL`);
}

export const NOTHING_DONE = {
  done_line: 0,
  done_count: 0,
  created_count: 0,
  changed_count: 0,
  unchanged_count: 0,
  rejected_count: 0,
  finished_at: null,
  charges: '{}',
  sums: '{}',
} as const;
