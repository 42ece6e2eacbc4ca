/** A resource: what a kind of thing is called, where it is stored, what it shows, and who may see which of its rows. */
import { text } from './kinds.ts';
import type { Field, Shape } from './field.ts';
import { raw, sql, type Sql } from '../db/sql.ts';
import { viewingVenues, type Viewer } from '../access/viewer.ts';

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

/** Where the rows of a resource are, for staff whose permissions hold at some venues only. The kernel derives reading and writing from it. */
export interface Place {
  /** the row under alias `t` is at venues of the viewer, all of it */
  readonly within: (t: string) => Sql;
  /** what staff of other venues see of a row: as much as visitors do, or nothing */
  readonly elsewhere: 'public' | 'hidden';
}

/** At the venue that a column names. */
export const atVenue = (column: string, elsewhere: Place['elsewhere'] = 'hidden'): Place => ({
  within: (t) => sql`${raw(`${t}.${column}`)} = ANY(${viewingVenues}::bigint[])`,
  elsewhere,
});

/** Where the row of another table is, which a column names; a column of that table names the venue. */
export const placeOf = (table: string, link = `${table}_id`, column = 'venue_id'): Place => ({
  within: (t) => sql`EXISTS (SELECT FROM ${raw(table)} p WHERE p.provider_id = ${raw(t)}.provider_id AND p.id = ${raw(`${t}.${link}`)} AND ${raw(`p.${column}`)} = ANY(${viewingVenues}::bigint[]))`,
  elsewhere: 'hidden',
});

export interface Resource<F extends Shape = Shape> {
  readonly name: string;
  readonly description: string;
  readonly table: string;
  /** column that holds its id */
  readonly idColumn: string;
  readonly fields: F;
  readonly visible: Policy;
  /** null: it belongs to the whole business */
  readonly place: Place | null;
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
  place?: Place;
  secret?: readonly string[];
  counted?: boolean;
  /** the constant `object` of its JSON; null where the interface has none */
  object?: string | null;
}

export function resource<F extends Shape>(name: string, declaration: Declaration<F>): Resource<F> {
  const { table = name, idColumn = 'id', object = name, secret = [], counted = false, place = null, ...rest } = declaration;
  const fields = object === null ? rest.fields : { object: constant(object), ...rest.fields };
  return { ...rest, name, table, idColumn, secret, counted, place, fields: fields as F };
}

const constant = (value: string): Field<string> => {
  const field = text().computed(() => [], () => value).describe('The kind of this object.');
  (field.spec as { schema: object }).schema = { type: 'string', const: value };
  return field;
};
