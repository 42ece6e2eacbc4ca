import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { isWrite, type Declared } from '../../kernel/api/contract.ts';
import { feedEnd } from '../schedule-world.ts';
import { startWorld, type ApiAnswer, type World } from '../world.ts';
import { callOf, CALLS, ALWAYS_REFUSED, CHANGES_NOTHING, pathOf, type Call } from './calls.ts';
import { Complaints, nameOf } from './cases.ts';
import { entriesOf, recordedSince, type Recorded } from './recorded.ts';
import { Issues } from '../../kernel/base/problem.ts';
import { readShape } from '../../kernel/base/fields/field.ts';

let world: World;
before(async () => {
  world = await startWorld();
});
after(() => world.close());

interface Caller {
  readonly mode: 'provider' | 'customer';
  readonly kind: string;
  /** account and application behind the credential */
  readonly user: number | null;
  readonly application: number | null;
}

interface Done {
  readonly endpoint: Declared;
  readonly answer: ApiAnswer;
  /** its feed items */
  readonly recorded: Recorded[];
  /** its audit entries */
  readonly entries: any[];
}

/**
 * Calls every endpoint that writes once, with a change. Returns the result of each, or the reason why nothing changed.
 */
async function callAll(
  of: (endpoint: Declared) => boolean,
  token: (call: Call, endpoint: Declared) => string,
): Promise<readonly (Done | { endpoint: Declared; failed: Error })[]> {
  const endpoints = world.app.registry.endpoints.filter(
    (e) => isWrite(e) && e.belongsTo !== 'installation' && !(nameOf(e) in ALWAYS_REFUSED) && of(e),
  );
  assert.ok(endpoints.length > 5);
  const all: (Done | { endpoint: Declared; failed: Error })[] = [];
  // One at a time: some endpoints change what others depend on, such as the settings of the business.
  for (const endpoint of endpoints) {
    try {
      const call = await callOf(world, endpoint);
      const before = await feedEnd(world);
      // Some calls change only the time of the last change.
      world.setNow(world.now + 1000);
      const answer = await world.ask(endpoint.method, pathOf(endpoint, call), {
        as: token(call, endpoint),
        body: call.body,
      });
      assert.ok(answer.status < 300, answer.text);
      const [recorded, entries] = await Promise.all([recordedSince(world, before), entriesOf(world, answer)]);
      all.push({ endpoint, answer, recorded, entries });
    } catch (error) {
      all.push({ endpoint, failed: error as Error });
    }
  }
  return all;
}

const [userId, applicationId] = [71, 72];

/** The calls of staff, the operator and customers, each made once: two tests check their results. */
const byStaff = remembered(() =>
  callAll(
    // Endpoints for customers alone are covered by the writes of customers.
    ({ who }) => who.provider !== false || !who.customer,
    (_call, { who }) =>
      who.provider === false ? world.token([], 'machine', 'operator', { operator: true }) : world.machine,
  ),
);
const byCustomers = remembered(() =>
  callAll(
    ({ who }) => who.customer,
    ({ customer }) =>
      world.token([{ mode: 'customer', providerId: world.harbour, customerId: customer! }], 'person', undefined, {
        userId,
        applicationId,
      }),
  ),
);

function remembered<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => (made ??= make());
}

async function overWrites(
  calls: ReturnType<typeof byStaff>,
  of: (endpoint: Declared) => boolean,
  check: (done: Done) => Promise<void>,
): Promise<void> {
  const complaints = new Complaints();
  for (const done of await calls) {
    if (!of(done.endpoint)) continue;
    await complaints.of(nameOf(done.endpoint), async () => {
      if ('failed' in done) throw done.failed;
      await check(done);
    });
  }
  complaints.throwIfAny();
}

