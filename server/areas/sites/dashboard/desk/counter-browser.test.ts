/** The counter in the dashboard: staff sell by keyboard, and the sales are checked through the interface. */
import assert from 'node:assert/strict';
import { after, afterEach, before, test } from 'node:test';
import { shows } from '../../../../test/pages/shows.ts';
import { DashboardBrowser } from '../test/dashboard-browser.ts';
import { look, noonTomorrow, type Colleague } from '../test/dashboard-world.ts';
import { confirm } from '../test/proposals.ts';
import { pressBoth } from '../test/hands.ts';
import { MembershipWorld } from '../../../../test/worlds/membership-world.ts';
import { newEvent, newOffering } from '../../../../test/schedule-world.ts';
import type { Visitor } from '../../../../test/pages/browser.ts';
import type { Visit } from '../test/window/visit.ts';
import type { World } from '../../../../test/world.ts';

const HOUR = 3_600_000;
let desk: DashboardBrowser;
let world: World;
/** ids */
let drawer: number;
let terminal: number;
let water: number;
const forbidden: string[] = [];
/** has only the permission `pos` */
let seller: Colleague;

const get = async (path: string) => (await world.get(path, { as: world.machine })).body;
const make = async (path: string, body: object) => {
  const answer = await world.post(path, { as: world.machine, body });
  assert.ok(answer.status < 300, answer.text);
  return answer.body;
};

async function newProduct(name: string, price: string, over: object = {}): Promise<number> {
  const { variants } = await make('/store/products', { name, price, ...over });
  await make('/store/inventory_adjustments', { store_product_variant: variants[0], quantity: 20, reason: 'received' });
  return variants[0];
}

before(async () => {
  desk = await DashboardBrowser.start({ own: true });
  ({ world } = desk);
  drawer = (await make('/payment_processors', { kind: 'offline', name: 'Cash', settings: { cash_drawer: 'yes' } })).id;
  terminal = (await make('/payment_processors', { kind: 'offline', name: 'Card terminal' })).id;
  water = await newProduct('Sparkling water', '2.50', { barcode: '4006381333931' });
  seller = await desk.colleague({ permissions: ['pos'] });
});
after(() => desk?.close());
afterEach(() => assert.deepEqual(forbidden, []));

/** Opens a part of the counter in Chromium. Print jobs are captured. */
async function atCounter(search = ''): Promise<Visitor> {
  const visitor = await desk.visitor(seller);
  await visitor.page.addInitScript(() => {
    const frame = globalThis as any;
    frame.print = () => {
      frame.top.printed = frame.document.body.innerText;
      const rules = frame.document.adoptedStyleSheets.flatMap((sheet: any) => [...sheet.cssRules]);
      frame.top.paper = rules.flatMap((rule: any) => /^@page.*\bsize: ([^;]+)/.exec(rule.cssText)?.[1] ?? []).at(-1);
    };
  });
  return goTo(visitor, search);
}

/** Opens the counter in a window, for all but its journeys. `now`: its current time in epoch milliseconds. */
async function inWindow(now?: number): Promise<Visit> {
  const visitor = await desk.window(seller);
  if (now !== undefined) await visitor.page.clock.setFixedTime(now);
  return goTo(visitor, '');
}

/** No request of the page may be forbidden. */
async function goTo<V extends Visit>(visitor: V, search: string): Promise<V> {
  visitor.page.on('response', (response) => {
    const path = new URL(response.url()).pathname;
    // A page without access to the feed is refused once, and polls instead.
    if (response.status() === 403 && !path.endsWith('/feed_items'))
      forbidden.push(`${response.request().method()} ${path}`);
  });
  await desk.open(visitor, `counter${search}`);
  return visitor;
}

const button = ({ page }: Visit, name: string) => page.getByRole('button', { name, exact: true });
const saying = ({ page }: Visit, text: string | RegExp) => page.getByText(text).first().waitFor();
const item = ({ page }: Visit) => page.getByRole('combobox', { name: 'Product, membership or class' });

async function openDrawer(float = '50.00'): Promise<number> {
  const open = (await get(`/counter/cash_sessions?is_open=true&payment_processor=${drawer}`)).results[0];
  return open?.id ?? (await make('/counter/cash_sessions', { payment_processor: drawer, opening_float: float })).id;
}

const lastSale = async () => (await get('/counter/sales?page_size=1')).results[0];
const lines = async (sale: { invoice: number }) =>
  (await get(`/invoices/${sale.invoice}?expand=line_items`)).line_items.map(({ description, quantity }: any) => [
    description,
    quantity,
  ]);

