/**
 * The interface as TypeScript types, for the client in `sdk/`: every resource, every operation, every feed item. They
 * are printed from the declarations, so that the client matches the service. `sdk/src/selected.ts` derives the type for
 * a choice of `fields` and `expand`.
 */
import {
  supportsDryRun,
  generalCodes,
  isWrite,
  pathParameters,
  refusalsOf,
  type Declared,
} from '../../../../kernel/api/contract.ts';
import { MONEY_SCHEMA, objectSchema, schemaOf, Variants } from '../../../../kernel/base/fields/kinds.ts';
import { querySchema, SELECTING, STANDARD, TRYING } from '../../../../kernel/api/requests/input.ts';
import type { Field, JsonSchema, Relation, Shape } from '../../../../kernel/base/fields/field.ts';
import type { Registry } from '../../../../kernel/api/registry.ts';
import type { Resource } from '../../../../kernel/api/resource.ts';

/** Returns the whole module. It contains types only, so it adds nothing to a program that uses it. */
export function clientTypes(registry: Registry): string {
  const { resources, endpoints, feed } = registry;
  return [
    '// Printed by `npm run sdk` from the declarations of the service. Changes here are lost.',
    "import type { File, Many, Nothing, Object, One, PageOf, Part, Stream, Whole, WholePage } from './forms.ts';",
    "import type { Selected } from './selected.ts';",
    '',
    moneyType(),
    note('', 'Each resource: what `fields` and `expand` choose from.'),
    `export interface Resources {\n${[...resources.values()].map((one) => `${note('  ', one.description)}  ${key(one.name)}: ${resourceForm(one, registry)};`).join('\n')}\n}`,
    `export type ReadRefusal = ${union(generalCodes(endpoints.find((one) => !isWrite(one))!))};`,
    `export type WriteRefusal = ${union(generalCodes(endpoints.find(isWrite)!))};`,
    note('', 'Each operation, by its method and path.'),
    `export interface Operations {\n${endpoints.map((one) => operationEntry(one, registry)).join('\n')}\n}`,
    note('', 'Content of a feed item, by its type.'),
    `export interface FeedPayloads {\n${[...feed.values()].map(({ kind, description, payload }) => `${note('  ', description)}  ${key(kind)}: ${objectType(payload, 'answer')};`).join('\n')}\n}`,
    '',
  ].join('\n');
}

const NAME = /^[A-Za-z_$][\w$]*$/;
const key = (name: string): string => (NAME.test(name) ? name : quoted(name));
const quoted = (text: string): string => `'${text.replaceAll(/['\\]/g, String.raw`\$&`)}'`;
const union = (texts: Iterable<string>): string => [...texts].map(quoted).join(' | ') || 'never';

/** Returns a comment that editors show for a name. Its text cannot end the comment. */
const note = (indent: string, text: string | undefined): string =>
  text ? `${indent}/** ${text.replaceAll('*/', '*\u200B/').replaceAll(/\s*\n\s*/g, ' ')} */\n` : '';

const moneyType = (): string =>
  `${note('', 'An amount. `decimal` and `string` have as many places as the currency.')}export interface Money ${typeOf(MONEY_SCHEMA)}`;

/** The side whose values are printed: responses get more properties over time, and inputs have required ones. */
type Side = 'answer' | 'input';

/** Returns the form of a resource. Each variety has a form of its own. */
function resourceForm({ fields, varieties }: Resource, registry: Registry): string {
  if (!varieties) return form(fields, registry);
  return Object.entries(varieties.of)
    .map(([value, { lacks }]) =>
      form(Object.fromEntries(Object.entries(fields).filter(([name]) => !lacks.includes(name))), registry, {
        [varieties.by]: quoted(value),
      }),
    )
    .join(' | ');
}

const property = ([name, { spec }]: [string, Field<any>], type: string): string =>
  `${note('', spec.description).trimEnd()} ${key(name)}${spec.optional ? '?' : ''}: ${type};`.trim();

/** Returns what can be selected: plain values, relations, and properties that appear only if they are named. */
function form(shape: Shape, registry: Registry, fixed: Readonly<Record<string, string>> = {}): string {
  const entries = Object.entries(shape);
  const plain = entries.filter(([, { spec }]) => !spec.relation && !spec.shape);
  const others = entries.filter(([, { spec }]) => spec.relation || spec.shape);
  const deferred = entries.filter(([, { spec }]) => spec.deferred).map(([name]) => name);
  return `{ fields: { ${plain.map((one) => property(one, fixed[one[0]] ?? answerType(one[1]))).join(' ')} }; relations: { ${others.map((one) => property(one, relationType(one[1], registry))).join(' ')} }; deferred: ${union(deferred)} }`;
}

/** Returns `One` or `Many` of another resource, or a `Part` of this one. */
function relationType({ spec }: Field<any>, registry: Registry): string {
  const { relation, shape, nullable } = spec;
  if (!relation) return `Part<${form(shape!, registry)}${nullable ? ', null' : ''}>`;
  const to = `Resources[${quoted(relation.target)}]`;
  if (relation.kind === 'many') return `Many<${to}, ${closedType(relation)}>`;
  const hidden = Object.values(registry.resourceOf(relation.target).visible).some((rule) => rule !== true);
  const closed = closedType(relation);
  return `One<${to}, ${closed}${nullable && closed !== 'never' ? ' | null' : ''}${nullable || hidden ? ', null' : ''}>`;
}

