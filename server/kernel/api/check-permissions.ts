/** Checks the permissions in declarations against those that exist. */
import type { Endpoint } from './acting.ts';
import type { FeedItemKind } from '../work/feed/feed-item.ts';
import type { Resource } from './resource.ts';

interface Declared {
  readonly permissions: ReadonlyMap<string, unknown>;
  readonly endpoints: readonly Endpoint[];
  readonly resources: ReadonlyMap<string, Resource>;
  readonly feed: ReadonlyMap<string, FeedItemKind>;
}

/**
 * Checks all permissions.
 * @throws Error that names the declaration with a permission that no area declares
 */
export function checkPermissions({ permissions, endpoints, resources, feed }: Declared): void {
  const check = (what: string, named: readonly string[] | boolean | undefined): void => {
    if (!Array.isArray(named)) return;
    for (const permission of named)
      if (!permissions.has(permission)) throw new Error(`${what} asks for the unknown permission "${permission}"`);
  };
  for (const { method, path, who } of endpoints) check(`${method} ${path}`, who?.provider);
  for (const { name, shown } of resources.values())
    for (const [property, { provider }] of Object.entries(shown)) check(`${name}.${property}`, provider);
  for (const { kind, shown = {} } of feed.values())
    for (const [property, to] of Object.entries(shown)) check(`${kind}.${property}`, to?.provider);
}
