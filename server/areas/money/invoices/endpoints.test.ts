import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { applyCredit } from './index.ts';
import { billed, payWith } from './test/invoicing.ts';
import { checkLedger, creditOf, post } from '../ledger/index.ts';
import { feedEnd, feedSince, newCustomers, row } from '../../../test/schedule-world.ts';
import { sql } from '../../../kernel/base/db/sql.ts';
import { whatKeeps } from '../../communication/crm/deletion/deletion-blockers.ts';
import { startWorld, type ApiAnswer, type World } from '../../../test/world.ts';

let world: World;
let desk: number;
before(async () => {
  world = await startWorld();
  const tax = { kind: 'tax', type: 'percent', percentage: '13', is_taxable: false, purchase_types: ['event'] };
  await row(world, 'purchase_fee', { name: 'HST', ...tax });
  desk = await row(world, 'payment_processor', { kind: 'offline', name: 'Desk' });
});
after(() => world.close());

const customer = async (): Promise<number> => (await newCustomers(world, 1))[0];
const get = async (path: string, as = world.machine): Promise<any> => {
  const answer = await world.get(path, { as });
  assert.equal(answer.status, 200, answer.text);
  return answer.body;
};
const act = (id: number, what: string, body: object, as = world.machine): Promise<ApiAnswer> =>
  world.post(`/invoices/${id}/${what}`, { as, body });
const ids = async (query: string, as = world.machine): Promise<number[]> =>
  (await get(`/invoices?${query}`, as)).results.map((one: any) => one.id);

const ALL = 'charges,line_items,discounts,adjustments,applied_credits,taxes,credit_notes';

const named = () => ({ payment_processor: desk });

test('an invoice shows its lines, taxes, discounts and payments if they are expanded', async () => {
  const payer = await customer();
  const code = { id: 12, code: 'SPRING', name: 'Spring offer' };
  const lines = [{ discount: 1000, billed: { object: 'event', id: 31, name: 'Rowing' } }];
  const { id, number } = await billed(world, payer, lines, { discountCode: code });
  await payWith(world, payer, id, 390);
  const invoice = await get(`/invoices/${id}?expand=${ALL},payer,line_items.billed_item`);
  assert.deepEqual(
    [invoice.number, invoice.status, invoice.is_credit_note, invoice.total_amount_due.string],
    [number, 'open', false, '33.90'],
  );
  assert.equal(invoice.outstanding_amount.string, '30.00');
  assert.deepEqual(Object.keys(invoice.payer).toSorted(), ['id', 'name']);
  const [line, ...more] = invoice.line_items;
  assert.deepEqual(
    [line.object, line.type, line.price.string, line.discount.string, line.total_amount_due.string, more],
    ['invoice_line_item', 'event_registration', '40.00', '10.00', '33.90', []],
  );
  assert.deepEqual(line.billed_item, { id: 31, name: 'Rowing', type: 'billed_event_registration' });
  assert.deepEqual(
    invoice.taxes.map((tax: any) => [tax.object, tax.amount.string, tax.explanation]),
    [['invoice_tax', '3.90', 'HST: 13% of $30.00']],
  );
  assert.deepEqual(
    invoice.discounts.map((one: any) => [one.discount_code, one.code, one.amount.string]),
    [[12, 'SPRING', '10.00']],
  );
  assert.deepEqual(
    invoice.charges.map((one: any) => [one.object, one.amount.string]),
    [['invoice_charge', '3.90']],
  );
  assert.deepEqual([invoice.applied_credits, invoice.adjustments, invoice.credit_notes], [[], [], []]);
  const plain = await get(`/invoices/${id}`);
  assert.ok(!('line_items' in plain) && plain.payer === payer);
});

