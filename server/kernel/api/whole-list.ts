/** A list of the interface as all areas have made it, for an area that works with its filters. */
import { Deferred } from '../base/fields/deferred.ts';
import { listAt, type Endpoint, type ListEndpoint } from './acting.ts';

export class WholeList {
  /** as `/customers` */
  readonly path: string;
  readonly #list: Deferred<ListEndpoint>;

  constructor(path: string) {
    this.path = path;
    this.#list = new Deferred(`what narrows ${path}`);
  }

  /** For the registry. @throws Error if there is no such list */
  connect(endpoints: readonly Endpoint[]): void {
    this.#list.say(listAt(endpoints, this.path));
  }

  /** @throws Error before the registry has connected it */
  get list(): ListEndpoint {
    return this.#list.value;
  }
}
