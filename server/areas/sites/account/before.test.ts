/** The cards that an account begins with: who can't book now, and what to do before the next visit. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { makeCustomer, newMember, PASSWORD } from '../../../test/worlds/direct-auth-world.ts';
import { newEvent, newPlace, type Place } from '../../../test/schedule-world.ts';
import { PageBrowser, type PageVisitor } from '../../../test/pages/page-visitor.ts';
import { startWorld, type Ask, type World } from '../../../test/world.ts';

let world: World;
let place: Place;
before(async () => {
  world = await startWorld();
  place = await newPlace(world);
});
after(() => world?.close());

async function made(path: string, body: object, method: 'post' | 'patch' = 'post'): Promise<number> {
  const answer = await world[method](path, { as: world.machine, body } as Ask);
  assert.ok(answer.status < 300, answer.text);
  return answer.body.id;
}

const at = (page: string) => `/account/${world.harbour}/${page}`;

/** Logs in as a parent of one child, Finn. */
async function parent(): Promise<{ visitor: PageVisitor; customer: number; child: number }> {
  const person = await newMember(world);
  const customer = await makeCustomer(world, person);
  const names = { first_name: 'Finn', last_name: 'Berg' };
  const child = (await world.post(`/customers/${customer}/add_child`, { as: world.machine, body: names })).body.id;
  const visitor = await new PageBrowser(world.url).visitor();
  await visitor.open(at('log-in'));
  await visitor.submit('Log in', { 'Email address': person.email, Password: PASSWORD });
  return { visitor, customer, child };
}

async function home(visitor: PageVisitor): Promise<string> {
  await visitor.open(at('profile'));
  return (await visitor.text()).replaceAll(/\s+/g, ' ').replaceAll('’', "'");
}

test('a blocked customer reads it in their account, without the note of the staff, and can contact the business', async () => {
  const { visitor, customer, child } = await parent();
  assert.doesNotMatch(await home(visitor), /can't book/);
  await made(`/providers/${world.harbour}`, { contact_info: { email: 'desk@harbour.example' } }, 'patch');
  const reason = 'Damaged a boat and left';
  const block = await made('/customer_registration_blocks', { customer, reason });
  const ends_at = new Date(world.now + 86_400_000).toISOString();
  await made('/customer_registration_blocks', { customer: child, reason, ends_at });
  const shown = await home(visitor);
  assert.match(shown, /You can't book at the moment What is already booked stays booked\. If you have a question,/);
  assert.match(shown, /Finn can't book at the moment Finn can book again from .+?\. What is already booked/);
  assert.match(shown, /Write to Harbour/);
  assert.doesNotMatch(shown, /boat/);
  await visitor.checkAccessible('account-blocked');
  await made(`/customer_registration_blocks/${block}`, { is_active: false }, 'patch');
  assert.doesNotMatch(await home(visitor), /You can't book/);
  world.setNow(world.now + 2 * 86_400_000);
  assert.doesNotMatch(await home(visitor), /can't book/);
});

test('the account lists waivers and forms that the next bookings need, once each, and settling one leads back', async () => {
  const { visitor, customer, child } = await parent();
  assert.doesNotMatch(await home(visitor), /To do before/);
  const only = { offering_types_applies_to: 'only', offering_types: [place.offering] };
  const text = 'I row at my own risk.';
  await made('/waivers', { name: 'Liability', text, if_unsigned: 'refuse_check_in', ...only });
  const field = await made('/customer_fields', { label: 'Allergies', type: 'short_text' });
  await made('/customer_forms', { name: 'Health', fields: [field], ...only });
  assert.doesNotMatch(await home(visitor), /To do before/);
  for (const name of ['Rowing', 'Sculling']) {
    const { id } = await newEvent(world, place, { name });
    for (const one of [customer, child]) await made(`/events/${id}/register`, { customer: one });
  }
  const todo = await home(visitor);
  assert.match(todo, /To do before your next visit/);
  assert.equal(todo.match(/(Health|Liability)( for Finn)? (Rowing|Sculling)/g)?.length, 4);
  await visitor.checkAccessible('account-to-do');
  await visitor.follow('Answer: Health');
  assert.match(visitor.path, new RegExp(`/${customer}$`));
  await visitor.submit('Save and continue', { 'Allergies (optional)': 'Nuts' });
  assert.match(await visitor.text(), /Your answers are saved\./);
  assert.equal((await home(visitor)).match(/(Health|Liability)( for Finn)? (Rowing|Sculling)/g)?.length, 3);
});
