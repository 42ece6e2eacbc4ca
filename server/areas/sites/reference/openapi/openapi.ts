/** The OpenAPI 3.1 document of all declarations, in their order. */
import { BODY_LIMIT, BODY_TYPES, hasCsv, querySchema, STANDARD } from '../../../../kernel/api/requests/input.ts';
import {
  byStatus,
  supportsDryRun,
  generalCodes,
  isWrite,
  modesOf,
  operationId,
  pathParameters,
  permissionsOf,
  refusalsOf,
  trialInWords,
  type Declared,
} from '../../../../kernel/api/contract.ts';
import {
  component,
  componentSchemas,
  formSchema,
  nameOf,
  open,
  pageSchema,
  pascal,
  takingOver,
  type SchemaOptions,
} from './openapi-schemas.ts';
import { SharedParameters, type Parameter } from './openapi-parameters.ts';
import { SharedSchemas } from './openapi-shared.ts';
import { objectSchema, schemaOf } from '../../../../kernel/base/fields/kinds.ts';
import type { ProblemKind } from '../../../../kernel/base/problem.ts';
import { EXPLAINED, type JsonSchema, type Shape } from '../../../../kernel/base/fields/field.ts';
import type { Registry } from '../../../../kernel/api/registry.ts';
import { RELEASE } from '../../../../kernel/base/release.ts';

const INTRODUCTION = `Scheduling and business management over HTTP.

Every operation accepts the parameter \`format\` (\`json\` or \`xml\`), or \`Accept: application/xml\`, and returns XML wherever it returns JSON. XML has the same data: one \`<root>\`, an element for each key, \`<list-item>\` for the entries of lists, an empty element for null.
With \`fields\`, only the named fields are returned, so any part of a resource may be absent. \`expand\` returns related objects instead of their ids, and deferred fields (\`x-deferred\`). \`sort\` takes a comma-separated list; a minus sign (\`-\`) reverses the order. With \`dry_run\`, a write changes nothing and returns its effects.
A body is JSON, or the same properties as ${BODY_TYPES.slice(1)
  .map((type) => `\`${type}\``)
  .join(
    ' or ',
  )}, with dots for nested properties. It can have at most ${BODY_LIMIT} bytes. Properties that are not listed are refused.
Where a query parameter is an object (\`style: form\`, \`explode: true\`), each of its properties is a parameter of its own: \`?status=active&customers=1,2\`. Commas separate the entries of a list.
You can send back what you read: read-only properties in the body of a PUT or PATCH are ignored.
Headers that every operation accepts: with \`Prefer: handling=strict\`, unknown parameters, unknown field names and read-only properties are refused instead of ignored. With \`Idempotency-Key\`, a write that you repeat within 24 hours returns the first response again and takes effect only once. With \`If-Match\`, a write happens only if the current version has this ETag. With \`If-None-Match\`, a read returns 304 if the current version still has it.
Headers of every response: \`Request-Id\`, and \`ETag\` for single objects.
All errors have one format, \`Problem\`, with a code from a fixed list. \`x-codes\` lists the codes that an operation can return in addition to those of its \`default\` response and of statuses that have only one. \`x-modes\`: who can call it; if absent, only staff (\`provider\`). \`x-permissions\`: staff with any of these, or with \`super_admin\`.`;

export function openapi(registry: Registry, options: SchemaOptions = {}): Record<string, any> {
  const shared = new SharedSchemas();
  for (const [name, { schema, ...how }] of Object.entries(componentSchemas(registry, options)))
    shared.define(name, schema, how);
  // Two passes: repetitions are known only after everything has been gathered.
  const paths = new Map<string, Printed[]>();
  const parts: Parts = {
    shared,
    registry,
    options,
    responses: new Map(),
    bodies: new Set(),
    updates: new Map(),
    parameters: new SharedParameters(shared),
  };
  for (const endpoint of registry.endpoints) {
    if (endpoint.method === 'PATCH' && endpoint.body)
      parts.updates.set(JSON.stringify(bodySchema(endpoint).properties), bodyName(endpoint, operationId(endpoint)));
  }
  const ids = new Set<string>();
  for (const endpoint of registry.endpoints) {
    const id = operationId(endpoint);
    if (ids.has(id)) throw new Error(`two operations would be called "${id}"`);
    ids.add(id);
    paths.set(endpoint.path, [...(paths.get(endpoint.path) ?? []), operation(endpoint, id, parts)]);
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Rollcall',
      version: '2',
      description: INTRODUCTION,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
      'x-release': RELEASE,
    },
    servers: [{ url: '/api/v2' }],
    security: OF_A_BUSINESS,
    tags: registry.topics
      .filter(({ endpoints }) => endpoints?.length)
      .map(({ name, description }) => ({ name, description })),
    paths: Object.fromEntries([...paths].map(([path, printed]) => [path, pathItem(printed, parts)])),
    components: {
      securitySchemes: {
        bearer: {
          type: 'http',
          scheme: 'bearer',
          description: 'A machine token of the business or the access token of a person.',
        },
        people: {
          type: 'openIdConnect',
          openIdConnectUrl: '/.well-known/openid-configuration',
          description: 'The way an application gets the access token of a person: the authorization code flow.',
        },
        business: {
          type: 'apiKey',
          in: 'header',
          name: 'Service-Provider-ID',
          description:
            'The id of the business that the request is for. Required if the credential gives access to several businesses, or if there is no credential.',
        },
        mode: {
          type: 'apiKey',
          in: 'header',
          name: 'Service-Request-Mode',
          description: 'The mode, `provider` or `customer`, for a person who is both staff and customer.',
        },
      },
      headers: ANSWER_HEADERS,
      responses: byName(
        Object.fromEntries(
          [...parts.responses].filter(([, { uses }]) => uses > 1).map(([name, { print }]) => [name, print()]),
        ),
      ),
      parameters: parts.parameters.print(),
      // Last, because the parts printed before it determine which schemas get names.
      schemas: shared.print(),
    },
  };
}

