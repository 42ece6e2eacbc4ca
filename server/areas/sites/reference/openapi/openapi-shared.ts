/** Removes repetition from the document: a repeated schema gets a name in `components`, and a `$ref` where it was. */
import { component, pascal } from './openapi-schemas.ts';
import { CALLED, EXPLAINED, type JsonSchema } from '../../../../kernel/base/fields/field.ts';

/**
 * Minimum length, printed as JSON, of schemas that are never written twice. For shorter ones, a reference saves hardly
 * anything.
 */
export const WRITTEN_ONCE = 100;

/**
 * Minimum length for a reference to a schema that defines its own name: shorter ones are no longer than the reference.
 */
const NAMED = 60;

/** Minimum number of nullable uses at which a form combined with null gets its own component. */
const OFTEN = 20;

/** Words that mean nothing without the name of their owner. */
const VAGUE = /^(type|status|reason|kind|form|mode|settings)(_list)?$/;

/** Suffix of names for a response or for the result of `dry_run` in its place. */
const OR_TRIED = /OrDryRun$/;

/** Keywords that describe a use of a schema, and may appear next to its `$ref`. */
const NOTES = ['description', 'default', 'x-deferred', 'title'] as const;
/** Keywords whose value is one schema, a list of schemas, or schemas by name. */
const ONE = ['items', 'additionalProperties', 'x-event-data'] as const;
const LIST = ['oneOf', 'anyOf', 'allOf'] as const;

/** A form that occurs at least once, regardless of notes and of whether it may be null. */
interface Form {
  readonly core: JsonSchema;
  readonly children: ReadonlyMap<JsonSchema, Place>;
  readonly size: number;
  /** number of places in different forms */
  uses: number;
  name?: string;
  /** number of places where it may be null */
  nulls: number;
  /** name that it defines for itself, at any of its places */
  said?: string;
  /** name that it gets otherwise, after the property that has it as its value */
  readonly called: string;
  /** component or operation in which it first occurred, used if that name is ambiguous */
  readonly owner: string;
}

interface Place {
  readonly form: Form;
  readonly notes: JsonSchema;
  readonly nullable: boolean;
}

export class SharedSchemas {
  readonly #forms = new Map<string, Form>();
  readonly #roots = new Map<string, Place>();
  readonly #taken = new Set<string>();
  readonly #made = new Map<string, JsonSchema>();
  readonly #ids = new Map<Form, number>();
  /** forms that need a name, by the word that each would get; known after everything has been added */
  #words: ReadonlyMap<string, readonly Form[]> | undefined;

  /** Defines a component with this name. `owns`: others of the same form refer to it. */
  define(
    name: string,
    schema: JsonSchema,
    { owns = true, called = name }: { owns?: boolean; called?: string } = {},
  ): void {
    const place = this.#place(schema, called, name);
    place.form.uses++;
    if (owns && place.form.name === undefined) place.form.name = name;
    this.#taken.add(name);
    this.#roots.set(name, place);
  }

  /** Adds a schema that `owner` uses; the returned function prints it after all have been added. */
  add(schema: JsonSchema, called: string, owner = called): () => JsonSchema {
    const place = this.#place(schema, called, owner);
    place.form.uses++;
    return () => this.#print(place);
  }

