/** Kinds of fields: the values that each allows, how it reads them, and how it prints them. */
import { composed } from '../values/text/composed.ts';
import { canonicalAddress } from '../values/mail-address.ts';
import {
  CALLED,
  EXPLAINED,
  Field,
  readField,
  readShape,
  type JsonSchema,
  type Relation,
  type Shape,
  type ValueOf,
} from './field.ts';
import { raw, type Sql } from '../db/sql.ts';
import { messageFault, nameFault, plainLines } from '../values/person-name.ts';
import { addDays, formatInstant, parseDate, parseInstant, parsePgInstant, startOfDay, wallAt } from '../values/zone.ts';
import { formatDecimal, wireMoney } from '../values/money.ts';

const LARGEST = Number.MAX_SAFE_INTEGER;

export function integer({ min = -LARGEST, max = LARGEST }: { min?: number; max?: number } = {}): Field<number> {
  return new Field<number>({
    schema: { type: 'integer', ...(min > -LARGEST && { minimum: min }), ...(max < LARGEST && { maximum: max }) },
    read: (input, path, { issues, text }) => {
      const n = text && typeof input === 'string' && /^-?\d{1,16}$/.test(input.trim()) ? Number(input) : input;
      if (typeof n !== 'number' || !Number.isSafeInteger(n)) return issues.add(path, 'Must be an integer.');
      if (n < min) return issues.add(path, `Must be ${min} or more.`);
      if (n > max) return issues.add(path, `Must be ${max} or less.`);
      return n;
    },
    print: Number,
  });
}

export const id = (): Field<number> => integer({ min: 1 });

export function number({ min, max }: { min?: number; max?: number } = {}): Field<number> {
  return new Field<number>({
    schema: { type: 'number', ...(min !== undefined && { minimum: min }), ...(max !== undefined && { maximum: max }) },
    read: (input, path, { issues, text }) => {
      const n =
        text && typeof input === 'string' && /^-?\d{1,15}(\.\d{1,15})?$/.test(input.trim()) ? Number(input) : input;
      if (typeof n !== 'number' || !Number.isFinite(n)) return issues.add(path, 'Must be a number.');
      if (min !== undefined && n < min) return issues.add(path, `Must be ${min} or more.`);
      if (max !== undefined && n > max) return issues.add(path, `Must be ${max} or less.`);
      return n;
    },
    print: Number,
  });
}

const TRUE = new Set(['true', 'True', '1']);
const FALSE = new Set(['false', 'False', '0']);

export function boolean(): Field<boolean> {
  return new Field<boolean>({
    schema: { type: 'boolean' },
    read: (input, path, { issues, text }) => {
      if (typeof input === 'boolean') return input;
      if (text && TRUE.has(input as string)) return true;
      if (text && FALSE.has(input as string)) return false;
      return issues.add(path, 'Must be true or false.');
    },
    print: (t) => t === 't' || t === 'true',
  });
}

interface TextRule {
  min?: number;
  max?: number;
  /** leading and trailing blanks are part of the value */
  verbatim?: boolean;
  /** an empty text is allowed */
  blank?: boolean;
  pattern?: RegExp;
  /** explains what the pattern requires */
  hint?: string;
  format?: string;
  /** normalizes values that have several spellings */
  fold?: (value: string) => string;
  /** returns the reason to refuse the value; null if it is acceptable */
  refuse?: (value: string) => string | null;
}

