import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import pg from 'pg';
import { PERMISSIONS } from '../../areas/people/staff/index.ts';
import { isWrite, type Declared } from '../../kernel/api/contract.ts';
import { isPlaced } from '../../kernel/api/venue-limit.ts';
import { raw, sql } from '../../kernel/base/db/sql.ts';
import { seed } from '../seeds.ts';
import { startWorld, type ApiAnswer, type World } from '../world.ts';
import { Complaints, forAll, nameOf, pathWith, sampleBody, sampleQuery, targetOf, withQuery } from './cases.ts';
import type { Resource } from '../../kernel/api/resource.ts';

/** Resources that refer to a venue but belong to the whole business. */
const BUSINESS_WIDE = new Map([
  ['offering_type', 'what is offered is offered by the whole business; its default venue is a setting'],
  ['customer', 'people sign up at the business; their venue is the one they like best'],
  ['checkout_item', 'checkouts are for the front desk of the whole business, whatever is bought'],
  ['cash_session', 'drawers are for the front desk of the whole business, wherever they stand'],
  ['counter_sale', 'sales are for the front desk of the whole business, wherever they are made'],
  ['partner', 'doors and platforms are connected by super admins of the whole business'],
  ['partner_message', 'they are read by super admins of the whole business'],
  ['discount_code_applicability', 'a discount code belongs to the whole business, and so does what it is for'],
]);

const ALL = PERMISSIONS.filter((p) => p !== 'super_admin');

let world: World;
/** tokens with all permissions but super_admin: at a venue without objects, at every venue, and without a limit */
let away: string;
let everywhere: string;
let unlimited: string;
before(async () => {
  world = await startWorld();
  const first = await seed(world, 'venue');
  away = world.staff(ALL, null, world.harbour, [first]);
  everywhere = world.staff(
    ALL,
    null,
    world.harbour,
    Array.from({ length: 5000 }, (_, i) => first + i),
  );
  unlimited = world.staff(ALL);
});
after(() => world.close());

const shownBy = ({ returns }: Declared): Resource | null => ('resource' in returns ? returns.resource : null);
/** Returns true if staff without super_admin may call the endpoint. */
const open = ({ who }: Declared): boolean =>
  who.provider === true || (Array.isArray(who.provider) && who.provider.some((p) => p !== 'super_admin'));
const endpoints = (of: (endpoint: Declared) => boolean): Declared[] => {
  const found = world.app.registry.endpoints.filter((endpoint) => open(endpoint) && of(endpoint));
  assert.ok(found.length > 0, 'there is nothing to look at');
  return found;
};

async function over(of: (endpoint: Declared) => boolean, act: (endpoint: Declared) => Promise<void>): Promise<void> {
  const complaints = new Complaints();
  await forAll(endpoints(of), (endpoint) => complaints.of(nameOf(endpoint), () => act(endpoint)));
  complaints.throwIfAny();
}

const resourceNamed = (name: string): Resource => world.app.registry.resourceOf(name);

function refusedForVenue({ status, body, text }: ApiAnswer): void {
  assert.deepEqual([status, body.code], [403, 'permission_denied'], text);
  assert.match(body.message, /^Your permissions apply only at some venues \(\d+\); /);
}

test('every resource whose rows lead to a venue declares their venue', async () => {
  const client = new pg.Client({ connectionString: world.databaseUrl });
  await client.connect();
  const { rows } = await client.query(
    `SELECT conrelid::regclass::text AS from, confrelid::regclass::text AS to FROM pg_constraint WHERE contype = 'f'
      AND connamespace = 'public'::regnamespace`,
  );
  await client.end();
  const placed = new Set(['venue']);
  for (let before = 0; before < placed.size;) {
    before = placed.size;
    for (const { from, to } of rows) if (placed.has(to) && !BUSINESS_WIDE.has(from)) placed.add(from);
  }
  assert.ok(placed.has('waitlist_spot'));
  const silent = [...world.app.registry.resources.values()]
    .filter((r) => placed.has(r.table) && !r.place)
    .map((r) => r.name);
  assert.deepEqual(silent, []);
});

