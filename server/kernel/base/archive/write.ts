/** Writes all data of one business into one file, from one snapshot, while the service continues to work. */
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createReadStream, createWriteStream, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import copy from 'pg-copy-streams';
import type pg from 'pg';
import {
  ACCOUNTS,
  filePath,
  FORMAT,
  JOBS,
  MANIFEST,
  tablePath,
  VERSION,
  type Manifest,
  type Part,
} from './manifest.ts';
import { connectTo } from '../db/connections/connect.ts';
import { AS_LINES, explain } from '../db/backups/backup-copy.ts';
import { linesOf } from './lines.ts';
import { settle } from '../db/backups/backup-catalog.ts';
import { quote } from '../db/quote.ts';
import { readCatalog, readSchema, type ArchivedTable } from './catalog.ts';
import { saltOf, SCRYPT, createSeal, type ArchiveSeal } from './passphrase.ts';
import { TAR_END, tarHeader, tarPadding } from './tar.ts';
import { RELEASE } from '../release.ts';
import type { Arriving } from './arriving.ts';
import type { Accounts, ArchivedBusiness } from './accounts.ts';
import type { FileStore } from '../files/file-store.ts';
import type { SecretBox } from '../secret-box.ts';
import type { Since } from './since.ts';
import type { Table } from '../db/table.ts';

/** The parts of an installation that export and import need. */
export interface Around {
  /** connection string of the owner of the tables */
  readonly url: string;
  /** the owners' declarations of their tables */
  readonly tables: ReadonlyMap<string, Table>;
  readonly accounts: Accounts;
  readonly arriving: Arriving;
  /** changes since the archives of earlier releases */
  readonly since: Since;
  readonly business: (client: pg.ClientBase, id: number) => Promise<ArchivedBusiness | null>;
  readonly box: SecretBox;
  readonly files: FileStore;
  readonly passphrase: string;
  readonly now: number;
}

export interface Moved {
  readonly tables: number;
  readonly rows: number;
  readonly files: number;
  readonly accounts: number;
  readonly jobs: number;
}

/** There is no business with this id. */
export class NoBusiness extends Error {
  override name = 'NoBusiness';
}

/**
 * Exports a business. The archive gets its name only when it is complete. Its parts are first written next to it,
 * because a part of a tar file begins with its size; so nothing is held in memory.
 */
export async function exportBusiness(around: Around, business: number, file: string): Promise<Moved> {
  const spool = mkdtempSync(join(dirname(file), '.rollcall-export-'));
  const unfinished = join(spool, 'archive');
  try {
    const { manifest, moved } = await gather(around, business, spool);
    await pack(manifest, spool, around.files, unfinished);
    renameSync(unfinished, file);
    return moved;
  } catch (error) {
    throw explain(error);
  } finally {
    rmSync(spool, { recursive: true, force: true });
  }
}

async function gather(around: Around, business: number, spool: string): Promise<{ manifest: Manifest; moved: Moved }> {
  const client = await connectTo(around.url);
  try {
    await settle(client);
    // Roles see only what they may; a row of another business does not cause an error but is invisible.
    await client.query('SET row_security = on');
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
    const { tables, leftOut } = await readCatalog(client, around);
    const schema = await readSchema(client);
    // As a request of this business: row-level security keeps other businesses out of the file.
    await client.query(`SET LOCAL ROLE rollcall_app; SET LOCAL rollcall.provider_id = '${business}'`);
    const known = await around.business(client, business);
    if (!known) throw new NoBusiness(`There is no business ${business}.`);
    const salt = saltOf(business, known.created);
    const seal = await createSeal(around.passphrase, salt);
    const people = new Set<number>();
    const folders: string[] = [];
    const parts: Part[] = [];
    for (const table of tables)
      parts.push(await writeTable({ client, around, business, spool, seal, people, folders }, table));
    await client.query('SET LOCAL ROLE rollcall_across');
    const found = await around.accounts.read(
      client,
      [...people].toSorted((a, b) => a - b),
      around.box,
    );
    // First in the file: rows refer to them.
    parts.unshift(
      await spoolLines(spool, ACCOUNTS, [...around.accounts.columns, 'secrets'], async function* () {
        for (const account of found)
          yield JSON.stringify({ ...account, secrets: seal.seal(`account:${account.id}`, account.secrets) });
      }),
    );
    await client.query('RESET ROLE');
    parts.push(await writeJobs(client, business, spool));
    await client.query('COMMIT');
    const files = await fileParts(around.files, folders);
    const rowsOf = (path: string) => parts.find((part) => part.path === path)!.rows!;
    return {
      manifest: {
        format: FORMAT,
        version: VERSION,
        release: RELEASE,
        business: { id: business, name: known.name },
        schema,
        secrets: { kdf: 'scrypt', ...SCRYPT, salt, check: seal.check },
        left_out: leftOut,
        parts: [...parts, ...files],
      },
      moved: {
        tables: tables.length,
        rows: tables.reduce((sum, { name }) => sum + rowsOf(tablePath(name)), 0),
        files: files.length,
        accounts: rowsOf(ACCOUNTS),
        jobs: rowsOf(JOBS),
      },
    };
  } finally {
    await client.end();
  }
}

interface Writing {
  readonly client: pg.Client;
  readonly around: Around;
  readonly business: number;
  readonly spool: string;
  readonly seal: ArchiveSeal;
  /** collects ids of accounts that rows refer to */
  readonly people: Set<number>;
  /** collects folders that belong to rows */
  readonly folders: string[];
}

