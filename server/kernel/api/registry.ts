/** Translations of the kernel's own texts. */
const OWN_TRANSLATIONS = readTranslations('api/refusals');

/** All declarations, checked once at startup: contradictory declarations don't boot. */
import { resourcesOf, topicsOf, type Area, type Topic } from './area.ts';
import { isWrite, type Declared } from './contract.ts';
import { listAt, type Endpoint, type ListEndpoint } from './acting.ts';
import { collectAdditions } from './additions.ts';
import type { Shape } from '../base/fields/field.ts';
import { connectPorts } from '../base/fields/port.ts';
import { checkPermissions } from './check-permissions.ts';
import type { PermissionKind } from '../work/access/permission.ts';
import { checkProblems } from './check-problems.ts';
import { GENERAL_PROBLEMS, type Problem, type ProblemKind } from '../base/problem.ts';
import type { Resource, Shown } from './resource.ts';
import { readTranslations } from '../base/languages/translations.ts';
import { Speakers } from '../base/languages/speakers.ts';
import { unique } from '../base/fields/unique.ts';
import { KERNEL_TABLES } from '../base/db/tables.ts';
import { noticesOf } from './notices-of.ts';
import type { NoticeType } from '../work/unit/notices.ts';
import { registerFeedKinds, type FeedItemKind } from '../work/feed/feed-item.ts';
import type { WorkerDeclarations } from '../work/unit/background.ts';
import type { Consequence } from '../work/unit/consequence.ts';
import type { Job } from '../work/unit/job.ts';
import type { FeedReader } from '../work/unit/feed-reader.ts';
import type { Table } from '../base/db/table.ts';
import type { Transaction } from '../base/db/database.ts';
import type { AddressChange, Claim, Notifier, Work } from '../work/unit/work.ts';

export class Registry implements WorkerDeclarations {
  readonly areas: readonly Area[];
  /** name of the area that owns a table, or `kernel` */
  readonly owners: ReadonlyMap<string, string>;
  /** the owner's declaration of each table, in the order of the areas */
  readonly tables: ReadonlyMap<string, Table>;
  readonly resources: ReadonlyMap<string, Resource>;
  readonly permissions: ReadonlyMap<string, PermissionKind>;
  /** by code, the general ones first */
  readonly problems: ReadonlyMap<string, ProblemKind>;
  readonly endpoints: readonly Declared[];
  /** sections of the reference under a heading of their own, in the order of the areas */
  readonly topics: readonly Topic[];
  readonly feed: ReadonlyMap<string, FeedItemKind>;
  readonly readers: ReadonlyMap<string, FeedReader>;
  /** by name, in the order of their numbers */
  readonly notices: ReadonlyMap<string, NoticeType>;
  /** for customers who read languages other than English */
  readonly speakers: Speakers;
  /** by kind of feed item, in the order of the areas */
  readonly consequences: ReadonlyMap<string, readonly Consequence[]>;
  readonly jobs: ReadonlyMap<string, Job>;
  readonly constraints: ReadonlyMap<string, () => Problem>;
  readonly #notifier: Notifier | undefined;
  /** `POST /events/{id}/register` */
  readonly #operations: ReadonlyMap<string, Endpoint>;
  readonly #opened: ReadonlyMap<string, Shown>;

