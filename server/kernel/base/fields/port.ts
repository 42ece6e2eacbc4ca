/**
 * What an area needs of areas after it: it opens a port, they fill it in their declarations (`fills`), and the registry
 * connects the two at the start. So nothing has to know who comes later.
 */
import { Field } from './field.ts';
import { Deferred } from './deferred.ts';
import { unique } from './unique.ts';

/** What a port is filled with. Its name is its value on the wire. */
export interface Item {
  readonly name: string;
  readonly description: string;
}

/** What one area puts into a port. */
export interface Filling<T extends Item = any> {
  readonly port: Port<T, any>;
  readonly items: readonly T[];
}

/** `Filled`: what is made of all items together. */
export class Port<T extends Item, Filled = readonly T[]> {
  /** what an item is, in words */
  readonly what: string;
  /** the resource that an item names, which must be one */
  readonly resourceOf: (item: T) => string;
  readonly #gather: (items: readonly T[]) => Filled;
  readonly #content: Deferred<{ readonly items: readonly T[]; readonly filled: Filled }>;

  /** `gather` makes one of all items, in the order of areas. @throws Error if they do not fit together */
  constructor(
    what: string,
    resourceOf: (item: T) => string,
    gather = (items: readonly T[]): Filled => items as Filled,
  ) {
    this.what = what;
    this.resourceOf = resourceOf;
    this.#gather = gather;
    this.#content = new Deferred(`what each ${what} is`);
  }

  /** For `fills` of an area. */
  with(...items: readonly T[]): Filling<T> {
    return { port: this, items };
  }

  /** For the registry: in place of what it had before. */
  connect(items: readonly T[]): void {
    unique(
      this.what,
      items.map((item) => [item.name, item] as const),
    );
    const before = this.#content.soFar?.items;
    const same = before?.length === items.length && before.every((item, i) => item === items[i]);
    if (!same) this.#content.say({ items, filled: this.#gather(items) });
  }

  /** None before the registry has connected the port. */
  get items(): readonly T[] {
    return this.#content.soFar?.items ?? [];
  }

  /** All items as one. @throws Error before the registry has connected the port */
  get filled(): Filled {
    return this.#content.value.filled;
  }
}

/**
 * Gives each port what all areas put into it, which may be nothing for one that is `opened`. `resourceOf` throws if
 * there is no resource of that name.
 * @throws Error that names what two areas claim
 */
export function connectPorts(
  opened: readonly Port<any, any>[],
  fillings: readonly Filling[],
  resourceOf: (name: string) => unknown,
): void {
  for (const port of new Set([...opened, ...fillings.map((filling) => filling.port)])) {
    const items = fillings.flatMap((filling) => (filling.port === port ? filling.items : []));
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
