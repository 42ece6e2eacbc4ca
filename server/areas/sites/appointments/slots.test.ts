/** The pages of free times, requested like search engines, old links and people who are logged in do. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { LANGUAGES } from '../../../kernel/base/languages/languages.ts';
import { makeCustomer, newMember, PASSWORD } from '../../../test/worlds/direct-auth-world.ts';
import { newPractice, slotsOf } from '../../../test/worlds/slot-world.ts';
import { MembershipWorld } from '../../../test/worlds/membership-world.ts';
import { PageClient } from '../../../test/pages/page-client.ts';
import { row } from '../../../test/schedule-world.ts';
import { sql } from '../../../kernel/base/db/sql.ts';
import { startWorld, type World } from '../../../test/world.ts';

let world: World;
let slug: string;
before(async () => {
  world = await startWorld();
  slug = (await world.get(`/providers/${world.harbour}?fields=booking_site`)).body.booking_site.slug;
});
after(() => world.close());

const timePage = (id: string): string => `/${slug}/book/time/${id}`;

const seen = (path: string, headers: Record<string, string> = {}) => {
  const visitor = new PageClient(world.url);
  visitor.headers = { accept: 'text/html', ...headers };
  return visitor.get(path);
};

test('offerings that are booked by the time are listed with their next free time, and found by search engines', async () => {
  const { offering } = await newPractice(world, { name: 'Deep tissue', dropin_price_minor: 7000 });
  const list = await seen(`/${slug}/book`, { 'accept-language': 'en-GB' });
  assert.equal(list.status, 200, list.text);
  assert.match(list.text, /Deep tissue[^]*Next free time: \w+,? \d+ \w+, \d\d:\d\d/);
  assert.equal(list.headers.get('x-robots-tag'), null);
  const times = await seen(`/${slug}/book/${offering}`);
  assert.match(times.text, /60 minutes · \$70\.00/);
  assert.match(times.text, new RegExp(`<link rel="canonical" href="${world.url}/${slug}/book/${offering}">`));
  assert.match(times.text, /"@type":"Service","name":"Deep tissue"/);
  assert.doesNotMatch(times.text, /noindex/);
  assert.match((await seen(`/${slug}/book/${offering}?with=1`)).text, /noindex, follow/);
});

test("days, times and amounts are in the reader's format in every language", async () => {
  const { offering, date } = await newPractice(world, { dropin_price_minor: 7000 });
  for (const [language, price] of [
    ['de', /70,00/],
    ['fr', /70,00/],
    ['en-US', /\$70\.00/],
  ] as const) {
    const { text } = await seen(`/${slug}/book/${offering}?day=${date}`, { 'accept-language': language });
    assert.match(text, price, language);
    assert.match(text, language === 'en-US' ? /9:00.AM/ : />09:00</, language);
  }
  const [slot] = await slotsOf(world, { offering, date });
  for (const language of Object.keys(LANGUAGES)) {
    const { status, text } = await seen(`/${slug}/book/time/${slot.id}?lang=${language}`);
    assert.equal(status, 200);
    assert.match(text, new RegExp(`<html lang="${language}`));
    assert.match(text, /noindex/);
  }
});

test('addresses below the account pages redirect to the site, with everything that was chosen', async () => {
  const { offering, date } = await newPractice(world);
  const [slot] = await slotsOf(world, { offering, date });
  const old = `/account/${world.harbour}/slots`;
  for (const [from, to] of [
    [old, '/book'],
    [`${old}?offering_type=${offering}&day=${date}&move=7`, `/book/${offering}?day=${date}&move=7`],
    [`${old}/${slot.id}?move=7`, `/book/time/${slot.id}?move=7`],
  ]) {
    const { status, headers } = await seen(from);
    assert.deepEqual([status, headers.get('location')], [303, `/${slug}${to}`], from);
  }
});

test('a business without a site has its free times below its account pages', async () => {
  const { offering, date } = await newPractice(world);
  const [slot] = await slotsOf(world, { offering, date });
  const called = (name: string | null) =>
    world.app.db.acrossTenants('a test takes the address of a business', (tx) =>
      tx.run(sql`UPDATE provider SET slug = ${name} WHERE provider_id = ${world.harbour}`),
    );
  const old = `/account/${world.harbour}/slots`;
  await called(null);
  try {
    const list = await seen(old);
    assert.match(list.text, new RegExp(`href="${old}/${offering}"`));
    assert.doesNotMatch(list.text, /profile\/(?:timetable|book)/);
    const times = await seen(`${old}/${offering}?day=${date}`);
    assert.match(times.text, new RegExp(`href="${old}/time/`));
    assert.equal((await seen(`${old}/time/${slot.id}`)).status, 200);
    assert.equal((await seen(`${old}/${slot.id}`)).headers.get('location'), `${old}/time/${slot.id}`);
  } finally {
    await called(slug);
  }
});

test('another kind of offering, an invalid time and an invalid day show pages with a link to continue', async () => {
  const { offering } = await newPractice(world);
  for (const path of ['book/999999999', 'book/time/none']) {
    const { status, text } = await seen(`/${slug}/${path}`);
    assert.equal(status, 404, path);
    assert.match(text, new RegExp(`There are no times here[^]*href="/${slug}/book"`), path);
  }
  const { status, text } = await seen(`/${slug}/book/${offering}?day=2026-02-30`);
  assert.equal(status, 200);
  assert.match(text, /class="times"/);
});

test('nobody books for somebody whom they don’t act for, and a time that is taken leads to others', async () => {
  const { offering, date } = await newPractice(world);
  const [first, second] = await slotsOf(world, { offering, date });
  const member = await newMember(world);
  const mine = await makeCustomer(world, member);
  const theirs = await world.newCustomer();
  const visitor = new PageClient(world.url);
  const logIn = `/account/${world.harbour}/log-in`;
  await visitor.get(logIn);
  await visitor.post(logIn, { email: member.email, password: PASSWORD });
  const page = `/${slug}/book/time/${first.id}`;
  assert.match((await visitor.get(page)).text, /It costs nothing\./);
  for (const customer of [String(theirs), '0', ''])
    assert.equal((await visitor.post(`${page}/book`, { customer })).status, 404, customer);
  const booked = await visitor.post(`${page}/book`, { customer: String(mine) });
  assert.equal(booked.status, 303, booked.text);
  assert.match(booked.headers.get('location')!, /\/events\/\d+\?done=booked$/);
  await visitor.get(`/${slug}/book/time/${second.id}`);
  await world.post(`/slots/${second.id}/register`, { as: world.machine, body: { customer: theirs } });
  const late = await visitor.post(`/${slug}/book/time/${second.id}/book`, { customer: String(mine) });
  assert.equal(late.status, 422);
  assert.match(late.text, /This time is no longer free[^]*See free times/);
  // The response to a form can be read in another language at its own address.
  assert.match(late.text, new RegExp(`href="/${slug}/book/time/${second.id}\\?lang=de"`));
  assert.equal((await visitor.get(`/${slug}/book/time/${second.id}/book`)).status, 303);
});

test('the page of a free time offers each membership that pays with what is left of it, and the single price', async () => {
  const practice = await newPractice(world, { allows_dropins: true, dropin_price_minor: 7000 });
  const m = new MembershipWorld(world, practice, await row(world, 'membership_category', { name: 'Massages' }));
  const member = await newMember(world);
  const mine = await makeCustomer(world, member);
  await m.give(mine, await m.pack(5));
  const { id: ten } = await m.give(mine, await m.pack(10));
  const [slot, other] = await slotsOf(world, practice);
  const visitor = new PageClient(world.url);
  const logIn = `/account/${world.harbour}/log-in`;
  await visitor.get(logIn);
  await visitor.post(logIn, { email: member.email, password: PASSWORD });
  const text = (await visitor.get(timePage(slot.id))).text.replaceAll(/<[^>]+>/g, ' ').replaceAll(/\s+/g, ' ');
  assert.match(
    text,
    /4 visits are left after this Book with Pack of 5 \(5 left\) 9 visits are left after this Book with Pack of 10 \(10 left\) You pay \$70\.00 for this time only Continue to pay: \$70\.00/,
  );
  const send = (id: string, pays: string) => visitor.post(`${timePage(id)}/book`, { customer: String(mine), pays });
  for (const pays of ['0', 'other']) assert.equal((await send(slot.id, pays)).status, 404, pays);
  assert.match((await send(slot.id, String(ten))).headers.get('location')!, /\?done=booked$/);
  assert.equal(await m.used(ten), 1);
  await visitor.get(timePage(other.id));
  assert.match((await send(other.id, 'single')).headers.get('location')!, /\/checkout\?ticket=/);
});

test('somebody who lacks a membership for a free time can get one or ask, and a refusal leads to other times', async () => {
  const practice = await newPractice(world);
  const m = new MembershipWorld(world, practice, await row(world, 'membership_category', { name: 'Rubs' }));
  await m.pack(5);
  const contact = { contact_info: { email: 'desk@harbour.example', phone_number: '+14165550100' } };
  const patched = await world.patch(`/providers/${world.harbour}`, { as: world.machine, body: contact });
  assert.equal(patched.status, 200, patched.text);
  const member = await newMember(world);
  const mine = await makeCustomer(world, member);
  const [slot] = await slotsOf(world, practice);
  const visitor = new PageClient(world.url);
  const logIn = `/account/${world.harbour}/log-in`;
  await visitor.get(logIn);
  await visitor.post(logIn, { email: member.email, password: PASSWORD });
  const asks = /href="mailto:desk@harbour\.example">Write to [^]*href="tel:\+14165550100">Call /;
  const { text } = await visitor.get(timePage(slot.id));
  assert.match(text, new RegExp(`href="/${slug}/memberships">See [^<]* and prices</a>`));
  assert.match(text, asks);
  // A page with a form: this one has none.
  const [free] = await slotsOf(world, await newPractice(world));
  await visitor.get(timePage(free.id));
  const refused = await visitor.post(`${timePage(slot.id)}/book`, { customer: String(mine) });
  assert.equal(refused.status, 422);
  assert.match(refused.text, /class="problem"[^]*and prices<[^]*See other times/);
  assert.match(refused.text, asks);
});

test('a move that would be late by now, although the page said otherwise, changes nothing until it is confirmed', async () => {
  const { offering, date } = await newPractice(world, { cancellation_notice_interval: 24 * 60 });
  const slots = await slotsOf(world, { offering, date });
  await world.patch('/slots/settings', { as: world.machine, body: { late_reschedule: 'late_cancel' } });
  const member = await newMember(world);
  const mine = await makeCustomer(world, member);
  const register = { as: world.machine, body: { customer: mine } };
  const { event, attendance } = (await world.post(`/slots/${slots[0].id}/register`, register)).body;
  const now = Date.parse(slots[0].starts_at) - 12 * 3_600_000;
  const { id } = slots.at(-1)!;
  const visitor = new PageClient(world.url);
  const before = world.now;
  world.setNow(now);
  try {
    const [later] = (await slotsOf(world, { offering, date })).slice(-1);
    assert.notEqual(later.id, id, 'a slot has its time of expiry');
    const logIn = `/account/${world.harbour}/log-in`;
    await visitor.get(logIn);
    await visitor.post(logIn, { email: member.email, password: PASSWORD });
    const page = `/${slug}/book/time/${later.id}`;
    await visitor.get(`${page}?move=${event}`);
    const refused = await visitor.post(`${page}/move?move=${event}`, {});
    assert.equal(refused.status, 422, refused.text);
    const status = async () => (await world.get(`/attendances/${attendance}`, { as: world.machine })).body.status;
    assert.equal(await status(), 'registered');
    const confirmed = await visitor.post(`${page}/move?move=${event}`, { late: 'yes' });
    assert.equal(confirmed.status, 303, confirmed.text);
    assert.equal(await status(), 'late_cancelled');
  } finally {
    world.setNow(before);
    await world.patch('/slots/settings', { as: world.machine, body: { late_reschedule: 'refuse' } });
  }
});