test('a sale to a walk-in needs only the keyboard, and shows the change to return', async () => {
  await openDrawer();
  const visitor = await desk.visitor(seller);
  await desk.open(visitor, 'today');
  const { keyboard } = visitor.page;
  await pressBoth(visitor.page, 'g', 'k');
  await visitor.page.locator('[role=combobox]:focus').waitFor();
  await keyboard.type('spark');
  await keyboard.press('Enter');
  await visitor.page.getByRole('list', { name: 'What is sold' }).getByText('Sparkling water').waitFor();
  await keyboard.type('Mat rental 3');
  await keyboard.press('Enter');
  await visitor.page.getByRole('list', { name: 'What is sold' }).getByText('Mat rental').waitFor();
  await keyboard.press('Enter');
  await keyboard.type('10');
  await saying(visitor, 'Change: $4.50');
  await keyboard.press('Enter');
  await visitor.page.getByRole('dialog').locator('button:focus', { hasText: 'Sell for $5.50' }).waitFor();
  await keyboard.press('Enter');
  await saying(visitor, 'Change due: $4.50');
  const sale = await lastSale();
  assert.deepEqual([sale.is_walk_in, sale.total_amount.string, sale.change_amount.string], [true, '5.50', '4.50']);
  assert.deepEqual(await lines(sale), [
    ['Sparkling water', 1],
    ['Mat rental', 1],
  ]);
  await look(visitor, 'counter-sold');
  await keyboard.press('Enter');
  await visitor.page.locator('[role=combobox]:focus').waitFor();
  await shows(() => visitor.page.getByRole('list', { name: 'What is sold' }).count(), 0);
  await visitor.close();
});

test('a scanned item is added immediately, and scanning it again adds one more', async () => {
  const visitor = await atCounter();
  for (let n = 0; n < 2; n++) {
    await item(visitor).pressSequentially('4006381333931');
    await item(visitor).press('Enter');
    await visitor.page.locator('[role=combobox][value=""]').first().waitFor();
    const count = visitor.page.getByRole('spinbutton', { name: 'Quantity: Sparkling water' });
    await count.and(visitor.page.locator(`[value="${n + 1}"]`)).waitFor();
  }
  await saying(visitor, 'Total: $5.00');
  await visitor.page.getByRole('radio', { name: 'Card terminal' }).check();
  await button(visitor, 'Sell for $5.00').click();
  await confirm(visitor, 'Sell for $5.00');
  await saying(visitor, 'No change due');
  const sale = await lastSale();
  assert.deepEqual(await lines(sale), [['Sparkling water', 2]]);
  assert.equal(sale.payments[0].payment_processor, terminal);
  await visitor.close();
});

test('a member buys a pack and a class of today, partly in cash and the rest by card', async () => {
  const session = await openDrawer();
  const members = await MembershipWorld.of(world);
  const pack = await members.pack(10);
  const { name } = await get(`/memberships/${pack}`);
  const offering = await newOffering(world, { dropin_price_minor: 1500 });
  const noon = noonTomorrow(world);
  const over = { in: (noon - world.now) / HOUR, name: 'Evening stretch' };
  const event = await newEvent(world, { ...members.place, offering }, over);
  const customer = await world.newCustomer({ first_name: 'Beatrix', last_name: 'Nguyen' });
  const visitor = await inWindow(noon);
  const { page } = visitor;
  await item(visitor).fill('evening');
  await page.getByRole('option', { name: /Evening stretch/ }).click();
  await item(visitor).fill(name);
  await page.getByRole('option', { name }).first().click();
  await page.getByRole('alert').first().waitFor();
  await shows(() => button(visitor, 'Sell').isDisabled(), true);
  await page.getByRole('combobox', { name: 'Customer' }).fill('Beatrix');
  await page.getByRole('option', { name: /Beatrix Nguyen/ }).click();
  await saying(visitor, 'Total: $135.00');
  await button(visitor, 'Add a payment').click();
  await page.getByRole('group', { name: 'Payment 1' }).getByLabel('Amount of this payment').fill('35');
  await page.getByRole('group', { name: 'Payment 1' }).getByLabel('Cash received').fill('40');
  await saying(visitor, 'Change: $5.00');
  await look(visitor, 'counter');
  await button(visitor, 'Sell for $135.00').click();
  await confirm(visitor, 'Sell for $135.00');
  await saying(visitor, 'Change due: $5.00');
  await saying(visitor, 'To Beatrix Nguyen');
  const sale = await lastSale();
  assert.deepEqual(
    sale.payments.map((one: any) => [one.payment_processor, one.amount.string, one.change.string]),
    [
      [drawer, '35.00', '5.00'],
      [terminal, '100.00', '0.00'],
    ],
  );
  assert.equal((await get(`/attendances?event=${event.id}&customer=${customer}`)).results[0].status, 'registered');
  assert.equal((await get(`/customer_memberships?customer=${customer}`)).count, 1);
  const [moved] = (await get(`/counter/cash_movements?cash_session=${session}`)).results.slice(-1);
  assert.deepEqual([moved.kind, moved.amount.string], ['payment', '35.00']);
  await visitor.close();
});