const ids = ({ body }: ApiAnswer): number[] => body.results.map((o: { id: number }) => o.id);

// Guards against: Staff of one venue read or act at another
test('lists and counts for staff of another venue include only what visitors see', () =>
  over(
    (e) => e.method === 'GET' && e.returns.kind === 'page' && Boolean(shownBy(e)!.place),
    async (endpoint) => {
      const resource = shownBy(endpoint)!;
      const target = targetOf(endpoint);
      const at = target ? await seed(world, target) : 0;
      const id = await seed(world, resource.name);
      const list = (as?: string) => world.get(withQuery(pathWith(endpoint, at), 'fields=id'), { as });
      const seen = await list(unlimited);
      assert.equal(seen.status, 200, seen.text);
      // Other tests create objects meanwhile, so a later request may see more.
      const same = new Set(ids(await list(everywhere)));
      assert.deepEqual(
        ids(seen).filter((one) => !same.has(one)),
        [],
      );
      if (!target) assert.ok(ids(seen).includes(id));
      const answer = await list(away);
      if (target) return assert.equal(answer.status, 404, answer.text);
      assert.equal(answer.body.count, answer.body.results.length);
      if (resource.place!.elsewhere === 'hidden') return assert.deepEqual(ids(answer), []);
      assert.ok(ids(await list()).includes(id) && ids(answer).includes(id), 'visitors see it');
    },
  ));

test('staff of another venue see an object as visitors do, or not at all', () =>
  over(
    (e) => e.acts === 'get' && Boolean(shownBy(e)!.place),
    async (endpoint) => {
      const path = pathWith(endpoint, await seed(world, shownBy(endpoint)!.name));
      assert.deepEqual(
        (await world.get(path, { as: everywhere })).body,
        (await world.get(path, { as: unlimited })).body,
      );
      const answer = await world.get(path, { as: away });
      if (shownBy(endpoint)!.place!.elsewhere === 'hidden') return assert.equal(answer.status, 404, answer.text);
      assert.equal(answer.status, 200, answer.text);
      assert.deepEqual(answer.body, (await world.get(path)).body);
    },
  ));

/** Returns the database row of an object. */
const stored = ({ table, idColumn }: Resource, id: number) =>
  world.work(world.harbour, ({ tx }) =>
    tx.one(
      sql`SELECT t::text AS row FROM ${raw(table)} t WHERE provider_id = ${world.harbour} AND ${raw(idColumn)} = ${id}`,
    ),
  );

// Guards against: Staff of one venue read or act at another
test("staff of another venue can't query or change an object, and get the reason if they can see it", () =>
  over(
    (e) => Boolean(e.target?.place) && (isWrite(e) || (e.acts === 'read' && !e.who.unregistered)),
    async (endpoint) => {
      const [resource, query, body] = [
        endpoint.target!,
        await sampleQuery(world, endpoint),
        isWrite(endpoint) ? await sampleBody(world, endpoint) : undefined,
      ];
      const ask = (id: number, as: string) =>
        world.ask(endpoint.method, withQuery(pathWith(endpoint, id), query), { as, body });
      const control = await ask(await seed(world, resource.name), everywhere);
      assert.ok(![403, 404].includes(control.status), control.text);
      const id = await seed(world, resource.name);
      const before = await stored(resource, id);
      const answer = await ask(id, away);
      if (resource.place!.elsewhere === 'hidden') assert.equal(answer.status, 404, answer.text);
      else refusedForVenue(answer);
      assert.deepEqual(await stored(resource, id), before);
    },
  ));

const rowsOf = ({ table }: Resource) =>
  world.work(world.harbour, ({ tx }) =>
    tx.rows<{ n: number }>(sql`SELECT count(*) AS n FROM ${raw(table)} WHERE provider_id = ${world.harbour}`),
  );

