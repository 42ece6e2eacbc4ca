/**
 * The money of a business in the dashboard, as staff use it in a browser. The results are checked through the
 * interface.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { readFileSync } from 'node:fs';
import type { Part, Visit } from '../test/window/visit.ts';
import { BillingWorld } from '../../../commerce/billing/test/world.ts';
import { shows } from '../../../../test/pages/shows.ts';
import { DashboardBrowser } from '../test/dashboard-browser.ts';
import { driveAll } from '../../../money/payments/engine.ts';
import { newProduct } from '../../../commerce/store/test/seeds.ts';
import { ownContext } from '../../../../test/own-context.ts';
import { pressBoth, reach } from '../test/hands.ts';
import { readCsv } from '../test/files.ts';
import { wallAt } from '../../../../kernel/base/values/zone.ts';
import { START } from '../../../../test/clock.ts';

const ZONE = 'America/Toronto';

/** Ways to use a page: with a pointer, or by keyboard only. */
interface Hands {
  readonly press: (target: Part) => Promise<void>;
  readonly type: (target: Part, text: string) => Promise<void>;
  readonly choose: (target: Part, label: string) => Promise<void>;
}

const byPointer: Hands = {
  press: (target) => target.click(),
  type: (target, text) => target.fill(text),
  choose: async (target, label) => void (await target.selectOption({ label })),
};

const byKeyboard: Hands = {
  async press(target) {
    await reach(target);
    await target.page().keyboard.press('Enter');
  },
  async type(target, text) {
    await reach(target);
    await target.page().keyboard.type(text);
  },
  async choose(target, label) {
    await reach(target);
    await target.page().keyboard.type(label);
  },
};

let desk: DashboardBrowser;
let b: BillingWorld;
let owner: Visit;
before(async () => {
  desk = await DashboardBrowser.start({ own: true });
  b = await BillingWorld.of(desk.world);
  owner = await desk.window();
  await desk.open(owner, 'today');
});
after(() => desk?.close());

const saying = (visitor: Visit, text: string | RegExp) => visitor.page.getByText(text).first().waitFor();

const button = ({ page }: Visit, name: string) => page.getByRole('button', { name, exact: true });

/** Reads the preview, then confirms it. */
async function confirm({ page }: Visit, hands: Hands, name: string): Promise<void> {
  const dialog = page.getByRole('dialog').last();
  await dialog.getByText('If you continue:').waitFor();
  await hands.press(dialog.getByRole('button', { name, exact: true }));
  await dialog.getByText('If you continue:').waitFor({ state: 'detached' });
}

/** Returns the same day of the month at noon, this number of months ago, in epoch milliseconds. */
function monthsAgo(months: number): number {
  const [year, month] = wallAt(START, ZONE).date.split('-').map(Number);
  return Date.UTC(year, month - 1 - months, 10, 17);
}

/** Creates a member whose plan renewed last month; their card was declined unless it is good. */
async function member(name: string, scenario: string): Promise<{ customer: number; id: number }> {
  const customer = await desk.world.newCustomer({ first_name: name, last_name: 'Monthly' });
  const { id } = await b.member({ customer });
  await b.card(customer, scenario);
  return { customer, id };
}

