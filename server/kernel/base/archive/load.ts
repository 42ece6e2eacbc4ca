/** Imports a business from an archive into an installation: all of it or nothing, with its original ids. */
import { once } from 'node:events';
import { finished } from 'node:stream/promises';
import copy from 'pg-copy-streams';
import type pg from 'pg';
import { ACCOUNTS, filePath, JOBS, tablePath, type Manifest, type Part } from './manifest.ts';
import {
  arrivingRow,
  checkDecided,
  checkRow,
  isArrivingId,
  MAX_ID,
  Resets,
  type ArrivingTable,
  type Row,
} from './arriving.ts';
import { ArchiveDamaged } from './tar.ts';
import type { Around, Moved } from './write.ts';
import { connectTo } from '../db/connections/connect.ts';
import { AS_LINES, explain } from '../db/backups/backup-copy.ts';
import { IDS_OF_A_MONTH } from '../db/schema/months.ts';
import { isFileName } from '../files/file-store.ts';
import { JOB_COLUMNS, openArchive, verifyArchive, type Expected, type OpenPart } from './verify.ts';
import { linesOf, rowOf } from './lines.ts';
import { loadAsStored } from '../db/backups/bulk-load.ts';
import { settle } from '../db/backups/backup-catalog.ts';
import { quote } from '../db/quote.ts';
import { RELEASE } from '../release.ts';
import { Upgrade } from './since.ts';
import { readCatalog, readSchemas, type Archived, type ArchivedTable } from './catalog.ts';
import type { ArchivedAccount } from './accounts.ts';
import type { ArchiveSeal } from './passphrase.ts';

interface Arrived extends Moved {
  readonly business: number;
  /** numbers of values that were not taken from the file, by their description */
  readonly resets: ReadonlyMap<string, number>;
}

/** The installation can't import the archive as it is. `message` gives the reason and the remedy. */
class ImportRefused extends Error {
  override name = 'ImportRefused';
}

/**
 * Imports the file: checks everything first, and then writes it in one transaction. Meanwhile, nobody else can write to
 * the tables of businesses.
 */
export async function importBusiness(importing: Around, file: string): Promise<Arrived> {
  const client = await connectTo(importing.url);
  const stored: string[] = [];
  try {
    await settle(client);
    // Roles see only what they may; a row of another business does not cause an error but is invisible.
    await client.query('SET row_security = on');
    await client.query('BEGIN');
    const archived = await readCatalog(client, importing);
    for (const { name, lines } of archived.tables) checkDecided(name, importing.arriving.tables[name], lines);
    const people: People = { most: 0 };
    let upgrade = new Upgrade([], importing.since);
    const { manifest, seal } = await verifyArchive(file, importing.passphrase, async (said) => {
      upgrade = await checkInstallation(client, importing, said);
      return expectedOf(importing, archived, said, { people, upgrade });
    });
    const resets = new Resets();
    const moved = await openArchive(file, (_, parts) =>
      new Load({ client, importing, archived, manifest, seal, stored, resets, people, upgrade }).run(parts),
    );
    await client.query('COMMIT');
    return { ...moved, business: manifest.business.id, resets: resets.counts };
  } catch (error) {
    // Ending the session rolls back the transaction, but not the files.
    for (const name of stored) await importing.files.remove(name);
    throw saidOf(error, file);
  } finally {
    await client.end();
  }
}

/** Returns what brings the rows of the archive to the present schema. */
async function checkInstallation(
  client: pg.ClientBase,
  importing: Around,
  { business, schema, release }: Manifest,
): Promise<Upgrade> {
  const schemas = await readSchemas(client);
  const at = schemas.findIndex(({ sha256 }) => sha256 === schema.sha256);
  if (at < 0)
    throw new ImportRefused(
      `The archive was written by release ${release} at migration ${schema.last}, which this installation (release ${RELEASE}) doesn’t have, or has in another version. Remedy: import it with release ${release} or a later one.`,
    );
  // The owner of the tables is subject to row-level security too, unless it is a superuser.
  await client.query('SET LOCAL ROLE rollcall_across');
  const known = await importing.business(client, business.id);
  await client.query('RESET ROLE');
  if (known)
    throw new ImportRefused(
      `Business ${business.id} already exists here: ${known.name}. Remedy: import into an empty installation. A business keeps its id.`,
    );
  return new Upgrade(
    schemas.slice(at + 1).map(({ last }) => last),
    importing.since,
  );
}