// Guards against: Staff of one venue read or act at another
test("staff of another venue can't create anything there", async () => {
  // One at a time: each counts the rows of a table that other calls write to.
  const complaints = new Complaints();
  for (const endpoint of endpoints((e) => isWrite(e) && !e.target && isPlaced(e) && shownBy(e) !== null)) {
    await complaints.of(nameOf(endpoint), async () => {
      const body = await sampleBody(world, endpoint);
      const rows = await rowsOf(shownBy(endpoint)!);
      refusedForVenue(await world.ask(endpoint.method, pathWith(endpoint, ''), { as: away, body }));
      assert.deepEqual(await rowsOf(shownBy(endpoint)!), rows);
      const control = await world.ask(endpoint.method, pathWith(endpoint, ''), { as: everywhere, body });
      assert.ok(![403, 404].includes(control.status), control.text);
    });
  }
  complaints.throwIfAny();
});

test('a permission limited to venues does not apply to objects of the whole business', async () => {
  const places = ['manage_events', 'attendances', 'instructor_manage_events', 'instructor_attendances'] as const;
  const [limited, free] = [world.staff(places, null, world.harbour, [await seed(world, 'venue')]), world.staff(places)];
  await over(
    (e) =>
      isWrite(e) &&
      !isPlaced(e) &&
      Array.isArray(e.who.provider) &&
      e.who.provider.some((p) => places.includes(p as never)),
    async (endpoint) => {
      const target = targetOf(endpoint);
      const path = pathWith(endpoint, target ? await seed(world, target) : '');
      const body = await sampleBody(world, endpoint);
      const refused = await world.ask(endpoint.method, path, { as: limited, body });
      refusedForVenue(refused);
      assert.match(refused.body.message, /concerns the whole business/);
      assert.notEqual((await world.ask(endpoint.method, path, { as: free, body })).status, 403);
    },
  );
});

/** Returns the relations of a resource. */
const relations = (resource: Resource) =>
  Object.entries(resource.fields).flatMap(([name, { spec }]) =>
    spec.relation ? [{ name, relation: spec.relation }] : [],
  );

/** Returns the kinds of the objects in a response. */
function kindsIn(value: unknown, found = new Set<string>()): Set<string> {
  if (typeof value !== 'object' || value === null) return found;
  if ('object' in value && typeof value.object === 'string') found.add(value.object);
  for (const inner of Object.values(value)) kindsIn(inner, found);
  return found;
}

// Guards against: Staff of one venue read or act at another
test('no relation leads staff of another venue to an object that is hidden from them', async () => {
  const { resources } = world.app.registry;
  const hidden = new Set([...resources.values()].filter((r) => r.place?.elsewhere === 'hidden').map((r) => r.name));
  for (const name of resources.keys()) await seed(world, name);
  let reached = 0;
  await over(
    (e) => e.method === 'GET' && e.returns.kind === 'page' && !e.path.includes('{'),
    async (endpoint) => {
      const resource = shownBy(endpoint)!;
      const paths = relations(resource).flatMap(({ name, relation }) => [
        name,
        ...relations(resourceNamed(relation.target)).map((inner) => `${name}.${inner.name}`),
      ]);
      assert.ok(paths.length <= 200, 'these are more than one request may name');
      const list = (as: string, query: string) => world.get(withQuery(endpoint.path, query), { as });
      for (const query of paths.length > 0 ? ['', `expand=${paths.join()}`] : ['']) {
        const answer = await list(away, query);
        assert.equal(answer.status, 200, answer.text);
        assert.deepEqual(
          [...kindsIn(answer.body)].filter((kind) => hidden.has(kind)),
          [],
          query,
        );
        for (const { name, relation } of relations(resource)) {
          if (relation.kind === 'many' && relation.collapsed === 'ids' && hidden.has(relation.target))
            for (const object of answer.body.results) assert.deepEqual(object[name], [], query);
        }
        if ([...kindsIn((await list(unlimited, query)).body)].some((kind) => hidden.has(kind))) reached++;
      }
    },
  );
  assert.ok(reached > 0, 'no relation leads anybody to what is hidden');
});
