/** JSON Schemas of responses: one component for each resource; relations are their id or the resource itself. */
import { MONEY_SCHEMA, objectSchema, schemaOf, Variants } from '../../../../kernel/base/fields/kinds.ts';
import type { ProblemKind } from '../../../../kernel/base/problem.ts';
import {
  CALLED,
  type Field,
  type JsonSchema,
  type Relation,
  type Shape,
} from '../../../../kernel/base/fields/field.ts';
import type { Registry } from '../../../../kernel/api/registry.ts';
import type { Resource } from '../../../../kernel/api/resource.ts';

/** Returns a name in Pascal case: `customer_membership` → `CustomerMembership`. Dots separate words too. */
export const pascal = (name: string): string =>
  name
    .split(/[^A-Za-z0-9]+/)
    .filter(Boolean)
    .map((word) => word[0].toUpperCase() + word.slice(1))
    .join('');

export const component = (name: string): JsonSchema => ({ $ref: `#/components/schemas/${name}` });
export const nameOf = (resource: Resource): string => pascal(resource.name);

/** `partial`: the schema of a response with `fields`, where no property is guaranteed. */
export interface SchemaOptions {
  partial?: boolean;
  /**
   * `closed`: an object has only the properties that are listed. Clients must expect more, because properties are added
   * over time.
   */
  closed?: boolean;
}

/** A schema with a name of its own, and its relation to others of the same form. */
export interface NamedSchema {
  readonly schema: JsonSchema;
  /** others of the same form refer to it; if false, all of them refer to a schema that is named by `called` */
  readonly owns?: boolean;
  readonly called?: string;
}

export function componentSchemas(registry: Registry, options: SchemaOptions = {}): Record<string, NamedSchema> {
  const schemas: Record<string, NamedSchema> = {
    Problem: { schema: problemSchema([...registry.problems.values()]) },
    Page: { schema: pageFrame },
    DryRun: { schema: dryRunSchema },
    Money: { schema: MONEY_SCHEMA },
  };
  for (const resource of registry.resources.values()) {
    Object.assign(schemas, resourceSchemas(resource, registry, options));
  }
  for (const { returns } of registry.endpoints)
    if (returns.kind === 'page')
      schemas[`${nameOf(returns.resource)}Page`] = { schema: pageSchema(component(nameOf(returns.resource)), options) };
  for (const kind of registry.feed.values()) {
    // Kinds with equal payloads share one schema, and have a name each.
    const schema = { ...ofAnswers(objectSchema(kind.payload)), description: kind.description };
    schemas[kind.kind] = { schema, owns: false, called: `${pascal(kind.object)}Payload` };
  }
  const types = [...registry.feed.keys()].toSorted();
  if (types.length > 0)
    schemas.FeedItemType = {
      schema: {
        type: 'string',
        enum: types,
        description: 'Type of a feed item. Webhook destinations subscribe to these.',
      },
    };
  for (const [name, schema] of takenOver(registry, options)) {
    const known = schemas[name];
    if (known && JSON.stringify(known.schema) !== JSON.stringify(schema))
      throw new Error(`two schemas would be called "${name}"`);
    schemas[name] = { schema };
  }
  for (const { spec } of namedFields(registry)) {
    const { component: name, schema, description } = spec;
    const known = schemas[name!];
    if (known && known.schema.properties !== schema.properties)
      throw new Error(`two schemas would be called "${name}"`);
    schemas[name!] = { schema: { ...schema, ...(description && { description }) } };
  }
  return schemas;
}

/** Returns the schema of a resource. For a resource with varieties, returns the schema of each, and a union of them. */
function resourceSchemas(resource: Resource, registry: Registry, options: SchemaOptions): Record<string, NamedSchema> {
  const { fields, description, varieties } = resource;
  if (!varieties) return { [nameOf(resource)]: { schema: { ...shapeSchema(fields, registry, options), description } } };
  const all = Object.entries(varieties.of).map(([value, { name, lacks }]) => {
    const own = Object.fromEntries(Object.entries(fields).filter(([field]) => !lacks.includes(field)));
    const { properties, ...rest } = shapeSchema(own, registry, options);
    const { enum: _all, ...by } = properties[varieties.by];
    return { value, name, schema: { ...rest, properties: { ...properties, [varieties.by]: { ...by, const: value } } } };
  });
  const refs = all.map(({ name }) => component(name));
  const mapping = Object.fromEntries(all.map(({ value, name }) => [value, component(name).$ref]));
  return {
    ...Object.fromEntries(all.map(({ name, schema }) => [name, { schema }])),
    [nameOf(resource)]: {
      schema: {
        // A part of an object may match several varieties.
        [options.partial ? 'anyOf' : 'oneOf']: refs,
        discriminator: { propertyName: varieties.by, mapping },
        description,
      },
    },
  };
}

