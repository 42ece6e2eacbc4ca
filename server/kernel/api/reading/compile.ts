/**
 * Compiles a selection to SQL and prints the rows. Only shown columns are read. A related object is a join of the same
 * statement; a related list is one more statement for each level, regardless of the number of rows. Plans are built
 * once for each shape.
 */
import { and, join, raw, param, sql, type Sql } from '../../base/db/sql.ts';
import { provider, type Input, type Viewer } from '../../work/access/viewer.ts';
import { shownTo, type Resource, type Resources, type Rule, type Varieties } from '../resource.ts';
import type { Field, Relation, Shape, Wire } from '../../base/fields/field.ts';
import type { Selection } from './selection.ts';

export type Row = (string | null)[];
export type Printed = Record<string, unknown>;

/** A list that printed objects wait for. */
interface Branch {
  /** reads children of `parents`; the first column is the parent's id */
  readonly sql: Sql;
  readonly plan: Plan;
  /** the child is shown as its id only */
  readonly idsOnly: boolean;
}

/** A related list that a printed object still lacks. */
export interface Waiting {
  readonly branch: number;
  readonly parentId: number;
  readonly set: (children: unknown[]) => void;
}

type FieldPrinter = (row: Row, wire: Wire, waiting: Waiting[], into: Printed, name: string) => unknown;

type Printer = (row: Row, wire: Wire, waiting: Waiting[]) => Printed;

/** The columns and joins for rows under alias `t`, and how the rows are printed. */
export class Plan {
  readonly selects: Sql[] = [];
  readonly joins: Sql[] = [];
  readonly branches: Branch[] = [];
  readonly #indexes = new Map<string, number>();
  readonly #declared: Resources;
  readonly #viewer: Viewer;
  #aliases = 0;
  print!: Printer;

  constructor(declared: Resources, viewer: Viewer) {
    this.#declared = declared;
    this.#viewer = viewer;
  }

  /** Returns the position of a selected expression. Equal expressions are read once. */
  add(expression: Sql): number {
    const key = expression.texts.join('$');
    const known = this.#indexes.get(key);
    if (known !== undefined) return known;
    this.#indexes.set(key, this.selects.length);
    return this.selects.push(expression) - 1;
  }

  /**
   * Returns a printer for whole objects of the resource under alias `t`, without the properties that are hidden from
   * the viewer.
   */
  object(resource: Resource, selection: Selection, t: string): Printer {
    return this.#shape(
      resource.fields,
      selection,
      t,
      resource,
      (name) => shownTo(resource, this.#declared.shownOf(resource, name), t, this.#viewer),
      resource.varieties ? this.#lackingIn(resource.varieties, t) : undefined,
    );
  }

