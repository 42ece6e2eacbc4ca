/** Questions of a business on the pages for customers: before a class, in the account, and for new people. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { makeCustomer, newMember, PASSWORD } from '../../../test/worlds/direct-auth-world.ts';
import { MembershipWorld } from '../../../test/worlds/membership-world.ts';
import { newEvent, newPlace, type Place } from '../../../test/schedule-world.ts';
import { PageBrowser, type PageVisitor } from '../../../test/pages/page-visitor.ts';
import { startWorld, type Ask, type World } from '../../../test/world.ts';

let world: World;
let place: Place;
let form: number;
/** ids of the questions, by their types */
let ids: Record<string, number>;
before(async () => {
  world = await startWorld();
  place = await newPlace(world);
  const choices = ['Running', 'Rowing', 'Chess'].map((value, order) => ({ value, order }));
  ids = {};
  for (const [type, more] of Object.entries({
    boolean: { label: 'Asthma', full_text: 'Do you have asthma?', explanation_required_condition: 'if_true' },
    short_text: { label: 'Contact', full_text: 'Whom can we call?', help: 'In an emergency.' },
    phone_number: { label: 'Their number', is_required: false },
    long_text: { label: 'Injuries', is_required: false },
    date: { label: 'Last check-up', is_required: false },
    datetime: { label: 'Best time to call', is_required: false },
    integer: { label: 'Shoe size' },
    decimal: { label: 'Height in metres', is_required: false },
    choice: { label: 'Favourite', choices: [{ value: 'Mornings', order: 1 }], is_required: false },
    multiple_choice: { label: 'Sports', choices },
    address: { label: 'Home', is_required: false },
  }))
    ids[type] = await made('/customer_fields', { type, is_required: true, ...more });
  form = await made('/customer_forms', {
    name: 'Health',
    fields: Object.values(ids),
    offering_types_applies_to: 'only',
    offering_types: [place.offering],
  });
});
after(() => world?.close());

async function made(path: string, body: object): Promise<number> {
  const answer = await world.post(path, { as: world.machine, body } as Ask);
  assert.ok(answer.status < 300, answer.text);
  return answer.body.id;
}

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

const WHOLE = {
  Yes: true,
  'If yes: tell us more (optional)': 'Inhaler in the bag',
  'Whom can we call?': 'Ben',
  'Their number (optional)': '+44 20 7946 0000',
  'Injuries (optional)': 'Left knee.\nSince May.',
  'Last check-up (optional)': '2026-05-01',
  'Best time to call (optional)': '2026-07-01T18:30',
  'Shoe size': '41',
  'Height in metres (optional)': '1.82',
  'Home Street and number (optional)': '1 Pier',
  'Home City (optional)': 'Bristol',
};

const typeOf = (id: number) => Object.keys(ids).find((type) => ids[type] === id)!;

async function answersOf(customer: number): Promise<Record<string, unknown>> {
  const { body } = await world.get(`/customer_field_values?customers=${customer}&page_size=50`, { as: world.machine });
  return Object.fromEntries(body.results.map((one: any) => [typeOf(one.field), one.value]));
}

