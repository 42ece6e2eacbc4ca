import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { book, iso, newEvent, newPlace } from '../../../test/schedule-world.ts';
import { seed } from '../../../test/seeds.ts';
import { startWorld, type World } from '../../../test/world.ts';

const HOUR_MS = 3_600_000;

let world: World;
before(async () => {
  world = await startWorld();
});
after(() => world.close());

const made = async (path: string, body: object) => {
  const { status, body: answer, text } = await world.post(path, { as: world.machine, body });
  assert.ok(status < 300, text);
  return answer;
};

const FIELDS = [
  'amount_owed',
  'credit_balance',
  'pinned_note.text',
  'main_membership.id',
  'main_membership.usage_summary',
  'next_booking.event.id',
  'last_visit.event.id',
];
const card = async (id: number, as = world.machine) =>
  (await world.get(`/customers/${id}?fields=${FIELDS.join()}`, { as })).body;

test('one read returns what a customer’s card shows: membership, visits, money and the pinned note', async () => {
  const customer = await world.newCustomer({ date_of_birth: '1990-05-17' });
  const { amount_owed: nothing, credit_balance: none, ...unknown } = await card(customer);
  assert.deepEqual([nothing.string, none.string], ['0.00', '0.00']);
  assert.deepEqual(unknown, { next_booking: null, last_visit: null, main_membership: null, pinned_note: null });
  const place = await newPlace(world);
  const at = (hours: number) =>
    newEvent(world, place, {
      starts_at: iso(world.now + hours * HOUR_MS),
      ends_at: iso(world.now + (hours + 1) * HOUR_MS),
    });
  const [late, soon, running] = [await at(30), await at(26), await at(1)];
  for (const { id } of [late, soon, running]) await book(world, id, customer);
  world.setNow(world.now + 1.5 * HOUR_MS);
  const bookingOf = async (event: number): Promise<number> =>
    (await world.get(`/attendances?customer=${customer}&event=${event}`, { as: world.machine })).body.results[0].id;
  assert.equal((await card(customer)).next_booking.event.id, running.id, 'an event that has not ended yet');
  await world.patch(`/attendances/${await bookingOf(running.id)}`, { as: world.machine, body: { status: 'attended' } });
  const membership = await seed(world, 'membership', world.harbour);
  const owned = await made('/customer_memberships', { customer, membership, billed_price: '0.00' });
  await made('/account_entries', { customer, kind: 'charge', amount: '22.00', explanation: 'A mat' });
  await made('/customer_notes', { customer, text: 'Knee surgery in May', pinned: true });
  await made('/customer_notes', { customer, text: 'Likes the window' });
  const { amount_owed, credit_balance, ...shown } = await card(customer);
  assert.deepEqual([amount_owed.string, credit_balance.string], ['22.00', '0.00']);
  assert.equal(shown.main_membership.id, owned.id);
  assert.ok(Array.isArray(shown.main_membership.usage_summary));
  assert.deepEqual(
    [shown.next_booking.event.id, shown.last_visit.event.id, shown.pinned_note.text],
    [soon.id, running.id, 'Knee surgery in May'],
  );
  const instructor = await card(customer, world.staff(['instructor_attendances']));
  assert.deepEqual([instructor.pinned_note, instructor.amount_owed], [null, null]);
  assert.equal(instructor.main_membership.id, owned.id);
  const themselves = await card(customer, world.customer(customer));
  assert.equal(themselves.pinned_note, null, 'notes are for staff');
  assert.equal(themselves.next_booking.event.id, soon.id);
});

test('a membership that can be used comes before one on hold, and before one that ended', async () => {
  const customer = await world.newCustomer({ date_of_birth: '1990-05-17' });
  const membership = await seed(world, 'membership', world.harbour);
  const give = async (): Promise<number> =>
    (await made('/customer_memberships', { customer, membership, billed_price: '0.00' })).id;
  const [first, second] = [await give(), await give()];
  const main = async (): Promise<number> => (await card(customer)).main_membership.id;
  assert.equal(await main(), second);
  await made(`/customer_memberships/${second}/cancel`, { cancellation_reason: 'mistake' });
  assert.equal(await main(), first);
});
