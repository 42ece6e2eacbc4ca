/**
 * The declaration of a report: its rows, the columns of each row, and its filters and groupings. Its endpoints, export,
 * reference and tests are derived from it, so a column is one line.
 */
import type { Column, Columns, ReportFilter, Around, Grouped } from './columns.ts';
import { groupFilter } from './groups.ts';
import { formatInstant, parsePgInstant } from '../../../kernel/base/values/zone.ts';
import { boolean, instant, integer, number } from '../../../kernel/base/fields/kinds.ts';
import { raw, sql, type Sql } from '../../../kernel/base/db/sql.ts';
import type { Field } from '../../../kernel/base/fields/field.ts';
import type { StaffPermission } from '../../people/staff/index.ts';

type More = Partial<Pick<Column, 'alias' | 'for' | 'sortable' | 'several' | 'always' | 'sums'>>;

export const asSql = (of: string | Sql): Sql => (typeof of === 'string' ? raw(of) : of);

/** Returns a column with one expression. */
export const column = (field: Field<any>, of: string | Sql, means: string, more: More = {}): Column => ({
  field,
  means,
  reads: [asSql(of)],
  make: ([cell], wire) => (cell === null ? null : field.spec.print(cell, wire)),
  sortable:
    !['array', 'object'].includes(field.spec.schema.type) || field.spec.schema.properties?.decimal !== undefined,
  ...more,
});

/** Returns a column for a time in the zone that another expression names. */
export const zoned = (at: string, zone: string, means: string, more: More = {}): Column => ({
  field: instant(),
  means,
  reads: [raw(at), raw(zone)],
  make: ([when, where]) => (when === null ? null : formatInstant(parsePgInstant(when), where!)),
  sortable: true,
  ...more,
});

/** Returns the measure of a column for a group: the sum of its amounts or numbers, or how often it is true. */
export const summed = (columns: Columns, key: string, means: string): Column => {
  const { field, reads, for: permissions } = columns[key];
  const isCount = field.spec.schema.type === 'boolean';
  return {
    ...column(
      isCount ? integer({ min: 0 }) : field,
      isCount ? sql`count(*) FILTER (WHERE ${reads[0]})` : sql`coalesce(sum(${reads[0]}), 0)`,
      means,
    ),
    ...(permissions && { for: permissions }),
    sums: key,
  };
};

/** Returns one measure as a share of another, from 0 to 1, to four decimal places; null if the other is 0. */
export const share = (part: Sql, whole: Sql, means: string): Column =>
  column(number(), sql`round((${part})::numeric / nullif(${whole}, 0), 4)`, means);

/** Returns the columns with a prefix: `{id, name}` below `customer` become `customer.id` and `customer.name`. */
export const below = (
  name: string,
  columns: Columns,
  aliases: Readonly<Record<string, string>> | ((key: string) => string) = (key) => `${name}_${key}`,
): Columns =>
  Object.fromEntries(
    Object.entries(columns).map(([key, of]) => {
      const alias = typeof aliases === 'function' ? aliases(key) : aliases[key];
      return [`${name}.${key}`, alias === undefined ? of : { ...of, alias }];
    }),
  );

export const filterBy = (
  field: Field<any>,
  where: (value: any, around: Around) => Sql,
  reads?: string,
): ReportFilter => ({ field: field.optional(), where, ...(reads && { reads }) });

/**
 * A join that counts something for each row, in two equivalent forms: for the rows of a page one by one (LATERAL), and
 * for all rows together when they are grouped, filtered or sorted by it.
 */
export interface Counted {
  readonly each: Sql;
  readonly all: Sql;
}

/**
 * Returns a join that counts `rows` (`FROM … WHERE …`) belonging to a row: `key` is their expression, and `is` is the
 * row's.
 */
export const counted = (
  alias: string,
  { what, rows, key, is }: { what: string; rows: string; key: string; is: string },
): Counted => ({
  each: raw(`LEFT JOIN LATERAL (SELECT ${what} ${rows} AND ${key} = ${is}) ${alias} ON true`),
  all: raw(`LEFT JOIN (SELECT ${key} AS of, ${what} ${rows} GROUP BY ${key}) ${alias} ON ${alias}.of = ${is}`),
});

export interface Declared {
  readonly title: string;
  readonly description: string;
  /** permissions of which one is required, except for super admins */
  readonly who: readonly StaffPermission[];
  /** table with its alias, or a statement in parentheses with one; it has a `provider_id` */
  readonly from: string | Sql;
  /** joins by alias; included if something that is read or requested uses the alias. Later ones may use earlier ones */
  readonly joins?: Readonly<Record<string, Sql | Counted>>;
  /** condition on the rows that applies to every request */
  readonly where?: Sql;
  /** for rows that stand for several: how many rows each of them counts for */
  readonly counts?: Sql;
  /** conditions on the rows that apply unless `true` is sent for a filter, by the name of that filter */
  readonly unless?: Readonly<Record<string, (around: Around) => Sql>>;
  /** expression for the id of a row, unique among rows */
  readonly id: string;
  /**
   * For rows that aren't rows of a table: the id is this expression times `of`, plus something smaller than `of`. So
   * the next rows are found by the expression alone.
   */
  readonly seek?: { readonly by: string; readonly of: number };
  /** other values from the query that `from`, conditions and columns read, by name: days, for example */
  readonly given?: (asked: Readonly<Record<string, any>>, today: string) => Readonly<Record<string, string>>;
  /**
   * expression for the id of the row's venue: staff who are limited to venues see only rows of their venues. null: rows
   * belong to the whole business, and those staff see none
   */
  readonly venue: string | null;
  readonly columns: Columns;
  /** columns that are shown by default; absent: all */
  readonly shown?: readonly string[];
  readonly filters: Readonly<Record<string, ReportFilter>>;
  /** default order, as a caller would send it */
  readonly sort: string;
  /** its column that contains a customer id */
  readonly customer?: string;
  /**
   * If its rows are groups: the report with the rows of each, which has the same filters, and that report's names of
   * the grouping columns.
   */
  readonly rowsIn?: { readonly report: string; readonly by: Readonly<Record<string, string>> };
  readonly grouped?: Grouped;
}

export interface Report extends Declared {
  readonly name: string;
  /** the same report over stored rows (`stored/`), for requests that found them up to date */
  readonly stored?: Report;
  /** the same groups over sums of the stored rows, with the filters that these can answer */
  readonly sums?: Report;
}

export const report = (name: string, declared: Declared): Report => ({
  name,
  ...declared,
  filters: {
    ...declared.filters,
    ...(declared.grouped && { group: groupFilter(declared.grouped) }),
    ...Object.fromEntries(
      Object.keys(declared.unless ?? {}).map((filter) => [
        filter,
        { field: boolean().default(false), where: () => raw('true') },
      ]),
    ),
  },
});

/** Marks columns of which a row may have several values. */
export const allowSeveralValues = (columns: Columns): Columns =>
  Object.fromEntries(Object.entries(columns).map(([key, of]) => [key, { ...of, several: true as const }]));