/** Parts that are gathered before anything is printed. */
interface Parts {
  readonly shared: SharedSchemas;
  readonly registry: Registry;
  readonly options: SchemaOptions;
  readonly responses: Map<string, { print: () => object; uses: number }>;
  /** names of bodies that are already used */
  readonly bodies: Set<string>;
  /** names of PATCH bodies, by their properties */
  readonly updates: Map<string, string>;
  readonly parameters: SharedParameters;
}
interface Printed {
  readonly method: string;
  readonly topic: string;
  readonly parameters: readonly Parameter[];
  readonly rest: () => Record<string, unknown>;
}

const CREDENTIALS = [{ bearer: [] }, { people: [] }];
/** Security with two additional headers, for credentials that alone don't determine the business and the mode. */
const OF_A_BUSINESS = [...CREDENTIALS, { bearer: [], business: [] }, { people: [], business: [], mode: [] }];

/** Returns the security of an operation if it differs from the default of the document. */
function securityOf({ who, belongsTo }: Declared): { security: object[] } | undefined {
  if (belongsTo === 'installation') return { security: [...CREDENTIALS, ...(who.unregistered ? [{}] : [])] };
  // Requests without a credential must name the business.
  return who.unregistered ? { security: [...CREDENTIALS, { business: [] }] } : undefined;
}

const mapValues = <A, B>(of: Record<string, A>, to: (value: A) => B): Record<string, B> =>
  Object.fromEntries(Object.entries(of).map(([name, value]) => [name, to(value)]));
const byName = <T>(of: Record<string, T>): Record<string, T> =>
  Object.fromEntries(Object.entries(of).toSorted(([a], [b]) => (a < b ? -1 : 1)));

/** Returns the item of a path. Parameters that all of its methods have are listed at the path. */
function pathItem(operations: readonly Printed[], { parameters }: Parts): Record<string, unknown> {
  const [first, ...others] = operations;
  const common = new Set(first.parameters.filter((one) => others.every((o) => o.parameters.includes(one))));
  const printed = (list: readonly Parameter[]) => list.map((one) => parameters.reference(one, first.topic));
  return {
    ...(common.size > 0 && { parameters: printed([...common]) }),
    ...Object.fromEntries(
      operations.map(({ method, parameters: all, rest }) => {
        const own = all.filter((one) => !common.has(one));
        return [method, { ...rest(), ...(own.length > 0 && { parameters: printed(own) }) }];
      }),
    ),
  };
}

