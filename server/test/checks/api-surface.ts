/** A compact snapshot of the interface, and the changes between two snapshots. */
import { schemaOf, Variants } from '../../kernel/base/fields/kinds.ts';
import { querySchema } from '../../kernel/api/requests/input.ts';
import type { Change, ChangeKind } from '../../areas/sites/reference/changes.ts';
import type { Endpoint } from '../../kernel/api/endpoint.ts';
import type { Field, JsonSchema, Shape } from '../../kernel/base/fields/field.ts';
import type { Registry } from '../../kernel/api/registry.ts';

/** Dotted name → `integer|null`; a trailing `!` marks a required property; `(a,b)` is an enumeration. */
export type Properties = Record<string, string>;

export interface Operation {
  query: Properties;
  body: Properties;
  /** `one customer`, `page customer`, `none`, or the properties if the response has its own form */
  answer: string | Properties;
}

export interface Surface {
  operations: Record<string, Operation>;
  resources: Record<string, Properties>;
  feed_item_types: string[];
}

export function describeSurface(registry: Registry): Surface {
  const operations = registry.endpoints.map(
    (e) =>
      [
        `${e.method} ${e.path}`,
        { query: properties(querySchema(e), true), body: properties(e.body ?? {}, true), answer: answerOf(e) },
      ] as const,
  );
  const resources = [...registry.resources.values()].map((r) => [r.name, properties(r.fields, false)] as const);
  return {
    operations: sorted(operations),
    resources: sorted(resources),
    feed_item_types: [...registry.feed.keys()].toSorted(),
  };
}

const sorted = <T>(entries: readonly (readonly [string, T])[]): Record<string, T> =>
  Object.fromEntries(entries.toSorted(([a], [b]) => (a < b ? -1 : 1)));

function answerOf({ returns }: Endpoint): string | Properties {
  switch (returns.kind) {
    case 'none':
      return 'none';
    case 'one':
    case 'page':
      return `${returns.kind} ${returns.resource.name}`;
    case 'file':
      return `file ${returns.types.join(', ')}`;
    default:
      return returns.shape instanceof Variants
        ? sorted(
            Object.entries(returns.shape.of).flatMap(([name, shape]) =>
              Object.entries(properties(shape, false)).map(([key, type]) => [`${name}.${key}`, type] as const),
            ),
          )
        : properties(returns.shape, false);
  }
}

function properties(shape: Shape, sent: boolean): Properties {
  const found: [string, string][] = [];
  const walkSchema = (name: string, schema: JsonSchema, mark: string) => {
    found.push([name, typeOf(schema) + mark]);
    const inner = schema.properties ?? schema.items?.properties;
    const required: string[] = (schema.properties ? schema : schema.items)?.required ?? [];
    for (const [key, value] of Object.entries<JsonSchema>(inner ?? {}))
      walkSchema(`${name}.${key}`, value, sent && required.includes(key) ? '!' : '');
  };
  const walk = (name: string, field: Field<any>) => {
    const { shape: group, relation, optional } = field.spec;
    const mark = sent && !optional ? '!' : '';
    if (relation && !sent) found.push([name, `${typeOf(schemaOf(field))}→${relation.target}`]);
    else if (group) {
      found.push([name, typeOf(schemaOf(field)) + mark]);
      for (const [key, value] of Object.entries(group)) walk(`${name}.${key}`, value);
    } else walkSchema(name, schemaOf(field), mark);
  };
  for (const [name, field] of Object.entries(shape)) walk(name, field);
  return sorted(found);
}

function typeOf(schema: JsonSchema): string {
  if (schema.const !== undefined) return `(${schema.const})`;
  if (schema.enum) return `(${schema.enum.join(',')})`;
  const type = [schema.type ?? 'any'].flat().join('|');
  const element = schema.items?.enum ? `[${typeOf(schema.items)}]` : schema.items?.type ? `[${schema.items.type}]` : '';
  return `${type}${element}${schema.format ? `:${schema.format}` : ''}`;
}

/**
 * Returns the changes from one snapshot to the next, in a stable order. With no previous snapshot, the only change is
 * `first_version`.
 */
