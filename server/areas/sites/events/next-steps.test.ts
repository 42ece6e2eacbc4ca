/** From the page of an event: signing up without losing the event, and where refusals lead. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Mailbox } from '../../../test/outside/mailbox.ts';
import { MembershipWorld } from '../../../test/worlds/membership-world.ts';
import { newEvent, newOffering, newPlace, type Place } from '../../../test/schedule-world.ts';
import { PageClient } from '../../../test/pages/page-client.ts';
import { createUser } from '../../people/identity/index.ts';
import { startWorld, type World } from '../../../test/world.ts';

const PASSWORD = 'otter kettle midnight ferry';

let mailbox: Mailbox;
let world: World;
let place: Place;
before(async () => {
  mailbox = await Mailbox.start();
  world = await startWorld({
    worker: true,
    env: { SMTP_URL: mailbox.url, MAIL_FROM: 'Rollcall <mail@rollcall.example>' },
  });
  place = await newPlace(world);
});
after(async () => {
  await world?.close();
  await mailbox?.close();
});

const at = (page: string) => `/account/${world.harbour}/${page}`;
const eventPage = (id: number) => `/harbour/events/${id}`;
/** Returns the address in emails, which redirects to the page. */
const mailed = (id: number) => at(`events/${id}`);
const plain = (text: string) =>
  text
    .slice(text.indexOf('<main'))
    .replaceAll(/<span class="deal">[^<]*<\/span>/g, '')
    .replaceAll(/<[^>]+>/g, ' ')
    .replaceAll(/&#39;|’/g, "'")
    .replaceAll(/\s+/g, ' ');
const hidden = (text: string, name: string) =>
  new RegExp(`name="${name}" value="([^"]*)"`).exec(text)?.[1].replaceAll('&amp;', '&') ?? '';

/** Signs up from the page of an event; returns where the form led. */
async function signUpFrom(visitor: PageClient, event: number, email: string) {
  const { text } = await visitor.get(eventPage(event));
  const logIn = await visitor.get(`${at('log-in')}?return_to=${hidden(text, 'return_to')}`);
  const [, way] = /href="(\/account\/\d+\/sign-up\?[^"]+)"/.exec(logIn.text)!;
  const form = await visitor.get(way.replaceAll('&amp;', '&'));
  assert.equal(hidden(form.text, 'return_to'), eventPage(event));
  return visitor.post(at('sign-up'), {
    first_name: 'Ada',
    last_name: '',
    email,
    password: PASSWORD,
    return_to: eventPage(event),
  });
}

