import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { makeStaff, newMember, PASSWORD, type Member } from '../../../test/worlds/direct-auth-world.ts';
import { sql } from '../../../kernel/base/db/sql.ts';
import { ownContext } from '../../../test/own-context.ts';
import { PageClient } from '../../../test/pages/page-client.ts';
import { startWorld, type World } from '../../../test/world.ts';
import { writeNext } from '../../reporting/reports/exports/engine.ts';

let world: World;
before(async () => {
  world = await startWorld();
  // Other files leave exports on the shared service: writing their files would take most of the time of this one.
  await world.app.db.acrossTenants('a test writes only its own exports', (tx) =>
    tx.run(sql`UPDATE report_export SET next_at = 'infinity' WHERE next_at IS NOT NULL`),
  );
});
after(() => world.close());

const at = (page: string) => `/account/${world.harbour}/${page}`;

async function loggedIn({ email }: Member): Promise<PageClient> {
  const visitor = new PageClient(world.url);
  await visitor.get(at('log-in'));
  await visitor.post(at('log-in'), { email, password: PASSWORD });
  return visitor;
}

/** Creates a file for a staff member, and returns its page. */
async function fileFor(staff: number): Promise<string> {
  const as = world.staff(['customers'], staff);
  const asked = await world.post('/reports/customers/export', { as, body: { format: 'jsonl', columns: ['id'] } });
  assert.equal(asked.status, 200, asked.text);
  while (await writeNext(ownContext(world)));
  const [{ id, status }] = (await world.get('/report_exports', { as })).body.results;
  assert.equal(status, 'complete');
  return at(`report-files/${id}`);
}

test('the link in an email gives staff who log in their file, and nobody else', async () => {
  await world.newCustomer();
  const [mine, other, guest] = [await newMember(world), await newMember(world), await newMember(world)];
  const path = await fileFor(await makeStaff(world, mine, ['customers']));
  await makeStaff(world, other, ['super_admin']);
  const stranger = await new PageClient(world.url).get(path);
  assert.equal(stranger.status, 303);
  assert.equal(stranger.headers.get('location'), `${at('log-in')}?return_to=${encodeURIComponent(path)}`);
  const { status, headers, text } = await (await loggedIn(mine)).get(path);
  assert.equal(status, 200, text);
  assert.match(headers.get('content-disposition')!, /^attachment; filename="customers-\d+\.jsonl"$/);
  assert.ok(
    text
      .split('\n')
      .filter(Boolean)
      .every((line) => JSON.parse(line).id > 0),
  );
  for (const visitor of [await loggedIn(other), await loggedIn(guest)]) {
    const refused = await visitor.get(path);
    assert.equal(refused.status, 404);
    assert.match(refused.text, /isn’t here for you[^]*Your account/);
    for (const wrong of ['999999', '0', 'x'])
      assert.equal((await visitor.get(at(`report-files/${wrong}`))).status, 404);
  }
});

test('if staff need a second step, a log-in without one gives no file', async () => {
  const member = await newMember(world);
  const path = await fileFor(await makeStaff(world, member, ['customers']));
  const visitor = await loggedIn(member);
  const need = (second_factor_required: boolean) =>
    world.patch(`/providers/${world.harbour}`, {
      as: world.machine,
      body: { name: 'Harbour', security: { second_factor_required } },
    });
  assert.equal((await need(true)).status, 200);
  assert.match((await visitor.get(path)).text, /second step/);
  assert.equal((await need(false)).status, 200);
  assert.equal((await visitor.get(path)).status, 200);
});
