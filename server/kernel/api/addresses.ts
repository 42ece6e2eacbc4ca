/**
 * The addresses of the interface, and which methods each of them takes. Routes for every method that an address refuses would be
 * three of four routes, and half of what a start takes: such requests are looked up here instead, when no route was found.
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
  /** the most literal first, which is how routes are chosen */
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

  /** The methods of the address at this path, as the header `Allow` names them; null: nothing is there. */
  allow(path: string): string | null {
    const found = this.#all.find(({ pattern }) => pattern.test(path));
    return found ? allowOf(found) : null;
  }

  /**
   * Methods that an address refuses but another one takes, whose pattern covers it: `GET /events/bulk` must not be read as
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
