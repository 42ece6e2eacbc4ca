/**
 * Reads the result of an endpoint: builds the statement for the shape of a request once, caches it, runs it, and prints
 * the rows.
 */
import { and, join, raw, param, sql, statement, fill, type Sql, type Statement } from '../../base/db/sql.ts';
import { addJoin, filtersUsed, narrow, resolved } from './narrow.ts';
import {
  countStatement,
  oneStatement,
  pageStatement,
  planFor,
  someStatement,
  visible,
  type Plan,
  type Printed,
  type Row,
  type Waiting,
} from './compile.ts';
import { parseNames, select, selectionKey, unknownNames, type Names, type Selection } from './selection.ts';
import { Bounded } from '../../base/bounded.ts';
import type { Command, Send } from '../../base/db/sharing/batch.ts';
import type { ListEndpoint } from '../acting.ts';
import { provider, reachedBusinesses, type Input, type Viewer } from '../../work/access/viewer.ts';
import { shownToViewer, type Resource, type Resources } from '../resource.ts';
import type { Shape, Wire } from '../../base/fields/field.ts';

/** A selection with the cache key of everything built for it. */
export interface Chosen {
  readonly selection: Selection;
  readonly key: string;
}

interface OneShape {
  readonly plan: Plan;
  readonly statement: Statement;
}

interface ListShape extends OneShape {
  readonly count: Statement;
  /** the count costs the same at any size, so it is read with the page */
  readonly countIsCheap: boolean;
}

const MIB = 1024 * 1024;
/**
 * Measured memory per letter of a selection's key: for the cached selection, and for everything that reads and prints
 * it.
 */
const BYTES_A_NAME = 10;
const BYTES_A_SHAPE = 60;
const weighShape = (key: string, { statement: { text } }: OneShape): number =>
  key.length * BYTES_A_SHAPE + text.length * 2;

