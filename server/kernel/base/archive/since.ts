/**
 * Changes of the schema since an archive was written. A migration that only adds needs no declaration: new columns get
 * their defaults, and new tables stay empty. Every other change that affects rows of a business is declared by the name
 * of its migration (server/arriving/since.ts).
 */
import type { Row } from './arriving.ts';

export interface SchemaChange {
  /** later names of tables, by their earlier names */
  readonly renamed?: Readonly<Record<string, string>>;
  /** tables that no longer exist; their rows are left out */
  readonly removed?: readonly string[];
  /** brings a row to its form after the migration, by the name of the table after it */
  readonly rows?: Readonly<Record<string, (row: Row) => Row>>;
}

/** Changes by the names of their migrations. */
export type Since = Readonly<Record<string, SchemaChange>>;

/** Brings tables and rows of an archive to the present schema. */
export class Upgrade {
  readonly #changes: readonly SchemaChange[];
  /** the archive has the present schema */
  readonly isCurrent: boolean;

  /** `later`: names of the migrations that the archive lacks, in their order */
  constructor(later: readonly string[], since: Since) {
    this.isCurrent = later.length === 0;
    this.#changes = later.flatMap((name) => since[name] ?? []);
  }

  /** Returns the present name of a table; null if it no longer exists. */
  tableNow(table: string): string | null {
    let name = table;
    for (const { renamed = {}, removed = [] } of this.#changes) {
      if (removed.includes(name)) return null;
      name = renamed[name] ?? name;
    }
    return name;
  }

  /** Returns true if rows of a table have another form now. `table`: its name in the archive */
  changesRows(table: string): boolean {
    let name = table;
    for (const { renamed = {}, rows = {} } of this.#changes) {
      name = renamed[name] ?? name;
      if (name in rows) return true;
    }
    return false;
  }

  /** Returns the row in its present form. `table`: its name in the archive */
  rowNow(table: string, row: Row): Row {
    let name = table;
    let now = row;
    for (const { renamed = {}, rows = {} } of this.#changes) {
      name = renamed[name] ?? name;
      now = rows[name]?.(now) ?? now;
    }
    return now;
  }
}
