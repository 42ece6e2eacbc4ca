/** What comes back, as JSON Schema: one component for each resource, relations as their id or the resource itself. */
import { objectSchema, schemaOf, Variants } from './kinds.ts';
import { PROBLEMS } from './problem.ts';
import type { Field, JsonSchema, Relation, Shape } from './field.ts';
import type { Registry } from './registry.ts';
import type { Resource } from './resource.ts';

/** `customer_membership` → `CustomerMembership`; dots part words too. */
export const pascal = (name: string): string =>
  name.split(/[^A-Za-z0-9]+/).filter(Boolean).map((word) => word[0].toUpperCase() + word.slice(1)).join('');

export const component = (name: string): JsonSchema => ({ $ref: `#/components/schemas/${name}` });
export const nameOf = (resource: Resource): string => pascal(resource.name);

/** `partial`: as it is under `fields`, where nothing must be there. */
export interface SchemaOptions {
  partial?: boolean;
}

export function componentSchemas(registry: Registry, options: SchemaOptions = {}): Record<string, JsonSchema> {
  const schemas: Record<string, JsonSchema> = { Problem: problemSchema };
  for (const resource of registry.resources.values()) {
    schemas[nameOf(resource)] = { ...shapeSchema(resource.fields, registry, options), description: resource.description };
    schemas[`${nameOf(resource)}Page`] = pageSchema(component(nameOf(resource)));
  }
  if (registry.feed.size > 0) {
    for (const kind of registry.feed.values()) {
      schemas[`${pascal(kind.kind)}FeedItem`] = { ...objectSchema(kind.payload), description: kind.description, title: kind.kind, 'x-object': kind.object };
    }
    schemas.feed_item_types = { type: 'string', enum: [...registry.feed.keys()].toSorted(), description: 'Kinds of things that happen; a webhook destination subscribes to them.' };
  }
  for (const field of namedFields(registry)) {
    const { component: name, schema, description } = field.spec;
    if (schemas[name!] && schemas[name!].properties !== schema.properties) throw new Error(`two schemas would be called "${name}"`);
    schemas[name!] = { ...schema, ...(description && { description }) };
  }
  return Object.fromEntries(Object.entries(schemas).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

/** Parts of answers that have schemas of their own. */
const namedFields = (registry: Registry): Field<any>[] =>
  registry.endpoints.flatMap(({ returns }) => (returns.kind === 'shape' && !(returns.shape instanceof Variants) ? Object.values(returns.shape).filter((field) => field.spec.component) : []));

/** An object of declared fields as it is sent. Deferred and optional ones may be absent. */
export function shapeSchema(shape: Shape, registry: Registry, options: SchemaOptions): JsonSchema {
  const required = Object.entries(shape).filter(([, { spec }]) => !spec.deferred && !spec.optional).map(([name]) => name);
  return {
    type: 'object',
    properties: Object.fromEntries(Object.entries(shape).map(([name, field]) => [name, sent(field, registry, options)])),
    ...(required.length > 0 && !options.partial && { required }),
    additionalProperties: false,
  };
}

/** The form of an answer that is no resource. */
export const formSchema = (form: Shape | Variants, registry: Registry, options: SchemaOptions): JsonSchema =>
  form instanceof Variants
    ? { oneOf: Object.entries(form.of).map(([title, shape]) => ({ title, ...shapeSchema(shape, registry, options) })) }
    : shapeSchema(form, registry, options);

function sent(field: Field<any>, registry: Registry, options: SchemaOptions): JsonSchema {
  const { relation, shape, description, deferred, nullable } = field.spec;
  const notes = {
    ...(description && { description }),
    ...(deferred && { 'x-deferred': true }),
    ...(relation && { 'x-expands-to': relation.target }),
  };
  if (relation) return { ...related(relation, nullable, registry), ...notes };
  if (field.spec.component) return nullable ? { oneOf: [component(field.spec.component), { type: 'null' }] } : component(field.spec.component);
  if (shape) {
    const inner = shapeSchema(shape, registry, options);
    return { ...inner, ...(nullable && { type: ['object', 'null'] }), ...notes };
  }
  const { default: _ofInputs, ...schema } = schemaOf(field);
  return { ...schema, ...notes };
}

function related(relation: Relation, nullable: boolean, registry: Registry): JsonSchema {
  const target = registry.resourceOf(relation.target);
  const whole = component(nameOf(target));
  if (relation.kind === 'one') {
    // Expanded, what the caller may not see is null even where the id is not.
    const hidden = Object.values(target.visible).some((rule) => rule !== true);
    const id = relation.collapsed === 'object' ? [] : [{ type: relation.collapsed === 'slug' ? 'string' : 'integer' }];
    return { oneOf: [...id, whole, ...(nullable || hidden ? [{ type: 'null' }] : [])] };
  }
  const list = { type: 'array', items: whole };
  if (relation.collapsed === 'objects') return list;
  if (relation.collapsed === 'url') return { oneOf: [{ type: 'string', format: 'uri' }, list] };
  return { type: 'array', items: { oneOf: [{ type: 'integer' }, whole] } };
}

export const pageSchema = (item: JsonSchema): JsonSchema => ({
  type: 'object',
  properties: {
    count: { type: 'integer', minimum: 0, description: 'How many there are on all pages.' },
    next: { type: ['string', 'null'], format: 'uri', description: 'Address of the next page; null on the last one.' },
    previous: { type: ['string', 'null'], format: 'uri', description: 'Address of the page before; null on the first one.' },
    results: { type: 'array', items: item },
  },
  required: ['count', 'next', 'previous', 'results'],
  additionalProperties: false,
});

const problemSchema: JsonSchema = {
  type: 'object',
  description: 'Why a request was refused.',
  properties: {
    code: { type: 'string', enum: Object.keys(PROBLEMS), description: 'One of a closed list; the reference explains each.' },
    message: { type: 'string', description: 'For people.' },
    type: { type: 'string', enum: [...new Set(Object.values(PROBLEMS).map((p) => p.type))], description: 'Family of the code.' },
    field_errors: {
      type: 'object',
      additionalProperties: { type: 'array', items: { type: 'string' }, minItems: 1 },
      description: 'Messages by the name of the property or parameter, dots for nested ones; `non_field_errors` for the rest.',
    },
    request_id: { type: 'string', description: 'Leads to the log of the service.' },
  },
  required: ['code', 'message', 'type', 'field_errors', 'request_id'],
  additionalProperties: false,
};
