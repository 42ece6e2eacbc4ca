/**
 * The job that processes a file in batches, each in its own transaction: its rows, their results and the progress
 * commit together. A killed process leaves whole batches behind, and the next one continues from there.
 */
import { importFeed } from './feed.ts';
import { instant, json, sql } from '../../../kernel/base/db/sql.ts';
import { Problem } from '../../../kernel/base/problem.ts';
import { progressJob } from '../../platform/bulk/index.ts';
import { translate } from '../../../kernel/api/requests/refusals.ts';
import { WRITES, type Outcome, type Outcomes, type Seen } from './kinds/index.ts';
import type { CsvRow } from '../../../kernel/base/csv/read-csv.ts';
import type { Job } from '../../../kernel/work/unit/job.ts';
import type { JobRequest, Work } from '../../../kernel/work/unit/work.ts';
import type { StoredImport } from './stored.ts';

const TASK = 'import_rows';
const PORTION = 500;

export const portionsOf = (id: number, job: number): JobRequest => ({
  task: TASK,
  payload: { import: id, job },
  key: `import:${id}`,
});

interface Row {
  readonly id: number;
  readonly line: number;
  readonly cells: readonly string[] | null;
}

export const importJob: Job = {
  task: TASK,
  run: async (work, { import: id, job }: { import: number; job: number }) => {
    const { tx, providerId } = work;
    const of = await tx.one<StoredImport & Record<string, unknown>>(
      sql`SELECT * FROM import WHERE provider_id = ${providerId} AND id = ${id} AND job_id = ${job}
            AND status IN ('checking', 'running') AND rows_deleted_at IS NULL FOR UPDATE`,
    );
    if (!of) return;
    if (!(await progressJob(work, job, { state: 'running', total: of.row_count }))) return;
    const rows = await tx.rows<Row & Record<string, unknown>>(
      sql`SELECT id, line, cells FROM import_row
        WHERE provider_id = ${providerId} AND import_id = ${id} AND line > ${of.done_line}
          ORDER BY line LIMIT ${PORTION + 1}`,
    );
    const portion = rows.slice(0, PORTION);
    if (portion.length > 0) await workOff(work, of, portion);
    if (rows.length > PORTION) {
      work.enqueue(portionsOf(id, job));
      work.record(importFeed.updated, id, { import: id, changed: ['done_count'] });
      return;
    }
    await progressJob(work, job, { state: 'complete', resultPath: `/imports/${id}/rows` });
    await tx.run(
      sql`UPDATE import SET status = ${of.status === 'checking' ? 'checked' : 'complete'},
        finished_at = ${instant(work.now)}, updated_at = ${instant(work.now)}
          WHERE provider_id = ${providerId} AND id = ${id}`,
    );
    work.record(importFeed.finished, id, { import: id, dry_run: of.status === 'checking' });
  },
};

const byLine = (keys: ReadonlyMap<string, number>) => new Map([...keys].map(([key, line]) => [line, key]));

async function workOff(work: Work, of: StoredImport, rows: readonly Row[]): Promise<void> {
  const { tx, providerId } = work;
  const trial = of.status === 'checking';
  const seen: Seen = { own: new Map(), shared: new Map() };
  const readable = rows.flatMap(({ line, cells }) => (cells === null ? [] : [{ line, cells }]));
  const outcomes = await (trial ? dryRun(work, of, readable, seen) : written(work, of, readable, seen));
  const [own, shared] = [byLine(seen.own), byLine(seen.shared)];
  const fates = rows.map(({ line }) => outcomes.get(line)?.fate ?? 'rejected');
  // A line that could not be read keeps the issues recorded when the file was read.
  const issues = rows.map(({ line }) => (outcomes.has(line) ? json(outcomes.get(line)!.issues) : null));
  await tx.run(sql`
    UPDATE import_row r SET fate = x.fate, object_id = x.object, issues = coalesce(x.issues, r.issues), own_key = x.own,
      shared_key = x.shared
    FROM unnest(${rows.map((r) => r.id)}::bigint[], ${fates}::text[],
      ${rows.map(({ line }) => outcomes.get(line)?.object ?? null)}::bigint[], ${issues}::jsonb[],
      ${rows.map(({ line }) => own.get(line) ?? null)}::text[],
      ${rows.map(({ line }) => shared.get(line) ?? null)}::text[])
      AS x (id, fate, object, issues, own, shared)
    WHERE r.provider_id = ${providerId} AND r.id = x.id`);
  const count = (fate: string) => fates.filter((one) => one === fate).length;
  const counts = { created: count('created'), changed: count('changed') };
  await tx.run(sql`
    UPDATE import SET done_line = ${rows.at(-1)!.line}, done_count = done_count + ${rows.length},
      created_count = created_count + ${counts.created},
      changed_count = changed_count + ${counts.changed}, unchanged_count = unchanged_count + ${count('unchanged')},
      rejected_count = rejected_count + ${count('rejected')}, updated_at = ${instant(work.now)}
    WHERE provider_id = ${providerId} AND id = ${of.id}`);
  await progressJob(work, of.job_id!, { state: 'running', complete: of.done_count + rows.length });
  if (!trial && counts.created + counts.changed > 0)
    work.audit({
      action: 'import',
      object: 'import',
      objectId: of.id,
      before: null,
      after: { kind: of.kind, lines: { first: rows[0].line, last: rows.at(-1)!.line }, ...counts },
    });
}

