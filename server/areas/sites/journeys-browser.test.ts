/**
 * Journeys of people on a phone: each journey counts its taps and fails over its budget, and no screen shows a word
 * of the interface. `docs/jobs.md` lists the journeys with their budgets and today's figures.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { book, newEvent, newOffering, row } from '../../test/schedule-world.ts';
import { CheckoutWorld } from '../commerce/checkouts/test/world.ts';
import { makeCustomer, newMember, PASSWORD } from '../../test/worlds/direct-auth-world.ts';
import { readFileSync } from 'node:fs';
import { sql } from '../../kernel/base/db/sql.ts';
import { newCards, withCode } from '../commerce/gift-cards/test/cards.ts';
import { newPractice } from '../../test/worlds/slot-world.ts';
import { wallAt } from '../../kernel/base/values/zone.ts';
import { Mailbox } from '../../test/outside/mailbox.ts';
import { startWorld, type World } from '../../test/world.ts';
import { PageBrowser } from '../../test/pages/page-visitor.ts';
import { TestBrowser, type Visitor } from '../../test/pages/browser.ts';
import type { Locator } from 'playwright-core';

const PHONE = { width: 390, height: 844 };
/** People may cancel for free until a day before. */
const NOTICE_MINUTES = 24 * 60;

let mailbox: Mailbox;
let world: World;
let browser: TestBrowser;
/** The one of people whose scripts don't run. */
let plain: PageBrowser;
let c: CheckoutWorld;
before(async () => {
  mailbox = await Mailbox.start();
  const env = { SMTP_URL: mailbox.url, MAIL_FROM: 'Rollcall <mail@rollcall.example>' };
  world = await startWorld({ own: true, worker: true, env });
  browser = await TestBrowser.start(world.url);
  plain = new PageBrowser(world.url);
  c = await CheckoutWorld.of(world);
  const reserves = [{ until_minutes_before: null, action: 'reserve', claim_minutes: 60 }];
  const body = {
    name: 'Harbour',
    waitlist_settings: { waitlist_policy: reserves },
    booking_site: { sells_to_guests: true },
  };
  assert.equal((await world.patch(`/providers/${world.harbour}`, { as: world.machine, body })).status, 200);
  const cards = { is_enabled_customer_site: true, amount_choices: ['25.00', '50.00'] };
  assert.equal((await world.patch('/gift_cards/config', { as: world.machine, body: cards })).status, 200);
  await world.work(world.harbour, ({ tx }) =>
    tx.run(
      sql`UPDATE offering_type SET cancellation_notice_interval = ${NOTICE_MINUTES}
        WHERE provider_id = ${world.harbour} AND id = ${c.m.offering}`,
    ),
  );
});
after(async () => {
  await browser?.close();
  await c?.close();
  await mailbox?.close();
});

