import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { CounterWorld } from './test/counter-world.ts';
import { startWorld, type World } from '../../../test/world.ts';
import { WATER } from './test/quick.ts';

let world: World;
let at: CounterWorld;
before(async () => {
  world = await startWorld();
  at = await CounterWorld.of(world);
});
after(() => at.close());

const text = (amount: { string: string } | null): string | null => amount && amount.string;
const expected = async (session: number) => text((await at.session(session)).expected_amount);
const refund = (sale: { id: number }, body: object) =>
  at.done('POST', `/counter/sales/${sale.id}/refund`, { reason: 'It was cold.', ...body });

test('a full refund of a sale issues a credit note, and takes the cash out of the open session', async () => {
  const session = await at.open('0.00');
  const sale = await at.sellFor('7.00');
  const refunded = await refund(sale, {});
  assert.deepEqual([text(refunded.refunded_amount), await expected(session)], ['7.00', '0.00']);
  const { credit_notes } = await at.done('GET', `/invoices/${sale.invoice}?fields=credit_notes`);
  assert.deepEqual(
    credit_notes.map((note: any) => [note.total_amount_due.string, note.reason]),
    [['-7.00', 'It was cold.']],
  );
  const again = await at.refused('POST', `/counter/sales/${sale.id}/refund`, { reason: 'Again.' });
  assert.equal(again.code, 'credit_exceeds_invoice');
  await at.closeSession(session, '0.00');
  await at.c.balanced();
});

test('a sale is partly refunded by a line, a part of a line, or an amount', async () => {
  const session = await at.open('0.00');
  const sale = await at.sell({
    items: [WATER, { ...WATER, description: 'Tea', unit_price: '6.00' }],
    payments: [{ payment_processor: at.drawer }],
  });
  const { line_items } = await at.done('GET', `/invoices/${sale.invoice}?fields=line_items`);
  await refund(sale, { line_items: [{ line_item: line_items[0].id }] });
  assert.equal(await expected(session), '6.00');
  await refund(sale, { line_items: [{ line_item: line_items[1].id, amount: '2.50' }] });
  assert.equal(await expected(session), '3.50');
  await refund(sale, { amount: '1.00' });
  assert.equal(await expected(session), '2.50');
  const most = await at.refused('POST', `/counter/sales/${sale.id}/refund`, { amount: '2.51', reason: 'x' });
  assert.equal(most.code, 'credit_exceeds_invoice');
  const receipt = await world.get(`/counter/sales/${sale.id}/receipt`, { as: world.machine });
  assert.equal(receipt.text.match(/Refunded on/g)!.length, 3);
  await at.closeSession(session, '2.50');
  await at.c.balanced();
});

test('if a sale has several payments, staff choose which one is refunded', async () => {
  const session = await at.open('0.00');
  const sale = await at.sell({
    items: [{ ...WATER, unit_price: '30.00' }],
    payments: [{ payment_processor: at.drawer, amount: '10.00' }, { payment_processor: at.terminal }],
  });
  const [cash, card] = sale.payments.map((one: any) => one.payment);
  const wrong = await at.refused('POST', `/counter/sales/${sale.id}/refund`, {
    amount: '5.00',
    payments: [{ payment: cash, amount: '4.00' }],
    reason: 'x',
  });
  assert.deepEqual(wrong.field_errors, { payments: ['Must come to $5.00, which is what is refunded as money.'] });
  const strange = await at.refused('POST', `/counter/sales/${sale.id}/refund`, {
    payments: [{ payment: 999_999_999, amount: '30.00' }],
    reason: 'x',
  });
  assert.deepEqual(Object.keys(strange.field_errors), ['payments.0.payment']);
  await refund(sale, { amount: '5.00', payments: [{ payment: cash, amount: '5.00' }] });
  assert.equal(await expected(session), '5.00');
  await refund(sale, {
    amount: '12.00',
    payments: [
      { payment: card, amount: '10.00' },
      { payment: cash, amount: '2.00' },
    ],
  });
  assert.equal(await expected(session), '3.00');
  await refund(sale, {});
  assert.equal(await expected(session), '0.00');
  await at.closeSession(session, '0.00');
  await at.c.balanced();
});

test('a refund of more cash than the drawer has is refused, and its credit note is rolled back', async () => {
  const session = await at.open('0.00');
  const sale = await at.sellFor('9.00');
  await at.done('POST', `/counter/cash_sessions/${session}/pay_out`, { amount: '5.00', reason: 'To the bank.' });
  const no = await at.refused('POST', `/counter/sales/${sale.id}/refund`, { reason: 'x' });
  assert.deepEqual([no.status, no.code], [409, 'cash_not_enough']);
  const { credit_notes } = await at.done('GET', `/invoices/${sale.invoice}?fields=credit_notes`);
  assert.deepEqual(credit_notes, []);
  await at.closeSession(session, '4.00');
});

test('a walk-in customer gets money and never account credit, which would belong to nobody', async () => {
  const sale = await at.sell({ payments: [{ payment_processor: at.terminal }] });
  const no = await at.refused('POST', `/invoices/${sale.invoice}/credit`, { reason: 'x' });
  assert.match(no.message, /walk-in customer, who has no account/);
  await at.done('POST', `/invoices/${sale.invoice}/credit`, { give_back: 'refund', reason: 'x' });
  assert.equal(text((await at.done('GET', `/counter/sales/${sale.id}`)).refunded_amount), '4.00');
});

test('an amount paid with account credit becomes account credit again', async () => {
  const customer = await world.newCustomer();
  await at.done('POST', '/account_entries', { customer, kind: 'credit', amount: '3.00', explanation: 'Sorry.' });
  const sale = await at.sell({ customer, use_account_credit: true, payments: [{ payment_processor: at.terminal }] });
  assert.deepEqual([text(sale.credit_amount), text(sale.paid_amount)], ['3.00', '1.00']);
  const refunded = await refund(sale, {});
  assert.equal(text(refunded.refunded_amount), '1.00');
  assert.deepEqual((await at.c.balances(customer)).credit, -300);
  await at.c.balanced();
});

test('a dry run of a refund shows what would leave the drawer, and takes nothing', async () => {
  const session = await at.open('0.00');
  const sale = await at.sellFor('7.00');
  const preview = await at.done('POST', `/counter/sales/${sale.id}/refund?dry_run=true`, { reason: 'x' });
  assert.deepEqual(
    preview.effects.map((one: any) => one.effect),
    ['credit_note', 'refund', 'cash_out'],
  );
  assert.equal(await expected(session), '7.00');
  await at.closeSession(session, '7.00');
});