  /** Returns the properties that a row lacks because it is of another variety. */
  #lackingIn({ by, of }: Varieties, t: string): (row: Row) => ReadonlySet<string> {
    const at = this.add(raw(`${t}.${by}`));
    const lacking = new Map(Object.entries(of).map(([value, { lacks }]) => [value, new Set(lacks)]));
    return (row) => lacking.get(row[at]!)!;
  }

  #shape(
    shape: Shape,
    selection: Selection,
    t: string,
    resource: Resource,
    shown: (name: string) => boolean | Sql,
    lackingIn?: (row: Row) => ReadonlySet<string>,
  ): Printer {
    const names: string[] = [];
    const printers: FieldPrinter[] = [];
    for (const [name, inner] of selection) {
      names.push(name);
      printers.push(this.#ifShown(shown(name), shape[name], () => this.#field(shape[name], name, inner, t, resource)));
    }
    return (row, wire, waiting) => {
      const out: Printed = {};
      const lacking = lackingIn?.(row);
      for (let i = 0; i < names.length; i++)
        if (!lacking?.has(names[i])) out[names[i]] = printers[i](row, wire, waiting, out, names[i]);
      return out;
    };
  }

  /** Drops a hidden property, which is not even read. */
  #ifShown(shown: boolean | Sql, { spec }: Field<any>, field: () => FieldPrinter): FieldPrinter {
    if (shown === true) return field();
    const hidden: FieldPrinter = () => (spec.relation?.kind === 'many' ? [] : null);
    if (shown === false) return hidden;
    const [at, print] = [this.add(sql`(${shown})::boolean`), field()];
    return (...given) => (given[0][at] === 't' ? print(...given) : hidden(...given));
  }

  #field(field: Field<any>, name: string, inner: Selection | null, t: string, resource: Resource): FieldPrinter {
    const { spec } = field;
    if (spec.relation?.kind === 'one' && inner) return this.#one(spec.relation, inner, t);
    if (spec.relation?.kind === 'many') return this.#many(spec.relation, inner, t, resource);
    if (spec.shape && inner) {
      const print = this.#shape(spec.shape, inner, t, resource, () => true);
      return (row, wire, waiting) => print(row, wire, waiting);
    }
    if (spec.compute) {
      const { columns, make } = spec.compute;
      const at = columns(t).map((c) => this.add(c));
      return (row: Row, wire: Wire) =>
        make(
          at.map((i) => row[i]),
          wire,
        );
    }
    const at = this.add(spec.from ? spec.from(t) : raw(`${t}.${name}`));
    const { print } = spec;
    return (row: Row, wire: Wire) => (row[at] === null ? null : print(row[at], wire));
  }

  #one(relation: Extract<Relation, { kind: 'one' }>, inner: Selection, t: string) {
    const target = this.#declared.resourceOf(relation.target);
    const alias = `j${++this.#aliases}`;
    const conditions = [
      sql`${raw(alias)}.provider_id = ${provider}`,
      sql`${raw(alias)}.${raw(target.idColumn)} = ${relation.idOf ? relation.idOf(t) : raw(`${t}.${relation.column}`)}`,
      ...visible(target, alias, this.#viewer),
    ];
    // LIMIT 1 keeps the planner at one key look-up for each row shown, regardless of its estimate of the table's size.
    this.joins.push(
      sql`LEFT JOIN LATERAL (SELECT ${raw(alias)}.* FROM ${raw(target.table)} ${raw(alias)}
        WHERE ${join(conditions, ' AND ')} LIMIT 1) ${raw(alias)} ON true`,
    );
    const idAt = this.add(raw(`${alias}.${target.idColumn}`));
    const print = this.object(target, inner, alias);
    return (row: Row, wire: Wire, waiting: Waiting[]) => (row[idAt] === null ? null : print(row, wire, waiting));
  }

  #many(relation: Extract<Relation, { kind: 'many' }>, inner: Selection | null, t: string, resource: Resource) {
    const idAt = this.add(raw(`${t}.${resource.idColumn}`));
    if (!inner && relation.collapsed === 'url') {
      return (row: Row, wire: Wire) => `${wire.baseUrl}/api/v2${relation.url!(Number(row[idAt]))}`;
    }
    const branch = this.branches.push(this.#branch(relation, inner)) - 1;
    return (row: Row, _wire: Wire, waiting: Waiting[], into: Printed, name: string) => {
      waiting.push({ branch, parentId: Number(row[idAt]), set: (children) => (into[name] = children) });
      return [];
    };
  }

  #branch({ target: targetName, link, where }: Extract<Relation, { kind: 'many' }>, inner: Selection | null): Branch {
    const target = this.#declared.resourceOf(targetName);
    const plan = new Plan(this.#declared, this.#viewer);
    const parent = 'table' in link ? raw(`l.${link.parent}`) : raw(`c.${link.column}`);
    plan.add(parent);
    if (inner) plan.print = plan.object(target, inner, 'c');
    else plan.add(raw(`c.${target.idColumn}`));
    const from =
      'table' in link
        ? sql`${raw(link.table)} l JOIN ${raw(target.table)} c ON c.provider_id = l.provider_id
          AND c.${raw(target.idColumn)} = l.${raw(link.child)} AND l.provider_id = ${provider}`
        : raw(`${target.table} c`);
    // In their own order, if the link defines one.
    const order = raw('table' in link && link.order !== undefined ? `l.${link.order}, ` : '');
    const conditions = [
      sql`c.provider_id = ${provider}`,
      sql`${parent} = ANY(${parents})`,
      ...visible(target, 'c', this.#viewer),
      ...(where ? [where('c')] : []),
    ];
    return {
      plan,
      idsOnly: !inner,
      sql: sql`SELECT ${join(plan.selects, ', ')} FROM ${from} ${join(plan.joins, ' ')}
        WHERE ${join(conditions, ' AND ')} ORDER BY ${order}c.${raw(target.idColumn)}`,
    };
  }
}

const parents = param<Input>((i) => i.parents);

/**
 * Returns the policy of a resource as conditions over an alias. For staff of some venues, the policy is limited to
 * these and to what is public elsewhere.
 */
