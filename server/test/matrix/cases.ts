/** Shared parts of the tests over all declarations: how to call any endpoint with valid values. */
import { createUser } from '../../areas/people/identity/index.ts';
import { ofAreas } from '../of-areas.ts';
import { schemaOf } from '../../kernel/base/fields/kinds.ts';
import { seed } from '../seeds.ts';
import type { Declared } from '../../kernel/api/contract.ts';
import type { Field, JsonSchema, Shape } from '../../kernel/base/fields/field.ts';
import type { World } from '../world.ts';

/** Enough concurrent calls to keep the service busy, but few enough to leave spare connections. */
const AT_ONCE = 8;

export async function forAll<T>(items: Iterable<T>, act: (item: T) => Promise<void>): Promise<void> {
  const queue = [...items].values();
  const work = async () => {
    for (const item of queue) await act(item);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
}

/** Collects failures, so that one run reports them all. */
export class Complaints {
  readonly list: string[] = [];
  async of(what: string, act: () => Promise<void>): Promise<void> {
    try {
      await act();
    } catch (error) {
      this.list.push(`${what}: ${(error as Error).message}`);
    }
  }
  throwIfAny(): void {
    if (this.list.length > 0) throw new Error(`${this.list.length} cases fail:\n${this.list.slice(0, 40).join('\n')}`);
  }
}

export const nameOf = ({ method, path }: { method: string; path: string }): string => `${method} ${path}`;

/** Returns a plausible id: a name if the endpoint takes names, otherwise a number. */
export const anyId = ({ names }: Declared): string | number => names?.[0] ?? 1;

/** Returns the path with its parameters filled in; parameters other than the id get a value that matches nothing. */
export const pathWith = (endpoint: Declared, id: string | number): string =>
  endpoint.path.replace('{id}', String(id)).replaceAll(/\{[^}]+\}/g, 'none');

/** Returns the resource whose row `{id}` names; null if the endpoint reads another resource at that path. */
export const targetOf = ({ acts, path, target, returns }: Declared): string | null => {
  if (!path.includes('{id}')) return null;
  if (acts === 'read' && returns.kind === 'one' && returns.resource !== target) return null;
  return target?.name ?? ('resource' in returns ? returns.resource.name : null);
};

/** Callers of a world, each created when it is first needed. */
const callers = new WeakMap<World, Map<string, Promise<string>>>();

function callerNamed(world: World, name: string, make: () => Promise<string>): Promise<string> {
  const known = callers.get(world) ?? new Map<string, Promise<string>>();
  callers.set(world, known);
  const caller = known.get(name) ?? make();
  known.set(name, caller);
  return caller;
}

/**
 * Returns a caller that the endpoint lets in: the operator or an application's user for endpoints of theirs, the
 * machine if staff are allowed, otherwise a customer, otherwise an anonymous caller.
 */
export async function callerOf(world: World, { who, belongsTo }: Declared): Promise<string | undefined> {
  if (who.operator && who.provider === false && !who.customer && !who.unregistered)
    return callerNamed(world, 'operator', async () => world.token([], 'machine', 'operator', { operator: true }));
  if (belongsTo === 'installation' && !who.unregistered) return callerNamed(world, 'person', () => personOf(world));
  if (who.provider !== false) return world.machine;
  if (!who.customer) return undefined;
  return callerNamed(world, 'customer', async () => world.customer(await world.newCustomer()));
}

/** Creates a person who granted an application every scope about themselves. */
async function personOf(world: World): Promise<string> {
  const [applicationId, staffId] = [await seed(world, 'application'), await seed(world, 'staff')];
  const email = `${applicationId}.person@example.com`;
  const userId = await world.app.db.acrossTenants('a test has a person', (tx) =>
    createUser(tx, { email, password: email }),
  );
  return world.token(
    [{ mode: 'provider', providerId: world.harbour, staffId, permissions: [], venues: null }],
    'person',
    email,
    { userId, applicationId, reach: [world.harbour], scopes: ['openid', 'email', 'profile'] },
  );
}

/** A function that creates or finds an object of a resource. */
export type Finds = (resource: string) => Promise<number>;

/** Creates a new object for every relation. */
const anew =
  (world: World): Finds =>
  (resource) =>
    seed(world, resource);

