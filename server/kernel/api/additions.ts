/** Additions of areas to resources and lists of earlier areas, merged into the original declarations. */
import { sortBy } from './endpoint.ts';
import { unique } from '../base/fields/unique.ts';
import { withProperties, type Resource } from './resource.ts';
import type { Area } from './area.ts';
import type { Endpoint, ListEndpoint } from './acting.ts';

interface Additions {
  /** the complete resources */
  readonly resources: ReadonlyMap<string, Resource>;
  /** returns the endpoint with complete resources, and a list with all its filters and sort keys */
  readonly to: (endpoint: Endpoint) => Endpoint;
  /** paths of the lists with additions */
  readonly paths: readonly string[];
  /** operations with additional inputs, by method and path */
  readonly operations: readonly string[];
}

export function collectAdditions(areas: readonly Area[], declared: ReadonlyMap<string, Resource>): Additions {
  const properties = Map.groupBy(
    areas.flatMap((a) => Object.entries(a.properties ?? {})),
    ([name]) => name,
  );
  for (const name of [
    ...properties.keys(),
    ...areas.flatMap((a) => Object.keys({ ...a.uses, ...a.follows, ...a.claims, ...a.changesAddress })),
  ])
    if (!declared.has(name)) throw new Error(`no resource is called "${name}"`);
  const resources = new Map(
    [...declared].map(([name, resource]) => [
      name,
      withProperties(
        resource,
        (properties.get(name) ?? []).map(([, added]) => added),
      ),
    ]),
  );
  const whole = (resource: Resource): Resource =>
    declared.get(resource.name) === resource ? resources.get(resource.name)! : resource;
  const filters = byPath(areas.map((a) => a.filters));
  const sorts = byPath(areas.map((a) => a.sorts));

  function toList(list: ListEndpoint): ListEndpoint {
    const [more, keys] = [filters.get(list.path) ?? [], sorts.get(list.path) ?? []];
    const sort = Object.fromEntries(unique(`key of ${list.path}`, [...Object.entries(list.sort), ...keys]));
    return {
      ...list,
      filters: Object.fromEntries(unique(`filter of ${list.path}`, [...Object.entries(list.filters), ...more])),
      sort,
      query: {
        ...list.query,
        ...Object.fromEntries(more.map(([name, { field }]) => [name, field])),
        ...(keys.length > 0 && { sort: sortBy(sort) }),
      },
    };
  }

  const inputs = Map.groupBy(
    areas.flatMap((a) => Object.entries(a.inputs ?? {})),
    ([operation]) => operation,
  );

  function withInputs<E extends Endpoint>(endpoint: E): E {
    const more = (inputs.get(`${endpoint.method} ${endpoint.path}`) ?? []).flatMap(([, shape]) =>
      Object.entries(shape),
    );
    const part = endpoint.method === 'GET' ? 'query' : 'body';
    const whole = unique(`${part} of ${endpoint.path}`, [...Object.entries(endpoint[part] ?? {}), ...more]);
    return more.length === 0 ? endpoint : { ...endpoint, [part]: Object.fromEntries(whole) };
  }

  const onWhole = <E extends Endpoint>(endpoint: E): E => ({
    ...endpoint,
    ...(endpoint.target && { target: whole(endpoint.target) }),
    ...('resource' in endpoint.returns && {
      returns: { ...endpoint.returns, resource: whole(endpoint.returns.resource) },
    }),
  });

  return {
    resources,
    to: (endpoint) => withInputs(onWhole(endpoint.acts === 'list' ? toList(endpoint) : endpoint)),
    operations: [...inputs.keys()],
    paths: [...filters.keys(), ...sorts.keys()],
  };
}

/** Returns the additions of all areas, by the path of the list and in the order of the areas. */
function byPath<T>(
  added: readonly (Readonly<Record<string, Readonly<Record<string, T>>>> | undefined)[],
): ReadonlyMap<string, readonly (readonly [string, T])[]> {
  const paths = Map.groupBy(
    added.flatMap((one) => Object.entries(one ?? {})),
    ([path]) => path,
  );
  return new Map([...paths].map(([path, all]) => [path, all.flatMap(([, items]) => Object.entries(items))]));
}
