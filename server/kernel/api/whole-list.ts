/** A list of the interface with the filters of all areas, for an area that uses these filters. */
import { Deferred } from '../base/fields/deferred.ts';
import { listAt, type Endpoint, type ListEndpoint } from './acting.ts';

export class WholeList {
  /** path of the list, such as `/customers` */
  readonly path: string;
  readonly #list: Deferred<ListEndpoint>;

  constructor(path: string) {
    this.path = path;
    this.#list = new Deferred(`what narrows ${path}`);
  }

  /**
   * Sets the list. For the registry.
   * @throws Error if there is no such list
   */
  connect(endpoints: readonly Endpoint[]): void {
    this.#list.say(listAt(endpoints, this.path));
  }

  /**
   * The list.
   * @throws Error before the registry has connected it
   */
  get list(): ListEndpoint {
    return this.#list.value;
  }
}
