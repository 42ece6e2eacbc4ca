/**
 * Example values from the schemas of the OpenAPI document: always the same, valid, and meaningful. Bodies omit optional
 * properties; responses have everything that is sent by default.
 */
import type { JsonSchema } from '../../../kernel/base/fields/field.ts';

type Json = Record<string, any>;

/** The day of the examples, a Monday. */
const TODAY = '2027-03-08';

/** Values for properties of these names; the first one that the schema allows. */
const LIKE: readonly (readonly [name: RegExp, ...values: unknown[]])[] = [
  [/^object$|_object$/, 'customer'],
  [/email/, 'ada@example.com'],
  [/(^|_)phone/, '+14165550123'],
  [/^first_name/, 'Ada'],
  [/^last_name/, 'Lovelace'],
  [/^(full_|customer_|recipient_|sender_)name$/, 'Ada Lovelace'],
  [/^name$|_name$|^title$/, 'Morning yoga'],
  [/timezone$|^zone$/, 'America/Toronto'],
  [/iso_currency_code/, 'cad'],
  [/currency_symbol$/, '$'],
  [/currency/, 'CAD', 'cad'],
  [/country/, 'CA'],
  [/language|locale/, 'en'],
  [/color/, '#0b6e4f'],
  [/slug$/, 'morning_yoga', 'morning-yoga'],
  [/(^|_)city$/, 'Toronto'],
  [/postal_code|zip/, 'M5V 2T6'],
  [/address|street/, '1 Harbour Street'],
  [/description|^note|text|message$|^body/, 'Bring a mat.'],
  [/percentage/, '10', 10],
  [/_is_primary$/, 'true'],
  [/^customer_membership_checkout_item$/, '7'],
  [/days$/, 30],
  [/_time$|^time$/, '18:00'],
  [/reason/, 'Asked for by the customer'],
  [/^string$|price|amount|total|balance/, '10.00', 10],
  [/^decimal$/, 10],
  [/^code$/, 'WELCOME10'],
  [/month$/, '2027-03', 3],
  [/duration|interval|^by$|period$/, 'P1M', 60],
  [/capacity|max_occupancy/, 20],
  [/^page_size$/, 50],
  [/^count$/, 1],
  [/^ends?(_|$)/, `${TODAY}T19:00:00-05:00`],
  [/_at$|^start$/, `${TODAY}T18:00:00-05:00`],
  [/(^|_)date$|_on$/, TODAY],
  [/(^|_)(id|uuid)$/, 7, '7'],
];

const NOTHING_YET =
  /^(next|previous|external_id)$|^(deleted|cancelled|canceled|ended|failed|revoked|voided|closed|archived|undone|merged)_|error|failure/;

/** Texts for the patterns of the schemas. */
const TEXTS: readonly string[] = [
  '10.00',
  '18:00',
  '#0b6e4f',
  'CAD',
  'CA',
  'en',
  TODAY,
  '2027-03',
  '7',
  'P1M',
  'morning_yoga',
  'morning-yoga',
  'America/Toronto',
  'https://example.com/',
  'Morning yoga',
];

const OF_FORMAT: Readonly<Record<string, (name: string) => string>> = {
  date: () => TODAY,
  'date-time': (name) =>
    `${TODAY}T${/^end|expire/.test(name) ? '19' : /close|until|deadline|before/.test(name) ? '17' : '18'}:00:00-05:00`,
  'idn-email': () => 'ada@example.com',
  uri: () => 'https://example.com/',
  hostname: () => 'book.example.com',
};

export class Examples {
  readonly #document: Json;

  constructor(document: Json) {
    this.#document = document;
  }

