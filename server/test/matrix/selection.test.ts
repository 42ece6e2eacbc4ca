/**
 * `fields` and `expand` at every endpoint that shows a resource. All endpoints that show a resource use the same
 * declaration for its selection, so single fields are tested once for each resource. Fields of related objects are
 * tested in one request for all relations of the resource, each with one of its fields, until every field has been
 * requested.
 *
 * In turns from change to change, all of them in `npm run test:all`: endpoints beyond one of each kind with unknown
 * names and with too many; and fields of related objects beyond one relation to each resource.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startWorld, type World } from '../world.ts';
import { firstOfEach, formsAndTurns } from './aims.ts';
import { inTurns } from '../rare.ts';
import { callerOf, Complaints, forAll, nameOf, once, pathWith, sampleQuery, targetOf, withQuery } from './cases.ts';
import type { Declared } from '../../kernel/api/contract.ts';
import type { Resource } from '../../kernel/api/resource.ts';
import type { Shape } from '../../kernel/base/fields/field.ts';

/** An endpoint that shows a resource, at an address where an object exists. */
interface View {
  readonly endpoint: Declared;
  readonly resource: Resource;
  readonly path: string;
  readonly query: string;
  readonly as: string | undefined;
}

let world: World;
let views: View[];
before(async () => {
  world = await startWorld();
  views = [];
  // Nothing changes an object, so one of each resource is enough.
  const found = once(world);
  for (const resource of world.app.registry.resources.keys()) await found(resource);
  for (const endpoint of world.app.registry.endpoints) {
    if (endpoint.method !== 'GET' || !('resource' in endpoint.returns)) continue;
    const target = targetOf(endpoint);
    if (!target && endpoint.path.includes('{')) continue;
    const path = pathWith(endpoint, target ? await found(target) : '');
    views.push({
      endpoint,
      resource: endpoint.returns.resource,
      path,
      query: await sampleQuery(world, endpoint, found),
      as: await callerOf(world, endpoint),
    });
  }
});
after(() => world.close());

/** The rows of a page are all selected alike. */
const ROWS = 10;
/** More rows, among which every relation refers to an object. */
const MANY = 100;

const ask = (view: View, query: string, { headers, rows = ROWS }: Options = {}) =>
  world.get(withQuery(view.path, view.query, query, 'page_size' in view.endpoint.query ? `page_size=${rows}` : ''), {
    as: view.as,
    headers,
  });

interface Options {
  readonly headers?: Record<string, string>;
  readonly rows?: number;
}

/** Returns the objects that the view shows. */
async function shown(view: View, query: string, options?: Options): Promise<Record<string, unknown>[]> {
  const { status, body, text } = await ask(view, query, options);
  assert.equal(status, 200, text);
  return view.endpoint.returns.kind === 'one' ? [body] : body.results;
}

/** Returns the objects of further pages too: a late seed may come after a hundred others. */
async function shownOnPages(view: View, query: string): Promise<Record<string, unknown>[]> {
  const all = await shown(view, query, { rows: MANY });
  if (view.endpoint.returns.kind === 'one') return all;
  for (let page = 2, last = all; last.length >= MANY && page <= 4; page++) {
    last = await shown(view, `${query}&page=${page}`, { rows: MANY });
    all.push(...last);
  }
  return all;
}

const defaults = (shape: Shape): string[] => Object.keys(shape).filter((name) => !shape[name].spec.deferred);
const fieldsOf = (name: string): Shape => world.app.registry.resourceOf(name).fields;

/** Checks for exactly these names in any order. Optional ones may be absent. */
function hasExactly(object: unknown, names: readonly string[], shape: Shape): void {
  const wanted = names.filter((name) => !shape[name]?.spec.optional || Object.hasOwn(object as object, name));
  assert.deepEqual(Object.keys(object as object).toSorted(), wanted.toSorted());
}