function operation(endpoint: Declared, id: string, parts: Parts): Printed {
  const { summary, description, topic, method } = endpoint;
  // The introduction says that super admins need no other permission.
  const permissions = permissionsOf(endpoint).filter((one, _i, { length }) => one !== 'super_admin' || length === 1);
  const text = [description, supportsDryRun(endpoint) ? null : trialInWords(endpoint)].filter(Boolean).join('\n\n');
  const codes = ownRefusals(endpoint, parts.registry).filter((one) => !isAlone(one, parts.registry));
  const modes = modesOf(endpoint);
  const body = requestBody(endpoint, parts);
  const responses = { ...success(endpoint, parts), ...refusals(endpoint, parts) };
  return {
    method: method.toLowerCase(),
    topic,
    parameters: parameters(endpoint).map((one) => parts.parameters.add(one, topic, id)),
    rest: () => ({
      operationId: id,
      summary,
      ...(text && { description: text }),
      tags: [topic],
      ...(modes.join() !== 'provider' && { 'x-modes': modes }),
      ...(permissions.length > 0 && { 'x-permissions': permissions }),
      ...securityOf(endpoint),
      ...(body && { requestBody: body() }),
      responses: mapValues(responses, (print) => print()),
      ...(codes.length > 0 && { 'x-codes': codes.map(({ code }) => code) }),
    }),
  };
}

const pathSchema = ({ names, textId }: Declared, name: string): JsonSchema => {
  if (name !== 'id' || textId) return { type: 'string', maxLength: 200 };
  return names ? { type: 'string', enum: [...names] } : { type: 'integer', minimum: 1 };
};

function parameters(endpoint: Declared): Parameter[] {
  const inPath = pathParameters(endpoint.path).map((name) => ({
    name,
    in: 'path',
    required: true,
    schema: pathSchema(endpoint, name),
  }));
  const asked = querySchema(endpoint);
  const inQuery = Object.entries(asked)
    .filter(([name, field]) => !(name in STANDARD) && field.spec.among === undefined)
    .map(([name, field]) => {
      const { description, ...bare } = schemaOf(field);
      // A named schema keeps its description inside: it is the same schema as in bodies.
      const isNamed = description !== undefined && bare[EXPLAINED] === description;
      const schema = isNamed ? { ...bare, description } : bare;
      return {
        name,
        in: 'query',
        ...(!field.spec.optional && { required: true }),
        ...(description && !isNamed && { description }),
        schema,
        ...(schema.type === 'array' && { style: 'form', explode: false }),
      };
    });
  const headers = HEADERS.filter(({ on }) => on(endpoint)).map(({ parameter }) => parameter);
  return [...inPath, ...inQuery, ...sets(asked), ...headers];
}

/**
 * Returns parameters that share one schema as a single exploded parameter: each property of the schema is a parameter
 * of its own.
 */
const sets = (asked: Shape): Parameter[] =>
  [...new Set(Object.values(asked).flatMap(({ spec }) => spec.among ?? []))].map((name) => ({
    name,
    in: 'query',
    schema: component(pascal(name)),
    style: 'form',
    explode: true,
  }));

interface Header {
  readonly parameter: Parameter;
  /** selects the operations that accept it */
  readonly on: (endpoint: Declared) => boolean;
}
const header = (name: string, description: string, schema: JsonSchema, on: Header['on']): Header => ({
  parameter: { name, in: 'header', description, schema },
  on,
});

const HEADERS: readonly Header[] = [
  header(
    'Last-Event-ID',
    'The `id` of the last event that arrived. The stream continues after it. Takes precedence over `after`.',
    { type: 'string', pattern: '^[0-9]{1,15}$' },
    (e) => e.returns.kind === 'stream',
  ),
];

const ANSWER_HEADERS = {
  'Retry-After': { description: 'Seconds to wait.', schema: { type: 'integer' } },
};
const RETRY_AFTER = { headers: { 'Retry-After': { $ref: '#/components/headers/Retry-After' } } };

/**
 * Returns the name of a body's schema, after what the call does with the resource: `CustomerCreate`, `CustomerReplace`,
 * `CustomerUpdate`, or the action.
 */
function bodyName({ method, path, returns, status }: Declared, id: string): string {
  if (returns.kind !== 'one' || (method === 'POST' && status !== 201))
    return pascal(`${id.replace(/^do_|_id(?=_|$)/g, '')}_body`);
  const verb = method === 'PUT' ? 'Replace' : method === 'PATCH' ? 'Update' : 'Create';
  return path.split('/').length > (method === 'POST' ? 3 : 4)
    ? pascal(`${id.replace(/_id(?=_|$)/g, '')}_body`)
    : `${nameOf(returns.resource)}${verb}`;
}

