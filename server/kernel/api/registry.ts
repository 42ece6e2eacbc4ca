/** Everything that is declared, checked once at start: what does not fit together does not boot. */
import { isWrite } from './contract.ts';
import { listAt, type Endpoint, type ListEndpoint } from './acting.ts';
import { additionsOf } from './additions.ts';
import type { Filter, SortKey } from './filter.ts';
import type { Engine } from '../jobs/engine.ts';
import type { Shape } from './field.ts';
import { connectPorts, type Filling } from './port.ts';
import { checkProblems } from './check-problems.ts';
import { GENERAL_PROBLEMS, type Problem, type ProblemKind } from './problem.ts';
import type { Properties, Resource, Rule, Shown } from './resource.ts';
import { unique } from './unique.ts';
import { KERNEL_TABLES } from '../db/tables.ts';
import { noticesOf } from './notices-of.ts';
import type { NoticeType, Notifier, StaffNoticeType } from '../notices.ts';
import { knowFeedItems, type FeedItemKind } from '../feed/feed-item.ts';
import type { Consequence } from '../feed/consequence.ts';
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
  /** views that it reads and an area after it defines, for conditions that need what only that area knows */
  readonly asks?: readonly string[];
  readonly resources?: readonly Resource<any>[];
  readonly endpoints?: readonly Endpoint[];
  /** the kinds of refusals that it introduces, by their codes */
  readonly problems?: Readonly<Record<string, ProblemKind>>;
  /** what operations of areas before this one are refused with because of it, by method and path */
  readonly refuses?: Readonly<Record<string, readonly ProblemKind[]>>;
  /** further filters for lists of areas that stand before this one, by the path of the list */
  readonly filters?: Readonly<Record<string, Readonly<Record<string, Filter>>>>;
  /** further keys to sort such lists by */
  readonly sorts?: Readonly<Record<string, Readonly<Record<string, SortKey>>>>;
  /** further properties of resources of areas that stand before this one, by the name of the resource */
  readonly properties?: Readonly<Record<string, Properties>>;
  /** how many rows of this area still need a row of an earlier one, by the name of its resource */
  readonly uses?: Readonly<Record<string, (work: Work, id: number) => Promise<number>>>;
  /** brings rows of this area in step with a change of a row of an earlier one, in its transaction; may refuse it */
  readonly follows?: Readonly<
    Record<string, (work: Work, id: number, values: Readonly<Record<string, unknown>>) => Promise<void>>
  >;
  /**
   * customers who are shown a property that an area before this one hides from them: by resource and property, over the
   * alias of the row
   */
  readonly opens?: Readonly<Record<string, Readonly<Record<string, Rule & Function>>>>;
  readonly feed?: readonly FeedItemKind<any>[];
  /** act on what happened in this and in other areas */
  readonly readers?: readonly FeedReader[];
  /** the kinds of notices to customers that it introduces */
  readonly notices?: readonly NoticeType[];
  /** the kinds of notices to the people who run a business */
  readonly staffNotices?: readonly StaffNoticeType[];
  /** sends the notices of all areas; one area has it */
  readonly notifier?: Notifier;
  /** what its readers do about feed items, for the dry run of what leads to them */
  readonly consequences?: readonly Consequence[];
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
  /** by their names, in the order of their numbers */
  readonly notices: ReadonlyMap<string, NoticeType>;
  /** by the kind of the feed item, in the order of the areas */
  readonly consequences: ReadonlyMap<string, readonly Consequence[]>;
  readonly jobs: ReadonlyMap<string, Job>;
  readonly constraints: ReadonlyMap<string, () => Problem>;
  readonly #notifier: Notifier | undefined;
  readonly #opened: ReadonlyMap<string, Shown>;

  constructor(areas: readonly Area[]) {
    this.areas = areas;
    this.owners = unique('table', [
      ...KERNEL_TABLES.map((table) => [table, 'kernel'] as const),
      ...areas.flatMap((a) => [...(a.tables ?? []), ...(a.asks ?? [])].map((table) => [table, a.name] as const)),
    ]);
    const declared = unique(
      'resource',
      areas.flatMap((a) => (a.resources ?? []).map((r) => [r.name, r] as const)),
    );
    const additions = additionsOf(areas, declared);
    this.resources = additions.resources;
    this.#opened = this.#openings(areas);
    this.endpoints = areas.flatMap((a) =>
      (a.endpoints ?? []).map((e) => ({ ...withRefusals(additions.to(e), areas), area: a.name })),
    );
    this.problems = unique(
      'problem',
      [GENERAL_PROBLEMS, ...areas.map((a) => a.problems ?? {})].flatMap(Object.entries),
    );
    checkProblems(areas);
    for (const path of additions.paths) listAt(this.endpoints, path);
    this.feed = unique(
      'feed item',
      areas.flatMap((a) => (a.feed ?? []).map((k) => [k.kind, k] as const)),
    );
    knowFeedItems(this.feed.values(), (name) => this.resources.has(name));
    connectPorts(
      areas.flatMap((a) => a.fills ?? []),
      this.resourceOf,
    );
    this.readers = unique(
      'reader of the feed',
      areas.flatMap((a) => (a.readers ?? []).map((r) => [r.name, r] as const)),
    );
    this.notices = noticesOf(areas);
    const notifiers = areas.filter((a) => a.notifier);
    if (notifiers.length > 1) throw new Error(`${notifiers.map((a) => a.name).join(' and ')} both send notices`);
    this.#notifier = notifiers[0]?.notifier;
    this.consequences = Map.groupBy(
      areas.flatMap((a) => a.consequences ?? []),
      ({ of }) => of,
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
    for (const kind of this.consequences.keys())
      if (!this.feed.has(kind)) throw new Error(`a consequence is foretold of the unknown feed item "${kind}"`);
    for (const { name, kinds } of this.readers.values()) {
      for (const kind of kinds ?? [])
        if (!this.feed.has(kind)) throw new Error(`${name} reads the unknown feed item "${kind}"`);
    }
  }

  /** Who writes to people. */
  get notifier(): Notifier {
    if (!this.#notifier) throw new Error('no area sends notices');
    return this.#notifier;
  }

  resourceOf = (name: string): Resource => {
    const resource = this.resources.get(name);
    if (!resource) throw new Error(`no resource is called "${name}"`);
    return resource;
  };

  /** How many rows of all areas still need a row of a resource. */
  async countUses(resource: string, work: Work, id: number): Promise<number> {
    let n = 0;
    for (const { uses } of this.areas) n += (await uses?.[resource]?.(work, id)) ?? 0;
    return n;
  }

  /** Lets all areas follow a change of a row, by the names and new values of its columns. Before it is written. */
  async follow(resource: string, work: Work, id: number, values: Readonly<Record<string, unknown>>): Promise<void> {
    for (const { follows } of this.areas) await follows?.[resource]?.(work, id, values);
  }

  /** Who is shown a property; undefined: all who see its row. */
  shownOf = (resource: Resource, property: string): Shown | undefined =>
    this.#opened.get(`${resource.name}.${property}`) ?? resource.shown[property];

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

const withRefusals = (endpoint: Endpoint, areas: readonly Area[]): Endpoint => ({
  ...endpoint,
  problems: [
    ...endpoint.problems,
    ...areas.flatMap(({ refuses }) => refuses?.[`${endpoint.method} ${endpoint.path}`] ?? []),
  ],
});
