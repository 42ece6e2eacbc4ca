/**
 * A report, declared: what its rows are, what can be shown of each, by what they can be narrowed and grouped. Its endpoints,
 * its export, its reference and its tests are derived from the declaration, so a column is one line.
 */
import { groupFilter } from './groups.ts';
import { formatInstant, parsePgInstant } from '../../../kernel/base/values/zone.ts';
import { boolean, instant, integer, number } from '../../../kernel/base/fields/kinds.ts';
import { raw, sql, type Sql } from '../../../kernel/base/db/sql.ts';
import type { Field, Wire } from '../../../kernel/base/fields/field.ts';
import type { StaffPermission } from '../../people/staff/index.ts';

/** What can be shown of a row, or of a group of rows. */
export interface Column {
  /** how its value is described and printed */
  readonly field: Field<any>;
  /** what it says, in words; served with the numbers */
  readonly means: string;
  /** what is read, over the names of `from` and `joins` */
  readonly reads: readonly Sql[];
  readonly make: (cells: readonly (string | null)[], wire: Wire) => unknown;
  /** another name for it */
  readonly alias?: string;
  /** staff with any of these see it, besides super admins; absent: everyone who may read the report */
  readonly for?: readonly StaffPermission[];
  readonly sortable: boolean;
  /** every row has a value: an index can be read in its order from either end */
  readonly always?: true;
  /** a row may have several of it: grouped by it, the row counts for each */
  readonly several?: true;
  /** of a measure: the column of rows whose values it adds up. Its sum over the rows of a group is the measure */
  readonly sums?: string;
}

type More = Partial<Pick<Column, 'alias' | 'for' | 'sortable' | 'several' | 'always' | 'sums'>>;

export const asSql = (of: string | Sql): Sql => (typeof of === 'string' ? raw(of) : of);

/** One expression. */
export const column = (field: Field<any>, of: string | Sql, means: string, more: More = {}): Column => ({
  field,
  means,
  reads: [asSql(of)],
  make: ([cell], wire) => (cell === null ? null : field.spec.print(cell, wire)),
  sortable:
    !['array', 'object'].includes(field.spec.schema.type) || field.spec.schema.properties?.decimal !== undefined,
  ...more,
});

/** An instant in the zone that another expression names. */
export const zoned = (at: string, zone: string, means: string, more: More = {}): Column => ({
  field: instant(),
  means,
  reads: [raw(at), raw(zone)],
  make: ([when, where]) => (when === null ? null : formatInstant(parsePgInstant(when), where!)),
  sortable: true,
  ...more,
});

export type Columns = Readonly<Record<string, Column>>;

/** What a column comes to in a group: the sum of its amounts or numbers, or how often it is true. */
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

/** One measure as a part of another, from 0 to 1, to four places; null where there is nothing that it could be a part of. */
export const share = (part: Sql, whole: Sql, means: string): Column =>
  column(number(), sql`round((${part})::numeric / nullif(${whole}, 0), 4)`, means);

/** The columns with another name before theirs: `{id, name}` below `customer` are `customer.id` and `customer.name`. */
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

/** A condition for a value that was sent. `value` is what the field read. */
export interface ReportFilter {
  readonly field: Field<any>;
  readonly where: (value: any, around: Around) => Sql;
  /** the column that it tells of, or the columns that a value does: those who are not shown that find nothing by it */
  readonly reads?: string | ((value: any) => readonly string[]);
  /** of a period by its name: the filters that say the same by its first and its last day */
  readonly bounds?: { readonly from: string; readonly to: string };
}

export const filterBy = (
  field: Field<any>,
  where: (value: any, around: Around) => Sql,
  reads?: string,
): ReportFilter => ({ field: field.optional(), where, ...(reads && { reads }) });

/** What a condition may need to know. */
export interface Around {
  /** epoch ms */
  readonly now: number;
  /** of the business */
  readonly zone: string;
  /** what the report was given besides: see `given` of its declaration */
  readonly given?: Readonly<Record<string, string>>;
}

export interface Grouped {
  /** what rows can be grouped by; like columns, over one row */
  readonly by: Columns;
  /** what is known of a group; over all of its rows */
  readonly measures: Columns;
  /** what is shown if nobody names columns; absent: they have to be named */
  readonly usual?: readonly string[];
  /** the wall time by which groups can be split into years, months and weeks; absent: they can't */
  readonly pivot?: Sql;
  /** the first and the last day on which a row is active, by which groups can be split instead; no last day: null */
  readonly spans?: { readonly from: Sql; readonly to: Sql };
}

/**
 * A join that counts something of each row, in two forms that say the same: for the rows of a page one by one (LATERAL), and for all
 * rows at a time where they are grouped, narrowed or ordered by it.
 */
export interface Counted {
  readonly each: Sql;
  readonly all: Sql;
}

/** Counts `rows` (`FROM … WHERE …`) that belong to a row: `key` is what they have of it, `is` what that is. */
export const counted = (
  alias: string,
  { what, rows, key, is }: { what: string; rows: string; key: string; is: string },
): Counted => ({
  each: raw(`LEFT JOIN LATERAL (SELECT ${what} ${rows} AND ${key} = ${is}) ${alias} ON true`),
  all: raw(`LEFT JOIN (SELECT ${key} AS of, ${what} ${rows} GROUP BY ${key}) ${alias} ON ${alias}.of = ${is}`),
});

interface Declared {
  readonly title: string;
  readonly description: string;
  /** staff with any of these, besides super admins */
  readonly who: readonly StaffPermission[];
  /** table with its alias, or a statement in parentheses with one, which has a `provider_id` */
  readonly from: string | Sql;
  /** by alias; joined where something that is read or asked names the alias. Later ones may name earlier ones */
  readonly joins?: Readonly<Record<string, Sql | Counted>>;
  /** rows that the report is about, whatever is asked */
  readonly where?: Sql;
  /** rows that the report is about unless `true` is sent for a filter, by the name of that filter */
  readonly unless?: Readonly<Record<string, (around: Around) => Sql>>;
  /** expression of the id of a row, unique among rows */
  readonly id: string;
  /** Where a row is no row of a table: its id is what this expression says, times `of`, and something smaller than `of`. Finding the
   *  next rows needs no other, then. */
  readonly seek?: { readonly by: string; readonly of: number };
  /** what `from`, conditions and columns read of the question besides filters, by name: days, for example */
  readonly given?: (asked: Readonly<Record<string, any>>, today: string) => Readonly<Record<string, string>>;
  /** expression of the id of the venue where the row is: staff who are limited to venues see rows of theirs alone; null: rows belong to
   *  the whole business, and those staff see none */
  readonly venue: string | null;
  readonly columns: Columns;
  /** shown if none are named; absent: all */
  readonly shown?: readonly string[];
  readonly filters: Readonly<Record<string, ReportFilter>>;
  /** as a caller would send it */
  readonly sort: string;
  /** its column that holds the id of a customer */
  readonly customer?: string;
  /** Where its rows are groups: the report that has the rows of each, with the same filters, and its names of what they are grouped by. */
  readonly rowsIn?: { readonly report: string; readonly by: Readonly<Record<string, string>> };
  readonly grouped?: Grouped;
}

export interface Report extends Declared {
  readonly name: string;
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

/** Columns of something that a row may have several of. */
export const severalOf = (columns: Columns): Columns =>
  Object.fromEntries(Object.entries(columns).map(([key, of]) => [key, { ...of, several: true as const }]));