async function overViews(
  act: (view: View, complain: (what: string, act: () => Promise<void>) => Promise<void>) => Promise<void>,
  of: readonly View[] = views,
): Promise<void> {
  const complaints = new Complaints();
  await forAll(of, (view) => act(view, (what, check) => complaints.of(`${nameOf(view.endpoint)} ${what}`, check)));
  complaints.throwIfAny();
}

test('every resource that an endpoint shows has an object to show', async () => {
  const seen = new Set<string>();
  await forAll(views, async (view) => {
    if ((await shown(view, '')).length > 0) seen.add(view.resource.name);
  });
  const missing = new Set(views.map((v) => v.resource.name).filter((name) => !seen.has(name)));
  assert.deepEqual([...missing], [], 'the seeds of these are not visible where they should be');
});

test('without a selection, exactly the fields that are not deferred are sent', () =>
  overViews((view, complain) =>
    complain('plain', async () => {
      for (const object of await shown(view, ''))
        hasExactly(object, defaults(view.resource.fields), view.resource.fields);
    }),
  ));

/** Returns one endpoint for each kind of response, and others in turns. */
const someViews = (): View[] =>
  formsAndTurns(views, ({ endpoint }) =>
    [endpoint.returns.kind, endpoint.acts, endpoint.belongsTo, 'page' in endpoint.query].join(),
  );

/** Returns one endpoint for each resource: all endpoints that show it use the same declaration. */
const onceForEachResource = (): View[] => firstOfEach(views, ({ resource }) => resource.name);

test('each field alone, once for each resource, and all fields together at every endpoint return exactly the named fields', () =>
  overViews(async (view, complain) => {
    const names = Object.keys(view.resource.fields);
    const alone = onceForEachResource().includes(view) ? names.map((name) => [name]) : [];
    for (const chosen of [...alone, names]) {
      await complain(`fields=${chosen.join()}`, async () => {
        for (const object of await shown(view, `fields=${chosen.join()}`))
          hasExactly(object, chosen, view.resource.fields);
      });
    }
  }));

/** A relation or an object inside a resource, and its selectable fields. */
interface Within {
  readonly name: string;
  readonly inside: Shape;
}

function withinOf({ fields }: Resource): Within[] {
  return Object.entries(fields).flatMap(([name, { spec }]) => {
    const inside = spec.relation ? fieldsOf(spec.relation.target) : spec.shape;
    return inside ? [{ name, inside }] : [];
  });
}

/** Returns the first relation to each resource, and every object that is not a resource. */
function firstWithin(): Set<string> {
  const all = onceForEachResource().flatMap(({ resource }) =>
    withinOf(resource).map(({ name }) => ({ at: `${resource.name}.${name}`, spec: resource.fields[name].spec })),
  );
  return new Set(firstOfEach(all, ({ at, spec }) => spec.relation?.target ?? at).map(({ at }) => at));
}

test('a dot into a related object returns only that field of it, once for each resource', () => {
  const whole = firstWithin();
  return overViews(async (view, complain) => {
    const { resource } = view;
    const asked = withinOf(resource).map(({ name, inside }) => {
      const names = Object.keys(inside);
      return { name, inside, names: whole.has(`${resource.name}.${name}`) ? names : inTurns(names) };
    });
    const rounds = Math.max(0, ...asked.map(({ names }) => names.length));
    for (let round = 0; round < rounds; round++) {
      const chosen = asked.flatMap(({ name, inside, names }) =>
        round < names.length ? [{ name, inside, inner: names[round] }] : [],
      );
      const query = `fields=${chosen.map(({ name, inner }) => `${name}.${inner}`).join()}`;
      await complain(query, async () => {
        for (const object of await shown(view, query)) {
          hasExactly(
            object,
            chosen.map(({ name }) => name),
            resource.fields,
          );
          for (const { name, inside, inner } of chosen)
            for (const related of [object[name]].flat())
              if (related !== null && related !== undefined) hasExactly(related, [inner], inside);
        }
      });
    }
  }, onceForEachResource());
});