export function visible(resource: Resource, t: string, viewer: Viewer): Sql[] {
  const conditions = allowed(resource.visible[viewer.mode] ?? false, t, viewer);
  if (viewer.venues === null || !resource.place) return conditions;
  const { within, elsewhere } = resource.place;
  const here = sql`(${within(t)})`;
  return [
    ...conditions,
    elsewhere === 'hidden' ? here : sql`(${here} OR ${and(allowed(resource.visible.unregistered, t, viewer))})`,
  ];
}

function allowed(rule: Rule, t: string, viewer: Viewer): Sql[] {
  const condition = typeof rule === 'function' ? rule(t, viewer) : rule;
  if (condition === true) return [];
  return condition === false ? [raw('false')] : [sql`(${condition})`];
}

/** Returns a plan for whole objects of a resource under alias `t`. */
export function planFor(resource: Resource, selection: Selection, declared: Resources, viewer: Viewer): Plan {
  const plan = new Plan(declared, viewer);
  plan.print = plan.object(resource, selection, 't');
  if (plan.selects.length === 0) plan.add(raw('NULL'));
  return plan;
}

const wantedId = param<Input>((i) => i.id);
const offset = param<Input>((i) => i.offset ?? 0);

/** Returns the statement for one object by its id, as the viewer may see it. */
export const oneStatement = (resource: Resource, plan: Plan, viewer: Viewer): Sql =>
  sql`SELECT ${join(plan.selects, ', ')} FROM ${raw(resource.table)} t ${join(plan.joins, ' ')} WHERE ${join(
    [
      sql`t.provider_id = ${provider}`,
      sql`t.${raw(resource.idColumn)} = ${wantedId}`,
      ...visible(resource, 't', viewer),
    ],
    ' AND ',
  )}`;

/** Returns the statement for objects by their ids, as the viewer may see them. The ids come first. */
export const someStatement = (resource: Resource, plan: Plan, viewer: Viewer): Sql =>
  sql`SELECT ${join([raw(`t.${resource.idColumn}`), ...plan.selects], ', ')}
    FROM ${raw(resource.table)} t ${join(plan.joins, ' ')} WHERE ${join(
      [
        sql`t.provider_id = ${provider}`,
        sql`t.${raw(resource.idColumn)} = ANY(${parents}::bigint[])`,
        ...visible(resource, 't', viewer),
      ],
      ' AND ',
    )}`;

interface ListParts {
  /** the business of the rows */
  of: Sql;
  conditions: readonly Sql[];
  /** joins that conditions or order need, inside the page */
  joins: readonly Sql[];
  order: Sql;
  limit: number;
}

/**
 * Returns the statement for a page. The page is cut first, in a subselect over the table's own index, and only its few
 * rows are joined. In the reverse order, the planner may join and sort everything.
 */
export function pageStatement(resource: Resource, plan: Plan, { of, conditions, joins, order, limit }: ListParts): Sql {
  // With a page length that the planner can see, it plans a list without conditions again for each request, which takes
  // as long as reading the page. For a list with conditions, planning with the knowledge that the page is the first is
  // worth the time.
  const skipped = conditions.length === 0 && joins.length === 0 ? sql`(SELECT ${offset}::bigint)` : offset;
  const page = sql`SELECT t.* FROM ${raw(resource.table)} t ${join(joins, ' ')} WHERE ${and([
    of,
    ...conditions,
  ])} ORDER BY ${order} LIMIT ${raw(String(limit))} OFFSET ${skipped}`;
  const shown = sql`SELECT ${join(plan.selects, ', ')} FROM`;
  // An order by columns of other tables is known only inside the page, so the position is carried out of it.
  return joins.length === 0
    ? sql`${shown} (${page}) t ${join(plan.joins, ' ')} ORDER BY ${order}`
    : sql`${shown} (SELECT t.*, row_number() OVER () AS page_position FROM (${page}) t) t ${join(plan.joins, ' ')}
      ORDER BY t.page_position`;
}

/**
 * Returns the statement for the number of rows: kept by the database if the list has no conditions, otherwise counted.
 */
export const countStatement = (
  resource: Resource,
  { of, conditions, joins }: Pick<ListParts, 'of' | 'conditions' | 'joins'>,
): Sql =>
  conditions.length === 0 && resource.counted
    ? sql`SELECT coalesce(sum(n), 0)::bigint FROM row_count
      WHERE provider_id = ${provider} AND relation = ${raw(`'${resource.table}'`)}`
    : sql`SELECT count(*) FROM ${raw(resource.table)} t ${join(joins, ' ')} WHERE ${and([of, ...conditions])}`;
