/** Tests of refusals for customers in the requested language. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { book, newEvent, newPlace, type Place } from '../../../test/schedule-world.ts';
import { startWorld, type World } from '../../../test/world.ts';

let world: World;
let place: Place;
before(async () => {
  world = await startWorld();
  place = await newPlace(world);
});
after(() => world.close());

const accepting = (language: string) => ({ 'accept-language': language });

test('a refusal is in the language of the customer; its code and the text for staff stay unchanged', async () => {
  const { id } = await newEvent(world, place, { max_occupancy: 1, in: 100 });
  await book(world, id, await world.newCustomer());
  const other = await world.newCustomer();
  const path = `/events/${id}/register`;
  const ask = (as: string, language: string) =>
    world.post(path, { as, body: { customer: other }, headers: accepting(language) });
  for (const [language, message] of [
    ['de-AT,de;q=0.9,en;q=0.8', 'Dieser Termin ist ausgebucht. Auf der Warteliste wären Sie Nummer 1.'],
    ['ja, pl;q=0.5', 'Na te zajęcia nie ma miejsc. Na liście rezerwowej masz numer 1.'],
    ['ja', "This class is full. If you join the waitlist, you'll be number 1."],
  ]) {
    const { status, body } = await ask(world.customer(other), language);
    assert.deepEqual([status, body.code, body.message], [400, 'event_full', message]);
  }
  const staff = await ask(world.machine, 'de');
  assert.match(staff.body.message, /^The event is full\./);
});

test('an explanation formats days and times in its language', async () => {
  const as = world.machine;
  const opening = { name: 'Harbour', default_registration_settings: { registrations_open_interval: 60 } };
  assert.equal((await world.patch(`/providers/${world.harbour}`, { as, body: opening })).status, 200);
  const { id } = await newEvent(world, place, { in: 100 });
  const ada = await world.newCustomer();
  const { body } = await world.get(`/events/${id}/explain?customer=${ada}`, {
    as: world.customer(ada),
    headers: accepting('fr-CA'),
  });
  const said = new Map<string, string>(body.rules.map((rule: any) => [rule.code, rule.message]));
  assert.equal(said.get('event_cancelled'), 'La séance a lieu.');
  assert.match(
    said.get('registration_not_open')!,
    /^Cette séance peut être réservée à partir du \p{L}+ \d+ \p{L}+ \d{4}, \d\d h \d\d\.$/u,
  );
});
