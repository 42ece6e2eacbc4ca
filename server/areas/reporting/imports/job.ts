/**
 * The job that processes files in batches, each in its own transaction: its rows, their results and the progress
 * commit together. A killed process leaves whole batches behind, and the next one continues from there.
 */
import { changedIn, changesOf, readStates, type Change, type States } from './differences.ts';
import { importFeed } from './feed.ts';
import { instant, json, sql } from '../../../kernel/base/db/sql.ts';
import { Problem } from '../../../kernel/base/problem.ts';
import { NEEDS, ORDER } from './several/order.ts';
import { progressJob } from '../../platform/bulk/index.ts';
import { rowsNeeded } from './several/needed.ts';
import { translate } from '../../../kernel/api/requests/refusals.ts';
import { WRITES, type Outcome, type Outcomes, type Seen } from './kinds/index.ts';
import type { CsvRow } from '../../../kernel/base/csv/read-csv.ts';
import type { Job } from '../../../kernel/work/unit/job.ts';
import type { JobRequest, Work } from '../../../kernel/work/unit/work.ts';
import type { Charges, StoredImport, Sums } from './stored.ts';

const TASK = 'import_rows';
/** Rows of a portion. */
const PORTION = 500;
/** A weekly plan becomes the events of a year, and an appointment is created and booked on its own. */
const PORTION_OF_PLANS = 20;
const PORTION_OF_APPOINTMENTS = 100;

const portionSize = ({ kind, columns }: StoredImport): number =>
  columns.some(({ property }) => property === 'weekday')
    ? PORTION_OF_PLANS
    : kind === 'appointments'
      ? PORTION_OF_APPOINTMENTS
      : PORTION;

export const portionsOf = (job: number): JobRequest => ({ task: TASK, payload: { job }, key: `import:${job}` });

interface Row {
  readonly id: number;
  readonly line: number;
  readonly cells: readonly string[] | null;
}

export const importJob: Job = {
  task: TASK,
  run: async (work, { job }: { job: number }) => {
    const { tx, providerId } = work;
    const files = await tx.rows<StoredImport & Record<string, unknown>>(
      sql`SELECT * FROM import WHERE provider_id = ${providerId} AND job_id = ${job} AND rows_deleted_at IS NULL
        ORDER BY array_position(${ORDER}::text[], kind), id FOR UPDATE`,
    );
    const of = files.find(({ status }) => status === 'checking' || status === 'running');
    if (!of) return;
    const { id } = of;
    const total = files.reduce((sum, { row_count: n }) => sum + n, 0);
    if (!(await progressJob(work, job, { state: 'running', total }))) return;
    const size = portionSize(of);
    const rows = await tx.rows<Row & Record<string, unknown>>(
      sql`SELECT id, line, cells FROM import_row
        WHERE provider_id = ${providerId} AND import_id = ${id} AND line > ${of.done_line}
          ORDER BY line LIMIT ${size + 1}`,
    );
    const portion = rows.slice(0, size);
    if (portion.length > 0) await workOff(work, { of, files }, portion);
    const done = files.reduce((sum, { done_count: n }) => sum + n, portion.length);
    await progressJob(work, job, { state: 'running', complete: done });
    if (rows.length > size) {
      work.enqueue(portionsOf(job));
      work.record(importFeed.updated, id, { import: id, changed: ['done_count'] });
      return;
    }
    await tx.run(
      sql`UPDATE import SET status = ${of.status === 'checking' ? 'checked' : 'complete'},
        finished_at = ${instant(work.now)}, updated_at = ${instant(work.now)}
          WHERE provider_id = ${providerId} AND id = ${id}`,
    );
    work.record(importFeed.finished, id, { import: id, dry_run: of.status === 'checking' });
    if (files.some((one) => one !== of && one.status === of.status)) work.enqueue(portionsOf(job));
    else
      await progressJob(work, job, {
        state: 'complete',
        resultPath: files.length === 1 ? `/imports/${id}/rows` : '/imports',
      });
  },
};

const byLine = (keys: ReadonlyMap<string, number>) => new Map([...keys].map(([key, line]) => [line, key]));

interface Several {
  readonly of: StoredImport;
  /** all files of the job, in their order */
  readonly files: readonly StoredImport[];
}