export function text({
  min = 0,
  max = 10_000,
  blank = false,
  verbatim = false,
  pattern,
  hint,
  format,
  fold,
  refuse,
}: TextRule = {}): Field<string> {
  return new Field<string>({
    schema: {
      type: 'string',
      maxLength: max,
      ...(!blank && { minLength: Math.max(min, 1) }),
      ...(format && { format }),
    },
    read: (input, path, { issues }) => {
      if (typeof input !== 'string') return issues.add(path, 'Must be a string.');
      const plain = verbatim ? input : input.trim();
      const value = fold && plain.isWellFormed() ? fold(plain) : plain;
      if (!blank && value === '') return issues.add(path, 'This field may not be blank.');
      if (value.length < min) return issues.add(path, `Must be at least ${min} characters long.`);
      if (value.length > max) return issues.add(path, `Must be at most ${max} characters long.`);
      if (value.includes('\u0000') || !value.isWellFormed())
        return issues.add(path, 'Contains characters that can’t be stored.');
      if (pattern && !pattern.test(value)) return issues.add(path, hint ?? 'Has the wrong format.');
      const refused = refuse?.(value) ?? null;
      return refused === null ? value : issues.add(path, refused);
    },
  });
}

const NAME_FAULTS = {
  characters: 'Remove line breaks and other invisible characters.',
  address: 'Must be a name. Remove web and email addresses, or add a space after the dot.',
} as const;

const LONGEST_NAME = 256;

/** Returns a field for a person's name, as emails greet them by it. */
export const personName = ({ max, blank }: Pick<TextRule, 'max' | 'blank'>): Field<string> =>
  text({
    max,
    blank,
    fold: (name) => composed(name, max ?? LONGEST_NAME),
    refuse: (value) => {
      const fault = nameFault(value);
      return fault && NAME_FAULTS[fault];
    },
  });

/** Returns a field for what one person writes to another: several lines, without web and email addresses. */
export const personalMessage = ({ max, blank }: Pick<TextRule, 'max' | 'blank'>): Field<string> =>
  text({
    max,
    blank,
    fold: plainLines,
    refuse: (value) => (messageFault(value) === null ? null : 'Remove web and email addresses.'),
  });

const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;

/**
 * Returns a field for a file: a part of multipart/form-data, or a base64 text. Its value is the file's bytes, at most
 * `max`.
 */
export function upload({ max }: { max: number }): Field<Buffer> {
  const letters = Math.ceil(max / 3) * 4;
  const size = `${Math.floor(max / 1024 / 1024)} MB`;
  return new Field<Buffer>({
    upload: max,
    schema: { type: 'string', contentEncoding: 'base64', minLength: 1, maxLength: letters },
    read: (input, path, { issues }) => {
      if (Buffer.isBuffer(input) && input.length <= max && input.length > 0) return input;
      if (Buffer.isBuffer(input))
        return issues.add(path, input.length === 0 ? 'The file is empty.' : `Must be at most ${size}.`);
      if (typeof input !== 'string' || input.length % 4 !== 0 || !BASE64.test(input))
        return issues.add(path, 'Must be a file: a part of multipart/form-data, or its bytes as base64 text.');
      if (input === '') return issues.add(path, 'The file is empty.');
      const bytes = Buffer.from(input, 'base64');
      return bytes.length <= max ? bytes : issues.add(path, `Must be at most ${size}.`);
    },
  });
}

