/** The audit of rows: the previous and new state of all rows that a piece of work touched, read once at its end. */
import { hasId } from './row.ts';
import { raw, sql } from '../../base/db/sql.ts';
import type { Declarations, Links, Touched, Work } from './work.ts';

/** Adds an audit entry for each touched row that differs from its previous state; secret columns are excluded. */
export async function auditTouched(work: Work, registry: Declarations, action: string): Promise<void> {
  const tables = [...Map.groupBy(work.takeTouched(), (row) => row.table)].map(([table, rows]) => {
    const resource = registry.resources.values().find((r) => r.table === table);
    return { table, rows, resource, idColumn: resource?.idColumn ?? 'id' };
  });
  const unknown = tables.flatMap(({ table, rows, idColumn }) => {
    const ids = rows.map(({ id }) => id).filter((id) => work.leftAs(table, id) === undefined);
    return ids.length === 0 ? [] : [{ table, idColumn, ids }];
  });
  const found = await readAll(work, unknown);
  for (const { table, rows, resource, idColumn } of tables) {
    const after = new Map(found.get(table)?.map((row) => [row[idColumn] as number, row]));
    for (const { id, before } of rows) {
      const links = work.linksOf(table, id);
      tell(
        work,
        { action, object: resource?.name ?? table, id, secret: resource?.secret ?? [] },
        whole(before, links, 'before'),
        whole(work.leftAs(table, id) ?? after.get(id) ?? null, links, 'after'),
      );
    }
  }
}

interface Unknown {
  readonly table: string;
  readonly idColumn: string;
  readonly ids: readonly number[];
}

/** Reads rows by table, in one round trip; none if there is nothing to read. */
async function readAll(work: Work, unknown: readonly Unknown[]): Promise<Map<string, Record<string, any>[]>> {
  if (unknown.length === 0) return new Map();
  const found = await work.tx.all(
    unknown.map(
      ({ table, idColumn, ids }) =>
        sql`SELECT * FROM ${raw(table)} WHERE provider_id = ${work.providerId} AND ${hasId(idColumn, ids)}`,
    ),
  );
  return new Map(unknown.map(({ table }, n) => [table, found[n]]));
}

/** Returns the row with the lists that belong to it. */
const whole = (row: Touched['before'], links: readonly Links[], when: 'before' | 'after'): Touched['before'] =>
  row && {
    ...row,
    ...Object.fromEntries(
      links.map((list) => [list.name, list.ordered ? list[when] : list[when].toSorted((a, b) => a - b)]),
    ),
  };

interface Of {
  readonly action: string;
  readonly object: string;
  readonly id: number;
  readonly secret: readonly string[];
}

function tell(
  work: Work,
  { action, object, id, secret }: Of,
  before: Touched['before'],
  after: Touched['before'],
): void {
  const shown = (row: Touched['before']) =>
    row && Object.fromEntries(Object.entries(row).filter(([column]) => !secret.includes(column)));
  const [was, is] = [shown(before), shown(after)];
  if (JSON.stringify(was) === JSON.stringify(is)) return;
  work.audit({ action, object, objectId: id, before: was, after: is });
}
