/** A list of the interface as all areas have made it, for an area that works with its filters. */
import { listAt, type Endpoint, type ListEndpoint } from './acting.ts';

export class WholeList {
  /** as `/customers` */
  readonly path: string;
  #list: ListEndpoint | undefined;

  constructor(path: string) {
    this.path = path;
  }

  /** For the registry. @throws Error if there is no such list */
  connect(endpoints: readonly Endpoint[]): void {
    this.#list = listAt(endpoints, this.path);
  }

  /** @throws Error before the registry has connected it */
  get list(): ListEndpoint {
    if (!this.#list) throw new Error(`nobody has said yet what narrows ${this.path}: make a Registry of the areas`);
    return this.#list;
  }
}