/** Returns a field for an email address in its canonical spelling: see `values/mail-address.ts`. */
export const email = (): Field<string> =>
  text({
    max: 254,
    fold: canonicalAddress,
    pattern: /^[^\s@<>",;:\\()[\]]{1,64}@[^\s@<>",;:\\()[\]]+\.[^\s@.<>",;:\\()[\]]+$/,
    hint: 'Must be a valid email address.',
    // The format `email` allows ASCII only.
    format: 'idn-email',
  });

export const uri = (max = 2000): Field<string> =>
  text({
    max,
    pattern: /^https?:\/\/[^\s<>"]+$/i,
    hint: 'Must be a valid URL that starts with http:// or https://.',
    format: 'uri',
  });

export function oneOf<const V extends string>(values: readonly V[]): Field<V> {
  return new Field<V>({
    schema: { type: 'string', enum: [...values] },
    read: (input, path, { issues }) =>
      values.includes(input as V) ? input : issues.add(path, `Must be one of: ${values.join(', ')}.`),
  });
}

const DATE_SCHEMA = { type: 'string', format: 'date' };
const DATE_HINT = 'Must be a date, for example 2026-01-31.';
const NOT_A_DAY = 'Must be a date, for example 2026-01-31, and not a time of a day.';

/**
 * Returns a field for a calendar date, `YYYY-MM-DD`. Also accepts midnight, because some programs write a day as an
 * instant.
 */
export function date(): Field<string> {
  return new Field<string>({
    schema: DATE_SCHEMA,
    read: (input, path, { issues, zone }) => {
      const day = typeof input === 'string' ? dayOf(input, zone) : null;
      return day === null ? issues.add(path, DATE_HINT) : (day.date ?? issues.add(path, NOT_A_DAY));
    },
  });
}

/**
 * Returns the day that a date or a midnight means: as written, or in the business's zone. Any other instant falls on
 * different days in different zones, so its date is null. Returns null if the text is neither a date nor an instant.
 */
function dayOf(text: string, zone: string): { date: string | null } | null {
  if (text.length <= 10) return parseDate(text) === null ? null : { date: text };
  const at = parseInstant(text, zone);
  if (at === null) return null;
  const midnight = /^(\d{4}-\d\d-\d\d)[T ]00:00(:00(\.0+)?)?(?!\d)(?!:)/.exec(text.trim());
  if (midnight) return { date: midnight[1] };
  const { date: day } = wallAt(at, zone);
  return { date: startOfDay(day, zone) === at ? day : null };
}

/**
 * Returns a field for a date, or for the time at which something is planned on that date, kept as sent: the plan that
 * the dates belong to interprets it (`exceptionsOf` of the schedule).
 */
export const dateOrStart = (): Field<string> =>
  new Field<string>({
    schema: DATE_SCHEMA,
    read: (input, path, { issues, zone }) =>
      typeof input === 'string' && parseInstant(input, zone) !== null ? input.trim() : issues.add(path, DATE_HINT),
  });

export const timeOfDay = (): Field<string> =>
  new Field<string>({
    schema: { type: 'string', pattern: '^([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9])?$' },
    read: (input, path, { issues }) =>
      typeof input === 'string' && /^([01]\d|2[0-3]):[0-5]\d(:[0-5]\d)?$/.test(input)
        ? input
        : issues.add(path, 'Must be a time of day, for example 18:00.'),
    print: (t) => t.slice(0, 8),
  });

const INSTANT_HINT = 'Must be a time, for example 2026-01-31T18:00:00+01:00. Without an offset, it is local time.';
const INSTANT_SCHEMA = { type: 'string', format: 'date-time' };

/**
 * Returns true if a parameter, by its name, is the inclusive end of a range. A plain date then means the whole day.
 * Elsewhere a date means its first moment, which would exclude nearly all of the day.
 */
const isLast = (path: string, input: unknown): input is string =>
  path.endsWith('_lte') && typeof input === 'string' && parseDate(input) !== null;

/**
 * Returns a field for an instant: epoch milliseconds inside, ISO 8601 with seconds and the offset of the business's
 * zone on the wire.
 */
export const instant = (): Field<number> =>
  new Field<number>({
    schema: INSTANT_SCHEMA,
    read: (input, path, { issues, zone }) =>
      isLast(path, input)
        ? startOfDay(addDays(input, 1), zone) - 1
        : ((typeof input === 'string' ? parseInstant(input, zone) : null) ?? issues.add(path, INSTANT_HINT)),
    print: (t, wire) => formatInstant(parsePgInstant(t), wire.zone),
  });

/**
 * Returns a field for an instant that is stored in `column` and shown in the zone that `zoneColumn` of the same row
 * names.
 */
export const zonedInstant = (column: string, zoneColumn = 'timezone'): Field<number> =>
  instant().computed(
    (t) => [raw(`${t}.${column}`), raw(`${t}.${zoneColumn}`)],
    ([at, zone]) => (at === null ? null : formatInstant(parsePgInstant(at), zone!)),
  );

/**
 * Returns a field for a planned time: checked, but kept as the text that was sent, until its venue determines the zone
 * of a missing offset.
 */
export const plannedTime = (): Field<string> =>
  new Field<string>({
    schema: { type: 'string', description: 'Without an offset, it is the local time of the venue.' },
    read: (input, path, { issues, zone }) =>
      typeof input === 'string' && parseInstant(input, zone) !== null ? input : issues.add(path, INSTANT_HINT),
  });

/**
 * Returns a field for a wall time without a zone; an offset in the input is ignored. Its value is
 * `YYYY-MM-DDTHH:MM:SS`.
 */
export const wallTime = (): Field<string> =>
  new Field<string>({
    schema: { type: 'string', description: 'Local time of the venue, for example 2026-01-31T18:00.' },
    read: (input, path, { issues }) => {
      if (isLast(path, input)) return `${input}T23:59:59`;
      const at = typeof input === 'string' ? parseInstant(input.trim().slice(0, 19), 'UTC') : null;
      return at === null
        ? issues.add(path, 'Must be a local time, for example 2026-01-31T18:00.')
        : formatInstant(at, 'UTC').slice(0, 19);
    },
  });

export function listOf<T>(item: Field<T>, { min = 0, max = 1000 }: { min?: number; max?: number } = {}): Field<T[]> {
  return new Field<T[]>({
    schema: { type: 'array', items: item.spec.schema, ...(min && { minItems: min }), maxItems: max },
    read: (input, path, reading) => {
      const items = reading.text && typeof input === 'string' ? input.split(',').filter((s) => s.trim() !== '') : input;
      if (!Array.isArray(items)) return reading.issues.add(path, 'Must be an array.');
      if (items.length < min)
        return reading.issues.add(path, `Must have at least ${min} ${min === 1 ? 'item' : 'items'}.`);
      if (items.length > max)
        return reading.issues.add(path, `Must have at most ${max} ${max === 1 ? 'item' : 'items'}.`);
      return items.map((it, i) =>
        readField(
          item,
          typeof it === 'string' && reading.text ? it.trim() : it,
          reading.text ? path : `${path}.${i}`,
          reading,
        ),
      );
    },
    print: (t) => JSON.parse(t),
    inner: item.spec.inner,
  });
}

/** Returns a field for a nested object. The database returns it as jsonb in one column. */
export function object<S extends Shape>(shape: S): Field<ValueOf<S>> {
  return new Field<ValueOf<S>>({
    schema: objectSchema(shape),
    read: (input, path, reading) => readShape(shape, input, path, reading),
    print: (t) => JSON.parse(t),
    inner: shape,
  });
}

/** Returns a field for a nested object whose fields are read from the row itself. */
export function group<S extends Shape>(shape: S): Field<ValueOf<S>> {
  return new Field<ValueOf<S>>({ schema: objectSchema(shape), read: (i, p, r) => readShape(shape, i, p, r), shape });
}

/** Returns a field for an object with arbitrary keys. */
export const map = (): Field<Record<string, unknown>> =>
  new Field<Record<string, unknown>>({
    schema: { type: 'object', additionalProperties: true },
    read: (input, path, { issues }) =>
      typeof input === 'object' && input !== null && !Array.isArray(input)
        ? input
        : issues.add(path, 'Must be an object.'),
    print: (t) => JSON.parse(t),
  });

/** Returns a field for ids of resources by their names, for responses: `{"customer": 159}`. */
export const idsByName = (): Field<Record<string, number>> =>
  new Field<Record<string, number>>({
    schema: { type: 'object', additionalProperties: { type: 'integer' } },
    read: (_i, path, { issues }) => issues.add(path, 'This field is read-only.'),
  });

/**
 * The same field, whose form is called like this where the interface is described. Without it, a form that several
 * places share is called after the first of them, which says nothing to the others. A description that it has already
 * belongs to the name, and is written once; one that it gets later belongs to the place.
 */
export function called<T>(name: string, field: Field<T>): Field<T> {
  const { description } = field.spec;
  const schema: JsonSchema = Object.defineProperties({}, Object.getOwnPropertyDescriptors(field.spec.schema));
  schema[CALLED] = name;
  if (description !== undefined) schema[EXPLAINED] = description;
  return new Field<T>({ ...field.spec, schema });
}

/**
 * Properties that several bodies or several answers have together. Where the interface is described, they are one
 * schema of this name, and each of those objects takes it over.
 */
export const together = <S extends Shape>(name: string, shape: S): S =>
  Object.fromEntries(
    Object.entries(shape).map(([key, field]) => [key, new Field({ ...field.spec, among: name })]),
  ) as S;

export function schemaOf(field: Field<any>): JsonSchema {
  const { schema, nullable, description, fallback } = field.spec;
  // Copies getters as getters: an object asks for the schema of its fields before every area, and so every word, is
  // known.
  const copy: JsonSchema = Object.defineProperties({}, Object.getOwnPropertyDescriptors(schema));
  const put = (name: string, get: () => unknown) => Object.defineProperty(copy, name, { get, enumerable: true });
  if (nullable && 'type' in schema) put('type', () => [schema.type, 'null'].flat());
  if (nullable && 'enum' in schema) put('enum', () => [...schema.enum, null]);
  if (description) put('description', () => description);
  if (fallback !== undefined) put('default', () => fallback);
  return copy;
}

export function objectSchema(shape: Shape): JsonSchema {
  const required = Object.entries(shape)
    .filter(([, f]) => !f.spec.optional)
    .map(([name]) => name);
  return {
    type: 'object',
    properties: Object.fromEntries(Object.entries(shape).map(([name, field]) => [name, schemaOf(field)])),
    ...(required.length > 0 && { required }),
    additionalProperties: false,
  };
}

/** One of several forms, each with a name: the forms that a response can have. */
export class Variants {
  readonly of: Readonly<Record<string, Shape>>;
  constructor(of: Readonly<Record<string, Shape>>) {
    this.of = of;
  }
}

export const variants = (of: Readonly<Record<string, Shape>>): Variants => new Variants(of);

export const MONEY_SCHEMA = {
  type: 'object',
  properties: {
    decimal: { type: 'number' },
    string: { type: 'string' },
    iso_currency_code: { type: 'string' },
    currency_symbol: { type: 'string' },
    currency_symbol_position: { type: 'string', enum: ['before', 'after'] },
  },
  required: ['decimal', 'string', 'iso_currency_code', 'currency_symbol', 'currency_symbol_position'],
};

/** Returns a field for money in minor units of the business's currency. */
export const money = (): Field<number> =>
  new Field<number>({
    schema: MONEY_SCHEMA,
    read: (input, path, { issues }) => issues.add(path, 'Money can’t be sent in this form.') ?? input,
    print: (t, wire) => wireMoney({ minor: Number(t), currency: wire.currency }),
  });

/**
 * Returns a field for money as a decimal text of the business's currency, in requests and responses: "10.99". Its value
 * stays text until the currency is known.
 */
export const moneyText = (): Field<string> =>
  new Field<string>({
    schema: { type: 'string', pattern: '^[0-9]{1,12}([.][0-9]{1,4})?$' },
    read: (input, path, { issues, back }) => {
      const amount = back ? amountIn(input, back.currency) : input;
      return typeof amount === 'string' && /^\d{1,12}(\.\d{1,4})?$/.test(amount)
        ? amount
        : issues.add(path, 'Must be an amount, for example "10.99".');
    },
    print: (t, wire) => formatDecimal({ minor: Number(t), currency: wire.currency }),
  });

/**
 * Returns the text of an amount that is in a response's form. An amount in another currency is returned unchanged, and
 * then refused.
 */
function amountIn(input: unknown, currency: string): unknown {
  const { string, iso_currency_code: code } = (typeof input === 'object' && input !== null ? input : {}) as Record<
    string,
    unknown
  >;
  return code === currency.toLowerCase() ? string : input;
}

const idSchema = { type: 'integer' };
const readId = id().spec.read;

/**
 * Returns a field for the id of another resource. It becomes the resource when it is expanded or selected with a dotted
 * name.
 */
export const ref = (target: string, column = `${target}_id`): Field<number> =>
  new Field<number>({
    schema: idSchema,
    read: readId,
    print: Number,
    relation: { kind: 'one', target, column },
    from: (t) => raw(`${t}.${column}`),
  });

/** Returns the same kind of field as `ref`; an expression over the row's alias finds the id. */
export const refBy = (target: string, idOf: (t: string) => Sql): Field<number> =>
  new Field<number>({
    schema: idSchema,
    read: readId,
    print: Number,
    relation: { kind: 'one', target, column: '', idOf },
    from: idOf,
  });

/**
 * Returns a field for another resource that people and programs know by its slug. The slug is shown until the field is
 * expanded. `slugOf` reads it over the row's alias.
 */
export const slugRef = (target: string, column: string, slugOf: (t: string) => Sql): Field<string> =>
  new Field<string>({
    schema: { type: 'string' },
    read: (_i, path, { issues }) => issues.add(path, 'This field is read-only.'),
    relation: { kind: 'one', target, column, collapsed: 'slug' },
    from: slugOf,
  });

/**
 * Returns a field for another resource by its slug or its id, for bodies and queries. An id must be of an object that
 * the caller may see; the code that reads the value looks up a slug.
 */
export const slugOrId = (target: string): Field<string | number> =>
  new Field<string | number>({
    schema: { type: ['string', 'integer'] },
    read: (input, path, reading) => {
      if (typeof input === 'number') return readId(input, path, reading);
      const given = typeof input === 'string' ? input.trim() : '';
      return /^[a-z0-9_]{1,64}$/.test(given)
        ? given
        : reading.issues.add(path, 'Must be a slug, for example trial_member, or an id.');
    },
    relation: { kind: 'one', target, column: '', collapsed: 'slug' },
  });

/** Returns a field for ids of other resources, for bodies. Each must be of an object that the caller may see. */
export const refs = (target: string, bounds: { min?: number; max?: number } = {}): Field<number[]> =>
  new Field<number[]>({
    ...listOf(id(), bounds).spec,
    relation: { kind: 'many', target, link: { column: '' }, collapsed: 'ids' },
  });

type Link = Extract<Relation, { kind: 'many' }>['link'];

/** Returns a field for a collection of another resource: its URL until it is expanded. */
export const collection = (target: string, link: Link, url: (parentId: number) => string): Field<string> =>
  new Field<string>({
    schema: { type: 'string', format: 'uri' },
    read: (_i, path, { issues }) => issues.add(path, 'This field is read-only.'),
    relation: { kind: 'many', target, link, collapsed: 'url', url },
  });

/** Returns a field for a list of another resource: ids until it is expanded. */
export const idsOf = (target: string, link: Link, where?: (child: string) => Sql): Field<number[]> =>
  new Field<number[]>({
    schema: { type: 'array', items: idSchema },
    read: listOf(id()).spec.read,
    relation: { kind: 'many', target, link, where, collapsed: 'ids' },
  });

/** Returns a field for a list of another resource, always as objects. */
export const embedded = (target: string, link: Link, where?: (child: string) => Sql): Field<unknown[]> =>
  new Field<unknown[]>({
    schema: { type: 'array' },
    read: (_i, path, { issues }) => issues.add(path, 'This field is read-only.'),
    relation: { kind: 'many', target, link, where, collapsed: 'objects' },
  });

/** Returns a field for another resource, always as an object. `idOf` finds its id over the row's alias. */
export const embeddedOne = (target: string, idOf: (t: string) => Sql): Field<unknown> =>
  new Field<unknown>({
    schema: { type: 'object' },
    read: (_i, path, { issues }) => issues.add(path, 'This field is read-only.'),
    relation: { kind: 'one', target, column: '', idOf, collapsed: 'object' },
  });