/** Words that only the interface has: `like_this`, or marked like code. */
const INTERFACE_WORD = /`|\b[a-z]+_[a-z_]+\b/;

/** A person with a phone, whose taps count from the first page, after the log-in if they have an account. */
class Journey {
  readonly customer: number;
  readonly visitor: Visitor;
  /** Without scripts, the pages are read and not drawn: they are the same ones. */
  readonly #isDrawn: boolean;
  taps = 0;

  private constructor(visitor: Visitor, customer: number, isDrawn: boolean) {
    this.visitor = visitor;
    this.customer = customer;
    this.#isDrawn = isDrawn;
  }

  static async begin(scripts: boolean): Promise<Journey> {
    const person = await newMember(world);
    const { visitor } = await Journey.ofStranger(scripts);
    const customer = await makeCustomer(world, person);
    await visitor.open(`/account/${world.harbour}/log-in`);
    await visitor.submit('Log in', { 'Email address': person.email, Password: PASSWORD });
    return new Journey(visitor, customer, scripts);
  }

  static async ofStranger(scripts: boolean): Promise<Journey> {
    if (!scripts) return new Journey((await plain.visitor()) as unknown as Visitor, 0, false);
    const visitor = await browser.visitor(undefined, { scripts });
    await visitor.page.setViewportSize(PHONE);
    return new Journey(visitor, 0, true);
  }

  async type(fields: Record<string, string>): Promise<void> {
    for (const [label, value] of Object.entries(fields))
      await this.visitor.page.getByLabel(label, { exact: true }).fill(value);
  }

  async open(path: string): Promise<void> {
    await this.visitor.open(path);
    await this.#look();
  }

  /** Taps what leads to the next screen. */
  async tap(what: Locator): Promise<void> {
    this.taps++;
    await this.visitor.leave(what);
    await this.#look();
  }

  button(name: string | RegExp): Locator {
    return this.visitor.page.getByRole('button', { name, exact: true });
  }

  link(name: string | RegExp): Locator {
    return this.visitor.page.getByRole('link', { name, exact: true });
  }

  /** Taps something that stays on the screen, for example a box to check. */
  async touch(what: Locator): Promise<void> {
    this.taps++;
    await what.click();
  }

  async sees(text: RegExp): Promise<void> {
    assert.match((await this.visitor.text()).replaceAll(/\s+/g, ' '), text);
  }

  /** The main button is on the screen without scrolling. */
  async isInSight(what: Locator): Promise<void> {
    if (!this.#isDrawn) return;
    const box = (await what.boundingBox())!;
    assert.ok(box.y >= 0 && box.y + box.height <= PHONE.height, `the button is at ${box.y}`);
  }

  async end(job: string): Promise<void> {
    this.arrived(job);
    await this.visitor.close();
  }

  /** Compares the taps with those of the journey; the next one counts from here. */
  arrived(job: string): void {
    const { budget, today } = figuresOf(job);
    assert.ok(this.taps <= budget, `${job}: ${this.taps} taps, the budget is ${budget}`);
    assert.equal(this.taps, today, `${job}: docs/jobs.md lists another figure of today`);
    this.taps = 0;
  }

  async #look(): Promise<void> {
    const text = await this.visitor.page.locator('body').innerText();
    assert.doesNotMatch(text, INTERFACE_WORD, this.visitor.path);
    if (!this.#isDrawn) return;
    const width = await this.visitor.page.evaluate<number>('document.documentElement.scrollWidth');
    assert.ok(width <= PHONE.width, `${this.visitor.path} is ${width} px wide`);
  }
}

const ROWS = readFileSync(new URL('../../../docs/jobs.md', import.meta.url), 'utf8')
  .split('\n')
  .filter((line) => line.startsWith('| '))
  .map((line) => line.split('|').map((cell) => cell.trim()));

/** Returns the taps of a journey in docs/jobs.md: at most, and today. */
function figuresOf(job: string): { budget: number; today: number } {
  const row = ROWS.find(([, name]) => name === job);
  assert.ok(row, `docs/jobs.md has no journey "${job}"`);
  return { budget: Number(row[2]), today: Number(row[3]) };
}

const statusOf = async (event: number, customer: number): Promise<string> =>
  (await c.read(`/attendances?event=${event}&customer=${customer}`)).results[0].status;

const bookedWithPack = async (journey: Journey, hours: number): Promise<number> => {
  await c.m.give(journey.customer, await c.m.pack(5, { name: 'Five visits' }));
  const event = await c.memberEvent({ in: hours, name: `Class in ${hours} hours` });
  assert.equal((await book(world, event, journey.customer)).status, 200);
  return event;
};

const newMethod = (customer: number, lastFour: string) =>
  row(world, 'payment_method', {
    customer_id: customer,
    payment_processor_id: c.sandbox,
    token: `card ${lastFour} of ${customer}`,
    type: 'credit_card',
    brand: 'Visa',
    holder: 'Ada',
    last_four: lastFour,
  });

const pay = (journey: Journey): Promise<void> => journey.tap(journey.button(/^Pay \$/));

for (const scripts of [false, true]) {
  const how = scripts ? 'with scripts' : 'without scripts';

  test(`a member books today's class with their pack, ${how}`, async () => {
    const journey = await Journey.begin(scripts);
    await c.m.give(journey.customer, await c.m.pack(5, { name: 'Five visits' }));
    const event = await c.memberEvent({ in: 2, name: `Today ${how}` });
    await journey.open('/harbour/timetable');
    await journey.tap(journey.link(new RegExp(`^Book: Today ${how}`)));
    const button = journey.button('Book with Five visits (5 left)');
    await journey.isInSight(button);
    await journey.tap(button);
    await journey.sees(/Booked\./);
    assert.equal(await statusOf(event, journey.customer), 'registered');
    await journey.end('Book a class with a pack');
  });

  test(`a new person books a class and pays for it, with their address, a code and a name, ${how}`, async () => {
    const journey = await Journey.ofStranger(scripts);
    const email = `nina-${scripts}@example.com`;
    const { id } = await newEvent(world, {
      ...c.m.place,
      offering: await newOffering(world, { dropin_price_minor: 2200 }),
    });
    await journey.open(`/harbour/events/${id}`);
    await journey.isInSight(journey.visitor.page.getByLabel('Email address'));
    await journey.type({ 'Email address': email });
    await journey.tap(journey.button('Continue'));
    await journey.sees(new RegExp(`We sent six digits to ${email}`));
    await journey.type({ 'Code from the email': await mailbox.code(world, email) });
    await journey.visitor.leave(journey.button('Continue'));
    await journey.type({ 'First name': 'Nina' });
    await journey.tap(journey.button('Continue'));
    const book_ = journey.button('Book: $22.00');
    await journey.isInSight(book_);
    await journey.tap(book_);
    await pay(journey);
    await journey.sees(/You're booked/);
    await journey.end('Book and pay a class as a new person, with a code');
  });

  test(`a guest buys a class, ${how}`, async () => {
    const journey = await Journey.ofStranger(scripts);
    const { id } = await newEvent(world, {
      ...c.m.place,
      offering: await newOffering(world, { dropin_price_minor: 2200 }),
    });
    await journey.open(`/harbour/events/${id}`);
    await journey.tap(journey.link('Continue without an account'));
    await journey.type({ 'First name': 'Gil', 'Email address': `gil-${scripts}@example.com` });
    await journey.tap(journey.button('Continue to pay'));
    await pay(journey);
    await journey.sees(/You're booked/);
    await journey.end('Buy a class as a guest');
  });

  test(`a parent books two children into one class and pays once, ${how}`, async () => {
    const journey = await Journey.begin(scripts);
    const children = ['Kit', 'Pia'];
    for (const first_name of children) {
      const body = { first_name, last_name: 'Byron' };
      const added = await world.post(`/customers/${journey.customer}/add_child`, {
        as: world.customer(journey.customer),
        body,
      });
      assert.equal(added.status, 200, added.text);
    }
    const event = await c.event({ price: '15.00', max_occupancy: 5 });
    await journey.open(`/harbour/events/${event}`);
    for (const name of children) await journey.touch(journey.visitor.page.getByRole('checkbox', { name }));
    await journey.tap(journey.button('Book for everyone chosen'));
    await journey.sees(/Kit.*Pia.*Total \$30\.00/);
    await pay(journey);
    const { results } = await c.read(`/attendances?event=${event}&status=registered`);
    assert.equal(results.length, 2);
    await journey.end('Book two children into a class and pay once');
  });

  test(`a person books an appointment, moves it and cancels it, ${how}`, async () => {
    const journey = await Journey.begin(scripts);
    const practice = await newPractice(world, { dropin_price_minor: 6000 });
    await journey.open(`/harbour/book/${practice.offering}?day=${practice.date}`);
    await journey.tap(journey.link('10:00 a.m.').first());
    await journey.tap(journey.button('Continue to pay: $60.00'));
    await pay(journey);
    await journey.sees(/You're booked/);
    journey.arrived('Book an appointment and pay for it');
    const [{ event }] = (await c.read(`/attendances?customer=${journey.customer}`)).results;
    await journey.open(`/harbour/events/${event}`);
    await journey.tap(journey.link('Choose another time'));
    await journey.tap(journey.link('2:00 p.m.').first());
    await journey.tap(journey.button('Move to this time'));
    await journey.sees(/Moved to the new time\./);
    journey.arrived('Move an appointment');
    await journey.open(`/account/${world.harbour}/profile`);
    await journey.tap(journey.link(/Massage$/));
    await journey.tap(journey.button('Cancel booking'));
    await journey.sees(/cancelled/i);
    assert.doesNotMatch(await journey.visitor.text(), /not found/i);
    await journey.end('Cancel an appointment');
  });

  test(`a person buys a gift card that is sent on a day, and another one redeems it, ${how}`, async () => {
    const journey = await Journey.begin(scripts);
    const day = wallAt(world.now + 9 * 24 * 3_600_000, 'America/Toronto').date;
    await journey.open(`/account/${world.harbour}/gift-card/buy`);
    await journey.visitor.page.getByLabel('Amount').selectOption('50.00');
    await journey.type({
      'Name of the recipient': 'Ada',
      'Email address of the recipient (optional)': 'ada@example.com',
      'Message to the recipient (optional)': 'Happy birthday!',
      'Send it on (optional)': day,
    });
    await journey.tap(journey.button('Review and pay'));
    await journey.sees(/Sent to ada@example\.com on/);
    await pay(journey);
    journey.arrived('Buy a gift card that is sent on a day');
    const [bought] = (await c.read(`/gift_cards?purchaser=${journey.customer}`)).results;
    assert.equal(bought.deliver_on_date, day);
    const code = await withCode(world, (await newCards(world)).card);
    await journey.open(`/account/${world.harbour}/profile`);
    await journey.tap(journey.link('Payments'));
    await journey.tap(journey.link('Redeem a gift card'));
    await journey.type({ 'Code of the gift card': code });
    await journey.tap(journey.button('Redeem'));
    await journey.sees(/The gift card is now account credit/);
    await journey.end('Redeem a gift card');
  });

  test(`a person joins a monthly club, and reads the commitment, the next payment and the notice beside the button, ${how}`, async () => {
    const journey = await Journey.begin(scripts);
    const terms = { cancellation_notice_days: 14, committed_billing_periods: 3 };
    const { membership } = await c.m.recurring([], terms, { name: `Monthly ${how}`, for_sale: true });
    await journey.open(`/harbour/memberships/${membership}`);
    const conditions =
      /Next payment: \$40\.00 on .*It renews until you end it\. You agree to at least 3 payments\. You can end it online with 14 days’ notice\./;
    await journey.sees(conditions);
    await journey.tap(journey.button('Buy'));
    await journey.sees(conditions);
    await pay(journey);
    await journey.end('Join a monthly club');
    // Other journeys choose among what is for sale.
    const body = { for_sale: false };
    assert.equal((await world.patch(`/memberships/${membership}`, { as: world.machine, body })).status, 200);
  });

  test(`a person cancels in time, and reads what comes back before and after, ${how}`, async () => {
    const journey = await Journey.begin(scripts);
    await bookedWithPack(journey, 48);
    await journey.open(`/account/${world.harbour}/profile`);
    await journey.tap(journey.link(/Class in 48 hours$/));
    await journey.sees(/If you cancel now, the visit comes back to Five visits\./);
    await journey.tap(journey.button('Cancel booking'));
    await journey.sees(/The visit is back on Five visits\./);
    await journey.end('Cancel in time');
  });

  test(`a person cancels late, and is asked before they lose a visit, ${how}`, async () => {
    const journey = await Journey.begin(scripts);
    const event = await bookedWithPack(journey, 3);
    await journey.open(`/account/${world.harbour}/profile`);
    await journey.tap(journey.link(/Class in 3 hours$/));
    await journey.tap(journey.button('Cancel late'));
    await journey.sees(/Cancel late\? .*the visit on Five visits is lost\./);
    assert.equal(await statusOf(event, journey.customer), 'registered');
    await journey.tap(journey.button('Cancel anyway'));
    await journey.sees(/The visit on Five visits is used\./);
    await journey.end('Cancel late');
  });

  test(`a person joins a full class, is offered a spot, and pays for it, ${how}`, async () => {
    const journey = await Journey.begin(scripts);
    const { visitor, customer } = journey;
    const offering = await newOffering(world, { dropin_price_minor: 2200 });
    const { id } = await newEvent(world, { ...c.m.place, offering }, { max_occupancy: 1, name: `Full ${how}` });
    const holder = await world.newCustomer();
    assert.equal((await book(world, id, holder)).status, 200);
    await journey.open(`/harbour/events/${id}`);
    const join = journey.button('Join the waitlist');
    await journey.isInSight(join);
    const conditions = /we email you and keep it for you for 60 minutes\. You pay \$22\.00 when you take it\./;
    await journey.sees(conditions);
    await visitor.leave(join);
    await journey.sees(/You’re number 1 on the waitlist/);
    await journey.sees(conditions);
    await world.post(`/events/${id}/unregister`, { as: world.machine, body: { customer: holder } });
    // The email and the timetable lead to the page of the class.
    await journey.open(`/harbour/events/${id}`);
    await journey.sees(
      /A spot is kept for you until .*After that, it goes to the next person, and you haven’t been charged\./,
    );
    const take = journey.button('Take the spot: $22.00');
    await journey.isInSight(take);
    await journey.tap(take);
    await pay(journey);
    assert.equal(await statusOf(id, customer), 'registered');
    await journey.end('Take an offered spot and pay for it');
  });

  test(`a member ends a monthly plan, reads the last day and payments first, and keeps it after all, ${how}`, async () => {
    const journey = await Journey.begin(scripts);
    const { membership } = await c.m.recurring([], { cancellation_notice_days: 40 }, { name: `Club ${how}` });
    const { id } = await c.m.give(journey.customer, membership);
    const endOf = async () => (await c.read(`/customer_memberships/${id}`)).expiration_date;
    await journey.open(`/account/${world.harbour}/profile`);
    await journey.tap(journey.link('Memberships'));
    await journey.tap(journey.link(`End: Club ${how}`));
    await journey.sees(/You can use it until the end of .* It can be ended with 40 days’ notice\./);
    await journey.sees(/One more payment is due: \$40\.00 on /);
    assert.equal(await endOf(), null);
    await journey.tap(journey.button(/^End it on /));
    await journey.sees(/You ended your membership\. It ends on /);
    assert.notEqual(await endOf(), null);
    await journey.visitor.leave(journey.button('Keep it'));
    await journey.sees(/You keep your membership\./);
    assert.equal(await endOf(), null);
    await journey.end('End a membership');
  });

  test(`a member pauses a plan, changes it, changes what is charged, and pays what is owed, ${how}`, async () => {
    const journey = await Journey.begin(scripts);
    const { customer } = journey;
    const profile = `/account/${world.harbour}/profile`;
    const { membership } = await c.m.recurring([], {}, { name: `Basic ${how}`, customers_can_hold: true });
    await c.m.recurring([], { price: '55.00' }, { name: `Plus ${how}` });
    await c.m.give(customer, membership);
    for (const lastFour of ['4242', '1881']) await newMethod(customer, lastFour);

    await journey.open(profile);
    await journey.tap(journey.link('Memberships'));
    await journey.sees(new RegExp(`Basic ${how} As often as you like Renews on .* for \\$40\\.00`));
    await journey.tap(journey.link(`Put on hold: Basic ${how}`));
    const day = (days: number) => new Date(world.now + days * 86_400_000).toISOString().slice(0, 10);
    await journey.visitor.page.getByLabel('First day').fill(day(2));
    await journey.visitor.page.getByLabel('Last day').fill(day(8));
    await journey.tap(journey.button('See what changes'));
    await journey.sees(/On hold from .* \(7 days\).*No bookings are affected\./);
    await journey.tap(journey.button('Put on hold'));
    await journey.sees(/Your hold is set\./);
    journey.arrived('Pause a membership');

    await journey.open(profile);
    await journey.tap(journey.link('Memberships'));
    await journey.tap(journey.link(`Payment method: Basic ${how}`));
    await journey.sees(/The next payment is \$40\.00 on .* It is charged to Visa 1881\./);
    await journey.tap(journey.button('Charge Visa 4242'));
    await journey.sees(/It is charged to Visa 4242\./);
    journey.arrived('Change the card of a membership');

    await journey.open(profile);
    await journey.tap(journey.link('Memberships'));
    await journey.tap(journey.link(`Change: Basic ${how}`));
    await journey.sees(
      new RegExp(`Plus ${how} begins today and replaces .* It costs \\$55\\.00 .* You pay \\$55\\.00 now`),
    );
    await journey.tap(journey.button(`Continue: $55.00, Plus ${how}`));
    await journey.sees(/Review and pay/);
    await pay(journey);
    await journey.visitor.open(`${profile}/memberships`);
    await journey.sees(new RegExp(`Plus ${how}`));
    assert.doesNotMatch(await journey.visitor.text(), /Basic/);
    journey.arrived('Change a membership');

    await c.ask('POST', '/account_entries', {
      customer,
      kind: 'charge',
      amount: '12.00',
      explanation: 'A lost padlock',
    });
    await journey.open(profile);
    await journey.sees(/\$12\.00 of Harbour isn't paid yet\./);
    await journey.tap(journey.link('See and pay'));
    await journey.tap(journey.button(/^Pay \$12\.00/));
    await pay(journey);
    journey.arrived('Pay what is owed');
    await journey.open(profile);
    await journey.tap(journey.link('Payments'));
    await journey.sees(/INV-\d+ .* \$12\.00/);
    await journey.end('Find a receipt, and the visits that are left');
  });

  test(`a person sees all bookings, and the past ones, each in one tap, ${how}`, async () => {
    const journey = await Journey.begin(scripts);
    await c.m.give(journey.customer, await c.m.pack(9));
    for (const days of [1, 2, 3, 4, 5, 6]) {
      const event = await c.memberEvent({ in: days * 24, name: `Day ${days} ${how}` });
      assert.equal((await book(world, event, journey.customer)).status, 200);
    }
    await journey.open(`/account/${world.harbour}/profile`);
    await journey.tap(journey.link('All bookings'));
    await journey.sees(/Day 1 .* Day 6/);
    await journey.open(`/account/${world.harbour}/profile`);
    await journey.tap(journey.link('Past bookings'));
    await journey.sees(/Nothing yet\. What you visited appears here\./);
    await journey.end('See all bookings, and the past ones');
  });

  test(`a receipt of a pack leads to the classes that it pays for, ${how}`, async () => {
    const journey = await Journey.begin(scripts);
    const pack = await c.m.pack(5, { name: `Pack ${how}`, for_sale: true });
    const covered = await c.memberEvent({ in: 30, name: `Covered ${how}` });
    await newEvent(world, { ...c.m.place, offering: await newOffering(world) }, { name: `Elsewhere ${how}`, in: 30 });
    await journey.visitor.open(`/harbour/memberships/${pack}`);
    await journey.visitor.leave(journey.button(/^Buy/));
    await journey.visitor.leave(journey.button(/^Pay \$/));
    await journey.tap(journey.link('Book the first class with it'));
    await journey.sees(/Only what your membership pays for\./);
    await journey.sees(new RegExp(`Covered ${how}`));
    assert.doesNotMatch(await journey.visitor.text(), /Elsewhere/);
    await journey.end('From the receipt of a pack to its classes');
    assert.ok(covered > 0);
  });
}
