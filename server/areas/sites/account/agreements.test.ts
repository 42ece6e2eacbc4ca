/** Waivers and policies on the pages for customers: before a class, by a link, in the account, and for new people. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { makeCustomer, newMember, PASSWORD } from '../../../test/worlds/direct-auth-world.ts';
import { newEvent, newPlace, type Place } from '../../../test/schedule-world.ts';
import { PageBrowser, type PageVisitor } from '../../../test/pages/page-visitor.ts';
import { startWorld, type Ask, type World } from '../../../test/world.ts';

let world: World;
let place: Place;
let waiver: number;
before(async () => {
  world = await startWorld();
  place = await newPlace(world);
  waiver = await made('/waivers', {
    name: 'Liability',
    text: 'I row at my own risk.\n\nI can swim.',
    translations: [{ language: 'de', text: 'Ich rudere auf eigene Gefahr.' }],
    offering_types_applies_to: 'only',
    offering_types: [place.offering],
    if_unsigned: 'refuse_booking',
  });
});
after(() => world?.close());

async function made(path: string, body: object): Promise<number> {
  const answer = await world.post(path, { as: world.machine, body } as Ask);
  assert.ok(answer.status < 300, answer.text);
  return answer.body.id;
}

const read = async (path: string) => (await world.get(path, { as: world.machine })).body;
const at = (page: string) => `/account/${world.harbour}/${page}`;

async function someone(): Promise<{ visitor: PageVisitor; customer: number }> {
  const person = await newMember(world);
  const customer = await makeCustomer(world, person);
  const visitor = await new PageBrowser(world.url).visitor();
  await visitor.open(at('log-in'));
  await visitor.submit('Log in', { 'Email address': person.email, Password: PASSWORD });
  return { visitor, customer };
}

const text = async (visitor: PageVisitor) => (await visitor.text()).replaceAll(/\s+/g, ' ').replaceAll('’', "'");

test('somebody who books a class signs its waiver first by typing, and is led back', async () => {
  const { visitor, customer } = await someone();
  const { id: event } = await newEvent(world, place, { name: 'Rowing' });
  await visitor.open(`${world.site}/events/${event}`);
  await visitor.submit('Book');
  assert.equal(visitor.path, at(`waivers/${waiver}/${customer}`));
  assert.equal(await visitor.heading(), 'Liability');
  assert.match(await text(visitor), /I row at my own risk\. I can swim\./);
  await visitor.checkAccessible('waiver-to-sign');
  await visitor.submit('Sign', { 'Your full name': '' });
  assert.match(await text(visitor), /Your full name: Fill this in\./);
  await visitor.submit('Sign', { 'Your full name': 'Ada King' });
  assert.equal(visitor.path, `${world.site}/events/${event}`);
  const { results } = await read(`/waiver_agreements?customer=${customer}`);
  assert.deepEqual(
    results.map((one: any) => [one.signer_name, one.by_staff, one.signature_image]),
    [['Ada King', null, null]],
  );
  await visitor.open(at('profile/agreements'));
  assert.match(await text(visitor), /Liability Signed on .+ by Ada King/);
  await visitor.checkAccessible('agreements');
});

test('a link signs for one customer without a log-in, with a drawing, until nothing is left', async () => {
  const names = { first_name: 'Finn', last_name: 'Berg', date_of_birth: '2018-05-01' };
  const child = await world.newCustomer(names as never);
  const { id: event } = await newEvent(world, place, { name: 'Rowing' });
  await made(`/events/${event}/register`, { customer: child });
  const { url } = await read(`/customers/${child}/signing_link`);
  const visitor = await new PageBrowser(world.url).visitor();
  await visitor.open(new URL(url).pathname);
  await visitor.checkAccessible('waiver-by-link');
  await visitor.submit('Sign', { 'Full name of the parent or guardian': 'Finn Berg' });
  assert.match(await text(visitor), /A parent or guardian signs this\. Type their name\./);
  const sent = { name: 'Mia Berg', version: '1', return_to: '', lines: '10,20 30,40;50,60' };
  assert.equal((await visitor.post(visitor.path, sent)).status, 303);
  await visitor.open(new URL(url).pathname);
  assert.equal(await visitor.heading(), 'Everything is signed');
  const [signed] = (await read(`/waiver_agreements?customer=${child}`)).results;
  assert.equal(signed.signer_name, 'Mia Berg');
  assert.ok(signed.signature_image !== null);
  await visitor.open(at('sign/1-2_x'));
  assert.equal(await visitor.heading(), 'This link is no longer valid');
});

test('nobody opens the waiver of a stranger', async () => {
  const { visitor } = await someone();
  const stranger = await world.newCustomer();
  const page = at(`waivers/${waiver}/${stranger}`);
  assert.equal((await visitor.get(page)).status, 404);
  assert.equal((await visitor.post(page, { name: 'Ada King', version: '1', return_to: '', lines: '' })).status, 404);
});

test('new customers agree to the policies that are asked at sign-up, and the account shows them', async () => {
  const policy = await made('/policies', { name: 'Terms', text: 'Be on time.', when_required: ['signup'] });
  const { visitor, customer } = await someone();
  await visitor.open(at(`agreements?return_to=${world.site}/timetable`));
  assert.match(await text(visitor), /asks everybody to agree/);
  await visitor.checkAccessible('agree-to-policies');
  await visitor.submit('Agree and continue', {});
  assert.match(await text(visitor), /Tick the box to agree\./);
  await visitor.submit('Agree and continue', { 'I agree: Terms': true });
  assert.equal(visitor.path, `${world.site}/timetable`);
  const [agreed] = (await read(`/policy_agreements?customer=${customer}`)).results;
  assert.equal(agreed.policy, policy);
  await visitor.open(at('profile/agreements'));
  assert.match(await text(visitor), /Terms Agreed on/);
  await visitor.open(at(`policies/${agreed.version}`));
  assert.match(await text(visitor), /Be on time\./);
  await visitor.checkAccessible('policy');
});

test('a guest signs the waiver of a class on the page where they book', async () => {
  const changed = await world.patch(`/providers/${world.harbour}`, {
    as: world.machine,
    body: { booking_site: { sells_to_guests: true } },
  });
  assert.equal(changed.status, 200, changed.text);
  const { id: event } = await newEvent(world, place, { name: 'Open day' });
  const visitor = await new PageBrowser(world.url).visitor();
  await visitor.open(`${world.site}/events/${event}/guest`);
  assert.match(await text(visitor), /I row at my own risk/);
  await visitor.checkAccessible('guest-with-waiver');
  const guest = { 'First name': 'Cem', 'Last name (optional)': 'Demir', 'Email address': 'cem.signs@example.com' };
  await visitor.submit('Book', guest);
  assert.match(await text(visitor), /Tick the box to sign\./);
  await visitor.submit('Book', { 'I have read “Liability” and sign it with my name.': true });
  assert.match(visitor.path, /check-mail/);
  const found = await read('/customers?query=cem.signs@example.com');
  const { results } = await read(`/waiver_agreements?customer=${found.results[0].id}`);
  assert.deepEqual(
    results.map((one: any) => one.signer_name),
    ['Cem Demir'],
  );
});