test('invoices are filtered by status, payer, kind, number and due date, and sorted by due date', async () => {
  const payer = await customer();
  const later = await billed(world, payer, [{}], { dueOn: '2031-05-02' });
  const sooner = await billed(world, payer, [{}], { dueOn: '2031-05-01', pendingOffline: true });
  const mine = (query: string) => ids(`payer=${payer}&${query}`);
  assert.deepEqual(await mine('sort=due_date'), [sooner.id, later.id]);
  assert.deepEqual(await mine('sort=-due_date'), [later.id, sooner.id]);
  assert.deepEqual(
    [await mine('status=open'), await mine('status=open,pending_offline&sort=id')],
    [[later.id], [later.id, sooner.id]],
  );
  assert.deepEqual(
    [await mine('due_date_gte=2031-05-02'), await mine('due_date_lte=2031-05-01')],
    [[later.id], [sooner.id]],
  );
  assert.deepEqual([await mine('store_order=1'), await mine('is_credit_note=true')], [[], []]);
  await act(later.id, 'credit', { reason: 'A mistake.' });
  const [note] = await mine('is_credit_note=true');
  const { number } = await get(`/invoices/${note}`);
  const digits = Number(number.slice('CN-'.length));
  for (const typed of [number, number.toLowerCase(), `CN ${digits}`])
    assert.deepEqual(await mine(`number=${typed}`), [note]);
  assert.ok((await ids(`number=${digits}`)).includes(note), 'the digits alone find both series');
  const same = `number=${later.number.slice('INV-'.length)}&is_credit_note=false`;
  assert.deepEqual([await mine(same), await mine('number=INV-x'), await mine('number=0')], [[later.id], [], []]);
});

test('people see the invoices that they pay, and staff see amounts only if they work with money or invoices', async () => {
  const family_id = await row(world, 'family', {});
  const parent = await world.newCustomer({ family_id, family_role: 'manager' });
  const child = await world.newCustomer({ family_id, family_role: 'child' });
  const { id } = await billed(world, parent, [{ customer: child }]);
  const seen = await get(`/invoices/${id}?expand=line_items,payer,taxes`, world.customer(parent));
  assert.deepEqual(
    [seen.total_amount_due.string, seen.line_items[0].price.string, seen.taxes.length],
    ['45.20', '40.00', 1],
  );
  assert.deepEqual(await ids('', world.customer(parent)), [id]);
  for (const other of [world.customer(child), world.customer(await customer())]) {
    assert.deepEqual(await ids('', other), []);
    assert.equal((await world.get(`/invoices/${id}`, { as: other })).status, 404);
  }
  assert.equal((await world.get('/invoices', { as: world.staff(['customers']) })).status, 403);
  assert.equal((await get(`/invoices/${id}`, world.staff(['store']))).total_amount_due.string, '45.20');
});

test('a payment at the desk pays the amount due or a part of it, and the last one marks the invoice as paid', async () => {
  const payer = await customer();
  const { id, number } = await billed(world, payer);
  const since = await feedEnd(world);
  const preview = await world.post(`/invoices/${id}/record_payment?dry_run=true`, { as: world.machine, body: named() });
  assert.deepEqual([preview.status, preview.body.status], [200, 'paid'], preview.text);
  const part = await act(
    id,
    'record_payment',
    { ...named(), amount: '5.20', method: 'transfer' },
    world.staff(['pos']),
  );
  assert.deepEqual(
    [part.status, part.body.status, part.body.outstanding_amount.string],
    [200, 'open', '40.00'],
    part.text,
  );
  const whole = await act(id, 'record_payment', named());
  assert.deepEqual([whole.body.status, whole.body.outstanding_amount.string], ['paid', '0.00']);
  const kinds = (await feedSince(world, since)).map((item) => item.kind);
  assert.deepEqual(
    kinds.filter((kind) => kind.startsWith('invoice.')),
    ['invoice.payment_applied', 'invoice.payment_applied', 'invoice.paid'],
  );
  const { charges } = await get(`/invoices/${id}?expand=charges.payment,charges.payment_processor`);
  assert.deepEqual(
    charges.map((one: any) => [one.amount.string, one.payment.description, one.payment_processor.name]),
    [
      ['5.20', `Invoice ${number}, paid by bank transfer`, 'Desk'],
      ['40.00', `Invoice ${number}, paid in cash`, 'Desk'],
    ],
  );
  const again = await act(id, 'record_payment', named());
  assert.deepEqual([again.status, again.body.code], [409, 'invoice_not_due']);
});

