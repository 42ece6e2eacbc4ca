/**
 * Writes changes of a business to its copy. The rows come as the triggers of the other end left them, so triggers are
 * off and references are not checked again: only the order within a table matters, not that between tables.
 */
import type pg from 'pg';
import { quote } from '../../../kernel/base/db/quote.ts';
import type { Change, Relation, Row } from './pgoutput.ts';
import type { MovedTable } from './tables.ts';

/** Maximum number of changes in one write. */
const MAX_ROWS = 2000;
/** unique and exclusion violations */
const IN_THE_WAY = new Set(['23505', '23P01']);

interface Step {
  readonly kind: 'insert' | 'update' | 'delete';
  readonly relation: Relation;
  /** the columns that are written */
  readonly set: readonly number[];
  /** in the order of arrival */
  readonly rows: Written[];
  /** the last version of each row, by key: none is written twice in one statement */
  readonly last: Map<string, Written>;
  /** a key changed, so no other change can join it */
  readonly renames: boolean;
}

interface Written {
  readonly row: Row;
  readonly key: Row;
}

/** Objects outside the tables that rows refer to. */
export interface Named {
  readonly people: Set<number>;
  /** folders of the file store */
  readonly folders: Set<string>;
}

export class Applier {
  readonly #client: pg.Client;
  readonly #tables: ReadonlyMap<string, MovedTable>;
  readonly #business: number;
  readonly #named: Named;
  readonly #steps = new Map<string, Step[]>();
  #waiting = 0;

  /** `named` collects the references of the written rows. */
  constructor(client: pg.Client, tables: readonly MovedTable[], business: number, named: Named) {
    this.#client = client;
    this.#tables = new Map(tables.map((table) => [table.name, table]));
    this.#business = business;
    this.#named = named;
  }

  /** Writes the change now, or together with later ones: see `flush`. */
  async add(change: Change): Promise<void> {
    switch (change.kind) {
      case 'insert':
        this.#add('insert', change.relation, change.row, change.row);
        break;
      case 'update':
        this.#add('update', change.relation, change.row, change.old ?? change.row);
        break;
      case 'delete':
        this.#add('delete', change.relation, change.old, change.old);
        break;
      case 'truncate':
        throw new Error(
          `${change.relations.map(({ name }) => name).join(', ')} was emptied while the business moved. Remedy: cancel the move, and begin again.`,
        );
      default:
    }
    if (this.#waiting >= MAX_ROWS) await this.flush();
  }

  async flush(): Promise<void> {
    for (const step of [...this.#steps.values()].flat()) await this.#writeInOrder(step);
    this.#steps.clear();
    this.#waiting = 0;
  }

  #add(kind: Step['kind'], relation: Relation, row: Row, key: Row): void {
    const set = row.flatMap((value, n) => (value === undefined ? [] : [n]));
    const name = keyOf(relation, key);
    const steps = this.#steps.get(relation.name) ?? [];
    this.#steps.set(relation.name, steps);
    const last = steps.at(-1);
    const renames = key !== row;
    const joins =
      last?.kind === kind &&
      last.relation === relation &&
      !last.renames &&
      !renames &&
      same(last.set, set) &&
      (kind === 'update' || !last.last.has(name));
    const step = joins ? last : { kind, relation, set, rows: [], last: new Map<string, Written>(), renames };
    if (!joins) steps.push(step);
    step.rows.push({ row, key });
    step.last.set(name, { row, key });
    this.#waiting++;
    if (kind !== 'delete') this.#note(relation, row);
  }

  #note({ name, columns }: Relation, row: Row): void {
    const { accounts, said } = this.#table(name);
    if (accounts.length === 0 && !said.folder) return;
    const whole = Object.fromEntries(columns.map((column, n) => [column.name, row[n]]));
    for (const column of accounts) if (whole[column]) this.#named.people.add(Number(whole[column]));
    if (said.folder) this.#named.folders.add(said.folder(whole));
  }

  #table(name: string): MovedTable {
    const table = this.#tables.get(name);
    if (!table) throw new Error(`changes of ${name} do not belong to the move`);
    return table;
  }

  /**
   * Rows that exchange a unique value one after the other may conflict when they are written together: then they are
   * written in the order of arrival.
   */
  async #writeInOrder(step: Step): Promise<void> {
    if (step.kind !== 'update' || step.rows.length === 1) return this.#write(step, step.rows);
    await this.#client.query('SAVEPOINT together');
    try {
      await this.#write(step, [...step.last.values()]);
    } catch (error) {
      if (!IN_THE_WAY.has((error as { code?: string }).code ?? '')) throw error;
      await this.#client.query('ROLLBACK TO together');
      for (const row of step.rows) await this.#write(step, [row]);
    }
    await this.#client.query('RELEASE together');
  }

  async #write({ kind, relation, set }: Step, rows: readonly Written[]): Promise<void> {
    const { types } = this.#table(relation.name);
    const table = `public.${quote(relation.name)}`;
    const column = (n: number) => quote(relation.columns[n].name);
    const value = (name: string, n: number) => `u.${name}::${types[relation.columns[n].name]}`;
    const keys = relation.columns.flatMap(({ key }, n) => (key ? [n] : []));
    const written = kind === 'delete' ? [] : set;
    const found = kind === 'insert' ? [] : keys;
    const values = [
      ...written.map((n) => rows.map(({ row }) => row[n])),
      ...found.map((n) => rows.map(({ key }) => key[n])),
    ];
    const names = [...written.map((n) => `c${n}`), ...found.map((n) => `k${n}`)];
    const given = `unnest(${values.map((_, n) => `$${n + 1}::text[]`).join(', ')}) u (${names.join(', ')})`;
    const matches = [
      `t.provider_id = ${this.#business}`,
      ...found.map((n) => `t.${column(n)} = ${value(`k${n}`, n)}`),
    ].join(' AND ');
    const text = {
      insert: () =>
        `INSERT INTO ${table} (${written.map(column).join(', ')})
          SELECT ${written.map((n) => value(`c${n}`, n)).join(', ')} FROM ${given}`,
      update: () =>
        `UPDATE ${table} t SET ${written.map((n) => `${column(n)} = ${value(`c${n}`, n)}`).join(', ')} FROM ${given}
          WHERE ${matches}`,
      delete: () => `DELETE FROM ${table} t USING ${given} WHERE ${matches}`,
    }[kind]();
    const { rowCount } = await this.#client.query(text, values);
    // Otherwise, the two copies would differ from now on.
    if (rowCount !== rows.length)
      throw new Error(
        `The copy differs from its business: ${rowCount} of ${rows.length} rows of ${relation.name} were found to ${kind}. Remedy: cancel the move, and begin again.`,
      );
  }
}

const keyOf = ({ columns }: Relation, row: Row): string => JSON.stringify(row.filter((_, n) => columns[n].key));

const same = (a: readonly number[], b: readonly number[]): boolean =>
  a.length === b.length && a.every((n, at) => n === b[at]);
