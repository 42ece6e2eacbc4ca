/**
 * Retention of tables that grow with every change: creates partitions ahead, and archives old months to files. Each
 * step can be interrupted anywhere, and the next run continues: a detached month is still a table, and is dropped in
 * the transaction that records its file.
 */
import type pg from 'pg';
import { connectTo } from '../../base/db/connections/connect.ts';
import {
  detach,
  finishDetaching,
  makeAhead,
  monthsBefore,
  partitionsOf,
  reachUp,
} from '../../base/db/schema/partitions.ts';
import { fileOf, firstKept, IDS_OF_A_MONTH, nameOfMonth, partitionOf } from '../../base/db/schema/months.ts';
import { keptTables, type KeptTable, type Retention } from './kept-table.ts';
import { quote } from '../../base/db/quote.ts';
import { writeArchive, type Written } from './write-archive.ts';
import type { FileStore } from '../../base/files/file-store.ts';

export interface Keeping {
  /** connection string of the owner of the tables */
  readonly url: string;
  readonly files: FileStore;
  readonly retention: Retention;
  readonly log: { info(o: object, m: string): void; warn(o: object, m: string): void };
  /** the current month; default: by the database's clock */
  readonly thisMonth?: number;
  readonly stopped?: () => boolean;
}

/** One process at a time. */
const LOCK = 771_071;

/** Everybody else queues behind a session that waits for a table lock, so this one doesn't wait long. */
const LOCK_WAIT = '5s';

export async function keepMonths(o: Keeping): Promise<void> {
  const client = await connectTo(o.url);
  try {
    await client.query(
      `SET search_path = public; SET lock_timeout = '${LOCK_WAIT}'; SET statement_timeout = 0; SET row_security = off`,
    );
    const {
      rows: [{ mine, now }],
    } = await client.query(`SELECT pg_try_advisory_lock(${LOCK}) AS mine, month_number(now()) AS now`);
    if (!mine) return;
    if (await makeAhead(client)) o.log.info({}, 'partitions of the next months were made');
    for (const table of keptTables(o.retention)) {
      if (o.stopped?.()) return;
      await new KeptMonths(o, client, table).run(o.thisMonth ?? now);
    }
  } finally {
    await client.end();
  }
}

class KeptMonths {
  readonly #o: Keeping;
  readonly #client: pg.ClientBase;
  readonly #table: KeptTable;

  constructor(o: Keeping, client: pg.ClientBase, table: KeptTable) {
    this.#o = o;
    this.#client = client;
    this.#table = table;
  }