export function changesBetween(before: Surface | null, now: Surface): Change[] {
  if (!before) return [{ kind: 'first_version' }];
  const changes: Change[] = [];
  const [operations, resources] = [pairs(before.operations, now.operations), pairs(before.resources, now.resources)];
  for (const [operation, old, next] of operations) {
    if (!old || !next) changes.push({ kind: next ? 'endpoint_added' : 'endpoint_removed', operation });
    else changes.push(...operationChanges(old, next, now.resources).map((c) => ({ ...c, operation })));
  }
  for (const [resource, old, next] of resources) {
    if (!old || !next) changes.push({ kind: next ? 'resource_added' : 'resource_removed', resource });
    else changes.push(...propertyChanges(old, next, RESPONSE).map((c) => ({ ...c, resource })));
  }
  for (const [name, old] of pairs(asRecord(before.feed_item_types), asRecord(now.feed_item_types)).filter(
    ([, a, b]) => !a || !b,
  )) {
    changes.push({
      kind: old ? 'enumerated_value_removed' : 'enumerated_value_added',
      resource: 'feed_item_types',
      name,
    });
  }
  return changes;
}

const asRecord = (names: readonly string[]): Record<string, true> =>
  Object.fromEntries(names.map((name) => [name, true]));

const pairs = <T>(a: Record<string, T>, b: Record<string, T>): [string, T | undefined, T | undefined][] =>
  [...new Set([...Object.keys(a), ...Object.keys(b)])].toSorted().map((name) => [name, a[name], b[name]]);

interface Words {
  readonly added: ChangeKind;
  readonly removed: ChangeKind;
  readonly widened: ChangeKind;
  readonly changed: ChangeKind;
}
const RESPONSE: Words = {
  added: 'property_added',
  removed: 'property_removed',
  widened: 'response_type_widened',
  changed: 'response_type_changed',
};
const BODY: Words = { ...RESPONSE, widened: 'request_type_widened', changed: 'request_type_changed' };
const QUERY: Words = { ...BODY, added: 'parameter_added', removed: 'parameter_removed' };

function operationChanges(old: Operation, next: Operation, resources: Surface['resources']): Change[] {
  const shown = typeof next.answer === 'string' ? resources[next.answer.split(' ')[1]] : next.answer;
  const body = propertyChanges(old.body, next.body, BODY).map((change): Change =>
    // Still in the response, but no longer writable.
    change.kind === 'property_removed' && shown && Object.hasOwn(shown, change.name!)
      ? { ...change, kind: 'property_became_read_only' }
      : change,
  );
  const answer: Change[] =
    typeof old.answer === 'object' && typeof next.answer === 'object'
      ? propertyChanges(old.answer, next.answer, RESPONSE)
      : old.answer === next.answer
        ? []
        : [{ kind: 'response_type_changed' }];
  return [...propertyChanges(old.query, next.query, QUERY), ...body, ...answer];
}

function propertyChanges(old: Properties, next: Properties, words: Words): Change[] {
  return pairs(old, next).flatMap(([name, a, b]): Change[] => {
    if (a === b) return [];
    if (a === undefined) return [{ kind: b!.endsWith('!') ? 'required_property_added' : words.added, name }];
    if (b === undefined) return [{ kind: words.removed, name }];
    const [wasRequired, isRequired] = [a.endsWith('!'), b.endsWith('!')];
    const required: Change[] =
      wasRequired === isRequired
        ? []
        : [{ kind: isRequired ? 'property_became_required' : 'property_became_optional', name }];
    return [...required, ...typeChanges(name, a.replace(/!$/, ''), b.replace(/!$/, ''), words)];
  });
}

const values = (type: string): string[] | null => /\(([^)]*)\)/.exec(type)?.[1].split(',') ?? null;

function typeChanges(name: string, a: string, b: string, words: Words): Change[] {
  if (a === b) return [];
  const [before, now] = [values(a), values(b)];
  if (before && now) {
    return [
      ...now
        .filter((v) => !before.includes(v))
        .map((v): Change => ({ kind: 'enumerated_value_added', name: `${name}=${v}` })),
      ...before
        .filter((v) => !now.includes(v))
        .map((v): Change => ({ kind: 'enumerated_value_removed', name: `${name}=${v}` })),
    ];
  }
  const widened = a.split('|').every((type) => b.split('|').includes(type));
  return [{ kind: widened ? words.widened : words.changed, name }];
}