/** Returns the parts of responses that have schemas of their own. */
const namedFields = (registry: Registry): Field<any>[] =>
  registry.endpoints.flatMap(({ returns }) =>
    returns.kind === 'shape' && !(returns.shape instanceof Variants)
      ? Object.values(returns.shape).filter((field) => field.spec.component)
      : [],
  );

/**
 * The same object where some of its properties belong to named schemas: it takes these over.
 * @param print what an object of some of the properties is
 */
export function takingOver(shape: Shape, print: (shape: Shape) => JsonSchema): JsonSchema {
  const { '': own = {}, ...others } = byName(shape);
  if (Object.keys(others).length === 0) return print(shape);
  const { additionalProperties, ...schema } = print(own);
  return {
    ...schema,
    allOf: Object.keys(others).map((name) => component(pascal(name))),
    // Closed, it has the properties of all schemas, and no others.
    ...(additionalProperties === false && { unevaluatedProperties: false }),
  };
}

/** The properties by the names of the schemas that they belong to; the object's own have none. */
function byName(shape: Shape): Record<string, Shape> {
  const found: Record<string, Shape> = {};
  for (const [key, field] of Object.entries(shape)) (found[field.spec.among ?? ''] ??= {})[key] = field;
  return found;
}

/** Schemas that bodies and answers take over. */
function takenOver(registry: Registry, options: SchemaOptions): [string, JsonSchema][] {
  const asked = registry.endpoints
    .flatMap((one) => [one.query, ...('body' in one && one.body ? [one.body as Shape] : [])])
    .map((shape) => [shape, (of: Shape) => open(objectSchema(of))] as const);
  const answers = registry.endpoints.flatMap(({ returns }) =>
    returns.kind === 'shape' && !(returns.shape instanceof Variants)
      ? [[returns.shape, (of: Shape) => shapeSchema(of, registry, options)] as const]
      : [],
  );
  return [...asked, ...answers].flatMap(([shape, print]) => {
    const { '': _own, ...others } = byName(shape);
    return Object.entries(others).map(([name, part]): [string, JsonSchema] => {
      const { additionalProperties: _closed, ...schema } = print(part);
      return [pascal(name), schema];
    });
  });
}

/** Returns the schema of an object of declared fields, as it is sent. Deferred and optional fields may be absent. */
export function shapeSchema(shape: Shape, registry: Registry, options: SchemaOptions): JsonSchema {
  const required = Object.entries(shape)
    .filter(([, { spec }]) => !spec.deferred && !spec.optional)
    .map(([name]) => name);
  return {
    type: 'object',
    properties: Object.fromEntries(
      Object.entries(shape).map(([name, field]) => [name, sent(field, registry, options)]),
    ),
    ...(required.length > 0 && !options.partial && { required }),
    ...(options.closed && { additionalProperties: false }),
  };
}

/** Returns the schema of a response that is not a resource. */
export const formSchema = (form: Shape | Variants, registry: Registry, options: SchemaOptions): JsonSchema =>
  form instanceof Variants
    ? { oneOf: Object.entries(form.of).map(([title, shape]) => ({ title, ...shapeSchema(shape, registry, options) })) }
    : takingOver(form, (shape) => shapeSchema(shape, registry, options));

function sent(field: Field<any>, registry: Registry, options: SchemaOptions): JsonSchema {
  const { relation, shape, description, deferred, nullable } = field.spec;
  const notes = {
    ...(description && { description }),
    ...(deferred && { 'x-deferred': true }),
  };
  if (relation) return { ...related(relation, nullable, registry), ...notes };
  if (field.spec.component)
    return nullable ? { oneOf: [component(field.spec.component), { type: 'null' }] } : component(field.spec.component);
  if (shape) {
    const inner = shapeSchema(shape, registry, options);
    return { ...inner, ...(nullable && { type: ['object', 'null'] }), ...notes };
  }
  const { default: _ofInputs, ...schema } = schemaOf(field);
  return { ...(options.closed ? schema : ofAnswers(schema)), ...notes };
}