async function workOff(work: Work, { of, files }: Several, rows: readonly Row[]): Promise<void> {
  const { tx, providerId } = work;
  const trial = of.status === 'checking';
  const seen = nobody();
  const readable = rows.flatMap(({ line, cells }) => (cells === null ? [] : [{ line, cells }]));
  const { outcomes, changes } = await (trial ? dryRun : importRows)(work, { of, files }, readable, seen);
  const [own, shared] = [byLine(seen.own), byLine(seen.shared)];
  const fates = rows.map(({ line }) => outcomes.get(line)?.fate ?? 'rejected');
  // A line that could not be read keeps the issues recorded when the file was read.
  const issues = rows.map(({ line }) => (outcomes.has(line) ? json(outcomes.get(line)!.issues) : null));
  await tx.run(sql`
    UPDATE import_row r SET fate = x.fate, object_id = x.object, issues = coalesce(x.issues, r.issues), own_key = x.own,
      shared_key = x.shared, changes = coalesce(x.changes, '[]'),
      made_id = CASE WHEN ${!trial}::boolean AND x.fate = 'created' THEN x.object ELSE r.made_id END
    FROM unnest(${rows.map((r) => r.id)}::bigint[], ${fates}::text[],
      ${rows.map(({ line }) => outcomes.get(line)?.object ?? null)}::bigint[], ${issues}::jsonb[],
      ${rows.map(({ line }) => own.get(line) ?? null)}::text[],
      ${rows.map(({ line }) => shared.get(line) ?? null)}::text[],
      ${rows.map(({ line }) => (changes.has(line) ? json(changes.get(line)) : null))}::jsonb[])
      AS x (id, fate, object, issues, own, shared, changes)
    WHERE r.provider_id = ${providerId} AND r.id = x.id`);
  const count = (fate: string) => fates.filter((one) => one === fate).length;
  const counts = { created: count('created'), changed: count('changed') };
  await tx.run(sql`
    UPDATE import SET done_line = ${rows.at(-1)!.line}, done_count = done_count + ${rows.length},
      created_count = created_count + ${counts.created},
      changed_count = changed_count + ${counts.changed}, unchanged_count = unchanged_count + ${count('unchanged')},
      rejected_count = rejected_count + ${count('rejected')},
      charges = ${json(withCharges(of.charges, outcomes))}::jsonb,
      sums = ${json(withSums(of.sums, outcomes))}::jsonb, updated_at = ${instant(work.now)}
    WHERE provider_id = ${providerId} AND id = ${of.id}`);
  if (!trial && counts.created + counts.changed > 0)
    work.audit({
      action: 'import',
      object: 'import',
      objectId: of.id,
      before: null,
      after: { kind: of.kind, lines: { first: rows[0].line, last: rows.at(-1)!.line }, ...counts },
    });
}

function withCharges(before: Charges, outcomes: Outcomes): Charges {
  const sums = new Map(Object.entries(before));
  for (const { charges = [] } of outcomes.values())
    for (const { on, amount } of charges) {
      const { count, minor } = sums.get(on) ?? { count: 0, minor: 0 };
      sums.set(on, { count: count + 1, minor: minor + amount });
    }
  return Object.fromEntries(sums);
}

function withSums(before: Sums, outcomes: Outcomes): Sums {
  const sums = { ...before };
  for (const { fate, sum } of outcomes.values()) {
    if (!sum || fate !== 'created') continue;
    const { count, minor } = sums[sum.of] ?? { count: 0, minor: 0 };
    sums[sum.of] = { count: count + 1, minor: minor + sum.minor };
  }
  return sums;
}

const nobody = (): Seen => ({ own: new Map(), shared: new Map() });

function addSeen(seen: Seen, more: Seen): void {
  for (const [key, line] of more.own) seen.own.set(key, line);
  for (const [key, line] of more.shared) seen.shared.set(key, line);
}

interface Done {
  readonly outcomes: Outcomes;
  /** by line */
  readonly changes: ReadonlyMap<number, readonly Change[]>;
}

/** Thrown to roll back everything that was tried. */
class Tried extends Error {}

/** Writes the rows, with those of the other files that they refer to, and rolls back. */
async function dryRun(work: Work, { of, files }: Several, rows: readonly CsvRow[], seen: Seen): Promise<Done> {
  let outcomes: Outcomes = new Map();
  let after: States = new Map();
  await work.tx
    .attempt(async () => {
      for (const other of files.filter(({ kind, status }) => status === 'checked' && NEEDS[of.kind].includes(kind)))
        await written(work.beside(), other, await rowsNeeded(work, { other, of }, rows), nobody());
      outcomes = await written(work.importing(of.id), of, rows, seen);
      after = await readStates(work, of.kind, changedIn(outcomes));
      throw new Tried('a dry run keeps nothing');
    })
    .catch((error: unknown) => {
      if (!(error instanceof Tried)) throw error;
    });
  const before = await readStates(work, of.kind, changedIn(outcomes));
  return { outcomes, changes: changesOf(outcomes, before, after) };
}

/** Writes the rows. If that changes objects, it is tried first, because their previous state has to be known. */
async function importRows(work: Work, { of }: Several, rows: readonly CsvRow[], seen: Seen): Promise<Done> {
  let outcomes: Outcomes = new Map();
  const all = nobody();
  let beside = work.beside();
  try {
    await work.tx.attempt(async () => {
      outcomes = await written(beside, of, rows, all);
      if (changedIn(outcomes).length > 0) throw new Tried('the state before is needed');
    });
  } catch (error) {
    if (!(error instanceof Tried)) throw error;
    const before = await readStates(work, of.kind, changedIn(outcomes));
    beside = work.beside();
    outcomes = await written(beside, of, rows, seen);
    work.take(beside);
    return { outcomes, changes: changesOf(outcomes, before, await readStates(work, of.kind, changedIn(outcomes))) };
  }
  work.take(beside);
  addSeen(seen, all);
  return { outcomes, changes: new Map() };
}

/** Writes all of the rows or, if the database refuses one, those that it accepts: it bisects down to the wrong row. */
async function written(work: Work, of: StoredImport, rows: readonly CsvRow[], seen: Seen): Promise<Outcomes> {
  if (rows.length === 0) return new Map();
  const own: Seen = { own: new Map(seen.own), shared: new Map(seen.shared) };
  const beside = work.importing(of.id);
  try {
    const outcomes = await work.tx.attempt(async () => {
      const all = await WRITES[of.kind]({
        work: beside,
        rows,
        columns: of.columns,
        words: of.words,
        source: of.source,
        dateFormat: of.date_format,
        seen: own,
        earlier: (ids, shared) => earlierLines(beside, of.id, rows[0].line, ids, shared),
      });
      return all;
    });
    work.take(beside);
    addSeen(seen, own);
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
