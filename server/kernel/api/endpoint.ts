/** Builders for endpoints: one for each way of acting. */
import { allOptional, type Shape, type ValueOf } from '../base/fields/field.ts';
import { integer, listOf, oneOf, type Variants } from '../base/fields/kinds.ts';
import type {
  Answer,
  CalculateEndpoint,
  File,
  GetEndpoint,
  ListEndpoint,
  Nothing,
  One,
  OutsideEndpoint,
  PageOf,
  ReadEndpoint,
  StreamEndpoint,
  WriteEndpoint,
  StreamEvent,
  BusinessClock,
} from './acting.ts';
import type { CalculateCall, Call, OutsideCall, ReadCall, StreamCall } from './calls.ts';
import type { Whose } from '../base/apart/one-at-a-time.ts';
import type { Installation } from '../work/unit/installation.ts';
import type { Refusable } from '../base/problem.ts';
import type { Resource } from './resource.ts';
import type { SortKey } from './filter.ts';
import type { Sql } from '../base/db/sql.ts';

export { listAt } from './acting.ts';
export type { Endpoint, ListEndpoint, Method, WriteEndpoint } from './acting.ts';
export type { AfterCall, CalculateCall, Call, OutsideCall, ReadCall, StreamCall, TogetherCall } from './calls.ts';
export type { DrawnFile, FileToSend } from './file.ts';
export { choice, filter, matchesNothing, telling, type Filter, type SortKey } from './filter.ts';
export { EVERYONE, OPERATOR, STAFF, staffWith, type Who } from './who.ts';

type Said = Pick<WriteEndpoint, 'path' | 'summary' | 'description' | 'who' | 'names' | 'textId' | 'atVenue'> & {
  problems?: readonly Refusable[];
};

type Below =
  | { target?: undefined; within?: undefined }
  | { target: Resource; /** the condition for the rows below it */ within: (t: string) => Sql };

/** Declares a list: filters limit it, `sort` orders it (the id is always the last key), and it is returned in pages. */
export function list(
  resource: Resource,
  spec: Said & Partial<Pick<ListEndpoint, 'filters' | 'sort' | 'defaultSort' | 'pageSize' | 'everywhere'>> & Below,
): ListEndpoint {
  const { filters = {}, sort = {}, pageSize = 100, problems = [], ...rest } = spec;
  const query: Shape = Object.fromEntries(Object.entries(filters).map(([name, f]) => [name, f.field]));
  if (Object.keys(sort).length > 0) query.sort = sortBy(sort);
  return {
    ...rest,
    acts: 'list',
    method: 'GET',
    filters,
    sort,
    pageSize,
    query: { ...query, ...paging(pageSize) },
    returns: { kind: 'page', resource },
    status: 200,
    problems,
  };
}

/** Declares the list of a resource, and the endpoint that returns one object of it: `get` is its summary. */
export const listAndGet = (
  resource: Resource,
  {
    get: one,
    ...spec
  }: Parameters<typeof list>[1] & { get: string | (Pick<Said, 'summary' | 'description'> & { query?: Shape }) },
): [ListEndpoint, GetEndpoint] => [
  list(resource, spec),
  get(resource, { path: `${spec.path}/{id}`, who: spec.who, ...(typeof one === 'string' ? { summary: one } : one) }),
];

/** Returns the `sort` parameter of a list with these keys. */
export const sortBy = (keys: Record<string, SortKey>) =>
  listOf(oneOf(Object.keys(keys).flatMap((k) => [k, `-${k}`]))).optional();

export const paging = (most = 100) => ({
  page: integer({ min: 1, max: 1_000_000 }).default(1),
  page_size: integer({ min: 1 })
    .default(Math.min(most, 100))
    .describe(`At most ${most}. Larger values are reduced to ${most}.`),
});

/** Declares an endpoint that returns one object by its id. */
export const get = (resource: Resource, spec: Said & { query?: Shape }): GetEndpoint => ({
  query: {},
  problems: [],
  ...spec,
  acts: 'get',
  method: 'GET',
  target: resource,
  returns: one(resource),
  status: 200,
});

type Reads<Q extends Shape> = Said &
  Pick<ReadEndpoint, 'belongsTo' | 'target' | 'returns' | 'replica' | 'prepares'> & {
    query?: Q;
    run: (call: ReadCall<ValueOf<Q>>) => Promise<unknown>;
  };

/** Declares an endpoint that returns a value that `run` computes. */
export const read = <Q extends Shape = {}>(spec: Reads<Q>): ReadEndpoint => ({
  query: {},
  problems: [],
  ...spec,
  acts: 'read',
  method: 'GET',
  status: 200,
});

/**
 * Declares an endpoint that returns a value that `run` computes from a body. It changes nothing, so callers with read
 * access only may call it too.
 */
export const calculate = <B extends Shape>(
  spec: Said &
    Pick<CalculateEndpoint, 'returns' | 'dryRun'> & {
      body: B;
      run: (call: CalculateCall<ValueOf<B>>) => Promise<unknown>;
    },
): CalculateEndpoint => ({
  query: {},
  problems: [],
  ...spec,
  acts: 'calculate',
  method: 'POST',
  status: 200,
});

