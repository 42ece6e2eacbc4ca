import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { DOT } from './test/seeds.ts';
import { newEvent, newPlace, row } from '../../../test/schedule-world.ts';
import { readSigningLink } from './signing-link.ts';
import { sql } from '../../../kernel/base/db/sql.ts';
import { startWorld, type Ask, type World } from '../../../test/world.ts';

let world: World;
before(async () => {
  world = await startWorld();
});
after(() => world.close());

type Method = 'post' | 'patch' | 'get' | 'put';

async function done(method: Method, path: string, body?: unknown, as = world.machine): Promise<any> {
  const answer = await world[method](path, { as, body } as Ask);
  assert.ok(answer.status < 300, `${method} ${path}: ${answer.text}`);
  return answer.body;
}

async function refused(method: Method, path: string, body?: unknown, as = world.machine): Promise<any> {
  const answer = await world[method](path, { as, body } as Ask);
  assert.ok(answer.status >= 400 && answer.status < 500, `${method} ${path}: ${answer.status} ${answer.text}`);
  return { status: answer.status, ...answer.body };
}

const DAY = 86_400_000;

async function newWaiver(over: object = {}): Promise<any> {
  const type = await row(world, 'offering_type', { name: 'Climbing' });
  const body = { name: 'Liability', text: 'I climb at my own risk.', if_unsigned: 'show_at_door' };
  return done('post', '/waivers', { ...body, offering_types_applies_to: 'only', offering_types: [type], ...over });
}

const sign = (waiver: { id: number }, over: object, as = world.machine) =>
  done('post', '/waiver_agreements', { waiver: waiver.id, ...over }, as);

async function unsigned(query: string): Promise<[number, string][]> {
  const { results } = await done('get', `/unsigned_waivers?${query}`);
  return results.map((one: any) => [one.waiver.id, one.signed_by]);
}

async function download(id: number, as = world.machine): Promise<Buffer> {
  const answer = await world.get(`/waiver_agreements/${id}/download`, { as });
  assert.equal(answer.status, 200, answer.text);
  return Buffer.from(answer.text, 'latin1');
}

test('a typed and a drawn signature are kept with their time, version and document', async () => {
  const waiver = await newWaiver();
  const customer = await world.newCustomer({ first_name: 'Ada', last_name: 'King' } as never);
  const me = world.customer(customer);
  const typed = await sign(waiver, {}, me);
  assert.deepEqual(
    [typed.customer, typed.signer_name, typed.signature_image, typed.version, typed.by_customer, typed.by_staff],
    [customer, 'Ada King', null, 1, null, null],
  );
  assert.equal((await download(typed.id, me)).subarray(0, 5).toString(), '%PDF-');
  const drawn = await sign(waiver, { signature_image: DOT }, me);
  assert.match(drawn.signature_image, new RegExp(`/api/v2/waiver_agreements/${drawn.id}/signature$`));
  const picture = await world.get(`/waiver_agreements/${drawn.id}/signature`, { as: me });
  assert.equal(picture.status, 200);
  await download(drawn.id);
  const stranger = world.customer(await world.newCustomer());
  assert.equal((await refused('get', `/waiver_agreements/${drawn.id}/download`, undefined, stranger)).status, 404);
  assert.equal((await refused('get', `/waiver_agreements/${typed.id}/signature`, undefined, me)).status, 404);
});

test('a guardian signs for a child, and nobody signs with the name of the child', async () => {
  const waiver = await newWaiver();
  const family_id = await row(world, 'family', {});
  const names = { first_name: 'Finn', last_name: 'Berg', date_of_birth: '2018-05-01' };
  const parent = await world.newCustomer({ family_id, family_role: 'manager', first_name: 'Mia' } as never);
  const child = await world.newCustomer({ family_id, family_role: 'child', ...names } as never);
  const signed = await sign(waiver, { customer: child }, world.customer(parent));
  assert.deepEqual([signed.customer, signed.by_customer], [child, parent]);
  for (const body of [{}, { signer_name: ' finn  BERG ' }]) {
    const alone = await refused('post', '/waiver_agreements', { waiver: waiver.id, customer: child, ...body });
    assert.match(alone.field_errors.signer_name[0], /parent or guardian/);
  }
  assert.equal((await sign(waiver, { customer: child, signer_name: 'Mia Berg' })).signer_name, 'Mia Berg');
});

