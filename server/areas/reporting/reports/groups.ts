/** Links from a group to its rows: the filter `group` takes the values of a group as JSON: `{"status":"attended"}`. */
import { called } from '../../../kernel/base/fields/kinds.ts';
import { Field } from '../../../kernel/base/fields/field.ts';
import { join, raw, sql, type Sql } from '../../../kernel/base/db/sql.ts';
import { isPeriod, isWithin, pivotsOf, type Pivot } from './periods.ts';
import type { Column, Grouped, ReportFilter } from './columns.ts';

/** Values by the keys of grouping columns, in the database's text form; null for rows without a value. */
export type Group = Readonly<Record<string, string | null>>;

/** Values in the form that the filter takes. */
export type GroupValues = Readonly<Record<string, string | number | boolean | null>>;

const LONGEST = 8000;

/** SQL types of column values, and how they are written. Others are compared as text. */
const TYPES: Readonly<Record<string, { readonly sql: string; readonly looks: RegExp }>> = {
  integer: { sql: 'bigint', looks: /^-?\d{1,15}$/ },
  boolean: { sql: 'boolean', looks: /^(true|false)$/ },
};

const typeOf = ({ field }: Column) => TYPES[field.spec.schema.type as string];

/** Returns the key for the period of a group that is split by a pivot: `pivot.month`. */
export const pivotKey = (pivot: Pivot): string => `pivot.${pivot}`;

const pivotNamed = (grouped: Grouped, key: string): Pivot | undefined =>
  pivotsOf(grouped).find((pivot) => pivotKey(pivot) === key);

export const groupFilter = (grouped: Grouped): ReportFilter => ({
  field: called('rows_of_group', groupField(grouped)).optional(),
  where: (group: Group) =>
    join([raw('true'), ...Object.entries(group).map(([key, value]) => isValue(grouped, key, value))], ' AND '),
  reads: (group: Group) => Object.keys(group).filter((key) => key in grouped.by),
});

const groupField = (grouped: Grouped): Field<Group> =>
  new Field<Group>({
    schema: { type: 'string', maxLength: LONGEST },
    description:
      'Rows of one group alone: its values as a JSON object, for example `{"status":"attended"}`. The `rows` of a group use it.',
    read: (input, path, { issues }) =>
      parsed(grouped, input) ??
      issues.add(
        path,
        'Must be a JSON object of columns that the report can be grouped by, and a value or null for each. The rows of a group show how.',
      ),
  });

function parsed(grouped: Grouped, input: unknown): Group | null {
  if (typeof input !== 'string' || input.length > LONGEST) return null;
  let values: unknown;
  try {
    values = JSON.parse(input);
  } catch {
    return null;
  }
  if (typeof values !== 'object' || values === null || Array.isArray(values)) return null;
  const group: Record<string, string | null> = {};
  for (const [key, value] of Object.entries(values)) {
    const pivot = pivotNamed(grouped, key);
    if (pivot !== undefined && (typeof value !== 'string' || !isPeriod(pivot, value))) return null;
    if (pivot === undefined && !Object.hasOwn(grouped.by, key)) return null;
    if (value !== null && !['string', 'number', 'boolean'].includes(typeof value)) return null;
    const written = value === null ? null : String(value);
    if (written !== null && pivot === undefined && typeOf(grouped.by[key])?.looks.test(written) === false) return null;
    group[key] = written;
  }
  return group;
}

function isValue(grouped: Grouped, key: string, value: string | null): Sql {
  const pivot = pivotNamed(grouped, key);
  if (pivot !== undefined) return isWithin(grouped, pivot, value!);
  const column = grouped.by[key];
  const [of] = column.reads;
  if (value === null) return sql`${of} IS NULL`;
  const type = typeOf(column);
  return type ? sql`${of} = ${value}::${raw(type.sql)}` : sql`(${of})::text = ${value}::text`;
}

/** Converts the database's text of a group value to the form that the filter takes. */
export const groupValue = ({ field }: Column, cell: string | null): GroupValues[string] => {
  if (cell === null) return null;
  const { type } = field.spec.schema;
  return type === 'boolean' ? cell === 't' : type === 'integer' ? Number(cell) : cell;
};