test('somebody who books a class answers its form first, with every mistake shown at its field and nothing lost', async () => {
  const { visitor, customer } = await someone();
  const { id: event } = await newEvent(world, place, { name: 'Rowing' });
  await visitor.open(`${world.site}/events/${event}`);
  assert.match(await text(visitor), /First, .+ asks you: Health\./);
  await visitor.submit('Book');
  assert.equal(visitor.path, at(`forms/${form}/${customer}`));
  assert.equal(await visitor.heading(), 'Health');
  await visitor.checkAccessible('form-before-booking');
  await visitor.submit('Save and continue', {
    ...WHOLE,
    'If yes: tell us more (optional)': '',
    'Shoe size': 'big',
    'Height in metres (optional)': 'tall',
  });
  const wrong = await text(visitor);
  assert.match(wrong, /If yes: tell us more: Fill this in\./);
  assert.match(wrong, /Sports: Choose at least one\./);
  await visitor.checkAccessible('form-with-errors');
  await visitor.submit('Save and continue', { Rowing: true, 'If yes: tell us more (optional)': 'Inhaler in the bag' });
  const refused = await text(visitor);
  assert.match(refused, /Shoe size: Must be a whole number\..*Height in metres: Must be a number/);
  await visitor.submit('Save and continue', { 'Shoe size': '41', 'Height in metres (optional)': '1.82' });
  assert.equal(visitor.path, `${world.site}/events/${event}`);
  assert.match(await text(visitor), /Thank you\. You can book now\./);
  assert.deepEqual(await answersOf(customer), {
    boolean: { answer: true, explanation: 'Inhaler in the bag' },
    short_text: 'Ben',
    phone_number: '+44 20 7946 0000',
    long_text: 'Left knee.\nSince May.',
    date: '2026-05-01',
    datetime: (await answersOf(customer)).datetime,
    integer: 41,
    decimal: '1.82',
    multiple_choice: ['Rowing'],
    address: { address_line1: '1 Pier', city: 'Bristol' },
  });
  await visitor.submit('Book');
  assert.match(await text(visitor), /You're booked/);
  const { id: next } = await newEvent(world, place, { name: 'Rowing again' });
  await visitor.open(`${world.site}/events/${next}`);
  await visitor.submit('Book');
  assert.match(await text(visitor), /You're booked/, 'the form is asked once');
  await visitor.close();
});

test('somebody who buys a membership answers its form first, and staff sell it without', async () => {
  const goals = await made('/customer_fields', { type: 'short_text', label: 'Goals', is_required: true });
  const pack = await (await MembershipWorld.of(world)).pack(5, { name: 'Five visits' });
  const asked = await made('/customer_forms', {
    name: 'Goals',
    fields: [goals],
    memberships_applies_to: 'only',
    memberships: [pack],
  });
  const { visitor, customer } = await someone();
  const stranger = await new PageBrowser(world.url).visitor();
  await stranger.open(`${world.site}/memberships/${pack}`);
  assert.match(await text(stranger), /Before you pay, .+ asks you a few questions: Goals\./);
  await stranger.close();
  await visitor.open(`${world.site}/memberships/${pack}`);
  assert.match(await text(visitor), /Before you pay, .+ asks you a few questions: Goals\.\s+Buy/);
  await visitor.submit('Buy');
  assert.equal(visitor.path, at(`forms/${asked}/${customer}`));
  await visitor.submit('Save and continue', { Goals: 'A marathon' });
  assert.equal(visitor.path, `${world.site}/memberships/${pack}`);
  assert.doesNotMatch(await text(visitor), /asks you a few questions/, 'they are answered');
  await visitor.submit('Buy');
  assert.match(visitor.path, /\/checkout/);
  await visitor.close();

  const other = await world.newCustomer();
  const item = { membership: pack, item_type: 'MEM_PK' };
  const id = await made('/checkouts', { customer: other });
  await made(`/checkouts/${id}/add_item`, item);
  // The customer pays what staff have put together.
  const answer = await world.post(`/checkouts/${id}/pay`, { as: world.customer(other), body: {} });
  assert.deepEqual([answer.status, answer.body.code], [400, 'requirements_missing'], answer.text);
  assert.equal(answer.body.message, 'Complete “Goals” before you buy this membership.');
  const [{ url, ...missing }] = answer.body.requirements;
  assert.deepEqual(missing, {
    kind: 'form',
    id: asked,
    title: 'Goals',
    customer: other,
    by: 'customer',
    before: 'purchase',
  });
  assert.match(url, new RegExp(`${at(`forms/${asked}/${other}`)}$`));
  const own = await world.post('/checkouts', { as: world.customer(other), body: {} });
  assert.equal(own.status, 201, own.text);
  const path = `/checkouts/${own.body.id}/add_item`;
  const refused = await world.post(path, { as: world.customer(other), body: item });
  assert.deepEqual([refused.status, refused.body.code], [400, 'requirements_missing'], refused.text);
});

test('a family is booked together after each of them has a form of their own', async () => {
  const short = await made('/customer_fields', { type: 'short_text', label: 'Allergies', is_required: true });
  const own = await newPlace(world);
  await made('/customer_forms', {
    name: 'Allergies',
    fields: [short],
    offering_types_applies_to: 'only',
    offering_types: [own.offering],
  });
  const { id: event } = await newEvent(world, own, { name: 'Sailing' });
  const { visitor, customer } = await someone();
  const child = await world.post(`/customers/${customer}/add_child`, {
    as: world.customer(customer),
    body: { first_name: 'Ben', last_name: 'Byron' },
  });
  assert.ok(child.status < 300, child.text);
  await visitor.open(`${world.site}/events/${event}`);
  await visitor.submit('Book for everyone chosen', { You: true, Ben: true });
  const asked: string[] = [];
  for (const allergy of ['None', 'Nuts']) {
    asked.push(await text(visitor));
    await visitor.submit('Save and continue', { Allergies: allergy });
  }
  assert.match(asked[0], /asks you these questions/);
  assert.match(asked[1], /asks this about Ben/);
  assert.match(await text(visitor), /Thank you\. You can book now\./);
  await visitor.submit('Book for everyone chosen', { You: true, Ben: true });
  assert.match(await text(visitor), /Booked: You and Ben./);

  const stranger = await someone();
  await stranger.visitor.open(at(`forms/${form}/${customer}`));
  assert.doesNotMatch(await text(stranger.visitor), /asks/);
  await visitor.close();
  await stranger.visitor.close();
});

test('a new customer is asked once, and continues where they were', async () => {
  const { id: event } = await newEvent(world, await newPlace(world), { name: 'Diving' });
  const field = await made('/customer_fields', {
    type: 'boolean',
    label: 'News by post',
    show_on_new_customer_form: true,
  });
  const person = await newMember(world);
  const visitor = await new PageBrowser(world.url).visitor();
  await visitor.open(at('log-in'));
  await visitor.submit('Log in', { 'Email address': person.email, Password: PASSWORD });
  await visitor.open(`${world.site}/events/${event}`);
  await visitor.submit('Join Harbour');
  assert.equal(visitor.path, at('questions'));
  await visitor.checkAccessible('questions-for-new-customers');
  await visitor.submit('Save and continue', { No: true });
  assert.equal(visitor.path, `${world.site}/events/${event}`);
  assert.match(await text(visitor), /Welcome!/);
  await visitor.open(at('questions'));
  assert.equal(visitor.path, at('profile'), 'answered once');
  const { status } = await world.patch(`/customer_fields/${field}`, { as: world.machine, body: { archived: true } });
  assert.equal(status, 200);
  await visitor.close();
});

test('people see and change their answers in their account, and answer a form again', async () => {
  const shown = await made('/customer_fields', {
    type: 'choice',
    label: 'Size',
    full_text: 'T-shirt size',
    choices: ['S', 'M'].map((value, order) => ({ value, order })),
    show_on_customer_profile: true,
  });
  const { visitor, customer } = await someone();
  const values = [{ field: ids.short_text, customer, value: 'Ben' }];
  const short = await made('/customer_forms', { name: 'Contact', fields: [ids.short_text] });
  const sent = await world.post('/customer_form_submissions', {
    as: world.customer(customer),
    body: { form: short, customer, values },
  });
  assert.ok(sent.status < 300, sent.text);
  await visitor.open(at('profile/settings'));
  await visitor.follow('See and change');
  await visitor.submit('Save answers', { M: true });
  assert.match(await text(visitor), /Your answers are saved\..*Contact Answered on/);
  await visitor.checkAccessible('about-you');
  const { body } = await world.get(`/customer_field_values?field=${shown}&customers=${customer}`, {
    as: world.machine,
  });
  assert.equal(body.results[0].value, 'M');
  await visitor.submit('Save answers', { 'No answer': true });
  const after = await world.get(`/customer_field_values?field=${shown}&customers=${customer}`, { as: world.machine });
  assert.deepEqual(after.body.results, []);
  await visitor.follow('Answer again');
  await visitor.submit('Save and continue', { 'Whom can we call?': 'Cem' });
  assert.equal(visitor.path, at('profile/about'));
  assert.equal((await answersOf(customer)).short_text, 'Cem');
  await visitor.close();
});

test('a guest answers the questions of a class on the page where they book', async () => {
  const own = await newPlace(world);
  const [field] = [await made('/customer_fields', { type: 'integer', label: 'Height in cm', is_required: true })];
  await made('/customer_forms', {
    name: 'Boat',
    fields: [field],
    offering_types_applies_to: 'only',
    offering_types: [own.offering],
  });
  const changed = await world.patch(`/providers/${world.harbour}`, {
    as: world.machine,
    body: { booking_site: { sells_to_guests: true } },
  });
  assert.equal(changed.status, 200, changed.text);
  const { id: event } = await newEvent(world, own, { name: 'Open day' });
  const visitor = await new PageBrowser(world.url).visitor();
  await visitor.open(`${world.site}/events/${event}/guest`);
  await visitor.checkAccessible('guest-with-questions');
  const guest = { 'First name': 'Cem', 'Last name (optional)': 'Demir', 'Email address': 'cem.guest@example.com' };
  await visitor.submit('Book', { ...guest, 'Height in cm': 'tall' });
  assert.match(await text(visitor), /Height in cm: Must be a whole number\./);
  await visitor.submit('Book', { 'Height in cm': '180' });
  assert.match(visitor.path, /guest\/check-mail|check-mail/);
  const found = await world.get('/customers?query=cem.guest@example.com', { as: world.machine });
  const values = await world.get(`/customer_field_values?customers=${found.body.results[0].id}`, { as: world.machine });
  assert.deepEqual(
    values.body.results.map((one: any) => one.value),
    [180],
  );
  await visitor.close();
});
