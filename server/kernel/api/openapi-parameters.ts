/** Parameters of operations: those that several operations take are named once in `components`. */
import { pascal } from './openapi-schemas.ts';
import type { JsonSchema } from './field.ts';
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
  /** what tells it from others of its name */
  readonly area: string;
  uses: number;
  name?: string;
}

export class SharedParameters {
  readonly #known = new Map<string, Known>();
  readonly #shared: SharedSchemas;
  readonly #names = new Map<string, Known>();

  constructor(shared: SharedSchemas) {
    this.#shared = shared;
  }

  /** One more operation takes it. Returns the same object for the same parameter. */
  add(parameter: Parameter, area: string, operation: string): Parameter {
    const key = JSON.stringify(parameter);
    let known = this.#known.get(key);
    if (!known) {
      known = { parameter, area, uses: 0, schema: this.#shared.add(parameter.schema, parameter.name, operation) };
      this.#known.set(key, known);
    }
    known.uses++;
    return known.parameter;
  }

  /** What stands at the operation: a reference where another operation takes it too. */
  reference(parameter: Parameter): object {
    const known = this.#known.get(JSON.stringify(parameter))!;
    if (known.uses < 2) return { ...parameter, schema: known.schema() };
    return { $ref: `#/components/parameters/${this.#nameOf(known)}` };
  }

  /** All that are referred to, by name; after everything else has been printed. */
  print(): Record<string, object> {
    return Object.fromEntries(
      [...this.#names]
        .toSorted(([a], [b]) => (a < b ? -1 : 1))
        .map(([name, { parameter, schema }]) => [name, { ...parameter, schema: schema() }]),
    );
  }

  #nameOf(known: Known): string {
    if (known.name !== undefined) return known.name;
    const { name, in: where } = known.parameter;
    // `Service-Provider-ID` is `ProviderID`: what generated clients show is short.
    const plain = where === 'header' ? pascal(name.replace(/^Service-/, '')) : name;
    known.name = this.#names.has(plain) ? `${known.area}_${plain}` : plain;
    for (let n = 2; this.#names.has(known.name); n++) known.name = `${known.area}_${plain}_${n}`;
    this.#names.set(known.name, known);
    return known.name;
  }
}
