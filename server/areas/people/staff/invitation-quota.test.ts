import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startWorld, type World } from '../../../test/world.ts';

let world: World;
before(async () => {
  world = await startWorld({ env: { EMAIL_QUOTA: '3' } });
  // No new month begins in the meantime.
  world.stopNow();
});
after(() => world.close());

let people = 0;
const person = (more: object = {}) => ({
  first_name: 'Ada',
  last_name: 'King',
  email: `ada${++people}@example.com`,
  ...more,
});
const enter = (path: string, more: object = {}) => world.post(path, { as: world.machine, body: person(more) });
const used = async () =>
  (await world.get('/communication/broadcast_messages/email_quota', { as: world.machine })).body.used;

// Guards against: A business that sends mail to everybody it can think of
test('invitations count against the emails that a business may send in a month, even if many are requested at the same time', async () => {
  assert.equal((await enter('/staff')).status, 201);
  assert.equal((await enter('/customers', { send_invitation_email: false })).status, 201);
  assert.equal(await used(), 1);
  const answers = await Promise.all(
    Array.from({ length: 5 }, () => enter('/customers', { invitation_note: 'Buy now' })),
  );
  assert.deepEqual(
    answers.map((a) => a.status).toSorted(),
    [201, 201, 409, 409, 409],
    answers.map((a) => a.text).join('\n'),
  );
  const refused = answers.find((a) => a.status === 409)!;
  assert.equal(refused.body.code, 'quota_exceeded');
  assert.equal(await used(), 3);
  const listed = await world.get('/customers', { as: world.machine });
  assert.equal(listed.body.count, 3, 'who was not invited was not entered either');
  assert.equal((await enter('/customers', { send_invitation_email: false })).status, 201);
});