/** Returns a function that applies a change to a schema and to every schema inside it. */
const deep = (change: (schema: JsonSchema) => JsonSchema) => {
  const changed = (schema: JsonSchema): JsonSchema => {
    const own = change({ ...schema });
    if (own.items) own.items = changed(own.items);
    if (own.properties)
      own.properties = Object.fromEntries(
        Object.entries<JsonSchema>(own.properties).map(([name, inner]) => [name, changed(inner)]),
      );
    return own;
  };
  return changed;
};

/**
 * Opens objects to further properties: responses get more over time, and the introduction says that bodies refuse
 * unknown ones.
 */
export const open = deep((schema) => {
  if (schema.properties) delete schema.additionalProperties;
  return schema;
});

/** Opens objects and drops the bounds of inputs, which mean nothing to a reader. */
const ofAnswers = deep(
  ({ minLength: _shortest, maxLength: _longest, maxItems: most, minimum: _least, maximum: _largest, ...schema }) => {
    // A list without its bound is another form than the one with the name: it is called after its items.
    if (most !== undefined) delete schema[CALLED];
    return open(schema);
  },
);

function related(relation: Relation, nullable: boolean, registry: Registry): JsonSchema {
  const target = registry.resourceOf(relation.target);
  const whole = component(nameOf(target));
  if (relation.kind === 'one') {
    // When expanded, an object that the caller may not see is null, even if its id is not.
    const hidden = Object.values(target.visible).some((rule) => rule !== true);
    const id = relation.collapsed === 'object' ? [] : [relation.collapsed === 'slug' ? 'string' : 'integer'];
    const closed = [...id, ...(nullable || hidden ? ['null'] : [])];
    return { oneOf: [...(closed.length > 0 ? [{ type: closed.length > 1 ? closed : closed[0] }] : []), whole] };
  }
  const list = { type: 'array', items: whole };
  if (relation.collapsed === 'objects') return list;
  if (relation.collapsed === 'url') return { oneOf: [{ type: 'string', format: 'uri' }, list] };
  return { type: 'array', items: { oneOf: [{ type: 'integer' }, whole] } };
}

export const pageSchema = (item: JsonSchema, { closed }: SchemaOptions): JsonSchema => ({
  allOf: [component('Page')],
  properties: { results: { type: 'array', items: item } },
  required: ['results'],
  ...(closed && { unevaluatedProperties: false }),
});

const pageFrame: JsonSchema = {
  type: 'object',
  description: 'One page of a list.',
  properties: {
    count: { type: 'integer', minimum: 0, description: 'Number of entries on all pages.' },
    next: { type: ['string', 'null'], format: 'uri', description: 'URL of the next page. Null on the last page.' },
    previous: {
      type: ['string', 'null'],
      format: 'uri',
      description: 'URL of the previous page. Null on the first page.',
    },
  },
  required: ['count', 'next', 'previous'],
};

/** The response to a dry run: the usual one, with the effects added. */
const dryRunSchema: JsonSchema = {
  type: 'object',
  description:
    'What the response would be, with its `effects`. `message_sent` says how many people get a message of which `type`.',
  properties: {
    effects: {
      type: 'array',
      items: {
        type: 'object',
        properties: {
          effect: { type: 'string' },
          object: { type: 'string' },
          id: { type: ['integer', 'null'] },
          detail: { type: 'object', additionalProperties: true },
        },
        required: ['effect', 'object', 'id', 'detail'],
        additionalProperties: false,
      },
    },
  },
  required: ['effects'],
};

const problemSchema = (kinds: readonly ProblemKind[]): JsonSchema => ({
  type: 'object',
  description: 'Why a request was refused.',
  properties: {
    code: {
      type: 'string',
      enum: kinds.map(({ code }) => code),
      description: 'One of a fixed list of codes. The reference explains each of them.',
    },
    message: { type: 'string', description: 'Message for people to read.' },
    type: {
      type: 'string',
      enum: [...new Set(kinds.map(({ type }) => type))],
      description: 'Group that the code belongs to.',
    },
    field_errors: {
      type: 'object',
      additionalProperties: { type: 'array', items: { type: 'string' }, minItems: 1 },
      description:
        'Messages by the name of the property or parameter, with dots for nested properties. `non_field_errors` has the rest.',
    },
    request_id: { type: 'string', description: 'Identifies the request in the log of the service.' },
    alternatives: {
      type: 'array',
      items: { type: 'object' },
      description: 'Alternatives, where the code has some. Absent if there are none.',
    },
    requirements: {
      type: 'array',
      items: { type: 'object' },
      description: 'What a customer must complete first, each with the `url` of its page.',
    },
  },
  required: ['code', 'message', 'type', 'field_errors', 'request_id'],
  additionalProperties: false,
});
