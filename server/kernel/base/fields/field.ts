/**
 * A field is declared once and used everywhere: it reads a value of a body or query, tells how the database returns it,
 * prints it on the wire, and describes it in OpenAPI.
 */
import type { Issues } from '../problem.ts';
import type { SecretBox } from '../secret-box.ts';
import type { Sql } from '../db/sql.ts';

export type JsonSchema = Record<string | symbol, any>;

/** Key in a schema for its name, if it gets a name of its own. Never printed. */
export const CALLED = Symbol('called');

/** In a schema with a name: its description, if that belongs to the name instead of the place where it is used. */
export const EXPLAINED = Symbol('explained');

/** The parts of a call that printing needs. */
export interface Wire {
  /** zone of the business, for instants without a zone of their own */
  readonly zone: string;
  /** `https://host` that the client called */
  readonly baseUrl: string;
  /** base URL of pages for people: PUBLIC_URL, or else the host that the client called */
  readonly pagesUrl: string;
  /** ISO 4217, upper case */
  readonly currency: string;
  readonly now: number;
  /** `accept-language` of the client; absent if nobody asks, as in a job */
  readonly accepts?: string;
  /**
   * derives names that nobody can guess without the installation's key, for parts of secret URLs; opens sealed values
   */
  readonly secrets: Pick<SecretBox, 'fingerprint' | 'open'>;
}

/** The parts of a call that reading an input needs. */
export interface Reading {
  readonly issues: Issues;
  /** the input came as text (query, form): "5" and "true" are converted */
  readonly text: boolean;
  readonly zone: string;
  /** set if the input may be a response that is sent back */
  readonly back?: SentBack;
}

/** Options for an input that was a response of the service before. */
export interface SentBack {
  /** shape of the response at this place: its properties that can't be written are ignored */
  readonly shown: Shape | undefined;
  /** refuses them instead */
  readonly strict: boolean;
  /** ISO 4217, upper case; the response has amounts as objects */
  readonly currency: string;
  /**
   * receives the names of properties that were sent as null and can't be changed to null: valid only if they are null
   * already
   */
  readonly nulls: string[];
}

/** How a field that refers to another resource finds it. */
export type Relation =
  /** a column holds the id, or an expression finds it; `collapsed`: shown by its slug, or always as an object */
  | {
      readonly kind: 'one';
      readonly target: string;
      readonly column: string;
      readonly idOf?: (t: string) => Sql;
      readonly collapsed?: 'object' | 'slug';
    }
  /** rows of the target that refer back through `column`, or through a link table */
  | {
      readonly kind: 'many';
      readonly target: string;
      readonly link:
        | { readonly column: string }
        | { readonly table: string; readonly parent: string; readonly child: string; readonly order?: string };
      /** limits the rows of the target (alias `c`) */
      readonly where?: (child: string) => Sql;
      /** value until it is expanded */
      readonly collapsed: 'url' | 'ids' | 'objects';
      readonly url?: (parentId: number) => string;
    };

/**
 * Meaning of a text, for forms that offer names instead of codes: an ISO 3166 country, a language tag, an IANA time
 * zone, a duration in days, weeks, months or years, or kinds of feed items about a customer.
 */
export type Meaning = 'country' | 'language' | 'zone' | 'lifetime' | 'triggers';

interface FieldSpec {
  readonly schema: JsonSchema;
  /** input → value; adds mistakes to `reading.issues` and returns undefined */
  readonly read: (input: unknown, path: string, reading: Reading) => unknown;
  /** text from the database → wire value */
  readonly print: (text: string, wire: Wire) => unknown;
  readonly nullable: boolean;
  readonly optional: boolean;
  readonly deferred: boolean;
  readonly fallback?: unknown;
  /** expression that it is read from; absent: the column of its own name */
  readonly from?: (t: string) => Sql;
  /** several columns and the function that combines them; takes precedence over `from` */
  readonly compute?: {
    readonly columns: (t: string) => readonly Sql[];
    readonly make: (row: (string | null)[], wire: Wire) => unknown;
  };
  readonly relation?: Relation;
  /** an embedded object whose fields come from the same row */
  readonly shape?: Record<string, Field<any>>;
  /** fields of the object, or of each object of a list */
  readonly inner?: Record<string, Field<any>>;
  /** maximum size of an uploaded file in bytes */
  readonly upload?: number;
  readonly description?: string;
  readonly meaning?: Meaning;
  /** name of its own schema in the OpenAPI document */
  readonly component?: string;
  /** name of the schema that it is a property of, with others: see `together` */
  readonly among?: string;
}

export class Field<T> {
  readonly spec: FieldSpec;
  /** only for the type checker */
  declare readonly type: T;
  constructor(spec: Partial<FieldSpec> & Pick<FieldSpec, 'schema' | 'read'>) {
    this.spec = { print: (text) => text, nullable: false, optional: false, deferred: false, ...spec };
  }
  #with<U = T>(more: Partial<FieldSpec>): Field<U> {
    return new Field<U>({ ...this.spec, ...more });
  }
  /** Allows null. */
  nullable(): Field<T | null> {
    return this.#with<T | null>({ nullable: true });
  }
  notNull(): Field<NonNullable<T>> {
    return this.#with<NonNullable<T>>({ nullable: false });
  }
  /** Allows the property to be absent from a body or query, and from a response. */
  optional(): Field<T | undefined> {
    return this.#with<T | undefined>({ optional: true });
  }
  /** Requires the property to be sent. */
  required(): Field<Exclude<T, undefined>> {
    return this.#with<Exclude<T, undefined>>({ optional: false });
  }
  /** Sets the value for a property that is absent from a body or query. */
  default(value: T): Field<T> {
    return this.#with({ optional: true, fallback: value });
  }
  /** Makes the property appear only if `fields` or `expand` names it. */
  deferred(): Field<T> {
    return this.#with({ deferred: true });
  }
  /** Reads it by this expression over the row's alias. */
  from(from: (t: string) => Sql): Field<T> {
    return this.#with({ from });
  }
  /** Computes it from several columns of the row. */
  computed(columns: (t: string) => readonly Sql[], make: (row: (string | null)[], wire: Wire) => unknown): Field<T> {
    return this.#with({ compute: { columns, make } });
  }
  describe(description: string): Field<T> {
    return this.#with({ description });
  }
  /** Declares the meaning of its text, from which forms of the dashboard derive their field. */
  means(meaning: Meaning): Field<T> {
    return this.#with({ meaning });
  }
  /** Gives its schema this name, which client generators use as the name of a type. For responses. */
  named(component: string): Field<T> {
    return this.#with({ component });
  }
}

