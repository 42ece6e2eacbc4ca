/** No request keeps the service busy for long, neither by the size of its body nor by the number of its mistakes. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startWorld, type World } from '../world.ts';

let world: World;
before(async () => {
  world = await startWorld();
});
after(() => world.close());

const latin = (text: string): Uint8Array<ArrayBuffer> => new Uint8Array(Buffer.from(text, 'latin1'));
const issuesOf = (fields: Record<string, string[]>): string[] => Object.values(fields).flat();

// Guards against: Exhausting the service
test('a body with 40,000 unknown properties is refused with the first twenty, and with few suggestions', async () => {
  const body = Object.fromEntries(Array.from({ length: 40_000 }, (_, i) => [`first_nam${i}`, 1]));
  const answer = await world.post('/customers', { as: world.machine, body });
  assert.equal(answer.body.code, 'parameter_invalid');
  const issues = issuesOf(answer.body.field_errors);
  assert.equal(issues.length, 21);
  assert.equal(issues.filter((m) => m.startsWith('Unknown property.')).length, 20);
  assert.ok(issues.filter((m) => m.includes('Did you mean')).length <= 5);
  assert.deepEqual(answer.body.field_errors.non_field_errors, ['Only the first 20 problems are listed.']);
});

test('twenty problems are all listed, and a single wrong name still gets a suggestion', async () => {
  const some = await world.post('/customers', {
    as: world.machine,
    body: { fist_name: 'A', last_name: 'B', email: 'a@example.com' },
  });
  assert.deepEqual(some.body.field_errors.fist_name, ['Unknown property. Did you mean "first_name"?']);
  const twenty = Object.fromEntries(Array.from({ length: 19 }, (_, i) => [`zzzzzz${i}`, 1]));
  const full = await world.post('/customers', {
    as: world.machine,
    body: { ...twenty, last_name: 'B', email: 'a@example.com' },
  });
  assert.equal(issuesOf(full.body.field_errors).length, 20);
  assert.equal(full.body.field_errors.non_field_errors, undefined);
});

test('a strict call with many unknown parameters and names is refused with the first twenty', async () => {
  const strict = { as: world.machine, headers: { prefer: 'handling=strict' } };
  const parameters = await world.get(
    `/customers?${Array.from({ length: 400 }, (_, i) => `nonsense${i}=1`).join('&')}`,
    strict,
  );
  assert.equal(issuesOf(parameters.body.field_errors).length, 21);
  const names = await world.get(
    `/customers?fields=${Array.from({ length: 200 }, (_, i) => `nonsense${i}`).join()}`,
    strict,
  );
  assert.equal(names.body.field_errors.fields.length, 20);
});

test('a name as long as a body is not repeated in the refusal', async () => {
  const answer = await world.post('/customers', { as: world.machine, body: { ['x'.repeat(500_000)]: 1 } });
  assert.equal(answer.status, 400);
  assert.ok(answer.text.length < 2000, `${answer.text.length} characters`);
});

test('a body that is not UTF-8 is refused, in JSON and in a form, and nothing is stored', async () => {
  const send = (type: string, bytes: Uint8Array<ArrayBuffer>) =>
    fetch(`${world.url}/api/v2/customers`, {
      method: 'POST',
      headers: { authorization: `Bearer ${world.machine}`, 'content-type': type },
      body: bytes,
    });
  const before = (await world.get('/customers', { as: world.machine })).body.count;
  const bodies = [
    ['application/json', latin('{"first_name":"Zo\u00eb","last_name":"B","email":"zoe@example.com"}')],
    ['application/x-www-form-urlencoded', latin('first_name=Zo\u00eb&last_name=B&email=zoe@example.com')],
    ['application/x-www-form-urlencoded', latin('first_name=Zo%EB&last_name=B&email=zoe@example.com')],
  ] as const;
  for (const [type, bytes] of bodies) {
    const answer = await send(type, bytes);
    const { code, message } = (await answer.json()) as { code: string; message: string };
    assert.deepEqual([answer.status, code], [400, 'parameter_invalid']);
    assert.match(message, /UTF-8/);
  }
  assert.equal((await world.get('/customers', { as: world.machine })).body.count, before);
  const right = await send(
    'application/x-www-form-urlencoded',
    latin('first_name=Zo%C3%AB%EF%BF%BD&last_name=100%25&email=zoe@example.com'),
  );
  assert.equal(right.status, 201);
});