/** The declaration of every change; `Sent` is its body after reading. */
export type Writes<Q extends Shape, B extends Shape, Sent = ValueOf<B>> = Said &
  Pick<
    WriteEndpoint,
    'silent' | 'tells' | 'unlocked' | 'dryRun' | 'afterwards' | 'changesBusiness' | 'changesNothing'
  > & {
    query?: Q;
    body?: B;
    ahead?: (
      body: Partial<ValueOf<B>>,
      installation: Installation,
      whose: Whose,
      clock: BusinessClock,
    ) => Promise<void>;
    run: (call: Call<ValueOf<Q>, Sent>) => Promise<unknown>;
  };

/** Declares an endpoint that creates an object: `run` returns its id. */
export const create = <B extends Shape, Q extends Shape = {}>(
  resource: Resource,
  spec: Writes<Q, B>,
): WriteEndpoint => ({
  query: {},
  problems: [],
  ...spec,
  acts: 'write',
  method: 'POST',
  returns: one(resource),
  status: 201,
});

/**
 * Declares the endpoints that change an object: PUT takes the whole body, PATCH any part of it; both run the same
 * function.
 */
export function update<B extends Shape, Q extends Shape = {}>(
  resource: Resource,
  spec: Writes<Q, B, Partial<ValueOf<B>>> & { body: B },
): [WriteEndpoint, WriteEndpoint] {
  const common = {
    query: {},
    problems: [],
    ...spec,
    acts: 'write',
    target: resource,
    returns: one(resource),
    status: 200,
  } as const;
  return [
    { ...common, method: 'PUT' },
    { ...common, method: 'PATCH', body: allOptional(spec.body) },
  ];
}

/** Declares an endpoint that deletes an object. */
export const remove = <Q extends Shape = {}>(
  resource: Resource,
  spec: Omit<Writes<Q, {}>, 'body' | 'ahead'>,
): WriteEndpoint => ({
  query: {},
  problems: [],
  ...spec,
  acts: 'write',
  method: 'DELETE',
  target: resource,
  returns: nothing,
  status: 204,
});

/** Declares an action on one object, or on none; it responds with `returns`. */
export const action = <B extends Shape = {}, Q extends Shape = {}>(
  spec: Writes<Q, B> &
    Pick<WriteEndpoint, 'belongsTo' | 'target' | 'returns' | 'shows' | 'together'> &
    Partial<Pick<WriteEndpoint, 'method' | 'status'>>,
): WriteEndpoint => ({
  query: {},
  problems: [],
  method: 'POST',
  status: spec.returns.kind === 'none' ? 204 : 200,
  ...spec,
  acts: 'write',
});

type Apart<Q extends Shape, B extends Shape> = Said &
  Pick<OutsideEndpoint, 'belongsTo' | 'returns'> & {
    query?: Q;
    run: (call: OutsideCall<ValueOf<Q>, ValueOf<B>>) => Promise<unknown>;
  } & ({ method: 'GET'; body?: undefined } | { method?: 'POST'; body?: B; dryRun: string });

/** Declares an endpoint that reads or acts in transactions of its own. */
export const outside = <B extends Shape = {}, Q extends Shape = {}>(spec: Apart<Q, B>): OutsideEndpoint => ({
  query: {},
  problems: [],
  method: 'POST',
  status: 200,
  ...spec,
  acts: 'outside',
});

/** Declares a stream: events of the shape `sends` for as long as the client listens. */
export const stream = <Q extends Shape = {}>({
  sends,
  ...spec
}: Said & {
  query?: Q;
  sends: Shape;
  run: (call: StreamCall<ValueOf<Q>>) => AsyncIterable<readonly StreamEvent[]>;
}): StreamEndpoint => ({
  query: {},
  problems: [],
  ...spec,
  acts: 'stream',
  method: 'GET',
  returns: { kind: 'stream', shape: sends },
  status: 200,
});

export const one = (resource: Resource): One => ({ kind: 'one', resource });
export const answer = (shape: Shape | Variants): Answer => ({ kind: 'shape', shape });
/** An answer of this name: operations that return the same say so, and their clients have one type. */
export const namedAnswer = (name: string, shape: Shape): Answer => ({ kind: 'shape', shape, name });
/** Declares a response that is also available as a table. */
export const table = (name: string, shape: Shape, csv: NonNullable<Answer['csv']>): Answer => ({
  ...namedAnswer(name, shape),
  csv,
});
export const pageOf = (shape: Shape | Variants): PageOf => ({ kind: 'pageOf', shape });
/**
 * Declares responses with `fields` and `expand`: the computed value contains ids, and the objects behind them are read
 * on demand.
 */
export const selecting = {
  answer: (shape: Shape): Answer => ({ ...answer(shape), selects: shape }),
  pageOf: (shape: Shape): PageOf => ({ ...pageOf(shape), selects: shape }),
};
export const file = (...types: readonly string[]): File => ({ kind: 'file', types });
export const nothing: Nothing = { kind: 'none' };