test('an expanded relation is the related object with its own plain fields, next to all other fields', () =>
  overViews(async (view, complain) => {
    const { fields } = view.resource;
    const plain = defaults(fields);
    for (const [name, { spec }] of Object.entries(fields)) {
      if (!spec.relation && !spec.deferred) continue;
      await complain(`expand=${name}`, async () => {
        for (const object of await shown(view, `expand=${name}`, { rows: MANY })) {
          hasExactly(object, [...new Set([...plain, name])], fields);
          if (!spec.relation) continue;
          const inside = fieldsOf(spec.relation.target);
          assert.equal(Array.isArray(object[name]), spec.relation.kind === 'many');
          for (const related of [object[name]].flat())
            if (related !== null) hasExactly(related, defaults(inside), inside);
        }
      });
    }
  }));

test('the seeds are complete enough that every relation refers to an object', async () => {
  const empty = new Set<string>();
  const led = new Set<string>();
  await forAll(views, async (view) => {
    const names = Object.keys(view.resource.fields).filter((name) => view.resource.fields[name].spec.relation);
    if (names.length === 0) return;
    const objects = await shownOnPages(view, `expand=${names.join()}`);
    for (const name of names) {
      const found = objects.some((object) =>
        [object[name]].flat().some((related) => related !== null && related !== undefined),
      );
      (found ? led : empty).add(`${view.resource.name}.${name}`);
    }
  });
  // Lists that only other seeds refer to may be empty; an object that is always null was never tested. A message is to
  // a customer or to a member of staff, never to both. A consent was given by the customer or recorded by staff, never
  // both.
  const other = new Set(['message.staff', 'terms_consent.by_customer']);
  const unseen = [...empty].filter(
    (at) =>
      !other.has(at) && !led.has(at) && fieldsOf(at.split('.')[0])[at.split('.')[1]].spec.relation?.kind === 'one',
  );
  assert.deepEqual(unseen, []);
});

test('an unknown name is ignored, and refused with a suggestion by a strict call', () =>
  overViews(async (view, complain) => {
    const names = Object.keys(view.resource.fields);
    const [known] = names.toSorted((a, b) => b.length - a.length);
    const strict = { headers: { prefer: 'handling=strict' } };
    for (const parameter of ['fields', 'expand']) {
      await complain(`${parameter} with an unknown name`, async () => {
        for (const object of await shown(view, `${parameter}=${known},${known}q,nothing.like.it`))
          assert.ok(!(`${known}q` in object));
        const refused = await ask(view, `${parameter}=${known}q`, strict);
        assert.deepEqual([refused.status, refused.body.code], [400, 'parameter_invalid']);
        assert.match(refused.body.field_errors[parameter][0], new RegExp(`Did you mean "${known}"\\?`));
        assert.equal((await ask(view, `${parameter}=${known}`, strict)).status, 200);
      });
    }
    await complain('with an unknown parameter', async () => {
      assert.equal((await ask(view, 'feilds=id')).status, 200);
      assert.match((await ask(view, 'feilds=id', strict)).body.field_errors.feilds[0], /Did you mean "fields"\?/);
    });
  }, someViews()));

// Guards against: Exhausting the service
test('more than four levels or two hundred names are refused at every endpoint with a selection', () =>
  overViews(async (view, complain) => {
    for (const parameter of ['fields', 'expand']) {
      for (const value of ['a.b.c.d.e', Array.from({ length: 201 }, (_, i) => `n${i}`).join()]) {
        await complain(`${parameter}=${value.slice(0, 20)}`, async () => {
          const { status, body } = await ask(view, `${parameter}=${value}`);
          assert.deepEqual(
            [status, body.code, Object.keys(body.field_errors)],
            [400, 'parameter_invalid', [parameter]],
          );
        });
      }
    }
  }, someViews()));
