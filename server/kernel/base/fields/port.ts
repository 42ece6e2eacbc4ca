/**
 * Needs of an area that later areas fill: it opens a port, they fill it in their declarations (`fills`), and the
 * registry connects the two at startup. So an area does not need to know later ones.
 */
import { Field } from './field.ts';
import { Deferred } from './deferred.ts';
import { unique } from './unique.ts';

/** An item in a port. Its name is its value on the wire. */
export interface Item {
  readonly name: string;
  readonly description: string;
}

/** The items of one area for a port. */
export interface Filling<T extends Item = any> {
  readonly port: Port<T, any>;
  readonly items: readonly T[];
}

/** `Filled`: the value built from all items together. */
export class Port<T extends Item, Filled = readonly T[]> {
  /** description of an item */
  readonly what: string;
  /** the resource that an item names, which must exist */
  readonly resourceOf: (item: T) => string;
  readonly #gather: (items: readonly T[]) => Filled;
  readonly #content: Deferred<{ readonly items: readonly T[]; readonly filled: Filled }>;

  /**
   * Creates a port; `gather` combines all items, in the order of areas.
   * @throws Error if they contradict each other
   */
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

  /** Returns items for `fills` of an area. */
  with(...items: readonly T[]): Filling<T> {
    return { port: this, items };
  }

  /** Replaces the items. For the registry. */
  connect(items: readonly T[]): void {
    unique(
      this.what,
      items.map((item) => [item.name, item] as const),
    );
    const before = this.#content.soFar?.items;
    const same = before?.length === items.length && before.every((item, i) => item === items[i]);
    if (!same) this.#content.say({ items, filled: this.#gather(items) });
  }

  /** All items; none before the registry has connected the port. */
  get items(): readonly T[] {
    return this.#content.soFar?.items ?? [];
  }

  /**
   * All items combined.
   * @throws Error before the registry has connected the port
   */
  get filled(): Filled {
    return this.#content.value.filled;
  }
}

/**
 * Gives each port the items of all areas, or none for one that is `opened`. `resourceOf` throws if there is no resource
 * of that name.
 * @throws Error that names an item that two areas claim
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
 * Returns a field for one of several words, with their meanings. The words are computed when a value is read or the
 * interface is described, not when the field is declared: only then is every area known.
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