/** Thrown to roll back everything that was tried. */
class Tried extends Error {}

/** Writes the rows and rolls back. */
async function dryRun(work: Work, of: StoredImport, rows: readonly CsvRow[], seen: Seen): Promise<Outcomes> {
  let outcomes: Outcomes = new Map();
  await work.tx
    .attempt(async () => {
      outcomes = await written(work.beside(), of, rows, seen);
      throw new Tried('a dry run keeps nothing');
    })
    .catch((error: unknown) => {
      if (!(error instanceof Tried)) throw error;
    });
  return outcomes;
}

/** Writes all of the rows or, if the database refuses one, those that it accepts: it bisects down to the wrong row. */
async function written(work: Work, of: StoredImport, rows: readonly CsvRow[], seen: Seen): Promise<Outcomes> {
  if (rows.length === 0) return new Map();
  const own: Seen = { own: new Map(seen.own), shared: new Map(seen.shared) };
  const beside = work.beside();
  try {
    const outcomes = await work.tx.attempt(async () => {
      const all = await WRITES[of.kind]({
        work: beside,
        rows,
        columns: of.columns,
        source: of.source,
        dateFormat: of.date_format,
        seen: own,
        earlier: (ids, shared) => earlierLines(beside, of.id, rows[0].line, ids, shared),
      });
      return all;
    });
    work.take(beside);
    for (const [key, line] of own.own) seen.own.set(key, line);
    for (const [key, line] of own.shared) seen.shared.set(key, line);
    return outcomes;
  } catch (error) {
    const refusal = refusalOf(work, error);
    if (refusal === null) throw error;
    if (rows.length === 1) return new Map([[rows[0].line, refusal]]);
    const half = Math.ceil(rows.length / 2);
    const first = await written(work, of, rows.slice(0, half), seen);
    return new Map([...first, ...(await written(work, of, rows.slice(half), seen))]);
  }
}

/** Returns null if the error is unexpected, or not about the row. */
function refusalOf(work: Work, error: unknown): Outcome | null {
  const { code } = error as { code?: string };
  if (!(error instanceof Problem) && !/^(?:22|23)/.test(code ?? '')) return null;
  const { message } = translate(error, work.registry.constraints);
  return { fate: 'rejected', object: null, issues: [{ column: '', value: '', reason: message.replace(/\.$/, '') }] };
}

async function earlierLines(
  { tx, providerId }: Work,
  id: number,
  before: number,
  own: readonly string[],
  shared: readonly string[],
): Promise<Seen> {
  const found = await tx.rows<{ line: number; own_key: string | null; shared_key: string | null }>(
    sql`SELECT line, own_key, shared_key FROM import_row
      WHERE provider_id = ${providerId} AND import_id = ${id} AND line < ${before}
          AND (own_key = ANY(${own}::text[]) OR shared_key = ANY(${shared}::text[]))`,
  );
  const by = (key: 'own_key' | 'shared_key') =>
    new Map(found.flatMap((row) => (row[key] === null ? [] : [[row[key], row.line] as const])));
  return { own: by('own_key'), shared: by('shared_key') };
}
