/** A resource: what a kind of thing is called, where it is stored, what it shows, and who may see which of its rows. */
import { text } from '../base/fields/kinds.ts';
import type { Field, Shape } from '../base/fields/field.ts';
import { raw, sql, type Sql } from '../base/db/sql.ts';
import { may, viewingVenues, type Viewer } from '../work/access/viewer.ts';
import type { Permission } from '../work/access/permission.ts';

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

/**
 * Who is shown a property, among those who see its row. To everybody else it is null, and a list is empty: in answers,
 * and in what filters and orders find by it.
 */
export interface Shown {
  /** staff with any of these; absent: every staff member */
  readonly provider?: readonly Permission[];
  /** absent: every customer who sees the row */
  readonly customer?: Rule;
  readonly unregistered?: boolean;
}

/** Whether the viewer is shown a property of the row under alias `t`, or of which rows. */
export function shownTo(
  { place }: Pick<Resource, 'place'>,
  shown: Shown | undefined,
  t: string,
  viewer: Viewer,
): boolean | Sql {
  if (!shown) return true;
  if (viewer.mode === 'customer')
    return typeof shown.customer === 'function' ? shown.customer(t, viewer) : (shown.customer ?? true);
  if (viewer.mode === 'unregistered') return shown.unregistered ?? true;
  if (shown.provider && !may(viewer, ...shown.provider)) return false;
  // Of what is at other venues staff who are limited see what visitors see.
  const asVisitor = viewer.venues !== null && place?.elsewhere === 'public' && shown.unregistered === false;
  return asVisitor ? place.within(t) : true;
}

/**
 * The same of a filter or an order of a list: by the property that it `reads`, or the one that it is named after, as
 * `price_gte` is.
 */
export function shownToViewer(
  resource: Resource,
  name: string,
  reads: string | undefined,
  viewer: Viewer,
): boolean | Sql {
  const { shown } = resource;
  const property = reads ?? Object.keys(shown).find((hidden) => name === hidden || name.startsWith(`${hidden}_`));
  return property === undefined || shownTo(resource, shown[property], 't', viewer);
}

/**
 * Where the rows of a resource are, for staff whose permissions hold at some venues only. The kernel derives reading
 * and writing from it.
 */
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
  within: (t) =>
    sql`EXISTS (SELECT FROM ${raw(table)} p WHERE p.provider_id = ${raw(t)}.provider_id AND p.id = ${raw(`${t}.${link}`)} AND ${raw(`p.${column}`)} = ANY(${viewingVenues}::bigint[]))`,
  elsewhere: 'hidden',
});

/**
 * Rows of several forms: a property says of which one each is, and what only others have is left out of it. The OpenAPI
 * document has a schema for each, told apart by that property.
 */
export interface Varieties {
  /** the property, which is a column of its name */
  readonly by: string;
  /** by the value of that property */
  readonly of: Readonly<Record<string, Variety>>;
}

export interface Variety {
  /** of its schema */
  readonly name: string;
  /** properties that it does not have */
  readonly lacks: readonly string[];
}

export interface Resource<F extends Shape = Shape> {
  readonly name: string;
  readonly description: string;
  readonly table: string;
  /** column that holds its id */
  readonly idColumn: string;
  readonly fields: F;
  readonly visible: Policy;
  /** by the name of the property; what is not named is shown to all who see the row */
  readonly shown: Readonly<Record<string, Shown>>;
  /** null: it belongs to the whole business */
  readonly place: Place | null;
  /** columns that must never be read back, not even into the audit */
  readonly secret: readonly string[];
  /** total kept by the database for every row of the business, see `row_count` */
  readonly counted: boolean;
  /** null: all of its rows have the same form */
  readonly varieties: Varieties | null;
}

interface Declaration<F extends Shape> {
  description: string;
  table?: string;
  idColumn?: string;
  fields: F;
  visible: Policy;
  shown?: Partial<Record<keyof F & string, Shown>>;
  place?: Place;
  secret?: readonly string[];
  counted?: boolean;
  varieties?: Varieties;
  /** the constant `object` of its JSON; null where the interface has none */
  object?: string | null;
}

export function resource<F extends Shape>(name: string, declaration: Declaration<F>): Resource<F> {
  const {
    table = name,
    idColumn = 'id',
    object = name,
    secret = [],
    counted = false,
    place = null,
    shown = {},
    varieties = null,
    ...rest
  } = declaration;
  const declared = Object.fromEntries(
    Object.entries(rest.fields).map(([field, is]) => [
      field,
      hideable(ofVarieties(is, field, varieties), (shown as Record<string, Shown>)[field]),
    ]),
  );
  const fields = object === null ? declared : { object: constant(object), ...declared };
  return {
    ...rest,
    name,
    table,
    idColumn,
    secret,
    counted,
    place,
    varieties,
    shown: shown as Record<string, Shown>,
    fields: fields as F,
  };
}

/** What an area adds to the resource of an earlier one. */
export interface Properties {
  readonly fields: Shape;
  readonly shown?: Readonly<Record<string, Shown>>;
}

/** The resource with what later areas add to it. A property that it has already is refused. */
export function withProperties(of: Resource, added: readonly Properties[]): Resource {
  if (added.length === 0) return of;
  const shown = Object.assign({}, of.shown, ...added.map((one) => one.shown));
  const fields: Record<string, Field<any>> = { ...of.fields };
  for (const [name, field] of added.flatMap((one) => Object.entries(one.fields))) {
    if (fields[name]) throw new Error(`${of.name} has a property "${name}" already`);
    fields[name] = hideable(field, shown[name]);
  }
  return { ...of, fields, shown };
}

/** What only some varieties have says which. */
function ofVarieties(field: Field<any>, name: string, varieties: Varieties | null): Field<any> {
  if (!varieties) return field;
  const having = Object.entries(varieties.of).filter(([, { lacks }]) => !lacks.includes(name));
  if (having.length === Object.keys(varieties.of).length) return field;
  const note = `Only if \`${varieties.by}\` is ${having.map(([value]) => `\`${value}\``).join(' or ')}.`;
  return field.describe([field.spec.description, note].filter(Boolean).join(' '));
}

/** What may be hidden may be null, and says to whom it is not. */
function hideable(field: Field<any>, shown: Shown | undefined): Field<any> {
  if (!shown) return field;
  const { description, relation } = field.spec;
  const list = relation?.kind === 'many';
  const note =
    shown.provider && `${list ? 'Empty' : 'Null'} for staff without the permission ${wordsFor(shown.provider)}.`;
  const said = field.describe([description, note].filter(Boolean).join(' '));
  return list ? said : said.nullable();
}

export const wordsFor = (permissions: readonly Permission[]): string => permissions.map((p) => `\`${p}\``).join(' or ');

const constant = (value: string): Field<string> => {
  const field = text().computed(
    () => [],
    () => value,
  );
  (field.spec as { schema: object }).schema = { type: 'string', const: value };
  return field;
};
