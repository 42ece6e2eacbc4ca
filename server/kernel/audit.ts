/** The audit of rows: before and after of everything that a piece of work touched, read once when it is done. */
import { raw, sql } from './db/sql.ts';
import type { Registry } from './api/registry.ts';
import type { Links, Touched, Work } from './work.ts';

/** Adds an audit entry for each touched row that differs from what it was; secret columns stay out. */
export async function auditTouched(work: Work, registry: Registry, action: string): Promise<void> {
  for (const [table, rows] of Map.groupBy(work.takeTouched(), (row) => row.table)) {
    const resource = registry.resources.values().find((r) => r.table === table);
    const idColumn = resource?.idColumn ?? 'id';
    const secret = resource?.secret ?? [];
    const found = await work.tx.rows(
      sql`SELECT * FROM ${raw(table)} WHERE provider_id = ${work.providerId} AND ${raw(idColumn)} = ANY(${rows.map((r) => r.id)}::bigint[])`,
    );
    const after = new Map(found.map((row) => [row[idColumn] as number, row]));
    for (const { id, before } of rows) {
      const links = work.linksOf(table, id);
      tell(
        work,
        { action, object: resource?.name ?? table, id, secret },
        whole(before, links, 'before'),
        whole(after.get(id) ?? null, links, 'after'),
      );
    }
  }
}

/** The row with the lists that belong to it. */
const whole = (row: Touched['before'], links: readonly Links[], when: 'before' | 'after'): Touched['before'] =>
  row && { ...row, ...Object.fromEntries(links.map((list) => [list.name, list[when].toSorted((a, b) => a - b)])) };

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