  async run(thisMonth: number): Promise<void> {
    const { name, months } = this.#table;
    await finishDetaching(this.#client, name);
    const { attached, detached } = await partitionsOf(this.#client, name);
    for (const month of detached) {
      if (this.#o.stopped?.()) return;
      await this.#dropDetached(month);
    }
    if (months !== null) await this.#retire(firstKept(thisMonth, months), attached);
    await reachUp(this.#client, name);
  }

  /** Retires months, the oldest first, and none after one that has to stay. */
  async #retire(first: number, attached: readonly number[]): Promise<void> {
    const old = (await monthsBefore(this.#client, this.#table.name)).filter((month) => month < first);
    for (const month of old) if (this.#o.stopped?.() || !(await this.#deleteRows(month))) return;
    for (const month of attached.filter((one) => one < first)) {
      if (this.#o.stopped?.() || !(await this.#takeOut(month))) return;
      await this.#dropDetached(month);
    }
  }

  async #takeOut(month: number): Promise<boolean> {
    if (!(await this.#inTransaction('', () => this.#mayGo(month)))) return false;
    await detach(this.#client, this.#table.name, partitionOf(this.#table.name, month));
    return true;
  }

  /**
   * Archives and drops a detached month. Nobody writes to its table, so until it is dropped, its rows are the archived
   * ones.
   */
  async #dropDetached(month: number): Promise<void> {
    const partition = quote(partitionOf(this.#table.name, month));
    const archive = await this.#archive(month, await this.#nextPart(month), partition);
    await this.#inTransaction('', async () => {
      await this.#note(month, archive);
      await this.#client.query(`DROP TABLE ${partition}`);
    });
    this.#tell(month, archive);
  }

  /**
   * Archives and deletes the rows of a month without a partition in one transaction, which neither sees nor deletes
   * rows that are added in the meantime.
   */
  async #deleteRows(month: number): Promise<boolean> {
    const { name } = this.#table;
    const { first, end } = idsOf(month);
    const rows = `${quote(name)} WHERE id >= ${first} AND id < ${end}`;
    let archive: Archive | null = null;
    const gone = await this.#inTransaction('ISOLATION LEVEL REPEATABLE READ', async () => {
      if (!(await this.#mayGo(month))) return false;
      const part = await this.#nextPart(month);
      archive = await this.#across(async () => {
        const written = await this.#archive(month, part, rows);
        await this.#client.query(`DELETE FROM ${rows}`);
        return written;
      });
      await this.#note(month, archive);
      return true;
    });
    if (gone) this.#tell(month, archive);
    return gone;
  }

  async #mayGo(month: number): Promise<boolean> {
    const { name, mayGo } = this.#table;
    if (!mayGo) return true;
    const why = await this.#across(() => mayGo(this.#client, idsOf(month)));
    if (why === null) return true;
    this.#o.log.warn({ table: name, month: nameOfMonth(month), why }, 'a month is kept for longer than is set');
    return false;
  }

  /** Returns null if there was nothing. `from`: as in `writeArchive`. */
  async #archive(month: number, part: number, from: string): Promise<Archive | null> {
    const { name, archived } = this.#table;
    const { rows } = await this.#client.query(`SELECT EXISTS (SELECT FROM ${from}) AS filled`);
    if (!rows[0].filled) return null;
    const file = fileOf(name, month, part);
    return { part, file, ...(await writeArchive(this.#client, this.#o.files, { file, columns: archived, from })) };
  }

  /**
   * Returns the number of the next part. A part that was not recorded was interrupted: it is written again under its
   * name.
   */
  async #nextPart(month: number): Promise<number> {
    const { rows } = await this.#client.query(
      'SELECT coalesce(max(part), 0) + 1 AS part FROM archived_month WHERE relation = $1 AND month = $2',
      [this.#table.name, month],
    );
    return rows[0].part;
  }

  async #note(month: number, archive: Archive | null): Promise<void> {
    if (archive === null) return;
    await this.#client.query(
      'INSERT INTO archived_month (relation, month, part, file, rows, sha256) VALUES ($1, $2, $3, $4, $5, $6)',
      [this.#table.name, month, archive.part, archive.file, archive.rows, archive.sha256],
    );
  }

  #tell(month: number, archive: Archive | null): void {
    const about = { table: this.#table.name, month: nameOfMonth(month), file: archive?.file, rows: archive?.rows ?? 0 };
    this.#o.log.info(about, 'a month whose time is over has left the database');
  }

  /** Runs in an open transaction, with the role that sees all businesses. */
  async #across<T>(act: () => Promise<T>): Promise<T> {
    await this.#client.query('SET LOCAL row_security = on; SET LOCAL ROLE rollcall_across');
    const result = await act();
    await this.#client.query('RESET ROLE; SET LOCAL row_security = off');
    return result;
  }

  async #inTransaction<T>(mode: string, act: () => Promise<T>): Promise<T> {
    await this.#client.query(`BEGIN ${mode}`);
    try {
      const result = await act();
      await this.#client.query('COMMIT');
      return result;
    } catch (error) {
      // The connection itself may have failed.
      await this.#client.query('ROLLBACK').catch(() => undefined);
      throw error;
    }
  }
}

interface Archive extends Written {
  readonly part: number;
  readonly file: string;
}

const idsOf = (month: number) => ({
  first: String(month * IDS_OF_A_MONTH),
  end: String((month + 1) * IDS_OF_A_MONTH),
});
