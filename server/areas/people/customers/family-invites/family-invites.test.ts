import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { book, newEvent, newPlace } from '../../../../test/schedule-world.ts';
import { Mailbox } from '../../../../test/outside/mailbox.ts';
import { refuseJoining } from '../rules/join-family.ts';
import { startWorld, type World } from '../../../../test/world.ts';

let mailbox: Mailbox;
let world: World;
before(async () => {
  mailbox = await Mailbox.start();
  world = await startWorld({
    worker: true,
    env: { SMTP_URL: mailbox.url, MAIL_FROM: 'Rollcall <mail@rollcall.example>' },
  });
});
after(async () => {
  await world?.close();
  await mailbox?.close();
});

const EVE = { first_name: 'Eve', last_name: 'Byron' };
const address = (): string => `${Math.random().toString(36).slice(2)}@example.com`;
const codeOf = (url: string): string => new URL(url).searchParams.get('invite')!;
const accept = (customer: number, code: string) =>
  world.post('/family_invites/accept', { as: world.customer(customer), body: { code } });

async function invited() {
  const ada = await world.newCustomer({ first_name: 'Ada', last_name: 'King' });
  const child = await world.post(`/customers/${ada}/add_child`, {
    as: world.customer(ada),
    body: { first_name: 'Ben', last_name: 'King' },
  });
  const email = address();
  const made = await world.post('/family_invites', { as: world.customer(ada), body: { ...EVE, email } });
  assert.equal(made.status, 201, made.text);
  return { ada, ben: child.body.id as number, email, invite: made.body, code: codeOf(made.body.claim_url) };
}

test('a second parent joins by the emailed link, sees the children and books for them', async () => {
  const { ada, ben, email, invite, code } = await invited();
  const mail = await mailbox.next(email, /Ada King invites you/);
  assert.ok(mail.text.replaceAll(/=?\r?\n/g, '').includes(code), 'the mail has the same link');
  const eve = await world.newCustomer();
  const joined = await accept(eve, code);
  assert.deepEqual([joined.status, joined.body.id, joined.body.family_role], [200, eve, 'manager'], joined.text);
  const { id: event } = await newEvent(world, await newPlace(world));
  assert.equal((await book(world, event, ben, world.customer(eve))).status, 200);
  const seen = await world.get(`/attendances?event=${event}&fields=customer`, { as: world.customer(ada) });
  assert.deepEqual(seen.body.results, [{ customer: ben }]);
  const shown = await world.get(`/family_invites/${invite.id}`, { as: world.customer(ada) });
  assert.deepEqual([shown.body.claimed_by, shown.body.claim_url], [eve, null]);
  assert.equal((await accept(await world.newCustomer(), code)).status, 404, 'a link works once');
});

test('parents see only the money that they pay: the one who was invited none of the children’s', async () => {
  const { ada, ben, code } = await invited();
  const eve = await world.newCustomer();
  await accept(eve, code);
  for (const customer of [ada, ben, eve]) {
    const body = { customer, kind: 'charge', amount: '4.00', explanation: 'A towel' };
    assert.equal((await world.post('/account_entries', { as: world.machine, body })).status, 201);
  }
  const owners = async (me: number) =>
    [
      ...new Set<number>(
        (await world.get('/account_entries?fields=customer', { as: world.customer(me) })).body.results.map(
          ({ customer }: any) => customer,
        ),
      ),
    ].toSorted((a, b) => a - b);
  assert.deepEqual(await owners(ada), [ada, ben]);
  assert.deepEqual(await owners(eve), [eve]);
  const credit = { customer: ben, kind: 'credit', amount: '10.00', explanation: 'A gift' };
  assert.equal((await world.post('/account_entries', { as: world.machine, body: credit })).status, 201);
  const taken = await world.post(`/customers/${ben}/move_credit`, {
    as: world.customer(eve),
    body: { to: eve, amount: '5.00' },
  });
  assert.equal(taken.status, 403, 'nor can they move it');
  assert.equal((await world.get(`/customers/${ben}/account_balance`, { as: world.customer(eve) })).status, 403);
  const body = { pays_for_family: true };
  assert.equal((await world.patch(`/customers/${eve}`, { as: world.customer(eve), body })).status, 403);
  assert.equal((await world.patch(`/customers/${eve}`, { as: world.machine, body })).status, 200);
  assert.deepEqual(
    await owners(eve),
    [ben, eve].toSorted((a, b) => a - b),
  );
});

test('an invite ends when it is withdrawn or after two weeks, and a wrong code is unknown', async () => {
  const { ada, invite, code } = await invited();
  const eve = await world.newCustomer();
  assert.equal((await accept(eve, `${invite.id}.${'0'.repeat(64)}`)).status, 404);
  assert.equal((await world.delete(`/family_invites/${invite.id}`, { as: world.customer(ada) })).status, 204);
  assert.equal((await accept(eve, code)).status, 404);
  const later = await invited();
  world.setNow(world.now + 15 * 86_400_000);
  assert.equal((await accept(eve, later.code)).status, 404);
  world.resetNow();
});

test('children can’t invite, strangers see no invites, and a family has five open ones at most', async () => {
  const { ada, ben } = await invited();
  const as = world.customer(ada);
  const invite = (body: object, who = as) =>
    world.post('/family_invites', { as: who, body: { ...EVE, email: address(), ...body } });
  assert.equal((await invite({}, world.customer(ben))).status, 400);
  for (let n = 0; n < 4; n++) assert.equal((await invite({})).status, 201);
  assert.equal((await invite({})).body.code, 'conflict');
  assert.equal((await world.get('/family_invites', { as })).body.count, 5);
  assert.equal((await world.get('/family_invites', { as: world.customer(await world.newCustomer()) })).body.count, 0);
  assert.equal((await world.get('/family_invites?claimed=true', { as })).body.count, 0);
});

test('nobody changes families by an invitation', () => {
  assert.equal(refuseJoining({ familyId: null, familyRole: null }, 7), null);
  assert.match(refuseJoining({ familyId: 7, familyRole: 'manager' }, 7)!.staff, /already/);
  assert.match(refuseJoining({ familyId: 8, familyRole: 'manager' }, 7)!.staff, /manages another/);
  assert.match(refuseJoining({ familyId: 8, familyRole: 'child' }, 7)!.staff, /child/);
});