export type Shape = Record<string, Field<any>>;
type OptionalKeys<S extends Shape> = { [K in keyof S]: undefined extends S[K]['type'] ? K : never }[keyof S];
/** The value of a body or query of this shape. */
export type ValueOf<S extends Shape> = { [K in Exclude<keyof S, OptionalKeys<S>>]: S[K]['type'] } & {
  [K in OptionalKeys<S>]?: S[K]['type'];
};

/** Reads one input through its field: checks absence, then null, then the value itself. */
export function readField(field: Field<any>, input: unknown, path: string, reading: Reading): unknown {
  const { spec } = field;
  if (input === undefined) {
    if ('fallback' in spec && spec.fallback !== undefined) return spec.fallback;
    return spec.optional ? undefined : reading.issues.add(path, 'This field is required.');
  }
  if (input === null || (reading.text && input === '' && spec.nullable)) {
    return spec.nullable ? null : reading.issues.add(path, 'This field may not be null.');
  }
  return spec.read(input, path, reading);
}

const isObject = (v: unknown): v is Record<string, unknown> => typeof v === 'object' && v !== null && !Array.isArray(v);

/** Reads an object of declared fields. Refuses undeclared properties by name. */
export function readShape<S extends Shape>(
  shape: S,
  input: unknown,
  path: string,
  reading: Reading,
): ValueOf<S> | undefined {
  if (!isObject(input)) return reading.issues.add(path, 'Must be an object.') as undefined;
  const at = (name: string) => (path ? `${path}.${name}` : name);
  const { back } = reading;
  for (const name of Object.keys(input)) {
    if (Object.hasOwn(shape, name)) continue;
    if (reading.issues.full) break;
    if (!back?.shown || !Object.hasOwn(back.shown, name))
      reading.issues.addUnknown(at(name), 'property', () => nearest(name, Object.keys(shape)));
    else if (back.strict) reading.issues.add(at(name), READ_ONLY);
  }
  const value: Record<string, unknown> = {};
  for (const [name, field] of Object.entries(shape)) {
    const given = Object.hasOwn(input, name) ? input[name] : undefined;
    const v = back ? readBack(field, given, name, at(name), reading, back) : readField(field, given, at(name), reading);
    if (v !== undefined) value[name] = v;
  }
  return value as ValueOf<S>;
}

const READ_ONLY = 'This field is read-only: it is returned, but can’t be written.';

/** Reads a property of a response that is sent back, with relations expanded or not. */
function readBack(
  field: Field<any>,
  input: unknown,
  name: string,
  path: string,
  reading: Reading,
  back: SentBack,
): unknown {
  const shown = back.shown && Object.hasOwn(back.shown, name) ? back.shown[name].spec : undefined;
  const relation = shown?.relation;
  // The URL of a list doesn't contain its items.
  if (
    relation?.kind === 'many' &&
    relation.collapsed === 'url' &&
    typeof input === 'string' &&
    /^https?:/.test(input)
  ) {
    return back.strict ? reading.issues.add(path, 'Must be an array of ids: the URL is read-only.') : undefined;
  }
  if (input === null && shown?.nullable && !field.spec.nullable && path === name) {
    back.nulls.push(name);
    return undefined;
  }
  const given =
    Array.isArray(input) && relation && field.spec.schema.items?.type !== 'object'
      ? input.map(idIn)
      : relation || field.spec.schema.type === 'integer'
        ? idIn(input)
        : input;
  return readField(field, given, path, { ...reading, back: { ...back, shown: shown?.shape ?? shown?.inner } });
}

const idIn = (input: unknown): unknown => (isObject(input) && Object.hasOwn(input, 'id') ? input.id : input);

/** Returns the declared name that was probably meant: at most two letters differ. */
export function nearest(name: string, names: readonly string[]): string | undefined {
  let best: string | undefined;
  let least = 3;
  for (const candidate of names) {
    const d = distance(name, candidate, least);
    if (d < least) [best, least] = [candidate, d];
  }
  return best;
}

function distance(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) >= limit || a.length > 60) return limit;
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      next[j] = Math.min(row[j] + 1, next[j - 1] + 1, row[j - 1] + (a[i - 1] === b[j - 1] ? 0 : 1));
    }
    row = next;
  }
  return row[b.length];
}

/** Returns the shape with every field optional, for example a PATCH's from a PUT's. */
export function allOptional<S extends Shape>(shape: S): { [K in keyof S]: Field<S[K]['type'] | undefined> } {
  return Object.fromEntries(
    Object.entries(shape).map(([name, field]) => [
      name,
      new Field({ ...field.spec, fallback: undefined, optional: true }),
    ]),
  ) as never;
}