function writeTable(writing: Writing, table: ArchivedTable): Promise<Part> {
  const { client, around, business, spool, seal, people, folders } = writing;
  const { name, lines, key, said } = table;
  const order = key.map((column) => `r.${quote(column.name)}${column.text ? ' COLLATE "C"' : ''}`).join(', ');
  const select = `SELECT row_to_json(r)
    FROM (SELECT ${lines.map(quote).join(', ')} FROM public.${quote(name)}) r ${order && `ORDER BY ${order}`}`;
  const looked = said.sealed || said.folder || table.accounts.length > 0;
  return spoolLines(spool, tablePath(name), lines, async function* () {
    const stream = client.query(copy.to(`COPY (${select}) TO STDOUT ${AS_LINES}`));
    for await (const line of linesOf(stream, name)) {
      if (!looked) {
        yield line;
        continue;
      }
      const row = JSON.parse(line);
      const whole = { ...row, provider_id: business };
      for (const column of table.accounts) if (row[column] !== null) people.add(row[column]);
      if (said.folder) folders.push(said.folder(whole));
      if (!said.sealed) {
        yield line;
        continue;
      }
      for (const [column, purposeOf] of Object.entries(said.sealed)) {
        const purpose = row[column] === null ? null : purposeOf(whole);
        if (purpose !== null) row[column] = seal.seal(purpose, around.box.open(purpose, row[column]));
      }
      yield JSON.stringify(row);
    }
  });
}

/**
 * Writes the waiting jobs. The effect of a running one is either in the snapshot, or the job is, and runs after the
 * import.
 */
async function writeJobs(client: pg.Client, business: number, spool: string): Promise<Part> {
  const { rows } = await client.query<{ line: string }>(
    `SELECT row_to_json(r)::text AS line FROM (
       SELECT j.key, j.payload::jsonb - 'provider_id' AS payload, j.run_at, t.identifier AS task,
         CASE j.priority WHEN -1 THEN 'first' WHEN 1 THEN 'last' ELSE 'usual' END AS urgency
       FROM graphile_worker._private_jobs j JOIN graphile_worker._private_tasks t ON t.id = j.task_id
       WHERE j.payload->>'provider_id' = $1 AND j.attempts < j.max_attempts) r
     ORDER BY r.run_at, r.task COLLATE "C", r.key COLLATE "C", r.payload::text COLLATE "C"`,
    [String(business)],
  );
  return spoolLines(spool, JOBS, ['key', 'payload', 'run_at', 'task', 'urgency'], async function* () {
    for (const { line } of rows) yield line;
  });
}

/** Returns where a part is kept until it is written. */
const spooled = (spool: string, path: string): string => join(spool, path.replaceAll('/', '~'));

async function spoolLines(
  spool: string,
  path: string,
  columns: readonly string[],
  lines: () => AsyncIterable<string>,
): Promise<Part> {
  const hash = createHash('sha256');
  let bytes = 0;
  let rows = 0;
  const counted = async function* () {
    for await (const line of lines()) {
      const buffer = Buffer.from(`${line}\n`);
      hash.update(buffer);
      bytes += buffer.length;
      rows++;
      yield buffer;
    }
  };
  await pipeline(counted, createWriteStream(spooled(spool, path), { mode: 0o600 }));
  return { path, bytes, sha256: hash.digest('hex'), rows, columns };
}

async function fileParts(files: FileStore, folders: readonly string[]): Promise<Part[]> {
  const parts: Part[] = [];
  for (const folder of folders.toSorted())
    for (const { name } of (await files.list(folder)).toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
      const hash = createHash('sha256');
      let bytes = 0;
      for await (const piece of (await files.read(`${folder}/${name}`)) ?? []) {
        hash.update(piece);
        bytes += piece.length;
      }
      parts.push({ path: filePath(`${folder}/${name}`), bytes, sha256: hash.digest('hex') });
    }
  return parts;
}

async function pack(manifest: Manifest, spool: string, files: FileStore, file: string): Promise<void> {
  const gzip = createGzip();
  const written = pipeline(gzip, createWriteStream(file, { mode: 0o600, flush: true }));
  // Reported below; until then it must not count as unhandled.
  written.catch(() => undefined);
  const put = async (data: Uint8Array) => {
    if (!gzip.write(data)) await Promise.race([once(gzip, 'drain'), written]);
  };
  const putFile = async (path: string, bytes: number, content: AsyncIterable<Uint8Array>) => {
    await put(tarHeader(path, bytes));
    let sent = 0;
    for await (const piece of content) {
      sent += piece.length;
      await put(piece);
    }
    if (sent !== bytes) throw new Error(`${path} changed while it was being exported. Remedy: export again.`);
    await put(tarPadding(bytes));
  };
  try {
    const first = Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`);
    await putFile(MANIFEST, first.length, only(first));
    for (const { path, bytes, rows } of manifest.parts) {
      const content =
        rows === undefined ? await files.read(path.slice(filePath('').length)) : createReadStream(spooled(spool, path));
      await putFile(path, bytes, content ?? only());
    }
    await put(TAR_END);
    gzip.end();
    await written;
  } catch (error) {
    gzip.destroy();
    throw error;
  }
}

async function* only(...buffers: readonly Buffer[]): AsyncGenerator<Buffer> {
  yield* buffers;
}
