/**
 * Books and accounts in the dashboard, as staff use them in a browser. The results are checked through the interface.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { BillingWorld } from '../../../commerce/billing/test/world.ts';
import { confirm, topDialog, proceed, saved } from '../test/proposals.ts';
import { shows } from '../../../../test/pages/shows.ts';
import { DashboardWorld } from '../test/dashboard-world.ts';
import { driveAll } from '../../../money/payments/engine.ts';
import { ownContext } from '../../../../test/own-context.ts';
import { wallAt } from '../../../../kernel/base/values/zone.ts';
import type { Visit } from '../test/window/visit.ts';

let desk: DashboardWorld;
let b: BillingWorld;
let owner: Visit;
before(async () => {
  desk = await DashboardWorld.start({ own: true });
  b = await BillingWorld.of(desk.world);
  owner = await desk.window();
  await desk.open(owner, 'today');
});
after(() => desk?.close());

const dialog = () => topDialog(owner);
const saying = (text: string | RegExp) => owner.page.getByText(text).first().waitFor();
const within = (list: string) => owner.page.getByRole('list', { name: list, exact: true }).getByRole('listitem');
const today = () => wallAt(desk.world.now, 'America/Toronto').date;

/** Creates an unpaid drop-in. */
async function owing(name: string): Promise<{ customer: number; number: string }> {
  const customer = await desk.world.newCustomer({ first_name: name, last_name: 'Ledger' });
  const checkout = await b.c.open(customer);
  await b.c.add(checkout, { item_type: 'CLASS_DRP', event: await b.c.event() });
  await b.c.pay(checkout, { pay_later: true });
  const [{ number }] = (await b.read(`/invoices?payer=${customer}`)).results;
  return { customer, number };
}

test('transactions are found by day, account and customer, with their debits and credits', async () => {
  const { customer, number } = await owing('Petra');
  await owing('Paul');
  await desk.open(owner, `sales?tab=books&of=transactions&from=${today()}&to=${today()}&customer=${customer}`);
  await within('Transactions').getByText(`Invoice ${number}`).click();
  await shows(() => within('Transactions').count(), 1);
  const rows = within('Transactions').locator('tbody tr');
  await shows(
    () => rows.first().locator('th, td').allInnerTexts(),
    ['Owed by customers', 'Petra Ledger', '$15.00', ''],
  );
  await shows(() => rows.last().locator('th, td').allInnerTexts(), ['Revenue · Single visits', '', '', '$15.00']);
  await owner.checkLive('books-transactions');
  await owner.page.getByRole('combobox', { name: 'Account', exact: true }).selectOption({ label: 'Tax' });
  await saying('There are no such transactions on these days.');
  await within('Transactions').first().waitFor({ state: 'detached' });
  await owner.page.getByRole('combobox', { name: 'Account', exact: true }).selectOption({ label: 'Revenue' });
  await within('Transactions').getByText(`Invoice ${number}`).click();
  await owner.page.getByRole('link', { name: 'Open the invoice' }).click();
  await owner.page.getByRole('heading', { level: 1, name: number }).waitFor();
});

const codes = async () =>
  (await b.read('/ledger/account_codes')).codes.map((one: any) => [one.account, one.detail, one.code]);

test('account codes are set for an account and for a part of it, and removed again', async () => {
  await owing('Pia');
  await desk.open(owner, `sales?tab=books&of=codes&from=${today()}&to=${today()}`);
  const save = async () => {
    await owner.page.getByRole('button', { name: 'Save', exact: true }).click();
    await saved(owner, 'The account codes are saved.');
  };
  await owner.page.getByLabel('Code of Revenue', { exact: true }).fill('8400');
  await owner.page.getByLabel('Code of Single visits').fill('8410');
  await save();
  assert.deepEqual(await codes(), [
    ['revenue', null, '8400'],
    ['revenue', 'event_registration', '8410'],
  ]);
  await owner.checkLive('books-codes');
  await owner.page.getByLabel('Code of Single visits').fill('#');
  await owner.page.getByRole('button', { name: 'Save', exact: true }).click();
  await saying(/Must begin with a letter or digit/);
  await owner.page.getByLabel('Code of Single visits').fill('');
  await save();
  assert.deepEqual(await codes(), [['revenue', null, '8400']]);
  await desk.open(owner, `sales?tab=books&from=${today()}&to=${today()}`);
  await owner.page.getByRole('row', { name: /^Revenue · Single visits 8400/ }).waitFor();
});