/** The largest account number in the file: its account may no longer exist, and nobody else may get the number. */
interface People {
  most: number;
}

interface Expecting {
  readonly people: People;
  readonly upgrade: Upgrade;
}

/**
 * Returns the expected form of each part of an archive.
 * @throws ArchiveDamaged for a manifest with unknown or missing parts
 */
function expectedOf(
  { accounts, arriving }: Around,
  { tables }: Archived,
  { business, parts }: Manifest,
  { people, upgrade }: Expecting,
): (part: Part) => Expected | 'file' {
  if (!isArrivingId(business.id, null)) throw new ArchiveDamaged(`its business has the id ${business.id}`);
  const expectedTable = (table: ArchivedTable, part: Part) =>
    expectedOfTable(table, part, { arriving: arriving.tables[table.name], business: business.id, people, upgrade });
  const accountColumns = [...accounts.columns, 'secrets'];
  const expectedAccounts = ({ columns = [] }: Part): Expected => ({
    columns: upgrade.isCurrent ? accountColumns : columns,
    open: (row, seal) => {
      const now = upgrade.rowNow(accounts.table, row);
      checkColumns(ACCOUNTS, now, accountColumns);
      people.most = Math.max(people.most, checkId(ACCOUNTS, now.id));
      accounts.check(now);
      seal.open(`account:${now.id}`, now.secrets);
    },
  });
  // The order of the lists: accounts first, then referenced tables before those that refer to them.
  const order = [ACCOUNTS, ...tables.map(({ name }) => tablePath(name)), JOBS];
  if (upgrade.isCurrent) {
    for (const [at, path] of order.entries())
      if (parts[at]?.path !== path) throw new ArchiveDamaged(`${path} is missing, or not in its place`);
  } else {
    const lists = parts.filter(({ rows }) => rows !== undefined).map(({ path }) => path);
    if (lists.at(0) !== ACCOUNTS || lists.at(-1) !== JOBS)
      throw new ArchiveDamaged(`${ACCOUNTS} or ${JOBS} is missing, or not in its place`);
  }
  // Folders of the tables whose rows have files: a file elsewhere would belong to nobody.
  const roots = tables.flatMap(
    ({ said }) => said.folder?.({ provider_id: business.id, key: 'key' }).split('/')[0] ?? [],
  );
  const folder = new RegExp(`^(?:${roots.join('|')})/${business.id}/`);
  return (part) => {
    const [known, columns] = ((): [Expected | null, readonly string[]] => {
      if (part.path === ACCOUNTS) return [expectedAccounts(part), accountColumns];
      if (part.path === JOBS) return [{ columns: JOB_COLUMNS }, JOB_COLUMNS];
      const before = tableOfPath(part.path);
      const now = before === null ? null : upgrade.tableNow(before);
      if (before !== null && now === null) return [{ columns: part.columns ?? [] }, []];
      const table = tables.find(({ name }) => name === now);
      return table ? [expectedTable(table, part), table.lines] : [null, []];
    })();
    if (known) {
      if (upgrade.isCurrent && JSON.stringify(part.columns) !== JSON.stringify(columns))
        throw new ArchiveDamaged(`${part.path} has other columns than this release knows`);
      return known;
    }
    const name = part.path.startsWith(filePath('')) ? part.path.slice(filePath('').length) : '';
    // A name outside the folders of the business would overwrite files of others.
    if (part.rows !== undefined || !isFileName(name) || !folder.test(name))
      throw new ArchiveDamaged(`it contains "${part.path}", which is no part of an archive`);
    return 'file';
  };
}

/** Returns the table of a list; null if it is another part. */
const tableOfPath = (path: string): string | null => /^tables\/(\w+)\.jsonl$/.exec(path)?.[1] ?? null;

/**
 * Checks the names in a row that was brought to the present schema.
 * @throws ArchiveDamaged for a name that this release doesn't know: a change of the schema is not declared
 */
function checkColumns(path: string, row: Row, columns: readonly string[]): void {
  const unknown = Object.keys(row).find((column) => !columns.includes(column));
  if (unknown !== undefined)
    throw new ArchiveDamaged(`${path} has the column ${unknown}, which this release doesn’t know`);
}

