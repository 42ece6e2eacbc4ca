/** From a group to its rows: the filter `group` takes the values that a group has, as JSON: `{"status":"attended"}`. */
import { Field } from '../../../kernel/api/field.ts';
import { join, raw, sql, type Sql } from '../../../kernel/db/sql.ts';
import type { Column, Columns, ReportFilter } from './report.ts';

/** Values by the keys of columns that rows can be grouped by, as the database writes them; null: rows without one. */
export type Group = Readonly<Record<string, string | null>>;

/** The same as the filter takes them. */
export type GroupValues = Readonly<Record<string, string | number | boolean | null>>;

const LONGEST = 8000;

/** What values of a column are in SQL, and how they are written. Others are compared as texts. */
const TYPES: Readonly<Record<string, { readonly sql: string; readonly looks: RegExp }>> = {
  integer: { sql: 'bigint', looks: /^-?\d{1,15}$/ },
  boolean: { sql: 'boolean', looks: /^(true|false)$/ },
};

const typeOf = ({ field }: Column) => TYPES[field.spec.schema.type as string];

export const groupFilter = (by: Columns): ReportFilter => ({
  field: groupField(by).optional(),
  where: (group: Group) =>
    join([raw('true'), ...Object.entries(group).map(([key, value]) => isValue(by[key], value))], ' AND '),
  reads: (group: Group) => Object.keys(group),
});

const groupField = (by: Columns): Field<Group> =>
  new Field<Group>({
    schema: {
      type: 'string',
      maxLength: LONGEST,
      description:
        'Rows of one group alone: its values as a JSON object, for example `{"status":"attended"}`. The `rows` of a group use it.',
    },
    read: (input, path, { issues }) =>
      parsed(by, input) ??
      issues.add(
        path,
        'Must be a JSON object of columns that the report can be grouped by, and a value or null for each. The rows of a group show how.',
      ),
  });

function parsed(by: Columns, input: unknown): Group | null {
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
    if (!Object.hasOwn(by, key)) return null;
    if (value !== null && !['string', 'number', 'boolean'].includes(typeof value)) return null;
    const written = value === null ? null : String(value);
    if (written !== null && typeOf(by[key])?.looks.test(written) === false) return null;
    group[key] = written;
  }
  return group;
}

function isValue(column: Column, value: string | null): Sql {
  const [of] = column.reads;
  if (value === null) return sql`${of} IS NULL`;
  const type = typeOf(column);
  return type ? sql`${of} = ${value}::${raw(type.sql)}` : sql`(${of})::text = ${value}::text`;
}

/** A value of a group as the filter takes it, of what the database says of it. */
export const groupValue = ({ field }: Column, cell: string | null): GroupValues[string] => {
  if (cell === null) return null;
  const { type } = field.spec.schema;
  return type === 'boolean' ? cell === 't' : type === 'integer' ? Number(cell) : cell;
};