function requestBody(endpoint: Declared, parts: Parts): (() => object) | undefined {
  if (!isWrite(endpoint) || !endpoint.body) return undefined;
  const schema = bodySchema(endpoint);
  const id = operationId(endpoint);
  let name = bodyName(endpoint, id);
  if (parts.bodies.has(name)) name = pascal(`${id}_body`);
  parts.bodies.add(name);
  const print = addBody(parts, name, (endpoint.method !== 'PATCH' && asUpdate(schema, parts)) || schema);
  // Forms contain the same properties. The introduction says so once.
  return () => ({
    ...((schema.required ?? []).length > 0 && { required: true }),
    content: inJson(print()),
  });
}

/**
 * Minimum length for a named body of an action. A shorter one is inlined in its operation, where it is read, unless
 * another operation uses the same.
 */
const LONG_BODY = 400;

function addBody({ shared, updates }: Parts, name: string, schema: JsonSchema): () => JsonSchema {
  const isChange = [...updates.values()].includes(name);
  if (name.endsWith('Body') && !isChange && JSON.stringify(schema).length < LONG_BODY) return shared.add(schema, name);
  shared.define(name, schema);
  return () => component(name);
}

/**
 * Returns the schema of a body. Descriptions of properties that the resource already has apply to writing too, and are
 * not repeated.
 */
function bodySchema({ body, returns }: Declared): JsonSchema {
  const { properties, ...rest } = takingOver(body as Shape, objectSchema);
  const shown = returns.kind === 'one' ? returns.resource.fields : {};
  return {
    ...rest,
    properties: Object.fromEntries(
      Object.entries<JsonSchema>(properties).map(([name, { description, ...schema }]) => [
        name,
        {
          ...open(schema),
          ...(description !== undefined && description !== shown[name]?.spec.description && { description }),
        },
      ]),
    ),
  };
}

/**
 * Describes a PUT or POST that accepts the properties of the PATCH, some of them required, as a reference to the
 * PATCH's schema.
 */
function asUpdate(schema: JsonSchema, { updates }: Parts): JsonSchema | undefined {
  const update = updates.get(JSON.stringify(withoutDefaults(schema)));
  return update === undefined
    ? undefined
    : { allOf: [component(update)], ...(schema.required && { required: schema.required }) };
}

const withoutDefaults = ({ properties }: JsonSchema): JsonSchema =>
  mapValues(properties as Record<string, JsonSchema>, ({ default: _none, ...property }) => property);

/** XML contains the same data. The introduction says so once. */
const inJson = (schema: JsonSchema) => ({ 'application/json': { schema } });

/**
 * Returns a named response: inline if it is the only one of its name, otherwise as a reference. Responses of one name
 * are the same, so their contents are gathered once, and printed after everything has been gathered.
 */
function answer(parts: Parts, name: string, gather: () => () => object): () => object {
  const known = parts.responses.get(name) ?? { print: gather(), uses: 0 };
  known.uses++;
  parts.responses.set(name, known);
  return () => (known.uses > 1 ? { $ref: `#/components/responses/${name}` } : known.print());
}

function success(endpoint: Declared, parts: Parts): Record<string, () => object> {
  const { status, returns } = endpoint;
  const dryRun = supportsDryRun(endpoint);
  const preview: Record<string, () => object> = dryRun
    ? {
        200: answer(parts, 'DryRun', () => () => ({
          description: 'With `dry_run`: what the operation would do.',
          content: inJson(component('DryRun')),
        })),
      }
    : {};
  if (returns.kind === 'none')
    return {
      ...preview,
      [status]: answer(parts, 'Done', () => () => ({ description: 'Done. The response has no body.' })),
    };
  if (returns.kind === 'file')
    return {
      [status]: () => ({
        description: 'The document.',
        content: Object.fromEntries(
          returns.types.map((type) => [
            type,
            // JSON files are described in a guide, because such a file may be too long to be read as one value.
            { schema: type === 'application/json' ? {} : { type: 'string', contentMediaType: type } },
          ]),
        ),
      }),
    };
  const [name, schema] = answerSchema(endpoint, parts);
  if (returns.kind === 'stream') {
    const print = parts.shared.add({ type: 'string', 'x-event-data': schema }, name);
    return {
      [status]: () => ({
        description:
          'Server-sent events until one side ends the stream. The `data` of each event is JSON in this format.',
        content: { 'text/event-stream': { schema: print() } },
      }),
    };
  }
  const orTried = dryRun && status === 200;
  const called = orTried ? `${name}OrDryRun` : name;
  const gather = () => {
    const print = addAnswer(parts, called, orTried ? { anyOf: [schema, component('DryRun')] } : schema);
    return () => ({
      description: 'Done.',
      content: { ...inJson(print()), ...(hasCsv(returns) && { 'text/csv': { schema: { type: 'string' } } }) },
    });
  };
  return { ...(status === 200 ? {} : preview), [status]: answer(parts, called, gather) };
}