async function monthsClose(hands: Hands, names: { good: string; bad: string; as: string }): Promise<void> {
  const { world } = desk;
  world.setNow(monthsAgo(2));
  const good = await member(names.good, 'success');
  const bad = await member(names.bad, 'declined_later');
  world.setNow(monthsAgo(1));
  await b.bill();
  await b.dun();
  world.resetNow();
  // Only a real browser knows the order of the Tab key.
  const visitor = hands === byKeyboard ? await desk.visitor() : await desk.window();
  const { page } = visitor;
  const tab = (name: string) => page.getByRole('navigation', { name: 'Parts of sales' }).getByRole('link', { name });
  const rowOf = (name: string) => page.getByRole('listitem').filter({ hasText: `${name} Monthly` });

  await desk.open(visitor, 'today');
  await pressBoth(page, 'g', 'i');
  await page.getByRole('heading', { level: 1, name: 'Sales' }).waitFor();

  // The failed renewal, and its resolution.
  await hands.press(tab('Recurring billing'));
  await rowOf(names.bad).getByText('Not tried again yet.').waitFor();
  await shows(() => rowOf(names.good).count(), 0);
  await visitor.checkLive(`sales-recurring-${names.as}`);
  await hands.press(rowOf(names.bad).getByRole('button', { name: /^Retry now/ }));
  await confirm(visitor, hands, 'Retry now');
  await saying(visitor, 'The payment is being tried again.');
  await b.dun();
  assert.equal((await b.subscriptionOf(bad.id)).retry_count, 1);
  assert.equal((await b.read(`/payments?customer=${bad.customer}&status=failed`)).count, 2);

  // Bookings are refused now. The member saves another card, which is charged.
  await desk.open(visitor, 'sales?tab=recurring');
  await rowOf(names.bad).getByText('Tried again once.').waitFor();
  await rowOf(names.bad).getByText('Can’t be used').waitFor();
  await b.card(bad.customer, 'success');
  await hands.press(rowOf(names.bad).getByRole('button', { name: /^Next invoices/ }));
  await page.getByRole('dialog').getByText('To be paid: $40.00').first().waitFor();
  await page.keyboard.press('Escape');
  await hands.press(rowOf(names.bad).getByRole('button', { name: /^Retry now/ }));
  await confirm(visitor, hands, 'Retry now');
  await saying(visitor, 'The payment is being tried again.');
  await b.dun();
  assert.equal((await b.subscriptionOf(bad.id)).unpaid_invoice, null);
  await desk.open(visitor, 'sales?tab=recurring');
  await saying(visitor, 'No payment of a recurring plan has failed.');

  // Part of the other member's renewal is refunded.
  await hands.press(tab('Payments'));
  const paid = rowOf(names.good).filter({ hasText: '$40.00' }).first();
  await hands.press(paid.getByRole('button', { name: `Refund: ${names.good} Monthly` }));
  const form = page.getByRole('dialog');
  await hands.type(form.getByLabel('Amount in CAD'), '10,00');
  await hands.type(form.getByLabel('Reason'), 'The pool was closed.');
  await visitor.checkLive(`sales-refund-${names.as}`);
  await hands.press(form.getByRole('button', { name: 'Continue' }));
  await confirm(visitor, hands, 'Refund');
  await paid.getByText('$10.00 refunded').waitFor();
  const { results: refunds } = await b.read('/payment_refunds?sort=-id');
  assert.deepEqual([refunds[0].customer, refunds[0].amount.string], [good.customer, '10.00']);
  const notes = (await b.read(`/invoices?payer=${good.customer}&is_credit_note=true`)).results;
  assert.deepEqual(
    notes.map((one: any) => one.total_amount_due.string),
    ['-10.00'],
  );

  // The journal of last month, its totals, and the closing of its period.
  await hands.press(tab('Books'));
  await page.getByRole('region', { name: 'Trial balance' }).waitFor();
  await visitor.checkLive(`sales-books-${names.as}`);
  const [from, to] = [await page.getByLabel('First day').inputValue(), await page.getByLabel('Last day').inputValue()];
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    hands.press(button(visitor, 'Export journal (CSV)')),
  ]);
  assert.equal(file.suggestedFilename(), `journal-${from}-${to}.csv`);
  const journal = readCsv(readFileSync(await file.path(), 'utf8'));
  const sum = (name: string) => journal.reduce((all, line) => all + Math.round(Number(line[name]) * 100), 0);
  const { totals } = await b.read(`/ledger/trial_balance?from=${from}&to=${to}`);
  assert.ok(journal.length > 0);
  assert.deepEqual(
    [sum('debit'), sum('credit')],
    [totals.debits.decimal * 100, totals.credits.decimal * 100].map(Math.round),
  );
  await hands.press(button(visitor, 'Close the books'));
  await hands.press(page.getByRole('dialog').getByRole('button', { name: 'Continue' }));
  await visitor.page
    .getByRole('dialog')
    .last()
    .getByText(/The totals? of .* stored/)
    .waitFor();
  await visitor.checkLive(`sales-close-${names.as}`);
  await confirm(visitor, hands, 'Close the books');
  await page.getByRole('list', { name: 'Closed periods' }).getByText('Closed', { exact: true }).waitFor();
  const [period] = (await b.read('/accounting_periods?sort=-id')).results;
  assert.deepEqual([period.status, period.end_date], ['closed', to]);
  assert.equal((await b.read(`/ledger/trial_balance?from=${from}&to=${to}`)).is_closed, true);
  await b.c.balanced();

  // A period that was closed too early can be reopened.
  await hands.press(page.getByRole('button', { name: /^Reopen: / }));
  await hands.type(page.getByRole('dialog').getByLabel('Reason'), 'A receipt was missing.');
  await hands.press(page.getByRole('dialog').getByRole('button', { name: 'Continue' }));
  await confirm(visitor, hands, 'Reopen');
  await page.getByText('Reopened', { exact: true }).first().waitFor();
  assert.equal((await b.read(`/accounting_periods/${period.id}`)).status, 'reopened');
  await visitor.close();
}

