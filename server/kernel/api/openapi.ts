/** The OpenAPI 3.1 document of everything that is declared, in the order of the declarations. */
import { BODY_LIMIT, querySchema } from './input.ts';
import { byStatus, isWrite, modesOf, operationId, pathParameters, permissionsOf, refusalsOf, trialInWords, whoInWords, type Declared } from './contract.ts';
import { canBeTried } from './endpoint.ts';
import { component, componentSchemas, formSchema, nameOf, pageSchema, type SchemaOptions } from './openapi-schemas.ts';
import { objectSchema, schemaOf } from './kinds.ts';
import { PROBLEMS, type ProblemCode } from './problem.ts';
import type { JsonSchema } from './field.ts';
import type { Registry } from './registry.ts';

const INTRODUCTION = `Scheduling and business management over HTTP.

Every answer is JSON, or XML with \`Accept: application/xml\` or \`?format=xml\`: one \`<root>\`, an element for each key, \`<list-item>\` for the entries of lists, an empty element for null.
With \`fields\` only the named fields are sent, so any part of a resource may be absent then; \`expand\` sends related objects in the place of their ids, and deferred fields (\`x-deferred\`).
Refusals have one form, \`Problem\`, with a code of a closed list.`;

export function openapi(registry: Registry, options: SchemaOptions = {}): Record<string, any> {
  const paths: Record<string, Record<string, unknown>> = {};
  const ids = new Set<string>();
  for (const endpoint of registry.endpoints) {
    const id = operationId(endpoint);
    if (ids.has(id)) throw new Error(`two operations would be called "${id}"`);
    ids.add(id);
    (paths[endpoint.path] ??= {})[endpoint.method.toLowerCase()] = operation(endpoint, id, registry, options);
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Rollcall', version: '2', description: INTRODUCTION, license: { name: 'Apache-2.0', identifier: 'Apache-2.0' } },
    servers: [{ url: '/api/v2' }],
    security: CREDENTIALS,
    tags: registry.areas.filter((a) => a.endpoints?.length).map(({ name, description }) => ({ name, description })),
    paths,
    components: {
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer', description: 'A machine token of the business, or the access token of a person.' },
        people: { type: 'openIdConnect', openIdConnectUrl: '/.well-known/openid-configuration', description: 'How an application gets the access token of a person: the code flow.' },
      },
      parameters: headerParameters,
      headers: answerHeaders,
      schemas: componentSchemas(registry, options),
    },
  };
}

const CREDENTIALS = [{ bearer: [] }, { people: [] }];

function operation(endpoint: Declared, id: string, registry: Registry, options: SchemaOptions): Record<string, unknown> {
  const { summary, description, area, who, body } = endpoint;
  return {
    operationId: id,
    summary,
    description: [description, whoInWords(endpoint), canBeTried(endpoint) ? null : trialInWords(endpoint)].filter(Boolean).join('\n\n'),
    tags: [area],
    'x-modes': modesOf(endpoint),
    'x-permissions': permissionsOf(endpoint),
    // Without a credential too, where the public may see something.
    ...(who.unregistered && { security: [...CREDENTIALS, {}] }),
    parameters: parameters(endpoint),
    ...(isWrite(endpoint) && body && { requestBody: requestBody(objectSchema(body), endpoint.method) }),
    responses: { ...success(endpoint, registry, options), ...refusals(refusalsOf(endpoint, registry)) },
  };
}

function parameters(endpoint: Declared): object[] {
  const inPath = pathParameters(endpoint.path).map((name) => ({
    name,
    in: 'path',
    required: true,
    schema: name === 'id' ? { type: 'integer', minimum: 1 } : { type: 'string', maxLength: 200 },
  }));
  const inQuery = Object.entries(querySchema(endpoint)).map(([name, field]) => {
    const { description, ...schema } = schemaOf(field);
    return {
      name,
      in: 'query',
      required: !field.spec.optional,
      ...(description && { description }),
      schema,
      ...(schema.type === 'array' && { style: 'form', explode: false }),
    };
  });
  const headers = Object.entries(headerParameters).filter(([, { on }]) => on === undefined || on(endpoint)).map(([name]) => ({ $ref: `#/components/parameters/${name}` }));
  return [...inPath, ...inQuery, ...headers];
}

type On = (endpoint: Declared) => boolean;
const header = (name: string, description: string, schema: JsonSchema, on?: On) =>
  // `on` is for this file: functions do not become JSON.
  Object.defineProperty({ name, in: 'header', required: false, description, schema } as Record<string, unknown> & { on?: On }, 'on', { value: on, enumerable: false });

const isOfABusiness: On = (e) => e.belongsTo !== 'installation';

