/** A resource: what a kind of thing is called, where it is stored, what it shows, and who may see which of its rows. */
import { text } from './kinds.ts';
import type { Field, Shape } from './field.ts';
import type { Sql } from '../db/sql.ts';
import type { Viewer } from '../access/viewer.ts';

/** A WHERE clause over the alias of a row; `true` shows every row of the business, `false` none. */
export type Rule = boolean | ((t: string, viewer: Viewer) => Sql | boolean);

/** Who sees which rows, by mode. Nothing is visible unless this says so. */
export interface Policy {
  readonly provider: Rule;
  readonly customer: Rule;
  readonly unregistered: Rule;
  /** whoever runs the installation; nothing unless it says so */
  readonly operator?: Rule;
}

export interface Resource<F extends Shape = Shape> {
  readonly name: string;
  readonly description: string;
  readonly table: string;
  /** column that holds its id */
  readonly idColumn: string;
  readonly fields: F;
  readonly visible: Policy;
  /** columns that must never be read back, not even into the audit */
  readonly secret: readonly string[];
  /** total kept by the database for every row of the business, see `row_count` */
  readonly counted: boolean;
}

interface Declaration<F extends Shape> {
  description: string;
  table?: string;
  idColumn?: string;
  fields: F;
  visible: Policy;
  secret?: readonly string[];
  counted?: boolean;
  /** the constant `object` of its JSON; null where the interface has none */
  object?: string | null;
}

export function resource<F extends Shape>(name: string, declaration: Declaration<F>): Resource<F> {
  const { table = name, idColumn = 'id', object = name, secret = [], counted = false, ...rest } = declaration;
  const fields = object === null ? rest.fields : { object: constant(object), ...rest.fields };
  return { ...rest, name, table, idColumn, secret, counted, fields: fields as F };
}

const constant = (value: string): Field<string> => {
  const field = text().computed(() => [], () => value).describe('The kind of this object.');
  (field.spec as { schema: object }).schema = { type: 'string', const: value };
  return field;
};
