import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { isWrite } from '../contract.ts';
import { startWorld, type World } from '../../../test/world.ts';

let world: World;
before(async () => {
  world = await startWorld();
});
after(() => world.close());

/** Written by hand, independently of the library under test. */
const form = (parts: readonly (readonly [head: string, value: string])[], boundary = 'a-boundary_1'): string =>
  [
    ...parts.map(([head, value]) => `--${boundary}\r\nContent-Disposition: form-data; ${head}\r\n\r\n${value}\r\n`),
    `--${boundary}--\r\n`,
  ].join('');
const field = (name: string, value: string) => [`name="${name}"`, value] as const;
const type = 'multipart/form-data; boundary=a-boundary_1';

const post = (body: string, contentType = type, path = '/customers') =>
  world.post(path, { as: world.machine, body, headers: { 'content-type': contentType } });

const person = [
  field('first_name', 'Zoë'),
  field('last_name', 'Ny, "Ström"'),
  field('email', 'zoe@example.com'),
  field('send_invitation_email', 'false'),
];

test('a multipart/form-data body is read like a form', async () => {
  const made = await post(form(person));
  assert.equal(made.status, 201, made.text);
  assert.deepEqual([made.body.first_name, made.body.last_name], ['Zoë', 'Ny, "Ström"']);
});

test('dots in names nest, a repeated name is a list, and a quoted boundary works', async () => {
  const path = `/providers/${world.harbour}`;
  const body = form([field('contact_info.email', 'desk@example.com')]);
  const changed = await world.patch(`${path}?expand=contact_info`, {
    as: world.machine,
    body,
    headers: { 'content-type': 'multipart/form-data; charset=utf-8; boundary="a-boundary_1"' },
  });
  assert.equal(changed.body.contact_info?.email, 'desk@example.com', changed.text);
  const events = await post(form([field('events.ids', '7'), field('events.ids', '8')]), type, '/events/bulk_cancel');
  assert.deepEqual(events.body.field_errors?.['events.ids']?.length, 2, events.text);
});

test("a body from the platform's FormData is understood", async () => {
  const data = new FormData();
  for (const [name, value] of Object.entries({ first_name: 'Ada', last_name: 'King', email: 'ada.king@example.com' }))
    data.set(name, value);
  const request = new Request('http://any/', { method: 'POST', body: data });
  const made = await post(await request.text(), request.headers.get('content-type')!);
  assert.equal(made.status, 201, made.text);
});

test('every write accepts it: refusals name its properties, never its type', async () => {
  for (const { method, path } of world.app.registry.endpoints.filter(isWrite)) {
    const answer = await world.ask(method, path.replaceAll(/\{[^}]+\}/g, '987654321'), {
      as: world.machine,
      body: form([field('never_heard_of', '1')]),
      headers: { 'content-type': type },
    });
    assert.ok(
      answer.status >= 400 && answer.status < 500 && answer.status !== 415,
      `${method} ${path}: ${answer.text}`,
    );
  }
});

test('a file is refused by its name', async () => {
  const refused = await post(form([...person, ['name="image"; filename="me.png"', 'PNG']]));
  assert.deepEqual(
    [refused.status, refused.body.field_errors],
    [400, { image: ['Must be text: files are not accepted.'] }],
  );
});

test('malformed bodies are refused, and so are those that would take long to read', async () => {
  const cases: [string, string, RegExp][] = [
    [form(person), 'multipart/form-data', /has no boundary/],
    [form(person), 'multipart/form-data; boundary=other', /not multipart/],
    ['{"first_name": "Ada"}', type, /not multipart/],
    [form(person).slice(0, -20), type, /not multipart/],
    [form(Array.from({ length: 1001 }, (_, i) => field(`a${i}`, ''))), type, /too many values/],
    [
      `--a-boundary_1\r\n${'A: b\r\n'.repeat(100_000)}\r\n\r\n--a-boundary_1--\r\n`,
      type,
      /headers of a part are too long/,
    ],
  ];
  for (const [body, contentType, why] of cases) {
    const refused = await post(body, contentType);
    assert.equal(refused.status, 400, refused.text.slice(0, 200));
    assert.match(refused.body.message, why);
  }
});