const isAudited =
  (caller: Caller) =>
  async ({ endpoint, answer, entries }: Done): Promise<void> => {
    if (nameOf(endpoint) in CHANGES_NOTHING) return assert.deepEqual(entries, []);
    assert.ok(entries.length > 0, `it leaves no entry; the answer was ${answer.text.slice(0, 200)}`);
    for (const { actor, user, application, mode, action, request_id, subject, changes } of entries) {
      assert.deepEqual(
        [actor.kind, user, application, mode],
        [caller.kind, caller.user, caller.application, caller.mode],
      );
      // An action that is not a row change has a description of its own, never the name of another call.
      if (/^[A-Z]+ \//.test(action)) assert.equal(action, nameOf(endpoint));
      assert.equal(request_id, answer.headers.get('request-id'));
      assert.ok(subject.object && subject.id, 'it does not say what was changed');
      assert.ok(changes.length > 0, 'it does not say what about it was changed');
    }
  };

test('the calls that areas describe belong to existing write endpoints', () => {
  const writes = new Set(world.app.registry.endpoints.filter(isWrite).map(nameOf));
  const described = [CALLS, CHANGES_NOTHING, ALWAYS_REFUSED].flatMap(Object.keys);
  assert.deepEqual(
    described.filter((call) => !writes.has(call)),
    [],
  );
});

// Guards against: A change that cannot be traced to anybody
test('every write leaves an audit entry with its credential, mode and request', () =>
  overWrites(
    byStaff(),
    ({ who }) => who.provider !== false,
    isAudited({ mode: 'provider', kind: 'machine_token', user: null, application: null }),
  ));

// Guards against: A change that cannot be traced to anybody
test('every write by a customer leaves an audit entry in customer mode, with the person and the application that acted', () =>
  overWrites(
    byCustomers(),
    () => true,
    isAudited({ mode: 'customer', kind: 'test', user: userId, application: applicationId }),
  ));

/**
 * Checks that each object of the business that the call created, changed or deleted is recorded, and that a deletion is
 * recorded as one.
 */
async function isRecorded({ endpoint, recorded, entries }: Done): Promise<void> {
  const { resources, feed } = world.app.registry;
  if (endpoint.acts === 'write' && endpoint.silent !== undefined)
    return assert.deepEqual(recorded, [], `it tells something, and says that it does not: ${endpoint.silent}`);
  if (endpoint.acts === 'calculate' || 'changesNothing' in endpoint || nameOf(endpoint) in CHANGES_NOTHING)
    return assert.deepEqual([recorded, entries], [[], []]);
  assert.ok(recorded.length > 0, 'it tells nothing');
  for (const { subject, after: is } of entries) {
    if (!resources.has(subject.object)) continue;
    const about = recorded.filter((t) => t.about.some((r) => r.object === subject.object && r.id === subject.id));
    assert.ok(about.length > 0, `nothing tells of the ${subject.object} ${subject.id}, which it changed`);
    const gone = is === null || is.deleted_at;
    if (gone)
      assert.ok(
        about.some((t) => [`${subject.object}.deleted`, `${subject.object}.merged`].includes(t.kind)),
        `nothing tells that the ${subject.object} ${subject.id} is gone`,
      );
  }
  for (const { kind, about, resources: named, payload } of recorded) {
    const declared = feed.get(kind);
    assert.ok(declared, `${kind} is not declared`);
    assert.equal(about[0].object, declared.object);
    assert.equal(named[declared.object], about[0].id);
    for (const { object, id } of about) {
      const several = about.filter((one) => one.object === object).length > 1;
      if (several)
        assert.ok(
          Object.values(payload).flat().includes(id),
          `${kind} names several of ${object}, and its payload does not have ${id}`,
        );
      else assert.equal(named[object], id);
    }
    const reading = { issues: new Issues(), text: false, zone: 'UTC' };
    readShape(declared.payload, payload, kind, reading);
    assert.deepEqual({ ...reading.issues.fields }, {}, 'its payload is not of the declared form');
    assert.deepEqual(
      wordsIn(payload),
      [],
      `${kind} holds more than ids and names of properties: ${JSON.stringify(payload)}`,
    );
  }
}

/**
 * Returns the texts of a payload that are not property names, dates, times or amounts. `notify` is the text that staff
 * write to everybody affected.
 */
const wordsIn = (payload: Record<string, unknown>): string[] =>
  Object.entries(payload)
    .flatMap(([name, value]) => (name === 'notify' ? [] : value))
    .filter(
      (v): v is string =>
        typeof v === 'string' &&
        !/^[a-z][a-z_.]{0,60}$/.test(v) &&
        !/^\d{4}-\d\d-\d\d(T[\d:.]+Z)?$/.test(v) &&
        !/^-?\d+(\.\d+)?$/.test(v),
    );

// Guards against: The feed reveals more than its reader may know
test('every write is recorded in the feed: each object of the business that it created or changed, and a tombstone for each deleted one', () =>
  overWrites(byStaff(), () => true, isRecorded));

test('every write by a customer is recorded in the feed', () => overWrites(byCustomers(), () => true, isRecorded));

test('every resource that can be deleted has a tombstone', () => {
  const { endpoints, feed } = world.app.registry;
  const deleting = endpoints
    .filter((e) => e.acts === 'write')
    .filter((e) => e.method === 'DELETE' && e.target && e.belongsTo !== 'installation');
  assert.ok(deleting.length > 1);
  for (const { target, path, silent } of deleting)
    // A cancelled object stays visible.
    assert.ok(
      silent !== undefined || ['deleted', 'cancelled'].some((what) => feed.has(`${target!.name}.${what}`)),
      path,
    );
});

// Guards against: A change that cannot be traced to anybody
test('no audit entry contains a secret', async () => {
  const words = /hash|secret|password|search_text/i;
  const secrets = [...world.app.registry.resources.values()].flatMap((r) => r.secret);
  assert.ok(secrets.length > 0);
  let seen = 0;
  for (let path: string | null = '/audit_entries'; path;) {
    const { body } = await world.get(path, { as: world.machine });
    for (const entry of body.results) {
      seen++;
      const names = [...Object.keys(entry.before ?? {}), ...Object.keys(entry.after ?? {})];
      // Matches the shape of our secrets, whatever the column is called; rca_ starts the public id of an application.
      assert.doesNotMatch(JSON.stringify(entry), /rc(?!a_)[a-z]+_[\w-]{20,}/);
      assert.doesNotMatch(JSON.stringify([entry.before, entry.after]), /"[a-z_]*(hash|password)[a-z_]*":/);
      // `secrets` lists an application's secrets by id and hint.
      assert.deepEqual(
        names.filter((name) => name !== 'secrets' && (words.test(name) || secrets.includes(name))),
        [],
        JSON.stringify(entry.subject),
      );
    }
    path = body.next && body.next.split('/api/v2')[1];
  }
  assert.ok(seen > 30, 'there is nothing to look at');
});
