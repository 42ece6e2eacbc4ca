/**
 * A resource: the name of a kind of object, its table, the properties that it shows, and who may see which of its rows.
 */
import { text } from '../base/fields/kinds.ts';
import type { Field, Shape } from '../base/fields/field.ts';
import { raw, sql, type Sql } from '../base/db/sql.ts';
import { may, viewingVenues, type Viewer } from '../work/access/viewer.ts';
import type { Permission } from '../work/access/permission.ts';

/** A WHERE clause over the alias of a row; `true` shows every row of the business, `false` none. */
export type Rule = boolean | ((t: string, viewer: Viewer) => Sql | boolean);

/** The rows that each mode sees. Nothing is visible by default. */
export interface Policy {
  readonly provider: Rule;
  readonly customer: Rule;
  readonly unregistered: Rule;
  /** people who run the installation; nothing by default */
  readonly operator?: Rule;
}

/**
 * The viewers who are shown a property, among those who see its row. For everyone else it is null, or an empty list: in
 * responses, and in filters and orders.
 */
export interface Shown {
  /** staff with any of these permissions; absent: every staff member */
  readonly provider?: readonly Permission[];
  /** absent: every customer who sees the row */
  readonly customer?: Rule;
  readonly unregistered?: boolean;
}

/**
 * Returns whether the viewer is shown a property of the row under alias `t`, or the condition for rows where they are.
 */
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
  // Staff who are limited to venues see as much of other venues as visitors do.
  const asVisitor = viewer.venues !== null && place?.elsewhere === 'public' && shown.unregistered === false;
  return asVisitor ? place.within(t) : true;
}

/**
 * Returns the same for a filter or an order of a list: for the property that it `reads`, or the one in its name, as for
 * `price_gte`.
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
 * The venue of a resource's rows, for staff whose permissions are limited to some venues. The kernel derives reading
 * and writing from it.
 */
export interface Place {
  /** true if the row under alias `t` is entirely at venues of the viewer */
  readonly within: (t: string) => Sql;
  /** how much of a row staff of other venues see: as much as visitors, or nothing */
  readonly elsewhere: 'public' | 'hidden';
}

/** Returns the place that a column of the row names. */
export const atVenue = (column: string, elsewhere: Place['elsewhere'] = 'hidden'): Place => ({
  within: (t) => sql`${raw(`${t}.${column}`)} = ANY(${viewingVenues}::bigint[])`,
  elsewhere,
});

/** Returns the place of a row of another table that a column refers to; a column of that table names the venue. */
export const placeOf = (table: string, link = `${table}_id`, column = 'venue_id'): Place => ({
  within: (t) =>
    sql`
      EXISTS (SELECT FROM ${raw(table)} p WHERE p.provider_id = ${raw(t)}.provider_id AND p.id = ${raw(`${t}.${link}`)}
        AND ${raw(`p.${column}`)} = ANY(${viewingVenues}::bigint[]))`,
  elsewhere: 'hidden',
});

/**
 * Rows of several forms: a property tells which form a row has, and properties that only other forms have are omitted.
 * The OpenAPI document has a schema for each, distinguished by that property.
 */
export interface Varieties {
  /** the property, whose column has the same name */
  readonly by: string;
  /** by the value of that property */
  readonly of: Readonly<Record<string, Variety>>;
}

interface Variety {
  /** name of its schema */
  readonly name: string;
  /** properties that it doesn't have */
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
  /** by property name; properties that aren't listed are shown to everyone who sees the row */
  readonly shown: Readonly<Record<string, Shown>>;
  /** null: rows belong to the whole business */
  readonly place: Place | null;
  /** columns that are never read, not even for the audit */
  readonly secret: readonly string[];
  /** the database keeps the number of the business's rows, see `row_count` */
  readonly counted: boolean;
  /** null: all rows have the same form */
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
  /** the constant `object` of its JSON; null if the interface has none */
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

/** Properties that an area adds to a resource of an earlier area. */
export interface Properties {
  readonly fields: Shape;
  readonly shown?: Readonly<Record<string, Shown>>;
}

/** Returns the resource with the properties that later areas add. Throws if it already has one of them. */
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

/** Marks a property that only some varieties have with their names. */
function ofVarieties(field: Field<any>, name: string, varieties: Varieties | null): Field<any> {
  if (!varieties) return field;
  const having = Object.entries(varieties.of).filter(([, { lacks }]) => !lacks.includes(name));
  if (having.length === Object.keys(varieties.of).length) return field;
  const note = `Only if \`${varieties.by}\` is ${having.map(([value]) => `\`${value}\``).join(' or ')}.`;
  return field.describe([field.spec.description, note].filter(Boolean).join(' '));
}

/** Makes a property that can be hidden nullable, and documents from whom it is hidden. */
function hideable(field: Field<any>, shown: Shown | undefined): Field<any> {
  if (!shown) return field;
  const { description, relation } = field.spec;
  const list = relation?.kind === 'many';
  const note =
    shown.provider && `${list ? 'Empty' : 'Null'} for staff without the permission ${wordsFor(shown.provider)}.`;
  const said = field.describe([description, note].filter(Boolean).join(' '));
  return list ? said : said.nullable();
}

const wordsFor = (permissions: readonly Permission[]): string => permissions.map((p) => `\`${p}\``).join(' or ');

const constant = (value: string): Field<string> => {
  const field = text().computed(
    () => [],
    () => value,
  );
  (field.spec as { schema: object }).schema = { type: 'string', const: value };
  return field;
};

/** Returns the complete resource of this name. */
export type ResourceOf = (name: string) => Resource;

/** The resources of all areas. */
export interface Resources {
  readonly resourceOf: ResourceOf;
  /** the rule for who is shown a property; undefined: everyone who sees the row */
  readonly shownOf: (resource: Resource, property: string) => Shown | undefined;
}