test('a person who signs up from the page of an event returns to it once the address is confirmed, and books', async () => {
  const { id } = await newEvent(world, place);
  const visitor = new PageClient(world.url);
  assert.equal((await signUpFrom(visitor, id, 'ada@example.com')).status, 303);
  const link = await mailbox.link(world, 'ada@example.com', /Confirm/, 'confirm');
  // The email may be opened in another browser.
  const other = new PageClient(world.url);
  const { text } = await other.get(link);
  const done = await other.post(at('confirm'), {
    password: PASSWORD,
    ticket: hidden(text, 'ticket'),
    return_to: hidden(text, 'return_to'),
  });
  assert.equal(done.headers.get('location'), `${eventPage(id)}?done=welcome`);
  const back = await other.get(done.headers.get('location')!);
  assert.match(plain(back.text), /Your email address is confirmed\. Welcome! .*You're not booked yet Book/);
  const customer = hidden(back.text, 'customer');
  assert.equal(
    (await other.post(`${eventPage(id)}/book`, { customer })).headers.get('location'),
    `${eventPage(id)}?done=booked`,
  );
});

test('a person who signs up with an address that has an account is led back too, by a log-in and by a new password', async () => {
  await world.app.db.acrossTenants('a test has an account', (tx) =>
    createUser(tx, { email: 'known@example.com', password: PASSWORD }),
  );
  const { id } = await newEvent(world, place);
  await signUpFrom(new PageClient(world.url), id, 'known@example.com');
  const { text } = await mailbox.next('known@example.com', /already have an account/);
  const links = [...text.matchAll(/https?:\/\/\S+/g)].map(([url]) => new URL(url));
  assert.deepEqual(
    links.map((l) => [l.pathname.split('/').at(-1), l.searchParams.get('return_to')]),
    [
      ['log-in', eventPage(id)],
      ['reset-password', eventPage(id)],
    ],
  );
});

// Guards against: Pages that are framed, run scripts, or lead people elsewhere
test('an email leads back only to pages of the same business, without their query', async () => {
  const sent = async (return_to: string, email: string) => {
    const visitor = new PageClient(world.url);
    await visitor.get(at('sign-up'));
    await visitor.post(at('sign-up'), { first_name: 'Eve', email, password: PASSWORD, return_to });
    return new URL(await mailbox.link(world, email, /Confirm/, 'confirm'), world.url).searchParams.get('return_to');
  };
  const cases: [string, string | null][] = [
    ['https://evil.example/', null],
    [`/account/${world.meadow}/profile`, null],
    ['/api/v2/auth/oauth/authorize?client_id=x', null],
    [`${at('purchase')}?ticket=secret`, at('purchase')],
  ];
  for (const [i, [return_to, kept]] of cases.entries())
    assert.equal(await sent(return_to, `eve${i}@example.com`), kept, return_to);
});

test('all errors of a sign-up are shown in one round, including the password, and optional fields may be left out', async () => {
  const visitor = new PageClient(world.url);
  await visitor.get(at('sign-up'));
  const wrong = await visitor.post(at('sign-up'), { first_name: '', email: 'nobody', password: 'password12' });
  assert.equal(wrong.status, 422);
  assert.match(plain(wrong.text), /There are problems First name: .* Email address: .* Password: /);
  assert.doesNotMatch(wrong.text, /password12/);
  assert.match(plain(wrong.text), /Last name \(optional\)/);
});

/** Creates a customer who is logged in. */
let people = 0;
async function someone(): Promise<{ id: number; visitor: PageClient }> {
  const email = `person${++people}@example.com`;
  const userId = await world.app.db.acrossTenants('a test has an account', (tx) =>
    createUser(tx, { email, password: PASSWORD, firstName: 'Ada' }),
  );
  const visitor = new PageClient(world.url);
  await visitor.get(at('log-in'));
  await visitor.post(at('log-in'), { email, password: PASSWORD });
  return { id: await world.newCustomer({ user_id: userId, email, first_name: 'Ada' }), visitor };
}

test('a person without a membership is shown those that pay for the event, buys one, and returns with the event booked', async () => {
  const m = await MembershipWorld.of(world);
  const [free, priced] = [
    await m.pack(3, { one_time_fee: '0.00', name: 'Trial' }),
    await m.pack(10, { name: 'Ten times' }),
  ];
  await m.recurring([], { price: '49.00' });
  const { id } = await newEvent(world, m.place);
  const ada = await someone();
  const shown = await ada.visitor.get(eventPage(id));
  assert.match(
    plain(shown.text),
    /A membership is needed to book this class\. You can get one of these: .* 2 more Get Trial: Free .* 9 more Get Ten times: \$120\.00 .* until you end it Get Club: \$49\.00 per month/,
  );
  assert.doesNotMatch(plain(shown.text), /\bSell\b|comped/);
  const visited = (await new PageClient(world.url).get(eventPage(id))).text;
  assert.match(
    plain(visited),
    /Price With a membership .*You need one of these: .*Trial : Free Ten times : \$120\.00 Club : \$49\.00 per month/,
  );
  assert.ok(visited.includes(`href="/harbour/memberships/${priced}"`));
  const me = String(ada.id);
  const begun = await ada.visitor.post(`${eventPage(id)}/buy`, { customer: me, membership: String(free), plan: '' });
  assert.equal(begun.status, 303, plain(begun.text) + plain(shown.text));
  assert.match(begun.headers.get('location')!, /\/checkout\?ticket=/);
  const page = await ada.visitor.get(begun.headers.get('location')!);
  assert.match(plain(page.text), /Trial .*Free Rowing .*Paid with a membership/);
  const bought = await ada.visitor.post(at('checkout/pay'), {
    ticket: hidden(page.text, 'ticket'),
    terms: hidden(page.text, 'terms'),
    due: hidden(page.text, 'due'),
  });
  assert.equal(bought.status, 303, plain(bought.text));
  const receipt = await ada.visitor.get(bought.headers.get('location')!);
  assert.ok(receipt.text.includes(`href="${mailed(id)}?done=bought"`), receipt.text);
  assert.match(
    plain((await ada.visitor.get(`${eventPage(id)}?done=bought`)).text),
    /Your purchase is complete\. .*You're booked/,
  );
  const bob = await someone();
  await bob.visitor.get(eventPage(id));
  const begunToo = { customer: String(bob.id), membership: String(priced), plan: '' };
  const offline = await bob.visitor.get(
    (await bob.visitor.post(`${eventPage(id)}/buy`, begunToo)).headers.get('location')!,
  );
  assert.match(plain(offline.text), /doesn't take payments online yet\. .*Go back to the class/);
  assert.ok(offline.text.includes(`href="${mailed(id)}"`));
});

test('nobody buys for somebody else, or a membership that is not offered for the event', async () => {
  const m = await MembershipWorld.of(world);
  const offered = await m.pack(3, { one_time_fee: '0.00' });
  const elsewhere = await (
    await MembershipWorld.of(world)
  ).pack(3, { one_time_fee: '0.00', visible_to_customers: false });
  const { id } = await newEvent(world, m.place);
  const [ada, eve] = [await someone(), await someone()];
  await ada.visitor.get(eventPage(id));
  for (const [customer, membership, plan] of [
    [eve.id, offered, ''],
    [ada.id, elsewhere, ''],
    [ada.id, 999_999, ''],
    [ada.id, offered, '7'],
    ['x', offered, ''],
    [ada.id, '1 OR 1', ''],
  ]) {
    assert.equal(
      (
        await ada.visitor.post(`${eventPage(id)}/buy`, {
          customer: String(customer),
          membership: String(membership),
          plan: String(plan),
        })
      ).status,
      404,
      `${customer} ${membership} ${plan}`,
    );
  }
});

test('an event that cannot be booked links to the next times of the same offering, and to a contact', async () => {
  await world.patch(`/providers/${world.harbour}`, {
    as: world.machine,
    body: { contact_info: { email: 'desk@harbour.example', phone_number: '+1 555 0100' } },
  });
  const there = { ...place, offering: await newOffering(world, { registrations_close_interval: 60 * 60 }) };
  const [one, two] = [
    await newEvent(world, there, { in: 50, name: 'Juniors' }),
    await newEvent(world, there, { in: 74, name: 'Juniors again' }),
  ];
  const ada = await someone();
  const text = (await ada.visitor.get(eventPage(one.id))).text;
  assert.match(plain(text), /This class could be booked until .* See other times Other times Juniors again/);
  assert.ok(text.includes(`href="${eventPage(two.id)}"`));
  await world.post(`/events/${one.id}/cancel`, { as: world.machine, body: {} });
  assert.match(
    plain((await new PageClient(world.url).get(eventPage(one.id))).text),
    /Cancelled .*Other times Juniors again/,
  );
  const young = { ...place, offering: await newOffering(world, { min_allowed_age: 8 }) };
  const [alone] = [await newEvent(world, young, { in: 50 }), await newEvent(world, young, { in: 52 })];
  assert.match(
    plain((await ada.visitor.get(eventPage(alone.id))).text),
    /no date of birth on record\. Ask the business to add it\. Questions\? Ask Harbour\. Write to Harbour Call \+1 555 0100 /,
  );
  const soon = await newEvent(
    world,
    { ...place, offering: await newOffering(world, { registrations_open_interval: 60 }) },
    { in: 100 },
  );
  const early = (await ada.visitor.get(eventPage(soon.id))).text;
  assert.match(plain(early), /This class can be booked from .* Until then, you can keep it in mind: Add to calendar/);
  assert.match(plain((await new PageClient(world.url).get(eventPage(soon.id))).text), /This can be booked from \w+, /);
  const late = { ...place, offering: await newOffering(world, { registrations_close_interval: 60 * 60 }) };
  const last = (await ada.visitor.get(eventPage((await newEvent(world, late, { in: 50 })).id))).text;
  assert.match(plain(last), /There are no other times yet\. See what else is on: See the timetable/);
  const open = await newEvent(world, place);
  assert.doesNotMatch(
    plain((await ada.visitor.get(eventPage(open.id))).text),
    /Other times/,
    'where this one can be booked, nothing distracts from it',
  );
});

test('each refusal offers its next step as a button', async () => {
  const ada = await someone();
  /** Returns the buttons that lead on, by their texts. */
  const ways = async (event: number) => {
    const { text } = await ada.visitor.get(eventPage(event));
    return new Map(
      [...text.matchAll(/<a class="button quiet" href="([^"]+)">([^<]+)<\/a>/g)].map(([, href, label]) => [
        label,
        href,
      ]),
    );
  };
  // Full: the waitlist has a form of its own, and other times are below.
  const there = { ...place, offering: await newOffering(world) };
  const full = await newEvent(world, there, { max_occupancy: 1 });
  await newEvent(world, there, { in: 50 });
  await world.post(`/events/${full.id}/register`, {
    as: world.machine,
    body: { customer: await world.newCustomer() },
  });
  assert.equal((await ways(full.id)).get('See other times'), '#times-title');
  assert.match((await ada.visitor.get(eventPage(full.id))).text, /<button>Join the waitlist<\/button>/);
  // Too young or without a date of birth: the business helps.
  const young = { ...place, offering: await newOffering(world, { min_allowed_age: 8 }) };
  const asked = await ways((await newEvent(world, young)).id);
  assert.equal(asked.get('Write to Harbour'), 'mailto:desk@harbour.example');
  assert.equal(asked.get('Call +1 555 0100'), 'tel:+15550100');
  // Blocked by staff: nothing that is for sale helps.
  const paid = await newEvent(world, { ...place, offering: await newOffering(world, { dropin_price_minor: 1500 }) });
  const block = { customer: ada.id, reason: 'Owes a towel.' };
  assert.equal((await world.post('/customer_registration_blocks', { as: world.machine, body: block })).status, 201);
  assert.deepEqual([...(await ways(paid.id)).keys()], ['Write to Harbour', 'Call +1 555 0100']);
  assert.doesNotMatch((await ada.visitor.get(eventPage(paid.id))).text, /memberships and prices|Get Ten times/);
});