test('an impossible payment at the desk is refused with a message about what to send', async () => {
  const { id } = await billed(world, await customer());
  const errors = async (body: object) => (await act(id, 'record_payment', body)).body.field_errors;
  assert.deepEqual(await errors({ ...named(), amount: '45.21' }), {
    amount: ['Must be at most 45.20, which is what is left to pay.'],
  });
  assert.deepEqual(await errors({ ...named(), amount: '0' }), { amount: ['Must be more than 0.'] });
  const sandbox = await row(world, 'payment_processor', { kind: 'sandbox', name: 'Card' });
  assert.deepEqual(await errors({ payment_processor: sandbox }), {
    payment_processor: ['Must be a processor of the kind `offline` that is turned on.'],
  });
  assert.equal((await act(id, 'record_payment', named(), world.staff(['customers']))).status, 403);
});

test('a partial credit note credits its share of the tax, and refunds what was paid at the desk', async () => {
  const payer = await customer();
  const { id } = await billed(world, payer);
  await act(id, 'record_payment', named());
  const half = { amount: '22.60', give_back: 'refund', reason: 'Half of it was cancelled.' };
  const answer = await act(id, 'credit', half);
  assert.equal(answer.status, 201, answer.text);
  const note = await get(`/invoices/${answer.body.id}?expand=line_items,taxes`);
  assert.deepEqual(
    [
      note.is_credit_note,
      note.total_amount_due.string,
      note.taxes[0].amount.string,
      note.reason,
      note.credited_invoice,
    ],
    [true, '-22.60', '-2.60', half.reason, id],
  );
  const invoice = await get(`/invoices/${id}?expand=credit_notes,line_items,charges.payment`);
  assert.deepEqual(
    invoice.credit_notes.map((one: any) => one.id),
    [note.id],
  );
  assert.deepEqual(
    [invoice.status, invoice.line_items[0].credited_amount.string, invoice.charges[0].payment.refunded_amount.string],
    ['paid', '22.60', '22.60'],
  );
  const rest = await act(id, 'credit', { reason: 'All of it was cancelled.' });
  assert.equal(rest.body.total_amount_due.string, '-22.60');
  assert.equal(await world.work(world.harbour, (w) => creditOf(w, payer)), 2260);
  const more = await act(id, 'credit', { reason: 'Once more.' });
  assert.deepEqual([more.status, more.body.code], [409, 'credit_exceeds_invoice']);
});

test('a credit note for some lines credits those, and names each problem with them', async () => {
  const { id, lines } = await billed(world, await customer(), [{}, { list: 1000 }]);
  const [first, second] = lines.map((line) => line.id);
  const credit = (line_items: object[], more = {}) => act(id, 'credit', { line_items, reason: 'A mistake.', ...more });
  const wrong = await credit([{ line_item: first }, { line_item: first }]);
  assert.deepEqual(wrong.body.field_errors, { 'line_items.1.line_item': ['Each line can be named once.'] });
  const foreign = await billed(world, await customer());
  const other = await credit([{ line_item: foreign.lines[0].id }]);
  assert.deepEqual(other.body.field_errors, { 'line_items.0.line_item': ['Must be a line of this invoice.'] });
  const both = await credit([{ line_item: first }], { amount: '1.00' });
  assert.deepEqual(both.body.field_errors, { amount: ['Send either this or line_items, not both.'] });
  const done = await credit([{ line_item: second }, { line_item: first, amount: '5.00' }]);
  assert.deepEqual([done.status, done.body.total_amount_due.string], [201, '-16.30'], done.text);
  assert.equal((await get(`/invoices/${id}`)).outstanding_amount.string, '40.20');
});

test('refunding a payment credits what it paid, even if another amount is still due', async () => {
  const payer = await customer();
  const { id } = await billed(world, payer);
  await act(id, 'record_payment', { ...named(), amount: '20.00' });
  const { charges } = await get(`/invoices/${id}?expand=charges`);
  const body = { reason: 'It was somebody else’s.' };
  const answer = await world.post(`/payments/${charges[0].payment}/refund`, { as: world.machine, body });
  assert.equal(answer.status, 201, answer.text);
  const { outstanding_amount, credit_notes } = await get(`/invoices/${id}?expand=credit_notes`);
  assert.deepEqual(
    [outstanding_amount.string, credit_notes.map((one: any) => one.total_amount_due.string)],
    ['25.20', ['-20.00']],
  );
});

