/**
 * The inputs of operations as fields, for forms of the dashboard: the kind of each property, its choices, whether it
 * may be null, and who may call the operation. Printed from the declarations, so that a form declares none of it again.
 */
import { permissionsOf } from '../../../../kernel/api/contract.ts';
import { MONEY_SCHEMA } from '../../../../kernel/base/fields/kinds.ts';
import type { Field, JsonSchema, Shape } from '../../../../kernel/base/fields/field.ts';
import type { Registry } from '../../../../kernel/api/registry.ts';

/** A property of an input. */
export interface InputField {
  readonly kind: string;
  readonly choices?: readonly string[];
  readonly nullable?: true;
  /** properties of each object of a list */
  readonly columns?: InputFields;
}
/** Fields by the name of the property, with a dot for nested objects. */
export type InputFields = Readonly<Record<string, InputField>>;

export interface Input {
  readonly needs: readonly string[];
  readonly fields: InputFields;
}

const FORMATS: Readonly<Record<string, string>> = { 'idn-email': 'email', date: 'date' };

/** Returns the kind of a single value. Texts without a format are long if they have room for several lines. */
function kindOf({ type, format, pattern, maxLength = 0, enum: values, properties, oneOf, anyOf }: JsonSchema): string {
  const isAmount = [{ properties }, ...(oneOf ?? anyOf ?? [])].some(
    (one) => one.properties === MONEY_SCHEMA.properties,
  );
  if (isAmount) return 'money';
  if (type === 'boolean') return 'switch';
  if (values) return 'choice';
  if (type === 'integer') return 'number';
  if (type === 'number') return 'decimal';
  if (pattern) return pattern.includes(':') ? 'time' : 'money';
  return FORMATS[format] ?? (maxLength >= 1000 && !format ? 'long' : 'text');
}

const SEVERAL: Readonly<Record<string, string>> = { choice: 'choices', number: 'numbers', money: 'amounts' };

function fieldOf({ spec }: Field<any>): InputField {
  const { schema, inner, nullable, meaning } = spec;
  if (meaning) return { kind: meaning, ...(nullable && { nullable }) };
  const isList = schema.type === 'array';
  const kind = kindOf(isList ? schema.items : schema);
  const choices = (isList ? schema.items : schema).enum?.map(String);
  return {
    kind: inner && isList ? 'rows' : isList ? (SEVERAL[kind] ?? 'lines') : kind,
    // Types of feed items are too many to choose from.
    ...(choices && choices.length <= 20 && { choices }),
    ...(nullable && { nullable }),
    ...(inner && isList && { columns: fieldsOf(inner) }),
  };
}

function fieldsOf(shape: Shape, within = ''): InputFields {
  return Object.assign(
    {},
    ...Object.entries(shape).map(([name, field]) => {
      const nested = field.spec.shape ?? (field.spec.schema.type === 'array' ? undefined : field.spec.inner);
      return nested ? fieldsOf(nested, `${within}${name}.`) : { [within + name]: fieldOf(field) };
    }),
  );
}

/** Returns the operations that change something and are named in a source. */
export const changesIn = (source: string): string[] =>
  [...source.matchAll(/'((?:POST|PATCH) \/[^']*)'/g)].map(([, name]) => name);

/** Returns the inputs of these operations by their names, as a JSON text with a line for each property. */
export function clientFields(registry: Registry, operations: Iterable<string>): string {
  const inputs = [...new Set(operations)].toSorted().map((name): string => {
    const operation = registry.operation(name);
    const fields = Object.entries(fieldsOf(operation.body ?? {})).map(
      ([property, field]) => `      ${JSON.stringify(property)}: ${JSON.stringify(field)}`,
    );
    return `  ${JSON.stringify(name)}: {\n    "needs": ${JSON.stringify(permissionsOf(operation))},\n    "fields": {\n${fields.join(',\n')}\n    }\n  }`;
  });
  return `{\n${inputs.join(',\n')}\n}\n`;
}

/**
 * Returns which collections have entries that can be deleted, and which changed objects can be read, as a JSON text.
 */
export function clientUndo(registry: Registry): string {
  const names = new Set(registry.endpoints.map(({ method, path }) => `${method} ${path}`));
  const paths = (methods: readonly string[], has: (path: string) => string): string[] =>
    [...new Set(registry.endpoints.filter(({ method }) => methods.includes(method)).map(({ path }) => path))]
      .filter((path) => names.has(has(path)))
      .toSorted();
  const deletable = paths(['POST'], (path) => `DELETE ${path}/{id}`);
  const readable = paths(['PATCH', 'PUT'], (path) => `GET ${path}`);
  return `${JSON.stringify({ deletable, readable }, null, 2)}\n`;
}