test('a month is closed: a failed renewal is retried and paid, another is refunded, the journal balances, and the period is closed', () =>
  monthsClose(byPointer, { good: 'Gwen', bad: 'Bram', as: 'pointer' }));

test('the same works by keyboard only', () => monthsClose(byKeyboard, { good: 'Gita', bad: 'Boris', as: 'keyboard' }));

test('a plan is put on hold and gets another payment method on the screen of recurring billing', async () => {
  const { customer, id } = await member('Paula', 'success');
  const first = (await b.subscriptionOf(id)).payment_method;
  await b.card(customer, 'success');
  await desk.open(owner, `sales?tab=recurring&which=all&customer=${customer}`);
  await owner.page.getByRole('button', { name: /^Payment method: Paula/ }).click();
  const form = owner.page.getByRole('dialog');
  await form.getByLabel('Charge to').selectOption(String(first));
  await form.getByRole('button', { name: 'Continue' }).click();
  await confirm(owner, byPointer, 'Payment method');
  await saying(owner, 'The payment method was chosen.');
  assert.equal((await b.subscriptionOf(id)).payment_method, first);
  await owner.page.getByRole('button', { name: 'Pause: Paula Monthly, Club' }).click();
  await form.getByLabel('First day').waitFor();
  await form.getByRole('button', { name: 'Continue' }).click();
  await confirm(owner, byPointer, 'Put on hold');
  await saying(owner, 'On hold');
  assert.equal((await b.read(`/customer_memberships/${id}`)).status, 'hold');
});

test('invoices are filtered by the address; one is sent, paid, and credited with its products', async () => {
  const customer = await desk.world.newCustomer({ first_name: 'Stella', last_name: 'Stocked' });
  const { variant } = await newProduct(desk.world, { stock: 5 } as never);
  const checkout = await b.c.open(customer);
  await b.c.add(checkout, { item_type: 'STR_PRO', store_product_variant: variant, quantity: 2 });
  await b.c.pay(checkout, { pay_later: true });
  const [{ id, number }] = (await b.read(`/invoices?payer=${customer}`)).results;
  const stock = async () => (await b.read(`/store/product_variants/${variant}`)).stock;
  const before = await stock();

  await desk.open(owner, 'sales');
  const filters = owner.page.getByRole('search');
  await filters.getByRole('combobox', { name: 'Customer' }).fill('Stocked');
  await owner.page.getByRole('option', { name: /Stella Stocked/ }).click();
  await filters.getByLabel('Status').selectOption({ label: 'Unpaid' });
  await saying(owner, '1 invoice');
  assert.deepEqual(Object.fromEntries(new URL(owner.page.url()).searchParams), {
    payer: String(customer),
    status: 'unpaid',
  });
  await owner.checkLive('sales-invoices');
  await owner.page.getByRole('link', { name: number }).click();
  await owner.page.getByRole('heading', { level: 1, name: number }).waitFor();
  await owner.checkLive('sales-invoice');

  const [file] = await Promise.all([owner.page.waitForEvent('download'), button(owner, 'Download PDF').click()]);
  assert.equal(file.suggestedFilename(), `${number}.pdf`);
  assert.equal(
    readFileSync(await file.path())
      .subarray(0, 5)
      .toString(),
    '%PDF-',
  );

  await button(owner, 'Send by email').click();
  await owner.page.getByRole('dialog').getByText('One message is sent').waitFor();
  await confirm(owner, byPointer, 'Send by email');
  await saying(owner, `${number} was sent.`);
  const { results: messages } = await b.read(`/customers/${customer}/messages`);
  assert.ok(
    messages.some((one: any) => one.subject.includes(number)),
    'it was written to the customer',
  );

  await button(owner, 'Record payment').click();
  await owner.page.getByRole('dialog').getByRole('button', { name: 'Continue' }).click();
  await confirm(owner, byPointer, 'Record payment');
  await owner.page.getByText('Paid', { exact: true }).waitFor();

  await button(owner, 'Issue credit note').click();
  const form = owner.page.getByRole('dialog');
  await form.getByLabel('Put back into stock').check();
  await form.getByLabel('How many').fill('1');
  await form.getByLabel('Amount in CAD').fill('0');
  await form.getByLabel('Reason').fill('It did not fit.');
  await form.getByRole('button', { name: 'Continue' }).click();
  await form.locator('input[name="line_items.0.amount"][aria-invalid=true]').waitFor();
  await owner.checkLive('sales-credit');
  await form.getByLabel('Amount in CAD').fill('5,00');
  await form.getByRole('button', { name: 'Continue' }).click();
  await confirm(owner, byPointer, 'Issue credit note');
  await owner.page.getByRole('list', { name: 'Payments and credit notes' }).getByText('It did not fit.').waitFor();
  const [note] = (await b.read(`/invoices?payer=${customer}&is_credit_note=true`)).results;
  assert.deepEqual([note.credited_invoice, note.total_amount_due.string], [id, '-5.00']);
  assert.equal(await stock(), before + 1);
  await owner.page.getByRole('link', { name: note.number }).click();
  await owner.page.getByRole('heading', { level: 1, name: note.number }).waitFor();
});