  /** Returns all components, by name. */
  print(): Record<string, JsonSchema> {
    for (const [name, place] of this.#roots) {
      this.#made.set(
        name,
        place.form.name === name ? { ...this.#written(place.form), ...place.notes } : this.#print(place),
      );
    }
    return Object.fromEntries([...this.#made].toSorted(([a], [b]) => (a < b ? -1 : 1)));
  }

  #place(schema: JsonSchema, called: string, owner: string): Place {
    const { core, notes, nullable } = apart(schema);
    const children = new Map<JsonSchema, Place>();
    for (const [child, name] of childrenOf(core, called)) children.set(child, this.#place(child, name, owner));
    const key = this.#key(core, children);
    let form = this.#forms.get(key);
    if (!form) {
      form = {
        core,
        children,
        size: JSON.stringify(core).length,
        uses: 0,
        nulls: 0,
        called: wordFor(core, called),
        owner,
      };
      this.#forms.set(key, form);
      this.#ids.set(form, this.#ids.size);
      for (const child of children.values()) child.form.uses++;
    }
    form.said ??= saidOf(core);
    if (nullable) form.nulls++;
    return { form, notes, nullable };
  }

  /** Returns equal keys for equal forms: the core, with a number for each form inside it. */
  #key(core: JsonSchema, children: ReadonlyMap<JsonSchema, Place>): string {
    return JSON.stringify(core, (_name, value) => {
      const place = typeof value === 'object' && value !== null ? children.get(value) : undefined;
      return place ? { '': this.#ids.get(place.form), notes: place.notes, nullable: place.nullable } : value;
    });
  }

  #print({ form, notes, nullable }: Place): JsonSchema {
    const name = this.#nameOf(form);
    if (name === undefined) {
      const written = this.#written(form);
      return { ...(nullable ? withNull(written) : written), ...notes };
    }
    return { ...(nullable ? this.#orNull(form, component(name)) : component(name)), ...notes };
  }

  /** Returns the form combined with null, as a component of its own if this is frequent. */
  #orNull({ name, nulls }: Form, one: JsonSchema): JsonSchema {
    const either = { anyOf: [one, { type: 'null' }] };
    if (nulls < OFTEN) return either;
    this.#made.set(`${name}OrNull`, either);
    return component(`${name}OrNull`);
  }

  #nameOf(form: Form): string | undefined {
    if (form.name !== undefined) return form.name;
    if (!isRepeated(form)) return undefined;
    const base = this.#baseFor(form);
    let name = base;
    for (let n = 2; this.#taken.has(name); n++) name = `${base}${n}`;
    form.name = name;
    this.#taken.add(name);
    this.#made.set(name, this.#written(form));
    return name;
  }

  #baseFor(form: Form): string {
    // A list of named items is named after them.
    const items = form.said === undefined && form.core.type === 'array' && form.children.get(form.core.items);
    const listed = items && this.#nameOf(items.form);
    if (listed && !this.#taken.has(`${listed}List`)) return `${listed}List`;
    const word = form.said ?? form.called;
    return pascal(this.#isAmbiguous(form) ? `${form.owner}_${word}` : word);
  }

  /** Returns true if another form would get the same name. */
  #isAmbiguous(form: Form): boolean {
    this.#words ??= Map.groupBy(
      [...this.#forms.values()].filter((one) => one.name === undefined && isRepeated(one)),
      (one) => pascal(one.said ?? one.called),
    );
    if (form.said === undefined && VAGUE.test(form.called)) return true;
    const word = pascal(form.said ?? form.called);
    // Forms that define their own name take precedence over those that are named after a property.
    const same = (this.#words.get(word) ?? []).filter((one) => form.said === undefined || one.said !== undefined);
    if (this.#taken.has(word)) return true;
    // If several forms define the same name, the most used one gets it unqualified.
    return same.length > 1 && (form.said === undefined || same.some((one) => one !== form && one.uses >= form.uses));
  }

  #written(form: Form): JsonSchema {
    const open = (schema: JsonSchema) => {
      const place = form.children.get(schema);
      return place ? this.#print(place) : schema;
    };
    return mapChildren(form.core, open);
  }
}

const isRepeated = ({ uses, size, said }: Form): boolean =>
  uses > 1 && size >= (said === undefined ? WRITTEN_ONCE : NAMED);

/** Returns the name that a form defines for itself; for a list, one derived from the name that its items define. */
function saidOf(core: JsonSchema): string | undefined {
  const said = core[CALLED] as string | undefined;
  if (said !== undefined || core.items?.[CALLED] === undefined) return said;
  return `${core.items[CALLED]}_list`;
}

/**
 * Returns the word to name a form by. An object defines what it is; a list has a name of its own, next to that of its
 * items.
 */
function wordFor(core: JsonSchema, called: string): string {
  const [object] = core.properties?.object?.enum ?? [];
  if (object) return object;
  return core.type === 'array' ? `${called}_list` : called;
}

/** Separates the notes of the place from the form itself. */
function apart(schema: JsonSchema): { core: JsonSchema; notes: JsonSchema; nullable: boolean } {
  const core = { ...schema };
  const notes: JsonSchema = {};
  for (const note of NOTES) {
    if (note in core && !(note === 'description' && core[EXPLAINED] === core[note])) {
      notes[note] = core[note];
      delete core[note];
    }
  }
  const nullable = Array.isArray(core.type) && core.type.length === 2 && core.type[1] === 'null';
  if (nullable) {
    core.type = core.type[0];
    if (core.enum) core.enum = core.enum.filter((value: unknown) => value !== null);
  }
  return { core, notes, nullable };
}

const withNull = (core: JsonSchema): JsonSchema => ({
  ...core,
  type: [core.type, 'null'],
  ...(core.enum && { enum: [...core.enum, null] }),
});

const isSchema = (value: unknown): value is JsonSchema => typeof value === 'object' && value !== null;

function childrenOf(core: JsonSchema, called: string): [JsonSchema, string][] {
  return [
    ...Object.entries<JsonSchema>(core.properties ?? {}).map(([name, child]): [JsonSchema, string] => [child, name]),
    ...ONE.filter((word) => isSchema(core[word])).map((word): [JsonSchema, string] => [core[word], singular(called)]),
    ...LIST.flatMap((word) => (core[word] ?? []) as JsonSchema[]).map((child): [JsonSchema, string] => [
      child,
      child.title ?? called.replace(OR_TRIED, ''),
    ]),
  ];
}

function mapChildren(core: JsonSchema, open: (schema: JsonSchema) => JsonSchema): JsonSchema {
  const mapped = { ...core };
  if (core.properties)
    mapped.properties = Object.fromEntries(
      Object.entries<JsonSchema>(core.properties).map(([name, child]) => [name, open(child)]),
    );
  for (const word of ONE) if (isSchema(core[word])) mapped[word] = open(core[word]);
  for (const word of LIST) if (core[word]) mapped[word] = core[word].map(open);
  return mapped;
}

const singular = (name: string): string => name.replace(/ies$/, 'y').replace(/([^s])s$/, '$1');
