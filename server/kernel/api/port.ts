/**
 * What an area needs of areas after it: it opens a port, they fill it in their declarations (`fills`), and the registry
 * connects the two at the start. So nothing has to know who comes later.
 */
import { Field } from './field.ts';
import { unique } from './unique.ts';

/** What a port is filled with. Its name is its value on the wire. */
export interface Item {
  readonly name: string;
  readonly description: string;
}

/** What one area puts into a port. */
export interface Filling<T extends Item = any> {
  readonly port: Port<T>;
  readonly items: readonly T[];
}

export class Port<T extends Item> {
  /** what an item is, in words */
  readonly what: string;
  /** the resource that an item names, which must be one */
  readonly resourceOf: (item: T) => string;
  #items: ReadonlyMap<string, T> = new Map();

  constructor(what: string, resourceOf: (item: T) => string) {
    this.what = what;
    this.resourceOf = resourceOf;
  }

  /** For `fills` of an area. */
  with(...items: readonly T[]): Filling<T> {
    return { port: this, items };
  }

  /** For the registry: in place of what it had before. */
  connect(items: readonly T[]): void {
    this.#items = unique(
      this.what,
      items.map((item) => [item.name, item] as const),
    );
  }

  get items(): readonly T[] {
    return [...this.#items.values()];
  }
}

/**
 * Gives each port what all areas put into it. `resourceOf` throws if there is no resource of that name.
 * @throws Error that names what two areas claim
 */
export function connectPorts(fillings: readonly Filling[], resourceOf: (name: string) => unknown): void {
  for (const [port, all] of Map.groupBy(fillings, (filling) => filling.port)) {
    const items = all.flatMap((filling) => filling.items);
    for (const item of items) resourceOf(port.resourceOf(item));
    port.connect(items);
  }
}

/**
 * One of some words, and what they mean. Which ones there are is asked when a value is read or the interface is
 * described, not when the field is declared: by then every area is known.
 */
export function oneOfLater(words: () => readonly string[], meaning?: () => string): Field<string> {
  const schema = {
    type: 'string',
    get enum() {
      return words();
    },
  };
  if (meaning) Object.defineProperty(schema, 'description', { get: meaning, enumerable: true });
  return new Field<string>({
    schema,
    read: (input, path, { issues }) =>
      words().includes(input as string) ? input : issues.add(path, `Must be one of: ${words().join(', ')}.`),
  });
}
