/**
 * The URL paths of the interface, and the methods of each. Routes for all methods that a path refuses would be three of
 * four routes, and half of the startup time. Instead, such requests are looked up here if no route was found.
 */
import type { Endpoint } from './acting.ts';

export const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;
type Method = (typeof METHODS)[number];

interface Address {
  /** as the endpoints declare it: `/events/{id}` */
  readonly path: string;
  readonly methods: ReadonlySet<string>;
  readonly pattern: RegExp;
  readonly holes: number;
}

const literal = (text: string): string => text.replaceAll(/[.*+?^$()|[\]\\]/g, String.raw`\$&`);

export class Addresses {
  /** sorted from the most literal on, in the order in which routes are chosen */
  readonly #all: readonly Address[];

  constructor(endpoints: readonly Pick<Endpoint, 'method' | 'path'>[]) {
    const methods = Map.groupBy(endpoints, ({ path }) => path);
    this.#all = [...methods]
      .map(([path, at]): Address => {
        const parts = path.split(/\{[^}]*\}/);
        return {
          path,
          methods: new Set(at.map(({ method }) => method)),
          pattern: new RegExp(`^${parts.map(literal).join('[^/]+')}/?$`),
          holes: parts.length - 1,
        };
      })
      .toSorted((a, b) => a.holes - b.holes);
  }

  /** Returns the methods of the address at this path for the `Allow` header; null: there is none. */
  allow(path: string): string | null {
    const found = this.#all.find(({ pattern }) => pattern.test(path));
    return found ? allowOf(found) : null;
  }

  /**
   * Returns methods that an address refuses, but that a pattern covering it accepts: `GET /events/bulk` must not read
   * the event `bulk`.
   */
  covered(): { readonly path: string; readonly method: Method; readonly allow: string }[] {
    const byLength = Map.groupBy(this.#all, lengthOf);
    return this.#all.flatMap((address) => {
      const others = byLength
        .get(lengthOf(address))!
        .filter((other) => other.holes > address.holes && other.pattern.test(address.path));
      return METHODS.filter(
        (method) => !address.methods.has(method) && others.some(({ methods }) => methods.has(method)),
      ).map((method) => ({ path: address.path, method, allow: allowOf(address) }));
    });
  }
}

const lengthOf = ({ path }: Address): number => path.split('/').length;

const allowOf = ({ methods }: Address): string =>
  [...methods, ...(methods.has('GET') ? ['HEAD'] : [])].toSorted().join(', ');