/** Returns the type until it is expanded; never if it is always expanded. */
function closedType(relation: Relation): string {
  if (relation.kind === 'one')
    return relation.collapsed === 'object' ? 'never' : relation.collapsed === 'slug' ? 'string' : 'number';
  return { url: 'string', ids: 'number[]', objects: 'never' }[relation.collapsed];
}

function answerType(field: Field<any>): string {
  if (field.spec.schema === MONEY_SCHEMA) return field.spec.nullable ? 'Money | null' : 'Money';
  return typeOf(schemaOf(field), 'answer');
}

/** Returns the type of a response that is always complete. */
function wholeType(shape: Shape, registry: Registry): string {
  return `Selected<${form(shape, registry)}>`;
}

const answerForm = (shape: Shape | Variants, registry: Registry): string =>
  shape instanceof Variants
    ? Object.values(shape.of)
        .map((one) => wholeType(one, registry))
        .join(' | ')
    : wholeType(shape, registry);

const objectType = (shape: Shape, side: Side): string => typeOf(objectSchema(shape), side);

/** Returns a JSON schema as a type. */
function typeOf(schema: JsonSchema, side: Side = 'answer'): string {
  if (schema.properties === MONEY_SCHEMA.properties && side === 'input') return 'Money';
  // The only schema that other schemas refer to by name: types of feed items.
  if (schema.$ref) return 'keyof FeedPayloads';
  if (schema.const !== undefined) return literal(schema.const);
  // Values that later areas add are unknown to declarations that came before them.
  if (schema.enum) return schema.enum.map(literal).join(' | ') || 'string';
  const several = schema.oneOf ?? schema.anyOf;
  if (several) return several.map((one: JsonSchema) => typeOf(one, side)).join(' | ');
  const types: string[] = [schema.type ?? 'unknown'].flat();
  return types.map((type) => simpleType(type, schema, side)).join(' | ');
}

function literal(value: unknown): string {
  return typeof value === 'string' ? quoted(value) : String(value);
}

function simpleType(type: string, schema: JsonSchema, side: Side): string {
  switch (type) {
    case 'integer':
    case 'number':
      return 'number';
    case 'boolean':
    case 'string':
    case 'null':
      return schema.contentEncoding && type === 'string' && side === 'input' ? 'string | Blob' : type;
    case 'array':
      return side === 'input'
        ? `readonly (${typeOf(schema.items ?? {}, side)})[]`
        : `(${typeOf(schema.items ?? {}, side)})[]`;
    case 'object':
      return objectOf(schema, side);
    default:
      return 'unknown';
  }
}

function objectOf({ properties, required = [], additionalProperties }: JsonSchema, side: Side): string {
  if (!properties)
    return `Record<string, ${typeof additionalProperties === 'object' ? typeOf(additionalProperties, side) : 'unknown'}>`;
  const lines = Object.entries<JsonSchema>(properties).map(
    ([name, one]) =>
      `${note('', one.description).trimEnd()} ${key(name)}${required.includes(name) ? '' : '?'}: ${typeOf(one, side)};`,
  );
  return `{ ${lines.map((line) => line.trim()).join(' ')} }`;
}

function operationEntry(endpoint: Declared, registry: Registry): string {
  const { method, path, summary, returns } = endpoint;
  const own = Object.fromEntries(
    Object.entries(querySchema(endpoint)).filter(([name]) => ![SELECTING, TRYING, STANDARD].some((all) => name in all)),
  );
  const params = pathParameters(path).map((name) => `${key(name)}: ${parameterType(endpoint, name)};`);
  const general = isWrite(endpoint) ? 'WriteRefusal' : 'ReadRefusal';
  const others = refusalsOf(endpoint, registry)
    .map(({ code }) => code)
    .filter((code) => !(generalCodes(endpoint) as readonly string[]).includes(code));
  const body = isWrite(endpoint) && endpoint.body ? objectType(endpoint.body, 'input') : 'undefined';
  return `${note('  ', summary)}  ${quoted(`${method} ${path}`)}: { params: { ${params.join(' ')} }; query: ${objectType(own, 'input')}; body: ${body}; returns: ${returned(returns, registry)}; tried: ${supportsDryRun(endpoint)}; refusals: ${[general, ...others.map(quoted)].join(' | ')} };`;
}

const parameterType = ({ names, textId }: Declared, name: string): string =>
  name !== 'id' || textId ? 'string' : names ? union(names) || 'string' : 'number';

/** Returns the result type by kind, as the client reads it: `sdk/src/operation.ts`. */
function returned(returns: Declared['returns'], registry: Registry): string {
  switch (returns.kind) {
    case 'one':
      return `Object<Resources[${quoted(returns.resource.name)}]>`;
    case 'page':
      return `PageOf<Resources[${quoted(returns.resource.name)}]>`;
    case 'pageOf':
      return returns.selects
        ? `PageOf<${form(returns.selects, registry)}>`
        : `WholePage<${answerForm(returns.shape, registry)}>`;
    case 'shape':
      return returns.selects
        ? `Object<${form(returns.selects, registry)}>`
        : `Whole<${answerForm(returns.shape, registry)}>`;
    case 'stream':
      return 'Stream';
    case 'file':
      return 'File';
    case 'none':
      return 'Nothing';
  }
}