/** Creates an object of each resource only once, for relations that nothing changes. */
export function once(world: World, provider = world.harbour): Finds {
  const made = new Map<string, Promise<number>>();
  return (resource) => {
    const one = made.get(resource) ?? seed(world, resource, provider);
    made.set(resource, one);
    return one;
  };
}

/** Returns a valid value for the field; `finds` provides the objects that relations refer to. */
async function sample(field: Field<any>, finds: Finds): Promise<unknown> {
  const { relation, shape } = field.spec;
  if (shape) return sampleShape(shape, finds);
  if (!relation) return sampleOf(schemaOf(field));
  const id = await finds(relation.target);
  return relation.kind === 'one' ? id : [id];
}

const PATTERNS = ['18:00', '10.00', '#336699', 'FREQ=WEEKLY;COUNT=3'];

export function sampleOf(schema: JsonSchema): unknown {
  if (schema.const !== undefined) return schema.const;
  if (schema.enum) return schema.enum[0];
  switch ([schema.type].flat()[0]) {
    case 'boolean':
      return true;
    case 'integer':
    case 'number':
      return Math.min(Math.max(schema.minimum ?? 1, 1), schema.maximum ?? 1);
    case 'array':
      return schema.minItems ? Array.from({ length: schema.minItems }, () => sampleOf(schema.items)) : [];
    case 'object':
      return Object.fromEntries(
        (schema.required ?? []).map((name: string) => [name, sampleOf(schema.properties[name])]),
      );
    default:
      return sampleText(schema);
  }
}

function sampleText({ format, pattern, minLength = 1, maxLength = 100, description = '' }: JsonSchema): string {
  if (format === 'date-time' || /local time/.test(description)) return '2030-05-01T18:00:00Z';
  if (format === 'date') return '1990-05-01';
  if (format === 'idn-email') return `p${Math.random().toString(36).slice(2)}@example.com`;
  if (format === 'uri') return 'https://example.com/';
  if (format === 'hostname') return 'example.com';
  if (pattern) return PATTERNS.find((text) => new RegExp(pattern).test(text)) ?? 'x';
  return `T${Math.random().toString(36).slice(2, 10)}`.padEnd(minLength, 'x').slice(0, maxLength);
}

/** Returns a body with everything that is required, and every relation it may have. */
export const sampleBody = (
  world: World,
  { body = {} }: Declared,
  finds = anew(world),
): Promise<Record<string, unknown>> => sampleShape(body as Shape, finds);

async function sampleShape(shape: Shape, finds: Finds): Promise<Record<string, unknown>> {
  const entries = Object.entries(shape).filter(([, { spec }]) => !spec.optional || spec.relation);
  return Object.fromEntries(
    await Promise.all(entries.map(async ([name, field]) => [name, await sample(field, finds)] as const)),
  );
}

/**
 * Queries by method and path, for endpoints where an arbitrary object would not do: each returns a query that has
 * results.
 */
export type Queries = Readonly<Record<string, (world: World) => Promise<Record<string, string>>>>;

let queries: Promise<Queries> | undefined;

/** Areas define them in their `test/calls.ts`. Loaded on first use, because those files import this folder. */
const allQueries = (): Promise<Queries> => (queries ??= ofAreas('calls.ts', 'QUERIES'));

/** Returns the required query parameters; staff name the object of a question by its resource. */
export async function sampleQuery(world: World, endpoint: Declared, finds = anew(world)): Promise<string> {
  const special = (await allQueries())[nameOf(endpoint)];
  if (special) return new URLSearchParams(await special(world)).toString();
  const computed = endpoint.acts === 'read' || endpoint.acts === 'write';
  const named = (name: string) => computed && world.app.registry.resources.has(name);
  const needed = Object.entries(endpoint.query).filter(([name, field]) => !field.spec.optional || named(name));
  const pairs = await Promise.all(
    needed.map(async ([name, field]) => [name, String(await (named(name) ? finds(name) : sample(field, finds)))]),
  );
  return new URLSearchParams(pairs).toString();
}

export const withQuery = (path: string, ...parts: string[]): string => {
  const query = parts.filter(Boolean).join('&');
  return query ? `${path}?${query}` : path;
};
