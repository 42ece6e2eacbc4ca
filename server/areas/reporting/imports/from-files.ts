/**
 * Imports of files of this machine, for the command line: the same steps as in the dashboard, in one process. Portions
 * are processed here; a running worker may process some of them meanwhile, because each takes the next one.
 */
import { begin, missingFrom, type Doing } from './begin.ts';
import { businessTime, Work, type Declarations, type Tenant } from '../../../kernel/work/unit/work.ts';
import { correct, deleteImported, type Correction } from './change.ts';
import { importJob } from './job.ts';
import { linesOf } from './report.ts';
import { openWords } from './words/questions.ts';
import { ORDER } from './several/order.ts';
import { Problem } from '../../../kernel/base/problem.ts';
import { recognise } from './recognise.ts';
import { sql } from '../../../kernel/base/db/sql.ts';
import { storeFile } from './upload.ts';
import { unimportedIn } from './columns/unimported.ts';
import { WORD_PROPERTIES } from './words/status-words.ts';
import type { Database } from '../../../kernel/base/db/database.ts';
import type { Installation } from '../../../kernel/work/unit/installation.ts';
import type { Place } from './table.ts';
import { isOpen, type StoredImport } from './stored.ts';
import type { Viewer } from '../../../kernel/work/access/viewer.ts';

interface FileHere {
  readonly name: string;
  readonly bytes: Buffer;
  readonly place: Place;
  readonly correction: Omit<Correction, 'answers'>;
}

export interface FilesImport {
  readonly db: Database;
  readonly registry: Declarations;
  readonly installation: Installation;
  readonly tenant: Tenant;
  readonly viewer: Viewer;
  readonly now: () => number;
  readonly files: readonly FileHere[];
  /** meanings of words, by the property or the heading of their column */
  readonly answers: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** the check alone: nothing stays, neither records nor the files */
  readonly checkOnly: boolean;
  /** called when a file was recognised, when it was checked, and when it was imported */
  readonly onFile: (file: FileState, step: 'recognised' | Doing) => void;
  readonly onReport: (file: FileState, step: Doing, parts: AsyncIterable<string>) => Promise<void>;
}

export interface OpenQuestion {
  readonly property: string;
  readonly column: string;
  readonly value: string;
  readonly rows: number;
  readonly choices: readonly string[];
}

export interface FileState extends StoredImport {
  readonly heading_line: number;
  readonly created_count: number;
  readonly changed_count: number;
  readonly unchanged_count: number;
  readonly rejected_count: number;
  readonly missing: readonly string[];
  readonly questions: readonly OpenQuestion[];
  readonly unimported: readonly { readonly heading: string; readonly value_count: number }[];
}

const STOPPED =
  'Somebody cancelled the import or deleted one of its files. What was imported until then stays: import the files again to go on.';

type Stored = FileState & Record<string, unknown>;

const headingOf = ({ columns }: StoredImport, property: string): string =>
  columns.find((column) => column.property === property)?.heading ?? '';

const questionsOf = (file: StoredImport): OpenQuestion[] =>
  openWords(file.words).map(({ property, value, rows }) => ({
    property,
    column: headingOf(file, property),
    value,
    rows,
    choices: WORD_PROPERTIES[file.kind][property].meanings,
  }));

/** Imports the files. Returns false if something has to be said first, or if a row was left out. */
export async function importFiles(o: FilesImport): Promise<boolean> {
  const { db, registry, installation, tenant, viewer, now } = o;
  const { providerId } = tenant;
  const transact = <T>(act: (work: Work) => Promise<T>): Promise<T> =>
    db.transaction(providerId, async (tx) => {
      const at = businessTime(tenant, now());
      const work = new Work({ tx, registry, tenant, viewer, now: at, requestId: 'import', installation });
      const result = await act(work);
      for (const record of work.takeRecords()) await tx.run(record);
      return result;
    });
  const lock = ({ tx }: Work, ids: readonly number[]): Promise<Stored[]> =>
    tx.rows<Stored>(
      sql`SELECT * FROM import WHERE provider_id = ${providerId} AND id = ANY(${ids}::bigint[])
        ORDER BY array_position(${ORDER}::text[], kind), id FOR UPDATE`,
    );
  const states = async (ids: readonly number[]): Promise<FileState[]> =>
    (await transact((work) => lock(work, ids))).map((file) => ({
      ...file,
      missing: missingFrom(file),
      questions: questionsOf(file),
      unimported: unimportedIn(file.kind, file.columns),
    }));

  const ids: number[] = [];
  const upload = async ({ name, bytes, place, correction }: FileHere): Promise<void> => {
    const whose = { business: providerId, gone: new AbortController().signal };
    const clock = { zone: tenant.zone, now: businessTime(tenant, now()) };
    const read = await recognise(bytes, { kind: correction.kind ?? null, place }, whose, clock);
    const id = await transact((work) => storeFile(work, { read, fileName: name, kind: correction.kind }));
    ids.push(id);
    await transact(async (work) => correct(work, (await lock(work, [id]))[0], correction));
    await transact(async (work) => {
      const [file] = await lock(work, [id]);
      const answers = file.words.flatMap(({ property, value }) => {
        const given = o.answers[property] ?? o.answers[headingOf(file, property)];
        const meaning = given?.[value];
        return meaning === undefined ? [] : [{ property, value, meaning }];
      });
      await correct(work, file, { answers });
    });
  };

  /** Processes all portions, and reports each file. */
  const process = async (how: Doing): Promise<FileState[]> => {
    const job = await transact(async (work) => begin(work, await lock(work, ids), how));
    const goesOn = (): Promise<boolean> =>
      transact(async (work) => {
        await importJob.run(work, { job });
        return isOpen(work, job);
      });
    while (await goesOn());
    const all = await states(ids);
    if (all.length < ids.length || all.some(({ status }) => status === how)) throw new Problem('conflict', STOPPED);
    for (const file of all) {
      o.onFile(file, how);
      await o.onReport(file, how, linesOf({ db, providerId }, { of: file, language: 'en' }));
    }
    return all;
  };

  const forget = (): Promise<void> =>
    transact(async (work) => {
      for (const file of await lock(work, ids)) await deleteImported(work, file);
    });

  let isKept = false;
  try {
    for (const file of o.files) await upload(file);
    const recognised = await states(ids);
    for (const file of recognised) o.onFile(file, 'recognised');
    if (recognised.some(({ missing }) => missing.length > 0)) return false;
    const checked = await process('checking');
    if (o.checkOnly) return checked.every(({ rejected_count: left }) => left === 0);
    isKept = true;
    return (await process('running')).every(({ rejected_count: left }) => left === 0);
  } finally {
    if (!isKept && ids.length > 0) await forget();
  }
}
