/** How a list is narrowed and ordered: conditions and keys over the alias of its row. */
import { raw, type Param, type Sql } from '../base/db/sql.ts';
import type { Field } from '../base/fields/field.ts';
import type { Input } from '../work/access/viewer.ts';
import type { Send } from '../base/db/batch.ts';

export interface Filter {
  readonly field: Field<any>;
  /** the condition over alias `t`; absent: the endpoint reads the parameter itself */
  readonly where?: (t: string, value: Param) => Sql;
  readonly join?: (t: string) => Sql;
  /** a condition of its own for each value, where one text could not use an index for all of them */
  readonly cases?: Record<string, (t: string) => Sql>;
  /** looks up what `where` gets in place of the value that was sent, where one statement cannot say it */
  readonly resolve?: (input: Input, send: Send) => Promise<unknown>;
  /** the property that it tells of, where its name does not say it: to whoever is not shown that, it finds nothing */
  readonly reads?: string;
}

/** The filter, for those alone who are shown the property. */
export const telling = (reads: string, of: Filter): Filter => ({ ...of, reads });

/** A query parameter of few values, each with its own condition; absent and without a default it narrows nothing. */
export const choice = (field: Field<any>, cases: Record<string, (t: string) => Sql>): Filter => ({
  field: field.spec.fallback === undefined ? field.optional() : field,
  cases,
});

/** A query parameter that narrows a list. */
export const filter = (
  field: Field<any>,
  where: (t: string, value: Param) => Sql,
  join?: (t: string) => Sql,
): Filter => ({
  field: field.optional(),
  where,
  join,
});

/**
 * A query parameter about something that does not exist in this service yet: whatever it names, no row belongs to it.
 */
export const matchesNothing = (field: Field<any>): Filter => filter(field, () => raw('false'));

export interface SortKey {
  readonly by: (t: string) => Sql;
  /** the property that it tells of, where its name does not say it: whoever is not shown that gets the usual order */
  readonly reads?: string;
  readonly join?: (t: string) => Sql;
}
