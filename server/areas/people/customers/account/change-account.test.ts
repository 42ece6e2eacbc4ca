import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { confirmEmailChange, stopEmailChange } from '../../identity/index.ts';
import {
  enrol,
  makeCustomer,
  newDirectApplication,
  newMember,
  PASSWORD,
  tokensOf,
  type DirectApplication,
} from '../../../../test/worlds/direct-auth-world.ts';
import { Mailbox } from '../../../../test/outside/mailbox.ts';
import { startWorld, type World } from '../../../../test/world.ts';
import { sql } from '../../../../kernel/base/db/sql.ts';

const NEXT = 'walnut harbour lantern seven';
const WHENCE = { address: '203.0.113.7', agent: '', providerId: null };

let mailbox: Mailbox;
let world: World;
let app: DirectApplication;
before(async () => {
  mailbox = await Mailbox.start();
  world = await startWorld({
    worker: true,
    env: { SMTP_URL: mailbox.url, MAIL_FROM: 'Rollcall <mail@rollcall.example>' },
  });
  app = await newDirectApplication(world);
});
after(async () => {
  await world?.close();
  await mailbox?.close();
});

const address = (): string => `${Math.random().toString(36).slice(2)}@example.com`;
const ticketOf = (link: string): string => new URL(link, 'http://any').searchParams.get('ticket')!;

async function newPerson() {
  const member = await newMember(world);
  const id = await makeCustomer(world, member);
  const { access_token: as } = await tokensOf(world, app, member);
  return { ...member, id, as };
}
const changeEmail = (id: number, as: string, body: object) => world.post(`/customers/${id}/change_email`, { as, body });
const changePassword = (id: number, as: string, body: object) =>
  world.post(`/customers/${id}/change_password`, { as, body });
const recordOf = async (id: number) => (await world.get(`/customers/${id}`, { as: world.machine })).body.email;

test('an address changes with its records once the new one confirms, and the old one takes it back', async () => {
  const { id, email, as } = await newPerson();
  const next = address();
  assert.equal((await changeEmail(id, as, { email: next, password: 'wrong' })).status, 400);
  const asked = await changeEmail(id, as, { email: next, password: PASSWORD });
  assert.deepEqual([asked.status, asked.body.id, asked.body.email], [200, id, email], asked.text);
  const ticket = ticketOf(await mailbox.link(world, next, /Confirm/, 'confirm'));
  const undo = ticketOf(await mailbox.link(world, email, /./, 'confirm'));
  assert.equal((await confirmEmailChange(world.app.accounts, ticket, WHENCE)).outcome, 'accepted');
  assert.equal(await recordOf(id), next);
  assert.equal((await stopEmailChange(world.app.accounts, undo, WHENCE)).outcome, 'accepted');
  assert.equal(await recordOf(id), email);
});

test('a person with a second factor needs a code for a new address and a new password', async () => {
  const person = await newPerson();
  const { id, as } = person;
  const code = await enrol(world, person);
  const body = { email: address(), password: PASSWORD };
  assert.match((await changeEmail(id, as, body)).body.message, /authenticator/);
  assert.match((await changeEmail(id, as, { ...body, code: '000000' })).body.message, /code is wrong/);
  assert.equal((await changeEmail(id, as, { ...body, code: code() })).status, 200);
});

test('a new password ends every token, that of the call included', async () => {
  const { id, email, as } = await newPerson();
  assert.equal((await changePassword(id, as, { password: PASSWORD, new_password: 'short' })).status, 400);
  const changed = await changePassword(id, as, { password: PASSWORD, new_password: NEXT });
  assert.equal(changed.status, 200, changed.text);
  assert.equal((await world.get('/customers', { as })).status, 401);
  await mailbox.next(email, /password/i);
});

test('staff change the address of a record without an account, and send links to people who have one', async () => {
  const record = await world.newCustomer();
  const next = address();
  assert.equal((await changeEmail(record, world.machine, { email: next })).body.id, record);
  assert.equal(await recordOf(record), next);
  const { id, email } = await newPerson();
  assert.equal((await changeEmail(id, world.machine, { email: address() })).body.code, 'conflict');
  assert.equal((await changePassword(id, world.machine, { new_password: NEXT })).status, 400);
  assert.equal((await changePassword(id, world.machine, {})).status, 200);
  await mailbox.next(email, /password/i);
  const other = await world.newCustomer();
  assert.equal((await changePassword(other, world.machine, {})).body.code, 'conflict');
});

test('a client can send the whole customer, of which only the address and passwords matter', async () => {
  const { id, email } = await newPerson();
  const { body: shown } = await world.get(
    `/customers/${id}?fields=created_at,email,family_role,family,first_name,image,last_name,participating,provider,referral_code,visibility`,
    { as: world.machine },
  );
  const sent = { ...shown, lead_source: null, first_name: 'Zoe', visibility: 'hidden' };
  assert.equal((await changePassword(id, world.machine, sent)).status, 200);
  await mailbox.next(email, /password/i);
  const record = await world.newCustomer();
  const next = address();
  const changed = await changeEmail(record, world.machine, { ...sent, email: next });
  assert.deepEqual([changed.status, changed.body.email, changed.body.visibility], [200, next, 'visible'], changed.text);
  assert.notEqual(changed.body.first_name, 'Zoe');
  const wrong = await changePassword(id, world.machine, { participating: 'perhaps', nickname: 'Z' });
  assert.deepEqual(Object.keys(wrong.body.field_errors), ['nickname', 'participating']);
});

test('nobody changes the account of another person', async () => {
  const { as } = await newPerson();
  const other = await newPerson();
  assert.equal((await changeEmail(other.id, as, { email: address(), password: PASSWORD })).status, 404);
  assert.equal((await changeEmail(other.id, world.staff(['attendances']), { email: address() })).status, 403);
});

test('a confirmation is sent again to people without one, and to nobody else', async () => {
  const { id, userId, email, as } = await newPerson();
  const path = `/customers/${id}/resend_email_confirmation`;
  assert.deepEqual((await world.post(path, { as })).body, { status: 'OK', detail: null });
  await world.app.db.acrossTenants('a test makes an address unconfirmed', (tx) =>
    tx.run(sql`UPDATE user_account SET email_confirmed_at = NULL WHERE id = ${userId}`),
  );
  assert.equal((await world.post(path, { as: world.machine })).status, 200);
  await mailbox.next(email, /Confirm/);
  const record = await world.newCustomer();
  assert.equal((await world.post(`/customers/${record}/resend_email_confirmation`, { as: world.machine })).status, 200);
  await mailbox.next(await recordOf(record), /./);
});