export class Reader {
  readonly #registry: Resources;
  readonly #chosen = new Bounded<Chosen>({
    entries: 2000,
    bytes: 8 * MIB,
    weigh: (key, { key: shown }) => key.length + shown.length * BYTES_A_NAME,
  });
  readonly #ones = new Bounded<OneShape>({ entries: 1000, bytes: 16 * MIB, weigh: weighShape });
  readonly #lists = new Bounded<ListShape>({ entries: 1000, bytes: 16 * MIB, weigh: weighShape });
  readonly #branches = new WeakMap<object, Statement>();

  constructor(registry: Resources) {
    this.#registry = registry;
  }

  /** Returns a selection of a resource. `shows` names deferred fields that are shown by default. */
  choose(
    resource: Resource,
    fields: string | undefined,
    expand: string | undefined,
    shows: readonly string[] = [],
  ): Chosen {
    return this.#chosen.get(`${resource.name}|${shows.join()}|${fields ?? ''}|${expand ?? ''}`, () => {
      const { resourceOf } = this.#registry;
      const whole = resourceOf(resource.name);
      const selection = select(whole, resourceOf, parseNames('fields', fields), parseNames('expand', expand), shows);
      return { selection, key: `${resource.name}(${selectionKey(selection)})` };
    });
  }

  /** Returns a selection of a form that is not a resource. */
  choices(shape: Shape, fields: Names | undefined, expand: Names | undefined): Selection {
    return select({ fields: shape }, this.#registry.resourceOf, fields, expand);
  }

  /** Returns messages for unknown names, which a lenient call would ignore. */
  unknown(
    resource: Pick<Resource, 'fields'>,
    fields: string | undefined,
    expand: string | undefined,
  ): Record<string, string[]> {
    const { resourceOf } = this.#registry;
    const found = {
      fields: unknownNames(resource, resourceOf, parseNames('fields', fields)),
      expand: unknownNames(resource, resourceOf, parseNames('expand', expand)),
    };
    return Object.fromEntries(Object.entries(found).filter(([, messages]) => messages.length > 0));
  }

  /** Returns the printed object with this id; undefined if the viewer may not see it. */
  async one(resource: Resource, chosen: Chosen, input: Input, wire: Wire, send: Send): Promise<Printed | undefined> {
    const shape = this.#ones.get(`${chosen.key}|${input.viewer.key}`, () => {
      const whole = this.#registry.resourceOf(resource.name);
      const plan = planFor(whole, chosen.selection, this.#registry, input.viewer);
      return { plan, statement: statement(oneStatement(whole, plan, input.viewer)) };
    });
    const [answer] = await send([command(shape.statement, input)]);
    return (await this.#print(shape.plan, answer.rows, input, wire, send))[0];
  }

  /** Returns the printed objects with these ids, by id, without those that the viewer may not see. */
  async some(
    name: string,
    selection: Selection,
    ids: readonly number[],
    input: Input,
    wire: Wire,
    send: Send,
  ): Promise<Map<number, Printed>> {
    if (ids.length === 0) return new Map();
    const resource = this.#registry.resourceOf(name);
    const shape = this.#ones.get(`some ${name}(${selectionKey(selection)})|${input.viewer.key}`, () => {
      const plan = planFor(resource, selection, this.#registry, input.viewer);
      return { plan, statement: statement(someStatement(resource, plan, input.viewer)) };
    });
    const [{ rows }] = await send([command(shape.statement, { ...input, parents: ids })]);
    const printed = await this.#print(
      shape.plan,
      rows.map(([, ...row]) => row),
      input,
      wire,
      send,
    );
    return new Map(rows.map(([id], i) => [Number(id), printed[i]]));
  }

  /** Returns a page of a list and the total count. */
  async page(
    endpoint: ListEndpoint,
    chosen: Chosen,
    asked: Input,
    wire: Wire,
    send: Send,
  ): Promise<{ count: number; results: Printed[] }> {
    const input = await resolved(endpoint.filters, asked, send);
    const shape = this.#listShape(endpoint, chosen, input);
    const commands = [command(shape.statement, input)];
    if (shape.countIsCheap) commands.push(command(shape.count, input));
    const [page, counted] = await send(commands);
    const results = await this.#print(shape.plan, page.rows, input, wire, send);
    if (counted) return { count: Number(counted.rows[0][0]), results };
    const { offset = 0 } = input;
    const ended = page.rows.length < input.query.page_size && (page.rows.length > 0 || offset === 0);
    if (ended) return { count: offset + page.rows.length, results };
    const [count] = await send([command(shape.count, input)]);
    return { count: Number(count.rows[0][0]), results };
  }

  /** Returns the total count of a list. */
  async count(endpoint: ListEndpoint, chosen: Chosen, asked: Input, send: Send): Promise<number> {
    const input = await resolved(endpoint.filters, asked, send);
    const shape = this.#listShape(endpoint, chosen, input);
    const [{ rows }] = await send([command(shape.count, input)]);
    return Number(rows[0][0]);
  }

  #listShape(endpoint: ListEndpoint, chosen: Chosen, { viewer, query }: Input): ListShape {
    const { resource } = endpoint.returns;
    const used = filtersUsed(endpoint.filters, query);
    const sort: readonly string[] = query.sort?.length
      ? query.sort
      : endpoint.defaultSort
        ? [endpoint.defaultSort]
        : [];
    const key = `${endpoint.path}|${chosen.key}|${viewer.key}|${used.map((name) => (endpoint.filters[name].cases ? `${name}=${query[name]}` : name)).join()}|${sort.join()}|${query.page_size}`;
    return this.#lists.get(key, () => {
      const { conditions, joins } = narrow(endpoint, resource, viewer, query);
      const countJoins = [...joins.values()];
      const order = sort.flatMap((s) => {
        const name = s.replace(/^-/, '');
        const sortKey = endpoint.sort[name];
        // An order must not reveal a property that is hidden from the viewer.
        if (shownToViewer(resource, name, sortKey.reads, viewer) !== true) return [];
        addJoin(joins, sortKey.join?.('t'));
        return [sql`${sortKey.by('t')} ${raw(s.startsWith('-') ? 'DESC' : 'ASC')}`];
      });
      const idColumn = `t.${resource.idColumn}`;
      // The last key follows the direction of the first, so that one index serves both directions.
      if (!sort.some((s) => s.replace(/^-/, '') === 'id'))
        order.push(raw(`${idColumn} ${sort[0]?.startsWith('-') ? 'DESC' : 'ASC'}`));
      const plan = planFor(resource, chosen.selection, this.#registry, viewer);
      const parts = {
        conditions,
        joins: [...joins.values()],
        order: join(order, ', '),
        limit: query.page_size,
        of: viewer.reached ? REACHED : HERE,
      };
      return {
        plan,
        statement: statement(pageStatement(resource, plan, parts)),
        count: statement(countStatement(resource, { ...parts, joins: countJoins })),
        countIsCheap: conditions.length === 0 && resource.counted,
      };
    });
  }

  async #print(plan: Plan, rows: readonly Row[], input: Input, wire: Wire, send: Send): Promise<Printed[]> {
    const waiting: Waiting[] = [];
    const printed = rows.map((row) => plan.print(row, wire, waiting));
    if (waiting.length > 0) await this.#fillBranches(plan, waiting, input, wire, send);
    return printed;
  }

  async #fillBranches(plan: Plan, waiting: readonly Waiting[], input: Input, wire: Wire, send: Send): Promise<void> {
    const needed = plan.branches.map((_, i) => [
      ...new Set(waiting.filter((w) => w.branch === i).map((w) => w.parentId)),
    ]);
    const used = plan.branches.map((_, i) => i).filter((i) => needed[i].length > 0);
    const answers = await send(
      used.map((i) => command(this.#branchStatement(plan, i), { ...input, parents: needed[i] })),
    );
    for (const [n, i] of used.entries()) {
      const { plan: inner, idsOnly } = plan.branches[i];
      const { rows } = answers[n];
      const children: unknown[] = idsOnly
        ? rows.map((row) => Number(row[1]))
        : await this.#print(inner, rows, input, wire, send);
      const byParent = new Map<number, unknown[]>();
      rows.forEach((row, at) => {
        const parent = Number(row[0]);
        const siblings = byParent.get(parent);
        if (siblings) siblings.push(children[at]);
        else byParent.set(parent, [children[at]]);
      });
      for (const w of waiting) if (w.branch === i) w.set(byParent.get(w.parentId) ?? []);
    }
  }

  #branchStatement(plan: Plan, i: number): Statement {
    const branch = plan.branches[i];
    let s = this.#branches.get(branch);
    if (!s) this.#branches.set(branch, (s = statement(branch.sql)));
    return s;
  }
}

const HERE = sql`t.provider_id = ${provider}`;
const REACHED = sql`t.provider_id = ANY(${reachedBusinesses}::bigint[])`;

const command = (s: Statement, input: Input): Command => ({ statement: s, values: fill(s.holes, input) });

const targetId = param<Input>((i) => i.id);

/** Returns the statement for the row itself, as the viewer may see it; locked if it is about to be changed. */
export const targetStatement = (resource: Resource, viewer: Viewer, lock: boolean): Sql =>
  sql`SELECT t.* FROM ${raw(resource.table)} t WHERE ${and([
    sql`t.provider_id = ${provider}`,
    sql`t.${raw(resource.idColumn)} = ${targetId}`,
    ...visible(resource, 't', viewer),
  ])}${raw(lock ? ' FOR UPDATE OF t' : '')}`;