  /** Returns the schema behind a reference. */
  follow(schema: JsonSchema): JsonSchema {
    let found = schema;
    while (found.$ref) {
      const { $ref, ...notes } = found;
      found = {
        ...$ref
          .slice(2)
          .split('/')
          .reduce((at: Json, part: string) => at[part], this.#document),
        ...notes,
      };
    }
    return found;
  }

  /** Returns the response of an operation with `status`; undefined if it isn't JSON. */
  answer({ method, path, status }: { method: string; path: string; status: number }): unknown {
    const response = this.follow(this.#operation(method, path).responses[status]);
    const schema = response.content?.['application/json']?.schema;
    return schema && Object.keys(schema).length > 0 ? this.#of(schema, 'answer', false, []) : undefined;
  }

  /** Returns a body for an operation; undefined if it takes none. */
  body({ method, path }: { method: string; path: string }): Json | undefined {
    const schema = this.#operation(method, path).requestBody?.content['application/json'].schema;
    return schema && (this.#of(schema, 'body', true, []) as Json);
  }

  /** Returns the value of a parameter or property. */
  value(schema: JsonSchema, name: string): unknown {
    return this.#of(schema, name, true, []);
  }

  /** Returns the required parameters of an operation. */
  parameters({ method, path }: { method: string; path: string }): { name: string; in: string; value: unknown }[] {
    const all = [...(this.#document.paths[path].parameters ?? []), ...(this.#operation(method, path).parameters ?? [])];
    return all
      .map((one) => this.follow(one))
      .filter(({ required }) => required)
      .map((one) => ({ name: one.name, in: one.in, value: this.value(one.schema, one.name) }));
  }

  #operation(method: string, path: string): Json {
    return this.#document.paths[path][method.toLowerCase()];
  }

  /**
   * Returns a value for a schema. `within` lists the references that led here, because resources refer to one another.
   */
  #of(given: JsonSchema, name: string, input: boolean, within: readonly string[]): unknown {
    const trail = given.$ref ? [...within, given.$ref as string] : within;
    const schema = this.follow(given);
    if ('const' in schema) return schema.const;
    if (schema.enum) return schema.enum.find((value: unknown) => value !== null);
    const choices: JsonSchema[] | undefined = schema.oneOf ?? schema.anyOf;
    if (choices) {
      const choice = choices.find((one) => !trail.includes(one.$ref)) ?? choices[0];
      return this.#of(choice, name, input, trail);
    }
    const types = [schema.type].flat();
    if (types.includes('null') && NOTHING_YET.test(name)) return null;
    if (schema.allOf || schema.properties) return this.#object(schema, input, trail);
    const type = types.find((one) => one !== 'null');
    switch (type) {
      case 'array':
        return this.#list(schema, name, input, trail);
      case 'object':
        return {};
      case 'boolean':
        return false;
      case 'integer':
      case 'number':
        return number(schema, name);
      case 'string':
        return text(schema, name);
      default:
        return null;
    }
  }

  #object(schema: JsonSchema, input: boolean, trail: readonly string[]): Json {
    const parts = (schema.allOf ?? []).map((one: JsonSchema) => this.follow(one));
    const properties: Json = Object.assign({}, ...parts.map((one: JsonSchema) => one.properties), schema.properties);
    const required = new Set<string>([...parts, schema].flatMap((one) => one.required ?? []));
    const names = Object.keys(properties);
    // A body without required properties still shows some.
    const shown = input
      ? names.filter((one) => required.has(one))
      : names.filter((one) => !properties[one]['x-deferred']);
    const few = input && shown.length === 0 && trail.length < 2 ? names.slice(0, 1) : shown;
    return Object.fromEntries(
      few
        .filter((one) => required.has(one) || !trail.includes(properties[one].$ref))
        .map((one) => [one, this.#of(properties[one], one, input, trail)]),
    );
  }

  #list({ items = {}, minItems = 0 }: JsonSchema, name: string, input: boolean, trail: readonly string[]): unknown[] {
    const inside = [items, ...(items.oneOf ?? [])].some((one) => trail.includes(one.$ref));
    if (Object.keys(items).length === 0 || (inside && minItems === 0)) return [];
    const singular = name.replace(/ies$/, 'y').replace(/([^s])s$/, '$1');
    return Array.from({ length: Math.max(minItems, 1) }, () => this.#of(items, singular, input, trail));
  }
}

function number({ type, minimum = -Infinity, maximum = Infinity }: JsonSchema, name: string): number {
  const like = LIKE.find(([of]) => of.test(name))?.slice(1) ?? [];
  const wanted =
    like.find((value): value is number => typeof value === 'number') ?? ([type].flat().includes('integer') ? 1 : 0.5);
  return Math.min(Math.max(wanted, minimum), maximum);
}

function text(
  { contentEncoding, format, pattern, minLength = 0, maxLength = Infinity }: JsonSchema,
  name: string,
): string {
  const like = LIKE.find(([of]) => of.test(name))?.slice(1) ?? [];
  const fits = (value: unknown): value is string =>
    typeof value === 'string' &&
    value.length >= minLength &&
    value.length <= maxLength &&
    (!pattern || new RegExp(pattern, 'u').test(value));
  if (contentEncoding) return 'iVBORw0KGgo=';
  const words = name[0].toUpperCase() + name.slice(1).replaceAll('_', ' ');
  const preview = [...(OF_FORMAT[format] ? [OF_FORMAT[format](name)] : like), ...(pattern ? TEXTS : [words, ...TEXTS])];
  return preview.find(fits) ?? words.padEnd(minLength, '.').slice(0, maxLength);
}

/** Maximum length at which an object of plain values, such as an amount, stays on one line. */
const PLAIN_AT_MOST = 150;

/** Returns JSON with each value on one line if it fits. */
export function printed(value: unknown, room = 90, indent = ''): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const flat = JSON.stringify(value, null, 1).replaceAll(/\n\s*/g, ' ');
  const isPlain = Object.values(value).every((one) => typeof one !== 'object') && indent !== '';
  if (flat.length <= (isPlain ? PLAIN_AT_MOST : room)) return flat;
  const inner = `${indent}  `;
  const parts = Array.isArray(value)
    ? value.map((one) => printed(one, room - 2, inner))
    : Object.entries(value).map(
        ([name, one]) => `${JSON.stringify(name)}: ${printed(one, room - 4 - name.length, inner)}`,
      );
  const [open, close] = Array.isArray(value) ? '[]' : '{}';
  return `${open}\n${parts.map((part) => inner + part).join(',\n')}\n${indent}${close}`;
}
