/** Checks that a mapping file has all required properties, and none that nobody reads. */
export type Rule =
  | 'text'
  | 'optional text'
  | 'optional texts'
  | 'optional any'
  | { readonly [key: string]: Rule }
  | { readonly optional: { readonly [key: string]: Rule } };

/** Returns messages such as `venue.name must be text`; none if the value is right. */
export function shapeProblems(value: unknown, rules: { readonly [key: string]: Rule }, path = ''): string[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return [`${path || 'the mapping'} must be an object { … }`];
  const given = value as Record<string, unknown>;
  const at = (key: string) => (path ? `${path}.${key}` : key);
  const strange = Object.keys(given)
    .filter((key) => !(key in rules))
    .map((key) => `${at(key)} is unknown; known here: ${Object.keys(rules).join(', ')}`);
  return [...strange, ...Object.entries(rules).flatMap(([key, rule]) => problemsOf(given[key], rule, at(key)))];
}

function problemsOf(value: unknown, rule: Rule, path: string): string[] {
  if (typeof rule === 'object') {
    if ('optional' in rule && typeof rule.optional === 'object')
      return value === undefined ? [] : shapeProblems(value, rule.optional as { [key: string]: Rule }, path);
    return shapeProblems(value ?? {}, rule as { [key: string]: Rule }, path);
  }
  if (value === undefined) return rule === 'text' ? [`${path} is missing`] : [];
  if (rule === 'optional any') return [];
  if (rule === 'optional texts')
    return Array.isArray(value) && value.every((item) => typeof item === 'string')
      ? []
      : [`${path} must be a list of texts`];
  return typeof value === 'string' && value !== '' ? [] : [`${path} must be a text, as "{Column}"`];
}