function expectedOfTable(
  table: ArchivedTable,
  part: Part,
  { arriving, business, people, upgrade }: Expecting & { arriving: ArrivingTable; business: number },
): Expected {
  const { lines, numbered, monthly, loose, actors } = table;
  const { sealed } = table.said;
  const { path } = part;
  return {
    columns: upgrade.isCurrent ? lines : (part.columns ?? []),
    open: (line, seal) => {
      const row = upgrade.rowNow(tableOfPath(path)!, line);
      checkColumns(path, row, lines);
      if (numbered) checkId(path, row.id, monthly);
      for (const id of [...loose.map((column) => row[column]), ...actors.map((column) => idOfActor(row[column]))])
        if ((id ?? null) !== null) people.most = Math.max(people.most, checkId(path, id));
      checkRow(path, arriving, row);
      if (sealed) openRow(row, business, sealed, seal);
    },
  };
}

/** Returns the account of an actor: 7 for `user:7`; null if it was not a person. */
const idOfActor = (actor: unknown): number | null => {
  const [, id] = /^user:([0-9]{1,18})$/.exec(String(actor)) ?? [];
  return id === undefined ? null : Number(id);
};

/**
 * Checks an id. New rows get ids after the largest one, so an id near the last possible one would leave none for
 * anybody.
 */
function checkId(path: string, id: unknown, monthly = false): number {
  if (!isArrivingId(id, monthly ? IDS_OF_A_MONTH : null))
    throw new ArchiveDamaged(`${path} has a row with the id ${id}. Ids are whole numbers up to ${MAX_ID}`);
  return Number(id);
}

/** Returns the row with the values unsealed that the passphrase sealed. */
function openRow(
  row: Record<string, any>,
  business: number,
  sealed: NonNullable<ArchivedTable['said']['sealed']>,
  seal: ArchiveSeal,
): Record<string, any> {
  const whole = { ...row, provider_id: business };
  const opened = Object.entries(sealed).flatMap(([column, purposeOf]) => {
    const purpose = (row[column] ?? null) === null ? null : purposeOf(whole);
    return purpose === null ? [] : [[column, seal.open(purpose, row[column])] as const];
  });
  return { ...row, ...Object.fromEntries(opened) };
}

interface Loading {
  readonly client: pg.Client;
  readonly importing: Around;
  readonly archived: Archived;
  readonly manifest: Manifest;
  readonly seal: ArchiveSeal;
  /** collects the files that were stored */
  readonly stored: string[];
  readonly resets: Resets;
  readonly people: People;
  readonly upgrade: Upgrade;
}

class Load {
  readonly #o: Loading;
  readonly #business: number;
  /** ids in the file of accounts that already existed here */
  readonly #known = new Set<number>();

  constructor(loading: Loading) {
    this.#o = loading;
    this.#business = loading.manifest.business.id;
  }