test('a refund never exceeds what was paid with money: a payment with account credit becomes account credit again', async () => {
  const payer = await customer();
  const { id } = await billed(world, payer);
  await world.work(world.harbour, async (work) => {
    await post(work, {
      kind: 'credit_given',
      about: { object: 'customer', id: payer },
      explanation: 'A gift.',
      lines: [
        { account: 'credit_given', amount: 4000 },
        { account: 'credit', customer: payer, amount: -4000 },
      ],
    });
    await applyCredit(work, { invoice: id, amount: 4000, from: 'credit' });
  });
  await act(id, 'record_payment', named());
  const answer = await act(id, 'credit', { give_back: 'refund', reason: 'It was cancelled.' });
  assert.equal(answer.status, 201, answer.text);
  const { charges } = await get(`/invoices/${id}?expand=charges.payment`);
  assert.equal(charges[0].payment.refunded_amount.string, '5.20');
  assert.equal(await world.work(world.harbour, (w) => creditOf(w, payer)), 4000);
});

test('a customer who has an invoice cannot be deleted', async () => {
  const payer = await customer();
  await billed(world, payer);
  assert.equal((await get(`/customers?ids=${payer}&can_delete=false`)).count, 1);
  const why = await world.work(world.harbour, (work) => whatKeeps(work, [payer]));
  assert.match(why.get(payer)!, /1 invoice/);
});

test('when two records of one person are merged, their invoices belong to one, and the ledger still agrees', async () => {
  const [kept, merged] = await newCustomers(world, 2);
  const { id } = await billed(world, merged, [{}, { list: 1000 }]);
  await act(id, 'record_payment', { ...named(), amount: '5.00' });
  const answer = await world.post(`/customers/${kept}/merge`, { as: world.machine, body: { from: merged } });
  assert.equal(answer.status, 200, answer.text);
  assert.deepEqual([await ids(`payer=${kept}`), await ids(`payer=${merged}`)], [[id], []]);
  assert.deepEqual(await world.work(world.harbour, (work) => checkLedger(work)), []);
});

test('a voided invoice shows the reason, and cannot be paid', async () => {
  const { id } = await billed(world, await customer());
  const voided = await act(id, 'void', { reason: 'It was issued twice.' });
  assert.deepEqual(
    [voided.status, voided.body.status, voided.body.void_explanation, voided.body.outstanding_amount.string],
    [200, 'voided', 'It was issued twice.', '0.00'],
  );
  assert.equal((await act(id, 'record_payment', named())).body.code, 'invoice_voided');
  const [entry] = (await get(`/audit_entries?object=invoice&object_id=${id}&action=POST /invoices/{id}/void`)).results;
  assert.ok(entry.changes.some((change: any) => change.name === 'void_explanation'));
});

test('an invoice keeps the name, address and tax number that the business had on the day of issue', async () => {
  const settings = {
    legal_name: 'Harbour Lane Ltd',
    tax_number: 'HST 1234 RT',
    note: 'Thank you.',
    reminder_days: null,
  };
  const changed = await world.patch('/invoice_settings', { as: world.machine, body: settings });
  assert.deepEqual([changed.status, changed.body], [200, settings], changed.text);
  assert.deepEqual(await get('/invoice_settings'), settings);
  const { id } = await billed(world, await customer());
  await world.patch('/invoice_settings', { as: world.machine, body: { tax_number: null } });
  const [{ parties }] = await world.work(world.harbour, ({ tx }) =>
    tx.rows<any>(sql`SELECT parties FROM invoice WHERE provider_id = ${world.harbour} AND id = ${id}`),
  );
  assert.deepEqual([parties.seller.name, parties.seller.tax_number], ['Harbour Lane Ltd', 'HST 1234 RT']);
});