test('what is wrong with a signature is refused by name', async () => {
  const drawn = await newWaiver({ signature_image_required: true });
  const customer = await world.newCustomer();
  for (const [body, field] of [
    [{ customer }, 'signature_image'],
    [{ customer, signature_image: Buffer.from('no picture').toString('base64') }, 'signature_image'],
    [{}, 'customer'],
    [{ customer, language: 'xx' }, 'language'],
  ] as const)
    assert.deepEqual(
      Object.keys((await refused('post', '/waiver_agreements', { waiver: drawn.id, ...body })).field_errors),
      [field],
    );
  const old = await refused('post', '/waiver_agreements', { waiver: drawn.id, customer, version: 2 });
  assert.equal(old.code, 'conflict');
  await done('patch', `/waivers/${drawn.id}`, { status: 'Archived' });
  const late = await refused('post', '/waiver_agreements', { waiver: drawn.id, customer, signature_image: DOT });
  assert.equal(late.code, 'conflict');
  for (const [body, field] of [
    [{ offering_types_applies_to: 'all' }, 'offering_types'],
    [{ valid_for: 'a year' }, 'valid_for'],
    [{ text: '' }, 'text'],
  ] as const)
    assert.deepEqual(Object.keys((await refused('post', '/waivers', { ...body, ...wording, ...body })).field_errors), [
      field,
    ]);
});

const wording = { name: 'Liability', text: 'At my own risk.', offering_types: [1] };

test('a waiver is read, sent back, and found by what it applies to', async () => {
  const waiver = await newWaiver({ memberships_applies_to: 'all', valid_for: 'P1Y' });
  assert.deepEqual(waiver.when_required, ['all_memberships']);
  assert.deepEqual(await done('put', `/waivers/${waiver.id}`, waiver), waiver);
  const found = async (query: string) =>
    (await done('get', `/waivers?${query}`)).results.some((one: any) => one.id === waiver.id);
  assert.deepEqual(
    [await found('applicable_to=all_memberships'), await found('applicable_to=all_offering_types')],
    [true, false],
  );
  assert.deepEqual([await found('status=0'), await found('status=2')], [true, false]);
  const { results } = await done('get', `/offering_types?waivers=${waiver.id}`);
  assert.equal(results.length, 1);
});

test('a booking is refused until the waiver is signed, with the page that leads on', async () => {
  const place = await newPlace(world);
  const waiver = await newWaiver({ offering_types: [place.offering], if_unsigned: 'refuse_booking' });
  const shown = await newWaiver({ offering_types: [place.offering] });
  const { id: event } = await newEvent(world, place);
  const customer = await world.newCustomer();
  const me = world.customer(customer);
  const path = `/events/${event}/register`;
  const answer = await refused('post', path, {}, me);
  assert.deepEqual(
    answer.requirements.map(({ kind, id, customer: whose, by, before: until }: any) => [kind, id, whose, by, until]),
    [['waiver', waiver.id, customer, 'customer', 'booking']],
  );
  assert.match(answer.requirements[0].url, new RegExp(`/account/${world.harbour}/waivers/${waiver.id}/${customer}$`));
  await sign(waiver, {}, me);
  await done('post', path, {}, me);
  assert.deepEqual(await unsigned(`event=${event}`), [[shown.id, 'customer']], 'the door shows the other one');
});

