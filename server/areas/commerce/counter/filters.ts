/** Filters shared by several lists of the counter. */
import { filter, type Filter } from '../../../kernel/api/endpoint.ts';
import { id, instant, listOf } from '../../../kernel/base/fields/kinds.ts';
import { param, raw, sql } from '../../../kernel/base/db/sql.ts';
import type { Input } from '../../../kernel/work/access/viewer.ts';

export const ids = (column: string): Filter =>
  filter(listOf(id()), (t, wanted) => sql`${raw(`${t}.${column}`)} = ANY(${wanted}::bigint[])`);

/** Returns a filter on the creation time, with this parameter name. */
export const bound = (name: string, operator: '>=' | '<='): Filter => {
  const at = param<Input>((i) => new Date(i.query[name]).toISOString());
  return filter(instant(), (t) => sql`${raw(`${t}.created_at ${operator}`)} ${at}::timestamptz`);
};
