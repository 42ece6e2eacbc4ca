/** Checks the permissions in declarations against those that exist. */
import type { Registry } from './registry.ts';

/**
 * Checks all permissions.
 * @throws Error that names the declaration with a permission that no area declares
 */
export function checkPermissions({ permissions, endpoints, resources, feed }: Registry): void {
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