test('credit that covers everything leaves no payment to make', async () => {
  const customer = await world.newCustomer({ first_name: 'Cornelius', last_name: 'Adeyemi' });
  await make('/account_entries', { customer, kind: 'credit', amount: '20.00', explanation: 'A gift' });
  const visitor = await inWindow();
  const { page } = visitor;
  await item(visitor).fill('spark');
  await page.getByRole('option', { name: /Sparkling water/ }).click();
  await page.getByRole('combobox', { name: 'Customer' }).fill('Cornelius');
  await page.getByRole('option', { name: /Cornelius Adeyemi/ }).click();
  await page.getByLabel('Use account credit').check();
  await saying(visitor, 'Paid by account credit: $2.50');
  await page.getByRole('group', { name: 'Paid with' }).waitFor({ state: 'detached' });
  await button(visitor, 'Sell for $2.50').click();
  await confirm(visitor, 'Sell for $2.50');
  await saying(visitor, 'No change due');
  const sale = await lastSale();
  assert.deepEqual([sale.credit_amount.string, sale.payments], ['2.50', []]);
  await visitor.close();
});

test('a drawer is opened with a float before it takes cash, and is counted and explained at the end', async () => {
  const open = (await get('/counter/cash_sessions?is_open=true')).results[0];
  if (open) {
    const counted = open.expected_amount.string;
    await make(`/counter/cash_sessions/${open.id}/close`, { counted });
  }
  const visitor = await inWindow();
  const { page } = visitor;
  await item(visitor).fill('Coffee 4');
  await page.getByRole('option', { name: /Coffee/ }).click();
  await page.getByRole('radio', { name: 'Cash' }).check();
  await page.getByRole('link', { name: 'Open the cash drawer' }).click();
  await page.getByRole('group', { name: 'Cash' }).getByRole('button', { name: 'Open' }).click();
  await page.getByLabel('In the drawer now, in CAD').fill('30');
  await button(visitor, 'Open Cash').click();
  await saying(visitor, 'Opened');
  // The unfinished sale is still there.
  await page.getByRole('link', { name: 'Sell', exact: true }).click();
  await page.getByLabel('Cash received').fill('5');
  await saying(visitor, 'Change: $1.00');
  await button(visitor, 'Sell for $4.00').click();
  await confirm(visitor, 'Sell for $4.00');
  await saying(visitor, 'Change due: $1.00');
  await page.getByRole('link', { name: 'Cash drawers' }).click();
  await button(visitor, 'Take cash out').click();
  await page.getByLabel('Amount in CAD').fill('10');
  await page.getByLabel('Reason').fill('To the bank.');
  await button(visitor, 'Continue').click();
  await confirm(visitor, 'Take cash out of Cash');
  await button(visitor, 'Cash movements').click();
  await saying(visitor, 'To the bank.');
  await button(visitor, 'Count and close').click();
  await page.getByLabel('Coins and notes').check();
  for (const [n, [value, count]] of [
    ['10', '2'],
    ['0.50', '7'],
  ].entries()) {
    await page.getByLabel(`Coin or note, line ${n + 1}`).fill(value);
    await page.getByLabel(`How many, line ${n + 1}`).fill(count);
  }
  await button(visitor, 'Continue').click();
  await saying(visitor, 'The counted amount differs from the expected one.');
  await look(visitor, 'counter-count');
  await page.getByLabel('Reason for the difference').fill('A coin fell behind the counter.');
  await button(visitor, 'Continue').click();
  await confirm(visitor, 'Close the drawer');
  await saying(visitor, 'A coin fell behind the counter.');
  await look(visitor, 'counter-drawers');
  const [closed] = (await get('/counter/cash_sessions?is_open=false')).results;
  assert.deepEqual(
    [closed.opening_float, closed.expected_amount, closed.counted_amount, closed.difference].map(
      ({ string }) => string,
    ),
    ['30.00', '24.00', '23.50', '-0.50'],
  );
  await visitor.close();
});

