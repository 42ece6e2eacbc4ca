/** The part of the OpenAPI document for some areas: small enough to read in one go. */

const HERE = '#/components/';
type Json = Record<string, any>;

/**
 * Returns the operations with one of these tags, and the components that they refer to. Resources of other areas are
 * not included: a reference to one of them points to the whole document.
 * @param whole the document, as `openapi()` returns it
 * @param own names of the schemas of the areas' own resources
 * @returns null if no operation has such a tag
 */
export function partOf(whole: Json, tags: ReadonlySet<string>, resources: ReadonlyMap<string, string>): Json | null {
  const paths = Object.fromEntries(
    Object.entries<Json>(whole.paths)
      .map(([path, item]) => [path, operationsOf(item, tags)] as const)
      .filter((entry): entry is [string, Json] => entry[1] !== null),
  );
  if (Object.keys(paths).length === 0) return null;
  const components: Record<string, Json> = { securitySchemes: whole.components.securitySchemes };
  const isElsewhere = (kind: string, name: string) =>
    kind === 'schemas' && resources.has(name) && !tags.has(resources.get(name)!);
  const take = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(take);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([key, inner]) => [
        key,
        key === '$ref' && typeof inner === 'string' ? refer(inner) : take(inner),
      ]),
    );
  };
  const refer = ($ref: string): string => {
    if (!$ref.startsWith(HERE)) return $ref;
    const [kind, name] = $ref.slice(HERE.length).split('/');
    if (isElsewhere(kind, name)) return `openapi.json${$ref}`;
    const known = (components[kind] ??= {});
    if (!Object.hasOwn(known, name)) {
      known[name] = null;
      known[name] = take(whole.components[kind][name]);
    }
    return $ref;
  };
  return { ...whole, tags: whole.tags.filter(({ name }: Json) => tags.has(name)), paths: take(paths), components };
}

function operationsOf(item: Json, tags: ReadonlySet<string>): Json | null {
  const kept = Object.entries<Json>(item).filter(
    ([key, operation]) => key === 'parameters' || operation.tags.some((tag: string) => tags.has(tag)),
  );
  return kept.some(([key]) => key !== 'parameters') ? Object.fromEntries(kept) : null;
}
