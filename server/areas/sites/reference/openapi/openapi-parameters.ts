/** Parameters of operations: those that several operations share are defined once in `components`. */
import type { JsonSchema } from '../../../../kernel/base/fields/field.ts';
import type { SharedSchemas } from './openapi-shared.ts';

export interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly schema: JsonSchema;
  readonly [more: string]: unknown;
}

interface Known {
  readonly parameter: Parameter;
  readonly schema: () => JsonSchema;
  /** how many operations of each area take it */
  readonly areas: Map<string, number>;
}

export class SharedParameters {
  readonly #known = new Map<string, Known>();
  readonly #shared: SharedSchemas;
  /** what is referred to, by its name in `components` */
  readonly #named = new Map<string, Known>();
  /** of those with one name, the one that most operations take; known once everything has been added */
  #first: ReadonlyMap<string, Known> | undefined;

  constructor(shared: SharedSchemas) {
    this.#shared = shared;
  }

  /** Adds an operation that takes the parameter. Returns the same object for the same parameter. */
  add(parameter: Parameter, area: string, operation: string): Parameter {
    const key = JSON.stringify(parameter);
    let known = this.#known.get(key);
    if (!known) {
      known = {
        parameter,
        areas: new Map(),
        schema: this.#shared.add(parameter.schema, parameter.name, operation),
      };
      this.#known.set(key, known);
    }
    known.areas.set(area, (known.areas.get(area) ?? 0) + 1);
    return known.parameter;
  }

  /**
   * The parameter at an operation of an area: a reference where another operation takes it too. Of several parameters
   * with one name, one has that name alone; the others belong to an area, and others do not refer to them.
   */
  reference(parameter: Parameter, area: string): object {
    const known = this.#known.get(JSON.stringify(parameter))!;
    const written = { ...parameter, schema: known.schema() };
    if (usesOf(known) < 2) return written;
    this.#first ??= firstOf(this.#known.values());
    if (this.#first.get(parameter.name) === known) return this.#refer(parameter.name, known);
    if (known.areas.get(area)! < 2) return written;
    const own = `${area}_${parameter.name}`;
    const taken = this.#named.get(own);
    return taken === undefined || taken === known ? this.#refer(own, known) : written;
  }

  /** Returns all shared parameters, by name; call it after everything else has been printed. */
  print(): Record<string, object> {
    return Object.fromEntries(
      [...this.#named]
        .toSorted(([a], [b]) => (a < b ? -1 : 1))
        .map(([name, { parameter, schema }]) => [name, { ...parameter, schema: schema() }]),
    );
  }

  #refer(name: string, known: Known): object {
    this.#named.set(name, known);
    return { $ref: `#/components/parameters/${name}` };
  }
}

const usesOf = ({ areas }: Known): number => areas.values().reduce((sum, n) => sum + n, 0);

const firstOf = (all: Iterable<Known>): ReadonlyMap<string, Known> =>
  new Map(
    [...Map.groupBy(all, ({ parameter }) => parameter.name)].map(([name, same]) => [
      name,
      same.reduce((most, one) => (usesOf(one) > usesOf(most) ? one : most)),
    ]),
  );