test('a receipt is printed on a roll and on A4, and emailed again, and a sale is refunded in part, then in full', async () => {
  const made = await make('/counter/sales', {
    items: [
      { store_product_variant: water, quantity: 2 },
      { description: 'Towel rental', unit_price: '3.00', purchase_type: 'store' },
    ],
    payments: [{ payment_processor: terminal }],
  });
  const { available } = await get(`/store/product_variants/${water}`);
  const visitor = await atCounter(`?tab=sales&sale=${made.id}`);
  const { page } = visitor;
  await page.setViewportSize({ width: 390, height: 844 });
  const list = page.locator('.wide-table');
  assert.equal(await list.evaluate((one) => one.scrollWidth - one.clientWidth), 0, 'the list of sales fits a phone');
  await page.setViewportSize({ width: 1280, height: 800 });
  await button(visitor, 'Print the receipt').click();
  await page.waitForFunction(() => /Sparkling water/.test((globalThis as any).printed ?? ''));
  assert.match(await page.evaluate(() => (globalThis as any).paper), /^80mm \d+mm$/);
  await button(visitor, 'Print on A4').click();
  await page.waitForFunction(() => /a4/i.test((globalThis as any).paper));
  await button(visitor, 'Email the receipt').click();
  await page.getByLabel('Email address').fill('walks-in@example.com');
  await button(visitor, 'Email the receipt').last().click();
  await saying(visitor, 'walks-in@example.com');
  await button(visitor, 'Refund').click();
  await page.getByLabel('Some of the lines').check();
  await page.getByLabel(/Towel rental/).check();
  await page.getByLabel('Reason').fill('It was wet.');
  await look(visitor, 'counter-refund');
  await button(visitor, 'Continue').click();
  await confirm(visitor, 'Refund');
  await saying(visitor, '−$3.00');
  await look(visitor, 'counter-sale');
  await button(visitor, 'Refund').click();
  await page.getByLabel('Reason').fill('Wrong kind.');
  await button(visitor, 'Continue').click();
  await confirm(visitor, 'Refund');
  await saying(visitor, '−$8.00');
  await shows(() => button(visitor, 'Refund').count(), 0, 'nothing is left to refund');
  const sale = await get(`/counter/sales/${made.id}`);
  assert.equal(sale.refunded_amount.string, '8.00');
  assert.equal((await get(`/store/product_variants/${water}`)).available, available + 2);
  await button(visitor, 'Close').first().click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await look(visitor, 'counter-sales');
  await visitor.close();
});

test('a gift card is sold, and printed with its code', async () => {
  const config = await world.patch('/gift_cards/config', {
    as: world.machine,
    body: { is_enabled_provider_site: true, amount_choices: ['25.00', '50.00'] },
  });
  assert.equal(config.status, 200, config.text);
  const visitor = await atCounter();
  const { page } = visitor;
  await item(visitor).fill('gift');
  await page.getByRole('option', { name: /25\.00/ }).click();
  await page.getByRole('radio', { name: 'Card terminal' }).check();
  await button(visitor, 'Sell for $25.00').click();
  await confirm(visitor, 'Sell for $25.00');
  await button(visitor, 'Print the gift card for $25.00').click();
  await page.waitForFunction(() => (globalThis as any).printed !== undefined);
  const printed: string = await page.evaluate(() => (globalThis as any).printed);
  const code = /[A-Z0-9]{4}(?:-[A-Z0-9]{4})+/.exec(printed)?.[0];
  const customer = await world.newCustomer();
  const redeemed = await make('/gift_cards/redeem', { code, customer });
  assert.equal(redeemed.status, 'redeemed');
  await visitor.close();
});

test('a business without a way to pay at the desk is led to setting one up', async () => {
  const owner = await desk.colleague({ providerId: world.meadow });
  const visitor = await desk.window(owner);
  await desk.open(visitor, 'counter', world.meadow);
  await button(visitor, 'Add a cash drawer').click();
  await button(visitor, 'Add a cash drawer').last().click();
  await visitor.page.getByRole('combobox', { name: 'Product, membership or class' }).waitFor();
  await look(visitor, 'counter-first');
  await visitor.close();
});
