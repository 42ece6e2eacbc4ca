// Guards against: Staff who read what their work does not need: addresses, birth dates, what people pay
/**
 * Properties that only some callers see: over all declarations, on every path by which a caller may reach them.
 *
 * In turns from change to change, all of them in `npm run test:all`: staff with one permission, beyond one that reveals
 * something and one that reveals nothing. Staff without any permission and those with all permissions are tested every
 * time.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { PERMISSIONS, type StaffPermission } from '../../areas/people/staff/index.ts';
import { formsAndTurns } from './aims.ts';
import { sql } from '../../kernel/base/db/sql.ts';
import { startWorld, type World } from '../world.ts';
import { Complaints, forAll, nameOf, once, pathWith, sampleQuery, targetOf, withQuery } from './cases.ts';
import type { Declared } from '../../kernel/api/contract.ts';
import type { Resource } from '../../kernel/api/resource.ts';

let world: World;
const paths = new Map<Declared, { path: string; query: string }>();
before(async () => {
  world = await startWorld();
  // Nothing changes an object, so one of each resource is enough.
  const made = once(world);
  for (const resource of world.app.registry.resources.keys()) await made(resource);
  await world.work(world.harbour, ({ tx, providerId }) =>
    tx.run(
      sql`INSERT INTO customer_label_link (provider_id, customer_id, customer_label_id)
        SELECT provider_id, c.id, (SELECT min(id) FROM customer_label WHERE provider_id = ${providerId}) FROM customer c
        WHERE provider_id = ${providerId}`,
    ),
  );
  for (const endpoint of world.app.registry.endpoints) {
    if (endpoint.method !== 'GET' || !('resource' in endpoint.returns)) continue;
    const target = targetOf(endpoint);
    if (target || !endpoint.path.includes('{'))
      paths.set(endpoint, {
        path: pathWith(endpoint, target ? await made(target) : ''),
        query: await sampleQuery(world, endpoint, made),
      });
  }
});
after(() => world.close());

const nothing = (value: unknown): boolean => value === null || (Array.isArray(value) && value.length === 0);

/** Yields every object of a resource anywhere in a response, recognized by its `object` property. */
function* objectsIn(value: unknown): Generator<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null) return;
  if (!Array.isArray(value) && 'object' in value) yield value as Record<string, unknown>;
  for (const inner of Object.values(value)) yield* objectsIn(inner);
}

const opened = (shape: Resource['fields']) =>
  Object.entries(shape).filter(([, { spec }]) => spec.relation || spec.deferred);

/** Returns true if the property can reveal something hidden: it is hidden itself, or leads to what has hidden ones. */
function reveals({ shown, fields }: Resource, name: string): boolean {
  const { relation } = fields[name].spec;
  if (name in shown || !relation) return true;
  return Object.keys(world.app.registry.resourceOf(relation.target).shown).length > 0;
}

/** Returns an expansion of everything that can reveal something hidden, two levels deep. */
function revealingPaths(resource: Resource): string {
  const paths = opened(resource.fields).flatMap(([name, { spec }]) => {
    const target = spec.relation && world.app.registry.resourceOf(spec.relation.target);
    const inner = target ? opened(target.fields).filter(([one]) => reveals(target, one)) : [];
    return [...(inner.length > 0 || reveals(resource, name) ? [name] : []), ...inner.map(([one]) => `${name}.${one}`)];
  });
  return paths.slice(0, 200).join(',');
}

/** More pages than those with hidden properties. */
const MOST_PAGES = 4;
/** The last page with a hidden property, by the endpoints where the caller with all permissions found one. */
const revealing = new Map<Declared, number>();

/**
 * Returns the hidden properties that the caller finds, as `customer.email`. `pagesOf`: the number of pages that are
 * read, at most.
 */
async function found(
  as: string,
  lets: (endpoint: Declared) => boolean,
  pagesOf: (endpoint: Declared) => number,
  saw: (endpoint: Declared, page: number) => void = () => {},
): Promise<Set<string>> {
  const seen = new Set<string>();
  const complaints = new Complaints();
  await forAll(
    [...paths].filter(([endpoint]) => lets(endpoint)),
    ([endpoint, { path, query }]) =>
      complaints.of(nameOf(endpoint), async () => {
        const { resource } = endpoint.returns as { resource: Resource };
        // An object of a late seed may come after a hundred others.
        for (let page = 1; page <= pagesOf(endpoint); page++) {
          const more = page === 1 ? '' : `&page=${page}`;
          const answer = await world.get(withQuery(path, query, `expand=${revealingPaths(resource)}${more}`), { as });
          // Staff see only their own objects of some resources.
          if (answer.status === 404 && typeof resource.visible.provider === 'function') return;
          assert.equal(answer.status, 200, answer.text);
          for (const object of objectsIn(answer.body)) {
            const declared = world.app.registry.resources.get(object.object as string);
            for (const property of Object.keys(declared?.shown ?? {}))
              if (property in object && !nothing(object[property])) {
                seen.add(`${declared!.name}.${property}`);
                saw(endpoint, page);
              }
          }
          if (!answer.body.next) break;
        }
      }),
  );
  complaints.throwIfAny();
  return seen;
}

/** Properties that no test object has a value for. */
const ALWAYS_NULL = ['customermembership.payment_subscription'];

test('a property that needs a permission is visible to those who have it and to nobody else, at any depth', async () => {
  const hidden = [...world.app.registry.resources.values()].flatMap(({ name, shown }) =>
    Object.entries(shown).flatMap(([property, { provider }]) =>
      provider ? [{ name: `${name}.${property}`, provider }] : [],
    ),
  );
  assert.ok(hidden.length > 5);
  const all = await found(
    world.machine,
    ({ who }) => who.provider !== false,
    () => MOST_PAGES,
    (endpoint, page) => revealing.set(endpoint, Math.max(page, revealing.get(endpoint) ?? 0)),
  );
  assert.deepEqual(
    hidden.map((h) => h.name).filter((name) => !all.has(name) && !ALWAYS_NULL.includes(name)),
    [],
    'what nobody finds says nothing of who may',
  );
  const single = PERMISSIONS.filter((p) => p !== 'super_admin');
  const shows = (permission: string) => String(hidden.some(({ provider }) => provider.some((p) => p === permission)));
  for (const permission of [null, ...formsAndTurns(single, shows)]) {
    const has: readonly StaffPermission[] = permission ? [permission] : [];
    const seen = await found(
      world.staff(has),
      ({ who }) =>
        who.provider === true || (who.provider !== false && who.provider.some((p) => has.some((one) => one === p))),
      // Nobody finds more than the caller with all permissions.
      (endpoint) => revealing.get(endpoint) ?? 0,
    );
    const allowed = new Set(
      hidden.filter(({ provider }) => provider.some((p) => has.some((one) => one === p))).map((h) => h.name),
    );
    const ways = new Set(hidden.map((h) => h.name));
    assert.deepEqual(
      [...seen].filter((name) => ways.has(name) && !allowed.has(name)),
      [],
      `staff with ${permission ?? 'no permission'}`,
    );
  }
});

test('the published form of a hidden property says that it may be null, and to whom', () => {
  for (const { name, shown, fields } of world.app.registry.resources.values()) {
    for (const [property, { provider }] of Object.entries(shown)) {
      const { nullable, relation, description } = fields[property].spec;
      assert.ok(nullable || relation?.kind === 'many', `${name}.${property}`);
      if (provider)
        assert.ok(
          provider.every((p) => description?.includes(`\`${p}\``)),
          `${name}.${property}: ${description}`,
        );
    }
  }
});