  async run(parts: AsyncGenerator<OpenPart>): Promise<Moved> {
    const { client, archived, stored, importing, people, upgrade } = this.#o;
    await client.query(`
      -- known: it was here before. gone: only its number is named, and nobody here may have it.
      CREATE TEMP TABLE import_account (there bigint PRIMARY KEY, here bigint NOT NULL, known boolean NOT NULL)
      ON COMMIT DROP;
      CREATE TEMP TABLE import_gone (there bigint PRIMARY KEY, here bigint NOT NULL) ON COMMIT DROP;
      CREATE TEMP TABLE import_line (line json NOT NULL) ON COMMIT DROP;
      GRANT SELECT, INSERT, TRUNCATE ON import_account, import_gone, import_line TO rollcall_app, rollcall_across`);
    // Before any account gets a new number here, so that it gets none of those in the file.
    await this.#beyond(`public.${importing.accounts.table}_id_seq`, String(people.most));
    const counts = { accounts: 0, jobs: 0, rows: 0 };
    const jobs: string[] = [];
    await loadAsStored(client, this.#inFileOrder(), async () => {
      for await (const { part, content } of parts) {
        const before = tableOfPath(part.path);
        const now = before === null ? null : upgrade.tableNow(before);
        if (before !== null && now === null) {
          // The rows of a table that no longer exists are read to their end, for their hash.
          for await (const _ of content);
          continue;
        }
        const table = archived.tables.find(({ name }) => name === now);
        if (table) counts.rows += await this.#table(table, part, content);
        else if (part.path === ACCOUNTS) counts.accounts = await this.#accounts(part, content);
        else if (part.path === JOBS) for await (const line of linesOf(content, part.path)) jobs.push(line);
        else await this.#file(part, content);
      }
    });
    for (const line of jobs) counts.jobs += await this.#job(rowOf(line, JOB_COLUMNS, JOBS));
    await this.#checkIds();
    await this.#goOn();
    return { tables: archived.tables.length, files: stored.length, ...counts };
  }

  /** Returns the tables in the order of the file, which may be that of an earlier release; new ones last. */
  #inFileOrder(): ArchivedTable[] {
    const { archived, manifest, upgrade } = this.#o;
    if (upgrade.isCurrent) return [...archived.tables];
    const names = manifest.parts.map(({ path }) => upgrade.tableNow(tableOfPath(path) ?? ''));
    const at = ({ name }: ArchivedTable): number => (names.includes(name) ? names.indexOf(name) : names.length);
    return archived.tables.toSorted((a, b) => at(a) - at(b));
  }

  /** Runs as a request of this business: row-level security protects the rows of all others. */
  async #asBusiness<T>(act: () => Promise<T>): Promise<T> {
    const { client } = this.#o;
    await client.query(`SET LOCAL ROLE rollcall_app; SET LOCAL rollcall.provider_id = '${this.#business}'`);
    const result = await act();
    await client.query('RESET ROLE');
    return result;
  }

  async #accounts({ columns, path }: Part, content: AsyncIterable<Buffer>): Promise<number> {
    const { client, importing, seal, resets, upgrade } = this.#o;
    let taken = 0;
    await client.query('SET LOCAL ROLE rollcall_across');
    for await (const line of linesOf(content, path)) {
      const account = upgrade.rowNow(importing.accounts.table, rowOf(line, columns!, path)) as ArchivedAccount;
      const secrets = seal.open(`account:${account.id}`, account.secrets);
      const { id, known } = await importing.accounts.bring(client, { ...account, secrets }, importing.box, {
        resets,
        now: importing.now,
      });
      await client.query('INSERT INTO pg_temp.import_account (there, here, known) VALUES ($1, $2, $3)', [
        account.id,
        id,
        known,
      ]);
      if (known) this.#known.add(account.id);
      taken++;
    }
    await client.query('RESET ROLE');
    return taken;
  }

  /**
   * Loads the lines as they are, then inserts all of them as rows in one statement: a reference within a table finds
   * its row.
   */
  async #table(table: ArchivedTable, part: Part, content: AsyncIterable<Buffer>): Promise<number> {
    const { client, upgrade } = this.#o;
    // Columns without a value in the file get their defaults.
    const given = new Set(upgrade.isCurrent ? table.lines : []);
    await client.query('TRUNCATE pg_temp.import_line');
    const stream = client.query(copy.from(`COPY pg_temp.import_line (line) FROM STDIN ${AS_LINES}`));
    const done = finished(stream);
    // A refused row ends the stream during the write; the error is thrown below.
    done.catch(() => undefined);
    for await (const line of linesOf(content, part.path)) {
      const arriving = this.#arriving(table, this.#lineNow(line, part, given), part);
      if (!stream.write(arriving)) await Promise.race([once(stream, 'drain'), done]);
    }
    stream.end();
    await done;
    await this.#goneAccounts(table);
    if (given.size === 0) return 0;
    const always = Object.keys({
      ...table.said.printed,
      ...this.#o.importing.arriving.tables[table.name].reset,
    });
    const columns = [...new Set([...table.lines.filter((column) => given.has(column)), ...always])];
    const { rowCount } = await this.#asBusiness(() =>
      client.query(`
        INSERT INTO public.${quote(table.name)} (${['provider_id', ...columns].map(quote).join(', ')})
        SELECT ${[String(this.#business), ...columns.map((column) => valueOf(table, column))].join(', ')}
        FROM pg_temp.import_line l
        CROSS JOIN LATERAL json_populate_record(NULL::public.${quote(table.name)}, l.line) r`),
    );
    return rowCount ?? 0;
  }

  /** Returns the line in its present form. Collects its columns in `given`, which are the same in every line. */
  #lineNow(line: string, { path, columns = [] }: Part, given: Set<string>): string {
    const { upgrade } = this.#o;
    if (upgrade.isCurrent) return line;
    const table = tableOfPath(path)!;
    if (!upgrade.changesRows(table)) {
      for (const column of columns) given.add(column);
      // Unparsed: numbers keep all of their digits.
      return line;
    }
    const row = upgrade.rowNow(table, rowOf(line, columns, path));
    for (const column of Object.keys(row)) given.add(column);
    return JSON.stringify(row);
  }

  /**
   * Returns the line as it is stored here: only with values that may be taken from a file, and with secrets under this
   * installation's key.
   */
  #arriving({ name, said, lines, accounts }: ArchivedTable, line: string, { path }: Part): string {
    const { importing, seal, resets, upgrade } = this.#o;
    const { reset, without } = importing.arriving.tables[name];
    if (!said.sealed && !reset && !without && accounts.length === 0) return `${line}\n`;
    const row = upgrade.isCurrent ? rowOf(line, lines, path) : JSON.parse(line);
    const found = arrivingRow(importing.arriving.tables[name], row, resets);
    if (found === null) return '';
    for (const column of accounts) if (this.#known.has(found[column])) resets.add(KNOWN_HERE);
    if (!said.sealed) return `${JSON.stringify(found)}\n`;
    const business = this.#business;
    const opened = openRow(found, business, said.sealed, seal);
    const whole = { ...opened, provider_id: business };
    const printed = Object.entries(said.printed ?? {}).map(([column, print]) => [column, print(importing.box, whole)]);
    const sealed = Object.entries(said.sealed).flatMap(([column, purposeOf]) => {
      const purpose = (opened[column] ?? null) === null ? null : purposeOf(whole);
      return purpose === null ? [] : [[column, importing.box.seal(purpose, opened[column])]];
    });
    return `${JSON.stringify({ ...opened, ...Object.fromEntries([...printed, ...sealed]) })}\n`;
  }

  /**
   * Renumbers references to accounts that are not in the file: if their number belongs to somebody else here, they get
   * a new one.
   */
  async #goneAccounts({ loose, actors }: ArchivedTable): Promise<void> {
    const named = [
      ...loose.map((column) => `SELECT (line->>'${column}')::bigint AS id FROM pg_temp.import_line`),
      ...actors.map(
        (column) =>
          `SELECT substr(line->>'${column}', 6)::bigint AS id FROM pg_temp.import_line
            WHERE line->>'${column}' ~ '^user:[0-9]{1,18}$'`,
      ),
    ];
    if (named.length === 0) return;
    const { table } = this.#o.importing.accounts;
    // As the owner of the tables: nobody else may take a number of the sequence.
    await this.#o.client.query(
      `INSERT INTO pg_temp.import_gone (there, here)
       SELECT n.id, CASE WHEN EXISTS (SELECT FROM public.${quote(table)} u WHERE u.id = n.id)
                           OR EXISTS (SELECT FROM pg_temp.import_account a WHERE a.here = n.id)
                         THEN nextval('public.${table}_id_seq') ELSE n.id END
       FROM (SELECT DISTINCT id FROM (${named.join(' UNION ALL ')}) x WHERE id IS NOT NULL) n
       WHERE NOT EXISTS (SELECT FROM pg_temp.import_account a WHERE a.there = n.id)
       ON CONFLICT DO NOTHING`,
    );
  }

  async #file({ path }: Part, content: AsyncIterable<Buffer>): Promise<void> {
    const { importing, stored } = this.#o;
    const name = path.slice(filePath('').length);
    await importing.files.putParts(name, content);
    stored.push(name);
  }

  async #job({ key, payload, run_at: runAt, task, urgency }: Record<string, any>): Promise<number> {
    const { client, importing, resets } = this.#o;
    if (!importing.arriving.jobs.includes(task)) {
      resets.add('waiting job that does not move with a business');
      return 0;
    }
    const own = { ...payload, provider_id: this.#business };
    if (key !== null && !String(key).startsWith(`${this.#business}:`))
      throw new ArchiveDamaged(`it has a job "${key}" of another business`);
    await this.#asBusiness(() =>
      client.query('SELECT public.enqueue_job($1, $2, $3, $4, $5)', [task, JSON.stringify(own), key, runAt, urgency]),
    );
    return 1;
  }

  /** Checks that ids are free: they are unique in the installation, and jobs and tokens identify rows by them alone. */
  async #checkIds(): Promise<void> {
    const { client, archived } = this.#o;
    await client.query('SET LOCAL ROLE rollcall_across');
    for (const { name, numbered } of archived.tables) {
      if (!numbered) continue;
      const { rows } = await client.query(
        `SELECT mine.id FROM public.${quote(name)} mine JOIN public.${quote(name)} other USING (id)
         WHERE mine.provider_id = $1 AND other.provider_id <> $1 LIMIT 1`,
        [this.#business],
      );
      if (rows[0])
        throw new ImportRefused(
          `Another business of this installation has a ${name} with the id ${rows[0].id} already. Remedy: import into an empty installation. Everything keeps its id.`,
        );
    }
    await client.query('RESET ROLE');
  }

  async #beyond(sequence: string, reached: string): Promise<void> {
    const { client } = this.#o;
    const { rows } = await client.query(`SELECT last_value::text AS last FROM ${sequence}`);
    if (BigInt(reached) >= BigInt(rows[0].last)) await client.query(`SELECT setval('${sequence}', $1)`, [reached]);
  }

  /** Advances the sequences past the archive's ids, and makes every process check credentials again. */
  async #goOn(): Promise<void> {
    const { client, archived, importing } = this.#o;
    const most = async (table: string, column: string): Promise<string> => {
      const { rows } = await client.query(
        `SELECT coalesce(max(${column}), 0)::text AS most FROM public.${quote(table)}`,
      );
      return rows[0].most;
    };
    await client.query('SET LOCAL ROLE rollcall_across');
    const reached: [sequence: string, id: string][] = [];
    for (const { name, numbered, monthly } of archived.tables)
      if (numbered)
        reached.push([`public.${name}_id_seq`, await most(name, monthly ? `id % ${IDS_OF_A_MONTH}` : 'id')]);
    reached.push(['public.provider_provider_id_seq', String(this.#business)]);
    // Their positions came with the business, so that none starts at the end.
    await client.query(
      `INSERT INTO public.feed_reader (name) SELECT reader FROM public.feed_reader_position
       WHERE provider_id = $1 AND reader = ANY ($2::text[]) ON CONFLICT DO NOTHING`,
      [this.#business, importing.arriving.readers],
    );
    await client.query('RESET ROLE');
    for (const [sequence, id] of reached) await this.#beyond(sequence, id);
    // One epoch without its change: a process that finds the gap drops its whole cache.
    await client.query('UPDATE public.access_epoch SET value = value + 2');
  }
}

const KNOWN_HERE =
  'record of a person who has an account here: it becomes theirs when they log in at the business with its address';

const here = (id: string): string =>
  `coalesce((SELECT a.here FROM pg_temp.import_account a WHERE a.there = ${id}), (SELECT g.here FROM pg_temp.import_gone g WHERE g.there = ${id}))`;

/**
 * Returns the value of a column of the record `r`, with this installation's ids of accounts. A file gives no record to
 * an account that already existed here: the record is claimed like any other.
 */
function valueOf({ accounts, loose, actors }: ArchivedTable, column: string): string {
  const own = `r.${quote(column)}`;
  if (accounts.includes(column))
    return `(SELECT a.here FROM pg_temp.import_account a WHERE a.there = ${own} AND NOT a.known)`;
  if (loose.includes(column)) return here(own);
  if (actors.includes(column))
    return `CASE WHEN ${own} ~ '^user:[0-9]{1,18}$' THEN 'user:' || ${here(`substr(${own}, 6)::bigint`)}
      ELSE ${own} END`;
  return own;
}

/** Describes the database error: the hashes were right, so somebody created the archive by hand. */
function saidOf(error: unknown, file: string): unknown {
  if (error instanceof ArchiveDamaged)
    return new ArchiveDamaged(`The archive ${file} cannot be imported: ${error.message}. Nothing was changed.`, {
      cause: error,
    });
  const { code, detail, table } = error as { code?: string; detail?: string; table?: string };
  if (code?.startsWith('23') || code?.startsWith('22'))
    return new ImportRefused(
      `The archive does not fit together${table ? `: ${table}` : ''}${detail ? `: ${detail}` : ''}. Remedy: export the business again.`,
      { cause: error },
    );
  return explain(error);
}
