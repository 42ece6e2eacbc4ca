/** Compares the JSON response of an endpoint with its XML response, using the documented schema. */
import assert from 'node:assert/strict';
import { answerAt, follow } from '../checks/openapi-refs.ts';
import { parseXml, type JsonSchemaLike } from './parse-xml.ts';
import type { JsonSchema } from '../../kernel/base/fields/field.ts';
import type { World } from '../world.ts';

/** Returns the schema with its references resolved lazily, because resources refer to each other in cycles. */
export function opened(document: Record<string, any>, schema: JsonSchema): JsonSchemaLike {
  const open = (inner: JsonSchema) => opened(document, inner);
  const own = follow(document, schema);
  const lazily = (of: Record<string, any>): any =>
    Object.defineProperties(
      {},
      Object.fromEntries(Object.keys(of).map((key) => [key, { enumerable: true, get: () => open(of[key]) }])),
    );
  const whole: Record<string, unknown> = { ...own };
  if (own.properties) whole.properties = lazily(own.properties);
  if (own.items) Object.defineProperty(whole, 'items', { enumerable: true, get: () => open(own.items) });
  for (const choice of ['anyOf', 'oneOf'] as const) if (own[choice]) whole[choice] = own[choice].map(open);
  for (const part of (own.allOf ?? []).map((one: JsonSchema) => follow(document, one)))
    whole.properties = lazily({ ...part.properties, ...own.properties });
  return whole;
}

/** Returns the alternatives of a form, or the form itself: a relation leads to an object with variants. */
const formsOf = (like: JsonSchemaLike): readonly JsonSchemaLike[] =>
  (like.anyOf ?? like.oneOf)?.flatMap(formsOf) ?? [like];

/**
 * Converts JSON to what XML can represent: if the document leaves the type of a value open, a number or boolean is read
 * back as text.
 */
function untyped(value: any, like: JsonSchemaLike): unknown {
  // Among several forms, the one of the same kind applies: a relation is an id or an object, an address or a list.
  const forms = formsOf(like);
  if (Array.isArray(value)) {
    const items = forms.find((one) => one.items)?.items ?? {};
    return value.map((item) => untyped(item, items));
  }
  if (typeof value === 'object' && value !== null) {
    const form = forms.find((one) => one.properties ?? one.additionalProperties) ?? {};
    const rest = typeof form.additionalProperties === 'object' ? form.additionalProperties : {};
    return Object.fromEntries(
      Object.entries(value).map(([key, inner]) => [key, untyped(inner, form.properties?.[key] ?? rest)]),
    );
  }
  const open =
    like.type === undefined && !like.anyOf && !like.oneOf && like.enum === undefined && like.const === undefined;
  return open && value !== null ? String(value) : value;
}

/** Requests both formats, and returns the JSON. `of`: the declared path. */
export async function sameInXml(
  world: World,
  document: Record<string, any>,
  of: string,
  path: string,
  as: string | undefined,
): Promise<any> {
  const [json, xml] = await Promise.all(
    ['application/json', 'application/xml'].map((accept) => world.get(path, { as, headers: { accept } })),
  );
  assert.equal(json.status, 200, json.text);
  assert.match(xml.headers.get('content-type')!, /^application\/xml/);
  const schema = opened(document, answerAt(document, 'GET', of, 200));
  assert.deepEqual(parseXml(xml.text, schema), untyped(json.body, schema));
  return json.body;
}
