/** Everything that is declared, checked once at start: what does not fit together does not boot. */
import { isWrite } from './contract.ts';
import { listAt, type Endpoint, type ListEndpoint } from './acting.ts';
import type { Filter } from './filter.ts';
import type { Engine } from '../jobs/engine.ts';
import type { Shape } from './field.ts';
import type { Filling } from './port.ts';
import { checkProblems } from './check-problems.ts';
import { GENERAL_PROBLEMS, type Problem, type ProblemKind } from './problem.ts';
import type { Resource, Rule, Shown } from './resource.ts';
import { KERNEL_TABLES } from '../db/tables.ts';
import { knowFeedItems, type FeedItemKind } from '../feed/feed-item.ts';
import type { FeedReader } from '../feed/reader.ts';
import type { Installation } from '../installation.ts';
import type { Transaction } from '../db/database.ts';
import type { Work } from '../work.ts';

/** A task that runs later, in a transaction of its own, with exactly one effect. */
export interface Job {
  readonly task: string;
  readonly run: (work: Work, payload: any) => Promise<void>;
  /** the reason for which the job's transaction sees every business, where it must */
  readonly acrossTenants?: string;
}

/** One part of the business with everything about it. */
export interface Area {
  readonly name: string;
  readonly description: string;
  /** the tables and views that it owns: only this area writes and locks them, and no earlier one reads them */
  readonly tables?: readonly string[];
  readonly resources?: readonly Resource<any>[];
  readonly endpoints?: readonly Endpoint[];
  /** the kinds of refusals that it introduces, by their codes */
  readonly problems?: Readonly<Record<string, ProblemKind>>;
  /** what operations of areas before this one are refused with because of it, by method and path */
  readonly refuses?: Readonly<Record<string, readonly ProblemKind[]>>;
  /** further filters for lists of areas that stand before this one, by the path of the list */
  readonly filters?: Readonly<Record<string, Readonly<Record<string, Filter>>>>;
  /**
   * customers who are shown a property that an area before this one hides from them: by resource and property, over the
   * alias of the row
   */
  readonly opens?: Readonly<Record<string, Readonly<Record<string, Rule & Function>>>>;
  readonly feed?: readonly FeedItemKind<any>[];
  /** act on what happened in this and in other areas */
  readonly readers?: readonly FeedReader[];
  readonly jobs?: readonly Job[];
  /** what a worker does all the time */
  readonly engines?: readonly Engine[];
  /** deletes what has served its time; runs every few minutes, for all businesses at once */
  readonly sweep?: (tx: Transaction, now: number, installation: Installation) => Promise<void>;
  /** what this area puts into ports of areas before it */
  readonly fills?: readonly Filling[];
  /** what to say when a named constraint of the database refuses */
  readonly constraints?: Record<string, () => Problem>;
}

export class Registry {
  readonly areas: readonly Area[];
  /** the name of the area that owns a table, or `kernel` */
  readonly owners: ReadonlyMap<string, string>;
  readonly resources: ReadonlyMap<string, Resource>;
  /** by their codes, the general ones first */
  readonly problems: ReadonlyMap<string, ProblemKind>;
  readonly endpoints: readonly (Endpoint & { readonly area: string })[];
  readonly feed: ReadonlyMap<string, FeedItemKind>;
  readonly readers: ReadonlyMap<string, FeedReader>;
  readonly jobs: ReadonlyMap<string, Job>;
  readonly constraints: ReadonlyMap<string, () => Problem>;
  /** `POST /events/{id}/register` */
  readonly #operations: ReadonlyMap<string, Endpoint>;
  readonly #opened: ReadonlyMap<string, Shown>;

  constructor(areas: readonly Area[]) {
    this.areas = areas;
    this.owners = unique('table', [
      ...KERNEL_TABLES.map((table) => [table, 'kernel'] as const),
      ...areas.flatMap((a) => (a.tables ?? []).map((table) => [table, a.name] as const)),
    ]);
    this.resources = unique(
      'resource',
      areas.flatMap((a) => (a.resources ?? []).map((r) => [r.name, r] as const)),
    );
    this.#opened = this.#openings(areas);
    const further = areas.flatMap((a) => Object.entries(a.filters ?? {}));
    this.endpoints = areas.flatMap((a) =>
      (a.endpoints ?? []).map((e) => ({ ...withRefusals(withFilters(e, further), areas), area: a.name })),
    );
    this.problems = unique(
      'problem',
      [GENERAL_PROBLEMS, ...areas.map((a) => a.problems ?? {})].flatMap(Object.entries),
    );
    checkProblems(areas);
    this.#operations = new Map(this.endpoints.map((e) => [`${e.method} ${e.path}`, e]));
    for (const [path] of further) listAt(this.endpoints, path);
    this.feed = unique(
      'feed item',
      areas.flatMap((a) => (a.feed ?? []).map((k) => [k.kind, k] as const)),
    );
    knowFeedItems(this.feed.values(), (name) => this.resources.has(name));
    this.#connectPorts(areas.flatMap((a) => a.fills ?? []));
    this.readers = unique(
      'reader of the feed',
      areas.flatMap((a) => (a.readers ?? []).map((r) => [r.name, r] as const)),
    );
    this.jobs = unique(
      'job',
      areas.flatMap((a) => (a.jobs ?? []).map((j) => [j.task, j] as const)),
    );
    this.constraints = unique(
      'constraint',
      areas.flatMap((a) => Object.entries(a.constraints ?? {})),
    );
    unique(
      'endpoint',
      this.endpoints.map((e) => [`${e.method} ${e.path.replace(/\{[^}]*\}/g, '{}')}`, e] as const),
    );
    for (const resource of this.resources.values()) this.#checkFields(resource.name, resource.fields);
    for (const { name, shown, fields } of this.resources.values())
      for (const property of Object.keys(shown))
        if (!fields[property]) throw new Error(`${name} hides the unknown property "${property}"`);
    for (const endpoint of this.endpoints) this.#checkEndpoint(endpoint);
    for (const kind of this.feed.values()) this.resourceOf(kind.object);
    for (const { name, kinds } of this.readers.values()) {
      for (const kind of kinds ?? [])
        if (!this.feed.has(kind)) throw new Error(`${name} reads the unknown feed item "${kind}"`);
    }
  }

