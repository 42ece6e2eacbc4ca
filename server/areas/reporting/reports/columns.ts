/** The content of a report: its columns, filters and groupings. */
import type { Field, Wire } from '../../../kernel/base/fields/field.ts';
import type { Sql } from '../../../kernel/base/db/sql.ts';
import type { StaffPermission } from '../../people/staff/index.ts';

/** A column of a row, or of a group of rows. */
export interface Column {
  /** describes and prints its value */
  readonly field: Field<any>;
  /** its meaning in words; served with the numbers */
  readonly means: string;
  /** expressions that are read, over the names of `from` and `joins` */
  readonly reads: readonly Sql[];
  readonly make: (cells: readonly (string | null)[], wire: Wire) => unknown;
  /** an alternative name */
  readonly alias?: string;
  /**
   * permissions of which one is required to see it, except for super admins; absent: everyone who may read the report
   * sees it
   */
  readonly for?: readonly StaffPermission[];
  readonly sortable: boolean;
  /** true if every row has a value, so that an index can be read in its order from either end */
  readonly always?: true;
  /** true if a row may have several values: when grouped by it, the row counts for each */
  readonly several?: true;
  /** for a measure: the column of rows whose values it adds up. Its sum over the rows of a group is the measure */
  readonly sums?: string;
}

export type Columns = Readonly<Record<string, Column>>;

/** A condition for a sent value. `value` is what the field parsed. */
export interface ReportFilter {
  readonly field: Field<any>;
  readonly where: (value: any, around: Around) => Sql;
  /**
   * the column that it reveals, or the columns that a value reveals: callers who may not see them find nothing with it
   */
  readonly reads?: string | ((value: any) => readonly string[]);
  /** for a period by its name: the filters for its first and last day */
  readonly bounds?: { readonly from: string; readonly to: string };
}

/** Context of a condition. */
export interface Around {
  /** epoch milliseconds */
  readonly now: number;
  /** time zone of the business */
  readonly zone: string;
  /** other values of the report: see `given` of its declaration */
  readonly given?: Readonly<Record<string, string>>;
}

export interface Grouped {
  /** grouping columns; like columns, over one row */
  readonly by: Columns;
  /** values of a group, over all of its rows */
  readonly measures: Columns;
  /** columns that are shown by default; absent: callers have to name some */
  readonly usual?: readonly string[];
  /** local time by which groups can be split into years, months and weeks; absent: they can't */
  readonly pivot?: Sql;
  /**
   * alternatively, the first and last day on which a row is active, by which groups can be split; the last day is null
   * if there is none
   */
  readonly spans?: { readonly from: Sql; readonly to: Sql };
}