  constructor(areas: readonly Area[]) {
    this.areas = areas;
    this.owners = unique('table', [
      ...Object.keys(KERNEL_TABLES).map((table) => [table, 'kernel'] as const),
      ...areas.flatMap((a) =>
        [...Object.keys(a.tables ?? {}), ...(a.needsViews ?? [])].map((table) => [table, a.name] as const),
      ),
    ]);
    this.tables = new Map([KERNEL_TABLES, ...areas.map((a) => a.tables ?? {})].flatMap(Object.entries));
    const declared = unique(
      'resource',
      areas.flatMap(resourcesOf).map((r) => [r.name, r] as const),
    );
    const additions = collectAdditions(areas, declared);
    this.resources = additions.resources;
    this.#opened = this.#openings(areas);
    this.topics = [
      ...unique(
        'topic',
        areas.flatMap(topicsOf).map((topic) => [topic.name, topic] as const),
      ).values(),
    ];
    this.endpoints = areas.flatMap((a) =>
      topicsOf(a).flatMap(({ name: topic, endpoints = [] }) =>
        endpoints.map((e) => ({ ...withRefusals(additions.to(e), areas), area: a.name, topic })),
      ),
    );
    this.problems = unique(
      'problem',
      [GENERAL_PROBLEMS, ...areas.map((a) => a.problems ?? {})].flatMap(Object.entries),
    );
    checkProblems(areas);
    this.#operations = new Map(this.endpoints.map((e) => [`${e.method} ${e.path}`, e]));
    for (const path of additions.paths) listAt(this.endpoints, path);
    for (const operation of additions.operations) this.operation(operation);
    for (const list of areas.flatMap((a) => a.lists ?? [])) list.connect(this.endpoints);
    this.feed = unique(
      'feed item',
      areas.flatMap((a) => (a.feed ?? []).flatMap(Object.values).map((k: FeedItemKind) => [k.kind, k] as const)),
    );
    registerFeedKinds(this.feed.values(), (name) => this.resources.has(name));
    connectPorts(
      areas.flatMap((a) => a.ports ?? []),
      areas.flatMap((a) => a.fills ?? []),
      this.resourceOf,
    );
    this.readers = unique(
      'reader of the feed',
      areas.flatMap((a) => (a.readers ?? []).map((r) => [r.name, r] as const)),
    );
    this.notices = noticesOf(areas);
    this.speakers = new Speakers([OWN_TRANSLATIONS, ...areas.flatMap((a) => a.translations ?? [])]);
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
    this.permissions = unique(
      'permission',
      areas.flatMap((a) => (a.permissions ?? []).map((p) => [p.permission, p] as const)),
    );
    checkPermissions(this);
    for (const resource of this.resources.values()) this.#checkFields(resource.name, resource.fields);
    for (const { name, shown, fields } of this.resources.values())
      for (const property of Object.keys(shown))
        if (!fields[property]) throw new Error(`${name} hides the unknown property "${property}"`);
    for (const endpoint of this.endpoints) this.#checkEndpoint(endpoint);
    for (const kind of this.feed.values()) this.resourceOf(kind.object);
    for (const kind of this.consequences.keys())
      if (!this.feed.has(kind)) throw new Error(`a consequence is previewed of the unknown feed item "${kind}"`);
    for (const { name, kinds } of this.readers.values()) {
      for (const kind of kinds ?? [])
        if (!this.feed.has(kind)) throw new Error(`${name} reads the unknown feed item "${kind}"`);
    }
  }

  get notifier(): Notifier {
    if (!this.#notifier) throw new Error('no area sends notices');
    return this.#notifier;
  }

  /**
   * Returns an operation by its name.
   * @throws Error if there is none
   */
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

  async countUses(resource: string, work: Work, id: number): Promise<number> {
    let n = 0;
    for (const { uses } of this.areas) n += (await uses?.[resource]?.(work, id)) ?? 0;
    return n;
  }

  claim(resource: string, tx: Transaction, of: Claim): Promise<boolean> {
    const claim = this.areas.find(({ claims }) => claims?.[resource])?.claims?.[resource];
    if (!claim) throw new Error(`nobody gives away a ${resource}`);
    return claim(tx, of);
  }

  async changeAddress(tx: Transaction, of: AddressChange): Promise<void> {
    for (const { changesAddress } of this.areas)
      for (const change of Object.values(changesAddress ?? {})) await change(tx, of);
  }

  async follow(resource: string, work: Work, id: number, values: Readonly<Record<string, unknown>>): Promise<void> {
    for (const { follows } of this.areas) await follows?.[resource]?.(work, id, values);
  }

  async previewEffects(work: Work, { kind }: FeedItemKind<any>, object: number): Promise<void> {
    for (const consequence of this.consequences.get(kind) ?? []) await consequence.previewEffects(work, object);
  }

  /** Returns the rule for who is shown a property; undefined: everyone who sees its row. */
  shownOf = (resource: Resource, property: string): Shown | undefined =>
    this.#opened.get(`${resource.name}.${property}`) ?? resource.shown[property];

  #openings(areas: readonly Area[]): ReadonlyMap<string, Shown> {
    return unique(
      'opening of',
      areas.flatMap((a) =>
        Object.entries(a.reveals ?? {}).flatMap(([name, properties]) =>
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
    if (!who) throw new Error(`${name} does not declare who may call it`);
    if (Array.isArray(who.provider) && who.provider.length === 0)
      throw new Error(`${name} lists no permission: use false instead`);
    if ('resource' in returns && this.resources.get(returns.resource.name) !== returns.resource) {
      throw new Error(`${name} returns the unregistered resource "${returns.resource.name}"`);
    }
    if ('selects' in returns && returns.selects) this.#checkFields(name, returns.selects);
    if (isWrite(endpoint) && endpoint.dryRun?.trim() === '')
      throw new Error(`${name} has no dry run, and no reason for that`);
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
      throw new Error(`${told} of ${name} reads the unknown property "${reads}"`);
  }
}

const withRefusals = (endpoint: Endpoint, areas: readonly Area[]): Endpoint => ({
  ...endpoint,
  problems: [
    ...endpoint.problems,
    ...areas.flatMap(({ refuses }) => refuses?.[`${endpoint.method} ${endpoint.path}`] ?? []),
  ],
});