/** A longer response is never inlined in its operation: tools show its name and load it on demand. */
const LONG_ANSWER = 1000;

function addAnswer({ shared }: Parts, name: string, schema: JsonSchema): () => JsonSchema {
  if (JSON.stringify(schema).length < LONG_ANSWER) return shared.add(schema, name);
  shared.define(name, schema);
  return () => component(name);
}

/** Returns the schema of the response and its name, which is the resource's or the operation's. */
function answerSchema(endpoint: Declared, { registry, options }: Parts): [string, JsonSchema] {
  const { returns } = endpoint;
  const said = returns.kind === 'shape' ? returns.name : undefined;
  const own = pascal(said ?? `${operationId(endpoint)}_answer`);
  switch (returns.kind) {
    case 'one':
      return [nameOf(returns.resource), component(nameOf(returns.resource))];
    case 'page':
      return [`${nameOf(returns.resource)}Page`, component(`${nameOf(returns.resource)}Page`)];
    case 'pageOf':
      return [own, pageSchema(formSchema(returns.shape, registry, options), options)];
    case 'shape':
    case 'stream':
      return [own, formSchema(returns.shape, registry, options)];
    case 'file':
    case 'none':
      return ['Done', {}];
  }
}

/** Returns the refusals that the endpoint adds to those of every operation. */
function ownRefusals(endpoint: Declared, registry: Registry): ProblemKind[] {
  const general: readonly string[] = generalCodes(endpoint);
  return refusalsOf(endpoint, registry).filter(({ code }) => !general.includes(code));
}

/** Returns true if this code is the only one with its status, so that the status identifies it. */
const isAlone = ({ status }: ProblemKind, { problems }: Registry): boolean =>
  [...problems.values()].filter((one) => one.status === status).length === 1;

/**
 * Returns the refusals by status. Those that every operation can have are `default`. The statuses of the endpoint's own
 * codes are listed, and the operation's `x-codes` says which codes can occur.
 */
function refusals(endpoint: Declared, parts: Parts): Record<string, () => object> {
  const all = byStatus([...parts.registry.problems.values()]);
  const own = [...byStatus(ownRefusals(endpoint, parts.registry)).keys()].map((status) => {
    const codes = all.get(status)!;
    const name = STATUS_NAMES[status] ?? `Status${status}`;
    return [
      status,
      answer(
        parts,
        name,
        () => () =>
          refusal(
            `Refused with ${status}.${codes.length > 1 ? ' `x-codes` of the operation lists its codes.' : ''}`,
            codes,
          ),
      ),
    ];
  });
  const [name, which] = isWrite(endpoint) ? ['RefusedWrite', 'every write'] : ['RefusedRead', 'every read'];
  // Includes 429 and 503, which say when to retry.
  const general = () => ({
    ...refusal(`Refused with a code that ${which} can return.`, generalCodes(endpoint)),
    ...RETRY_AFTER,
  });
  return { ...Object.fromEntries(own), default: answer(parts, name, () => general) };
}

/** Names of components, which client generators use as names of types. */
const STATUS_NAMES: Record<number, string> = {
  400: 'BadRequest',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'NotFound',
  405: 'MethodNotAllowed',
  406: 'NotAcceptable',
  409: 'Conflict',
  412: 'PreconditionFailed',
  413: 'BodyTooLarge',
  415: 'UnsupportedMediaType',
  422: 'Unprocessable',
  429: 'TooManyRequests',
  500: 'ServerError',
  503: 'Unavailable',
};

const refusal = (description: string, codes: readonly string[]) => ({
  description,
  content: inJson(component('Problem')),
  'x-codes': codes,
});
