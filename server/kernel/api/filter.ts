/** Filters and sort keys of a list: conditions and expressions over the alias of its row. */
import { raw, type Param, type Sql } from '../base/db/sql.ts';
import type { Field } from '../base/fields/field.ts';
import type { Input } from '../work/access/viewer.ts';
import type { Send } from '../base/db/sharing/batch.ts';

export interface Filter {
  readonly field: Field<any>;
  /** the condition over alias `t`; absent: the endpoint reads the parameter itself */
  readonly where?: (t: string, value: Param) => Sql;
  readonly join?: (t: string) => Sql;
  /** a separate condition for each value, if one SQL text could not use an index for all of them */
  readonly cases?: Record<string, (t: string) => Sql>;
  /** looks up the value that `where` gets instead of the one sent, if one statement cannot express it */
  readonly resolve?: (input: Input, send: Send) => Promise<unknown>;
  /**
   * the property that it reveals, if its name does not tell: it matches nothing for viewers from whom that property is
   * hidden
   */
  readonly reads?: string;
}

/** Returns the filter for viewers who are shown the property only. */
export const telling = (reads: string, of: Filter): Filter => ({ ...of, reads });

/**
 * Returns a query parameter with few values, each with its own condition; without a value or default, it matches
 * everything.
 */
export const choice = (field: Field<any>, cases: Record<string, (t: string) => Sql>): Filter => ({
  field: field.spec.fallback === undefined ? field.optional() : field,
  cases,
});

/** Returns a query parameter that filters a list. */
export const filter = (
  field: Field<any>,
  where: (t: string, value: Param) => Sql,
  join?: (t: string) => Sql,
): Filter => ({
  field: field.optional(),
  where,
  join,
});

/** Returns a query parameter about something that the service does not have yet: no row matches any value. */
export const matchesNothing = (field: Field<any>): Filter => filter(field, () => raw('false'));

export interface SortKey {
  readonly by: (t: string) => Sql;
  /**
   * the property that it reveals, if its name does not tell: viewers from whom that property is hidden get the default
   * order
   */
  readonly reads?: string;
  readonly join?: (t: string) => Sql;
}
