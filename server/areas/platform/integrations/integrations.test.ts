import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startWorld, type World } from '../../../test/world.ts';

let world: World;
before(async () => {
  world = await startWorld();
});
after(() => world.close());

test('no integration is connected, and there are no Zoom users', async () => {
  const { body } = await world.get('/integrations', { as: world.machine });
  assert.deepEqual(
    body.results.map((one: any) => [one.type, one.is_connected]),
    ['kisi', 'learn_to_skate', 'wellhub', 'zoom'].map((type) => [type, false]),
  );
  const users = await world.get('/integrations/zoom/users', { as: world.machine });
  assert.deepEqual([users.body.count, users.body.results], [0, []]);
});

test('a venue that was read can be sent back, and a Zoom user is refused with the way on', async () => {
  const sent = { name: 'Online', venue_type: 'online', timezone: 'America/Toronto' };
  const created = await world.post('/venues', { as: world.machine, body: { ...sent, zoom_user: null } });
  assert.deepEqual([created.status, created.body.zoom_user], [201, null]);
  const refused = await world.post('/venues', { as: world.machine, body: { ...sent, zoom_user: 7 } });
  assert.match(refused.body.field_errors.zoom_user[0], /Put the address of the meeting into `video_url`/);
});

test('the layout of emails has the name of the business and the places for subject and text', async () => {
  const { body } = await world.get(`/providers/${world.harbour}/email_settings`, { as: world.machine });
  for (const part of ['Harbour', '<title>{{subject}}</title>', '{{content}}'])
    assert.ok(body.base_template.includes(part), part);
  assert.equal((await world.get(`/providers/${world.meadow}/email_settings`, { as: world.machine })).status, 404);
});