  /** @throws Error where there is none */
  operation(name: string): Endpoint {
    const endpoint = this.#operations.get(name);
    if (!endpoint) throw new Error(`no operation is called "${name}"`);
    return endpoint;
  }

  resourceOf = (name: string): Resource => {
    const resource = this.resources.get(name);
    if (!resource) throw new Error(`no resource is called "${name}"`);
    return resource;
  };

  /** Who is shown a property; undefined: all who see its row. */
  shownOf = (resource: Resource, property: string): Shown | undefined =>
    this.#opened.get(`${resource.name}.${property}`) ?? resource.shown[property];

  #connectPorts(fillings: readonly Filling[]): void {
    for (const port of new Set(fillings.map((filling) => filling.port))) {
      const items = fillings.filter((filling) => filling.port === port).flatMap((filling) => filling.items);
      for (const item of items) this.resourceOf(port.resourceOf(item));
      port.connect(
        unique(
          port.what,
          items.map((item) => [item.name, item] as const),
        ),
      );
    }
  }

  #openings(areas: readonly Area[]): ReadonlyMap<string, Shown> {
    return unique(
      'opening of',
      areas.flatMap((a) =>
        Object.entries(a.opens ?? {}).flatMap(([name, properties]) =>
          Object.entries(properties).map(([property, customer]) => {
            const hidden = this.resourceOf(name).shown[property];
            if (hidden?.customer !== false)
              throw new Error(`${a.name} opens ${name}.${property} to customers, who are shown it anyway`);
            return [`${name}.${property}`, { ...hidden, customer }] as const;
          }),
        ),
      ),
    );
  }

  #checkFields(owner: string, fields: Shape): void {
    for (const [name, { spec }] of Object.entries(fields)) {
      if (spec.relation && !this.resources.has(spec.relation.target)) {
        throw new Error(`${owner}.${name} refers to the unknown resource "${spec.relation.target}"`);
      }
      if (spec.shape) this.#checkFields(`${owner}.${name}`, spec.shape);
    }
  }

  #checkEndpoint(endpoint: Endpoint): void {
    const name = `${endpoint.method} ${endpoint.path}`;
    const { who, returns } = endpoint;
    if (!who) throw new Error(`${name} does not say who may call it`);
    if (Array.isArray(who.provider) && who.provider.length === 0)
      throw new Error(`${name} lists no permission; say false`);
    if ('resource' in returns && this.resources.get(returns.resource.name) !== returns.resource) {
      throw new Error(`${name} returns the unregistered resource "${returns.resource.name}"`);
    }
    if (isWrite(endpoint) && endpoint.dryRun?.trim() === '')
      throw new Error(`${name} cannot be tried with dry_run, and does not say why`);
    if (endpoint.target && !endpoint.path.includes('{id}')) throw new Error(`${name} has a target but no {id}`);
    if (endpoint.acts === 'list') checkList(name, endpoint);
  }
}

function checkList(name: string, { who, returns: { resource }, everywhere, filters, sort }: ListEndpoint): void {
  if (everywhere && !(who.provider === true && who.customer && who.unregistered))
    throw new Error(`${name} chooses no mode, so it must be for everybody`);
  if (everywhere && Object.values(resource.fields).some(({ spec }) => spec.relation))
    throw new Error(`${name} reads at several businesses, which only a list without relations can`);
  for (const [told, { reads }] of [...Object.entries(filters), ...Object.entries(sort)]) {
    if (reads !== undefined && !resource.fields[reads])
      throw new Error(`${told} of ${name} tells of the unknown property "${reads}"`);
  }
}

function withFilters(
  endpoint: Endpoint,
  further: readonly (readonly [string, Readonly<Record<string, Filter>>])[],
): Endpoint {
  if (endpoint.acts !== 'list') return endpoint;
  const more = further.filter(([path]) => path === endpoint.path).flatMap(([, filters]) => Object.entries(filters));
  if (more.length === 0) return endpoint;
  const filters = Object.fromEntries(
    unique(`filter of ${endpoint.path}`, [...Object.entries(endpoint.filters), ...more]),
  );
  return {
    ...endpoint,
    filters,
    query: { ...endpoint.query, ...Object.fromEntries(more.map(([name, { field }]) => [name, field])) },
  };
}

const withRefusals = (endpoint: Endpoint, areas: readonly Area[]): Endpoint => ({
  ...endpoint,
  problems: [
    ...endpoint.problems,
    ...areas.flatMap(({ refuses }) => refuses?.[`${endpoint.method} ${endpoint.path}`] ?? []),
  ],
});

function unique<T>(what: string, entries: readonly (readonly [string, T])[]): ReadonlyMap<string, T> {
  const map = new Map<string, T>();
  for (const [key, value] of entries) {
    if (map.has(key)) throw new Error(`two declarations of the ${what} "${key}"`);
    map.set(key, value);
  }
  return map;
}