const headerParameters = {
  provider: header('Service-Provider-ID', 'The business that the request acts on; needed where the credential reaches several, and without one.', { type: 'integer', minimum: 1 }, isOfABusiness),
  mode: header('Service-Request-Mode', 'Chooses the mode where the person is both staff and customer.', { type: 'string', enum: ['provider', 'customer'] }, isOfABusiness),
  prefer: header('Prefer', '`handling=strict`: unknown parameters and field names are refused instead of passed over, and so are read-only properties in the body of PUT and PATCH.', { type: 'string' }),
  idempotency_key: header('Idempotency-Key', 'The same key with the same request within 24 hours gives the first answer again and acts once.', { type: 'string', minLength: 1, maxLength: 255 }, (e) => isWrite(e) && isOfABusiness(e)),
  last_event_id: header('Last-Event-ID', 'The `id` of the last event that arrived: the stream goes on behind it. Wins over `after`.', { type: 'string', pattern: '^[0-9]{1,15}$' }, (e) => e.returns.kind === 'stream'),
  if_match: header('If-Match', 'Acts only on the version with this ETag.', { type: 'string' }, (e) => isWrite(e) && Boolean(e.target)),
  if_none_match: header('If-None-Match', 'Answers 304 while the version still has this ETag.', { type: 'string' }, (e) => e.method === 'GET' && e.returns.kind === 'one'),
};

const answerHeaders = {
  'Request-Id': { description: 'Leads to the log of the service.', schema: { type: 'string' } },
  ETag: { description: 'Version of the object.', schema: { type: 'string' } },
  'Retry-After': { description: 'Seconds to wait.', schema: { type: 'integer' } },
};
const heads = (...names: (keyof typeof answerHeaders)[]) =>
  ({ headers: Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }])) });

const requestBody = (schema: JsonSchema, method: string) => ({
  required: (schema.required ?? []).length > 0,
  description: `At most ${BODY_LIMIT} bytes; a property that is not listed is refused.${method === 'PUT' || method === 'PATCH' ? ' What was read may be sent back: read-only properties of the answer are ignored, or refused with `Prefer: handling=strict`.' : ''}`,
  content: { 'application/json': { schema }, 'application/x-www-form-urlencoded': { schema }, 'multipart/form-data': { schema } },
});

const both = (schema: JsonSchema) => ({ 'application/json': { schema }, 'application/xml': { schema } });

function success(endpoint: Declared, registry: Registry, options: SchemaOptions): Record<string, unknown> {
  const { status, returns, method } = endpoint;
  const dryRun = canBeTried(endpoint);
  const trial = (schema: JsonSchema) => ({ description: 'What it would do, with `dry_run`.', ...heads('Request-Id'), content: both(tried(schema)) });
  if (returns.kind === 'none') return { [status]: { description: 'Done; nothing to send.', ...heads('Request-Id') }, ...(dryRun && { 200: trial({ type: 'object' }) }) };
  const schema = answerSchema(endpoint, registry, options);
  if (returns.kind === 'stream') {
    return { [status]: { description: 'Server-sent events until one side ends it; `data` of each is JSON of this form.', ...heads('Request-Id'), content: { 'text/event-stream': { schema: { type: 'string', 'x-event-data': schema } } } } };
  }
  const answers: Record<string, unknown> = {
    [status]: { description: `${status === 201 ? 'Made' : 'Done'}${dryRun && status === 200 ? ', or what `dry_run` would do' : ''}.`, ...heads('Request-Id', ...(returns.kind === 'one' ? (['ETag'] as const) : [])), content: both(dryRun && status === 200 ? { anyOf: [schema, tried(schema)] } : schema) },
  };
  if (dryRun && status !== 200) answers['200'] = trial(schema);
  if (method === 'GET' && returns.kind === 'one') answers['304'] = { description: 'Still the version that If-None-Match names.', ...heads('ETag') };
  return answers;
}

function answerSchema({ returns }: Declared, registry: Registry, options: SchemaOptions): JsonSchema {
  switch (returns.kind) {
    case 'one':
      return component(nameOf(returns.resource));
    case 'page':
      return component(`${nameOf(returns.resource)}Page`);
    case 'pageOf':
      return pageSchema(formSchema(returns.shape, registry, options));
    case 'shape':
    case 'stream':
      return formSchema(returns.shape, registry, options);
    case 'none':
      return {};
  }
}

/** The answer to a dry run: the same, and the consequences beside it. */
function tried(schema: JsonSchema): JsonSchema {
  return { type: 'object', properties: { effects: effectsSchema }, required: ['effects'], description: `As ${schema.$ref ? `\`${schema.$ref.split('/').at(-1)}\`` : 'the answer without it'}, with its \`effects\`.` };
}

const effectsSchema: JsonSchema = {
  type: 'array',
  items: {
    type: 'object',
    properties: { effect: { type: 'string' }, object: { type: 'string' }, id: { type: ['integer', 'null'] }, detail: { type: 'object', additionalProperties: true } },
    required: ['effect', 'object', 'id', 'detail'],
    additionalProperties: false,
  },
};

function refusals(codes: readonly ProblemCode[]): Record<string, unknown> {
  return Object.fromEntries(
    [...byStatus(codes)].map(([status, of]) => [
      status,
      {
        description: of.map((code) => `\`${code}\`: ${PROBLEMS[code].means}`).join('\n\n'),
        ...heads('Request-Id', ...(status === 429 || status === 503 ? (['Retry-After'] as const) : [])),
        content: both({ allOf: [component('Problem'), { properties: { code: { enum: of } } }] }),
      },
    ]),
  );
}