test('an abandoned checkout is found and cancelled, and a payment that a bank charged back is listed', async () => {
  const customer = await desk.world.newCustomer({ first_name: 'Olga', last_name: 'Undecided' });
  const checkout = await b.c.open(customer);
  await b.c.add(checkout, { item_type: 'CLASS_DRP', event: await b.c.event() });
  await desk.open(owner, `sales?tab=checkouts&status=open&customer=${customer}`);
  await owner.page.getByRole('listitem').filter({ hasText: 'Olga Undecided' }).waitFor();
  await owner.checkLive('sales-checkouts');
  await owner.page.getByRole('button', { name: 'Cancel checkout: Olga Undecided' }).click();
  await confirm(owner, byPointer, 'Cancel checkout');
  await saying(owner, 'There are no such checkouts.');
  assert.equal((await b.c.get(checkout)).status, 'cancelled');

  const other = await b.c.open(customer);
  await b.c.add(other, { item_type: 'CLASS_DRP', event: await b.c.event() });
  await b.c.pay(other, { payment_processor: b.c.sandbox, scenario: 'disputed' });
  while (await driveAll(ownContext(desk.world)));
  assert.equal((await b.read('/payment_disputes')).count, 1);
  await desk.open(owner, 'sales?tab=payments');
  await owner.page.getByLabel('Show').selectOption({ label: 'Disputes' });
  await owner.page.getByRole('list', { name: 'Disputes' }).getByText('Olga Undecided').waitFor();
  await owner.checkLive('sales-disputes');
});

test('staff see the parts that their permissions allow', async () => {
  for (const [permission, tabs] of [
    ['store', ['Invoices']],
    ['pos', ['Invoices', 'Payments', 'Checkouts']],
    ['customer_payments', ['Payments', 'Recurring billing', 'Referrals']],
    ['revenue', ['Books']],
  ] as const) {
    const visitor = await desk.window(await desk.colleague({ permissions: [permission] }));
    const refused: string[] = [];
    visitor.page.on('response', (answer) => {
      // A page without access to the feed is refused once, and polls instead.
      if (answer.status() === 403 && !answer.url().includes('/feed_items')) refused.push(answer.url());
    });
    await desk.open(visitor, 'sales');
    const links = visitor.page.getByRole('navigation', { name: 'Parts of sales' }).getByRole('link');
    await shows(() => links.allInnerTexts(), tabs);
    for (const tab of tabs) {
      await links.filter({ hasText: tab }).click();
      await visitor.read();
    }
    assert.deepEqual(refused, [], permission);
    await visitor.close();
  }
});
