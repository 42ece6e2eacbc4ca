/**
 * Observer of the pages' calls to the interface: for every property that they read and that may be null or empty, it
 * records whether it was present, and whether it was absent.
 */
import { Pipeline } from '../../../../kernel/api/requests/pipeline.ts';
import { selectableFields } from '../../../../kernel/api/requests/input.ts';
import type { Endpoint } from '../../../../kernel/api/acting.ts';
import type { Field, Shape } from '../../../../kernel/base/fields/field.ts';
import type { Registry } from '../../../../kernel/api/registry.ts';

type Saw = 'present' | 'absent';

export class Asks {
  /** by operation and path, for example `GET /memberships plans.joining_fee` */
  readonly seen = new Map<string, Set<Saw>>();
  /** by operation: the failure to inject before its call */
  readonly broken = new Map<string, (within: any) => Promise<never>>();
  readonly #registry: Registry;
  readonly #call = Pipeline.prototype.call;

  constructor(registry: Registry) {
    this.#registry = registry;
    const { broken } = this;
    const [call, saw] = [this.#call, this.#saw.bind(this)];
    Pipeline.prototype.call = async function (endpoint, caller, asked, within) {
      const breaks = broken.get(`${endpoint.method} ${endpoint.path}`);
      if (breaks) await breaks(within);
      const answer = await call.call(this, endpoint, caller, asked, within);
      if (endpoint.method === 'GET' && asked.query?.fields)
        saw(endpoint, String(asked.query.fields).split(','), answer);
      return answer;
    };
  }

  end(): void {
    Pipeline.prototype.call = this.#call;
  }

  #saw(endpoint: Endpoint, paths: readonly string[], answer: any): void {
    const selected = selectableFields(endpoint);
    if (!selected) return;
    const operation = `${endpoint.method} ${endpoint.path}`;
    for (const one of Array.isArray(answer.results) ? answer.results : [answer])
      for (const path of paths) this.#walk(operation, selected.fields, one, path.split('.'));
  }

  #walk(operation: string, shape: Shape, value: any, [name, ...rest]: readonly string[], before = ''): void {
    const field: Field<any> = shape[name];
    const path = before === '' ? name : `${before}.${name}`;
    const found = value[name];
    const { nullable, relation, shape: part } = field.spec;
    if (nullable || relation?.kind === 'many') {
      const key = `${operation} ${path}`;
      const saw = this.seen.get(key) ?? new Set();
      this.seen.set(
        key,
        saw.add(found === null || (Array.isArray(found) && found.length === 0) ? 'absent' : 'present'),
      );
    }
    if (rest.length === 0 || found === null) return;
    const inner = part ?? this.#registry.resourceOf(relation!.target).fields;
    for (const one of Array.isArray(found) ? found : [found]) this.#walk(operation, inner, one, rest, path);
  }
}