test('a new text is signed again unless it says otherwise, and a signature ends with its time', async () => {
  const place = await newPlace(world);
  const waiver = await newWaiver({ offering_types: [place.offering], valid_for: 'P30D' });
  const { id: event } = await newEvent(world, place);
  const customer = await world.newCustomer();
  await done('post', `/events/${event}/register`, { customer });
  const missing = async () => (await unsigned(`customers=${customer}&waiver=${waiver.id}`)).length;
  assert.equal(await missing(), 1);
  const first = await sign(waiver, { customer });
  assert.equal(await missing(), 0);
  await done('patch', `/waivers/${waiver.id}`, { text: 'At my own risk!', ask_again: false });
  assert.equal(await missing(), 0);
  await done('patch', `/waivers/${waiver.id}`, { text: 'At nobody’s risk.' });
  assert.equal(await missing(), 1);
  const again = await sign(waiver, { customer });
  assert.deepEqual([first.version, again.version], [1, 3]);
  assert.equal(await missing(), 0);
  const { results } = await done('get', `/waiver_agreements?customer=${customer}&waiver=${waiver.id}`);
  assert.deepEqual(results.map((one: any) => one.version).toSorted(), [1, 3], 'no signature is lost');
  await world.setNow(world.now + 30 * DAY);
  assert.deepEqual(await unsigned(`event=${event}&waiver=${waiver.id}`), [[waiver.id, 'customer']]);
});

test('a link to sign belongs to one customer and ends after two days', async () => {
  const customer = await world.newCustomer();
  const { url } = await done('get', `/customers/${customer}/signing_link`);
  const ticket = url.split('/').at(-1);
  const { box } = world.app.installation;
  assert.equal(readSigningLink(box, world.harbour, ticket, world.now), customer);
  assert.equal(readSigningLink(box, world.harbour, ticket, world.now + 3 * DAY), null);
  assert.equal(readSigningLink(box, world.meadow, ticket, world.now), null);
  assert.equal(readSigningLink(box, world.harbour, `${customer + 1}${ticket.slice(String(customer).length)}`, 0), null);
});

test('nobody is checked in before they have signed, if the business says so', async () => {
  await done('patch', '/checkins/settings', { enabled: true, granularity: 'business' });
  const place = await newPlace(world);
  const waiver = await newWaiver({ offering_types: [place.offering], if_unsigned: 'refuse_check_in' });
  const { id: event } = await newEvent(world, place);
  const customer = await world.newCustomer();
  await done('post', `/events/${event}/register`, {}, world.customer(customer));
  const body = { customer, venue: place.venue, date: new Date(world.now).toISOString().slice(0, 10) };
  const { code, requirements } = await refused('post', '/checkins', body);
  assert.deepEqual([code, requirements.map(({ id }: any) => id)], ['requirements_missing', [waiver.id]]);
  await sign(waiver, { customer });
  await done('post', '/checkins', body);
});

/** Returns the emails that ask a customer to sign. */
const asked = (customer: number): Promise<{ subject: string; text: string }[]> =>
  world.work(world.harbour, ({ tx }) =>
    tx.rows(sql`SELECT subject, text_part AS text FROM message
      WHERE provider_id = ${world.harbour} AND customer_id = ${customer} AND kind = 'signing_requested'`),
  );

test('staff email the link once a day, and it opens the page of that customer without a log-in', async () => {
  const waiver = await newWaiver({ name: 'Ropes' });
  await done('patch', `/waivers/${waiver.id}`, { at_signup: true });
  const customer = await world.newCustomer({
    first_name: 'Ada',
    last_name: 'King',
    email: 'ada.signs@example.com',
  } as never);
  const send = `/customers/${customer}/send_signing_link`;
  const preview = await done('post', `${send}?dry_run=true`, {});
  assert.deepEqual(
    preview.effects.filter(({ effect }: any) => effect === 'message_sent').map(({ detail }: any) => detail.people),
    [1],
  );
  assert.deepEqual(await asked(customer), []);
  await done('post', send, {});
  const [mail] = await asked(customer);
  assert.match(mail.subject, /“Ropes”/);
  const ticket = /\/sign\/([^\s"<]+)/.exec(mail.text)![1];
  assert.equal(readSigningLink(world.app.installation.box, world.harbour, ticket, world.now + 13 * DAY), customer);
  assert.equal(readSigningLink(world.app.installation.box, world.harbour, ticket, world.now + 15 * DAY), null);
  assert.match((await refused('post', send, {})).message, /there was one today already/);
  await sign(waiver, { signer_name: 'Ada King' }, world.customer(customer));
  assert.match((await refused('post', send, {})).message, /signed everything/);
  const other = await world.newCustomer();
  assert.equal((await world.post(send, { as: world.customer(other), body: {} })).status, 403);
  await done('patch', `/waivers/${waiver.id}`, { at_signup: false });
});