test('a charge that is on no invoice is voided with the reason', async () => {
  const customer = await desk.world.newCustomer({ first_name: 'Vera', last_name: 'Void' });
  const body = { customer, kind: 'charge', amount: '12.00', explanation: 'A lost towel.' };
  const { id } = await b.done('POST', '/account_entries', body);
  await desk.open(owner, `people/${customer}?tab=account`);
  await owner.page.getByRole('button', { name: 'Void: A lost towel.' }).click();
  await dialog().getByLabel('Reason').fill('The towel was found.');
  await dialog().getByRole('button', { name: 'Continue' }).click();
  await dialog().getByText('The entry is voided.').waitFor();
  await confirm(owner, 'Void');
  await within('Charges and credits').getByText('The towel was found.').waitFor();
  await owner.checkLive('books-account');
  assert.partialDeepStrictEqual(await b.read(`/account_entries/${id}`), {
    status: 'voided',
    void_explanation: 'The towel was found.',
  });
});

test('credit moves to another member of the family, and its history shows where it went', async () => {
  const { parent, child } = await b.family();
  await b.patch(`/customers/${child}`, { first_name: 'Mia', last_name: 'Mover' });
  await b.done('POST', '/account_entries', {
    customer: parent,
    kind: 'credit',
    amount: '20.00',
    explanation: 'The pool was closed.',
  });
  const credit = async (customer: number) => (await b.read(`/customers/${customer}/account_balance`)).credit.string;
  await desk.open(owner, `people/${parent}?tab=account`);
  await owner.page.getByRole('button', { name: 'Move credit' }).click();
  await dialog().getByLabel('Family member').selectOption({ label: 'Mia Mover' });
  await dialog().getByLabel('Amount in CAD').fill('25');
  await dialog().getByRole('button', { name: 'Continue' }).click();
  await owner.page.getByText('does not have this much account credit').waitFor();
  await dialog().getByLabel('Amount in CAD').fill('7,50');
  await proceed(owner, 'Move credit');
  await saying('The credit was moved.');
  await within('Account credit').getByText('Moved to Mia Mover.').waitFor();
  await within('Account credit').getByText('+$20.00').waitFor();
  assert.deepEqual([await credit(parent), await credit(child)], ['12.50', '7.50']);
});

test('a saved payment method is deleted once no payment with it is running', async () => {
  const customer = await desk.world.newCustomer({ first_name: 'Carla', last_name: 'Card' });
  await b.card(customer);
  await desk.open(owner, `people/${customer}?tab=account`);
  await owner.page.getByRole('button', { name: /^Delete: / }).click();
  await dialog().getByText('One saved payment method is deleted').waitFor();
  await confirm(owner, 'Delete');
  await saying('They have saved no payment method.');
  assert.equal((await b.read(`/payment_methods?customer=${customer}`)).count, 0);
});

test('the payment processor is asked about a refund without a known result', async () => {
  const customer = await desk.world.newCustomer({ first_name: 'Rita', last_name: 'Refunded' });
  const checkout = await b.c.open(customer);
  await b.c.add(checkout, { item_type: 'CLASS_DRP', event: await b.c.event() });
  await b.c.pay(checkout, { payment_processor: b.c.sandbox, scenario: 'refund_pending' });
  const drive = async () => {
    while (await driveAll(ownContext(desk.world)));
  };
  await drive();
  const [{ id: payment }] = (await b.read(`/payments?customer=${customer}`)).results;
  await b.done('POST', `/payments/${payment}/refund`, { reason: 'Cancelled.' });
  await drive();
  const status = async () => (await b.read(`/payment_refunds?payment=${payment}`)).results[0].status;
  assert.equal(await status(), 'pending');
  await b.c.play(payment, 'complete_refunds', 'lost');
  await desk.open(owner, 'sales?tab=payments&of=refunds');
  await within('Refunds').filter({ hasText: 'Rita Refunded' }).getByRole('button', { name: /^Ask/ }).click();
  await saying('The payment processor was asked.');
  await drive();
  assert.equal(await status(), 'succeeded');
});
