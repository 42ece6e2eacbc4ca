import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { CounterWorld } from './test/counter-world.ts';
import { startWorld, type World } from '../../../test/world.ts';
import { newProduct } from '../store/test/seeds.ts';
import { WATER } from './test/quick.ts';
import { randomUUID } from 'node:crypto';

let world: World;
let at: CounterWorld;
before(async () => {
  world = await startWorld();
  at = await CounterWorld.of(world);
});
after(() => at.close());

const money = (amount: { string: string } | null): string | null => amount && amount.string;

test('a walk-in customer buys a quick item in cash, and the change is explained', async () => {
  const session = await at.open();
  const sale = await at.sell({ payments: [{ payment_processor: at.drawer, tendered: '20.00' }] });
  assert.deepEqual(
    [sale.customer, sale.is_walk_in, money(sale.total_amount), money(sale.paid_amount), money(sale.change_amount)],
    [null, true, '4.00', '4.00', '16.00'],
  );
  const [payment] = sale.payments;
  assert.equal(payment.explanation, '$20.00 handed over − $4.00 = $16.00 change');
  const { expected_amount, payments_amount } = await at.session(session);
  assert.deepEqual([money(expected_amount), money(payments_amount)], ['54.00', '4.00']);
  await at.closeSession(session, '54.00');
  await at.c.balanced();
});

test('a sale to a walk-in customer has an invoice that is paid and says so', async () => {
  const sale = await at.sell({ payments: [{ payment_processor: at.terminal }] });
  const invoice = await at.done('GET', `/invoices/${sale.invoice}?expand=payer,line_items,charges`);
  assert.deepEqual([invoice.status, invoice.payer.name], ['paid', 'Walk-in customer']);
  assert.deepEqual(
    invoice.line_items.map((line: any) => [line.type, line.description, line.total_amount_due.string]),
    [['flat_fee', 'Water', '4.00']],
  );
  const document = await world.get(`/invoices/${sale.invoice}/document?format=html`, { as: world.machine });
  assert.match(document.text, /Walk-in customer/);
});

test('fees and taxes of a quick item follow its purchase type and the place of sale', async () => {
  const [here, elsewhere] = [
    (await at.done('GET', '/venues')).results[0].id,
    (
      await world.post('/venues', {
        as: world.machine,
        body: { name: `Quay ${randomUUID()}`, timezone: 'America/Toronto' },
      })
    ).body.id,
  ];
  const fee = async (name: string, percentage: string, more: object) =>
    (
      await at.done('POST', '/purchase_fees', {
        name,
        kind: 'tax',
        type: 'percent',
        percentage,
        purchase_types: ['course'],
        ...more,
      })
    ).id;
  const made = [await fee('HST', '13', {}), await fee('Harbour levy', '2', { venues: [here] })];
  const total = async (body: object) =>
    money(
      (
        await at.sell({
          items: [{ ...WATER, purchase_type: 'course', unit_price: '10.00' }],
          payments: [{ payment_processor: at.terminal }],
          ...body,
        })
      ).total_amount,
    );
  assert.equal(await total({}), '11.30');
  assert.equal(await total({ venue: here }), '11.50');
  assert.equal(await total({ venue: elsewhere }), '11.30');
  assert.ok(made.every((id) => id > 0));
});

test('one sale can be paid with account credit, a card terminal and cash', async () => {
  const session = await at.open();
  const customer = await world.newCustomer();
  await at.done('POST', '/account_entries', { customer, kind: 'credit', amount: '5.00', explanation: 'Sorry.' });
  const sale = await at.sell({
    customer,
    items: [{ ...WATER, unit_price: '10.00', quantity: 3 }],
    use_account_credit: true,
    payments: [
      { payment_processor: at.terminal, amount: '12.50' },
      { payment_processor: at.drawer, tendered: '20.00' },
    ],
  });
  assert.deepEqual([sale.total_amount, sale.credit_amount, sale.paid_amount, sale.change_amount].map(money), [
    '30.00',
    '5.00',
    '25.00',
    '7.50',
  ]);
  assert.deepEqual(
    sale.payments.map((one: any) => [one.payment_processor, one.amount.string, money(one.tendered)]),
    [
      [at.terminal, '12.50', null],
      [at.drawer, '12.50', '20.00'],
    ],
  );
  assert.equal((await at.done('GET', `/invoices/${sale.invoice}`)).status, 'paid');
  await at.closeSession(session, '62.50');
  await at.c.balanced();
});

test('a sale that is not paid exactly is refused with the amount left, and rolled back', async () => {
  const count = async () => (await at.done('GET', '/counter/sales')).count;
  const before = await count();
  const no = (payments: object[]) => at.refused('POST', '/counter/sales', { items: [WATER], payments });
  const [less, twice, over, short, card, remote] = [
    await no([{ payment_processor: at.terminal, amount: '3.00' }]),
    await no([{ payment_processor: at.terminal }, { payment_processor: at.terminal, amount: '1.00' }]),
    await no([{ payment_processor: at.terminal, amount: '4.01' }]),
    await no([{ payment_processor: at.drawer, amount: '4.00', tendered: '3.99' }]),
    await no([{ payment_processor: at.terminal, tendered: '5.00' }]),
    await no([{ payment_processor: at.c.sandbox }]),
  ];
  assert.deepEqual(less.field_errors, { payments: ['$1.00 is left to pay. Add a payment.'] });
  assert.deepEqual(Object.keys(twice.field_errors), ['payments.1']);
  assert.deepEqual(Object.keys(over.field_errors), ['payments.0.amount']);
  assert.deepEqual(Object.keys(short.field_errors), ['payments.0.tendered']);
  assert.deepEqual(Object.keys(card.field_errors), ['payments.0.tendered']);
  assert.deepEqual(Object.keys(remote.field_errors), ['payments.0.payment_processor']);
  assert.equal(await count(), before);
});

test('a total other than the agreed one sells nothing', async () => {
  const refused = await at.refused('POST', '/counter/sales', {
    items: [WATER],
    payments: [{ payment_processor: at.terminal }],
    total: '3.00',
  });
  assert.deepEqual([refused.status, refused.code], [409, 'price_changed']);
});

test('a discount code that reduces nothing, or has no use left, is refused instead of the full price being charged', async () => {
  const payments = [{ payment_processor: at.terminal }];
  const discount_code = await at.c.code({ usable_purchase_types: ['event'] });
  const refused = await at.refused('POST', '/counter/sales', { items: [WATER], payments, discount_code });
  assert.equal(refused.code, 'discount_code_not_applicable');
  const once = await at.c.code({ usable_purchase_types: ['store'], allowed_uses: 1 });
  const { variant } = await newProduct(world, { price: '10.00' });
  const sale = { items: [{ store_product_variant: variant }], payments, discount_code: once };
  const answers = await Promise.all([1, 2, 3].map(() => at.c.ask('POST', '/counter/sales', sale)));
  assert.deepEqual(
    answers.map(({ status, body }) => (status === 201 ? money(body.total_amount) : body.code)).toSorted(),
    ['8.00', 'discount_code_used_up', 'discount_code_used_up'],
  );
});

test('a walk-in customer can’t buy things that belong to a person, nor use account credit', async () => {
  const event = await at.c.event();
  const place = await at.refused('POST', '/counter/sales', { items: [WATER, { event }] });
  assert.deepEqual(place.field_errors, {
    'items.1.item_type': ['This item must belong to a customer. Name the customer who buys it.'],
  });
  const credit = await at.refused('POST', '/counter/sales', { items: [WATER], use_account_credit: true });
  assert.deepEqual(Object.keys(credit.field_errors), ['use_account_credit']);
});

test('a walk-in customer buys a gift card for somebody else', async () => {
  await at.done('PATCH', '/gift_cards/config', { is_enabled_provider_site: true, amount_choices: ['25.00'] });
  const sale = await at.sell({
    items: [
      { item_type: 'GIFT_CARD', unit_price: '25.00', recipient_email: 'friend@example.com', recipient_name: 'Friend' },
    ],
    payments: [{ payment_processor: at.terminal }],
  });
  assert.equal(money(sale.total_amount), '25.00');
  const { results } = await at.done('GET', '/gift_cards?expand=purchaser');
  assert.equal(results.length, 1);
  await at.c.balanced();
});

test('a walk-in customer buys a gift card that is printed at the counter, and its code is shown once', async () => {
  const sale = await at.sell({
    items: [{ item_type: 'GIFT_CARD', unit_price: '25.00' }],
    payments: [{ payment_processor: at.terminal }],
  });
  const { results } = await at.done('GET', `/gift_cards?invoice=${sale.invoice}`);
  assert.deepEqual(
    results.map((one: any) => [one.delivery_status, money(one.amount)]),
    [['to_print', '25.00']],
  );
  const printed = await at.done('POST', `/gift_cards/${results[0].id}/print`, {}, world.staff(['pos']));
  assert.ok(printed.page.includes(printed.code));
  const customer = await world.newCustomer();
  const refund = { reason: 'Changed their mind.' };
  await at.done('POST', '/gift_cards/redeem', { code: printed.code, customer });
  const late = await at.refused('POST', `/counter/sales/${sale.id}/refund`, refund);
  assert.equal(late.code, 'gift_card_redeemed');
  await at.c.balanced();
});

test('a customer who buys a place at an event and water at the counter gets both', async () => {
  const [customer, event] = [await world.newCustomer(), await at.c.event({ price: '15.00' })];
  const sale = await at.sell({
    customer,
    items: [{ event }, WATER],
    payments: [{ payment_processor: at.terminal }],
  });
  assert.equal(money(sale.total_amount), '19.00');
  assert.deepEqual(await at.c.seats(event), { attending: 1, held: 0 });
  const twice = await at.refused('POST', '/counter/sales', {
    customer,
    items: [WATER, { event }],
    payments: [{ payment_processor: at.terminal }],
  });
  assert.ok(twice.status === 409 || twice.status === 400, JSON.stringify(twice));
  await at.c.balanced();
});

test('nothing named in an item is taken on trust', async () => {
  const missing = await at.refused('POST', '/counter/sales', { items: [{ event: 999_999_999 }], payments: [] });
  assert.deepEqual(missing.field_errors, { 'items.0.event': ['There is no event with the id 999999999.'] });
  const nothing = await at.refused('POST', '/counter/sales', { items: [{ purchase_type: 'store' }] });
  assert.deepEqual(Object.keys(nothing.field_errors), ['items.0.description', 'items.0.unit_price']);
  const gift = await at.refused('POST', '/counter/sales', { items: [{ ...WATER, purchase_type: 'gift_card' }] });
  assert.deepEqual(Object.keys(gift.field_errors), ['items.0.purchase_type']);
});

test('the walk-in customer is in no list, and can’t be named, changed, merged or deleted', async () => {
  await at.sell({ payments: [{ payment_processor: at.terminal }] });
  const { id } = (
    await at.c.owner.query('SELECT id FROM customer WHERE provider_id = $1 AND is_walk_in', [world.harbour])
  ).rows[0];
  const another = await world.newCustomer();
  const listed = await at.done('GET', `/customers?query=walk-in`);
  assert.deepEqual(listed.results, []);
  assert.deepEqual((await at.done('GET', `/customers?ids=${id},${another}`)).count, 1);
  const notThere: [string, string, object?][] = [
    ['GET', `/customers/${id}`],
    ['PATCH', `/customers/${id}`, { first_name: 'Ada' }],
    ['GET', `/customers/${id}/account_balance`],
    ['POST', `/customers/${id}/merge`, { into: another }],
    ['POST', `/customers/${another}/merge`, { from: id }],
    ['POST', '/checkouts', { customer: id }],
    ['POST', '/counter/sales', { customer: id, items: [WATER] }],
    ['POST', '/customers/bulk_delete', { customers: { ids: [id] } }],
  ];
  for (const [method, path, body] of notThere) {
    const { status } = await at.refused(method, path, body as never);
    assert.ok(status === 404 || status === 400, `${method} ${path}: ${status}`);
  }
});

test('messages to all customers leave out the walk-in customer', async () => {
  await at.sell({ payments: [{ payment_processor: at.terminal }] });
  await world.newCustomer();
  const preview = await at.done('POST', '/communication/broadcast_messages/recipients_preview', {
    channel: 'email',
    use_case: 'general',
    target_recipients: { query_type: 'customer', query: {} },
  });
  const { rows } = await at.c.owner.query(
    'SELECT count(*)::int AS n FROM customer WHERE provider_id = $1 AND NOT is_walk_in AND deleted_at IS NULL',
    [world.harbour],
  );
  assert.deepEqual([preview.customers, preview.targeted], [rows[0].n, rows[0].n]);
});

test('objects of the walk-in customer can be read with the customer expanded, which is null', async () => {
  const sale = await at.sell({ payments: [{ payment_processor: at.terminal }] });
  const { payment } = sale.payments[0];
  for (const path of [
    `/payments/${payment}?expand=customer`,
    `/checkouts/${sale.checkout}?expand=customer`,
    `/counter/sales/${sale.id}?expand=customer`,
  ])
    assert.equal((await at.done('GET', path)).customer, null, path);
  const { line_items } = await at.done('GET', `/invoices/${sale.invoice}?expand=line_items.customer`);
  assert.equal(line_items[0].customer, null);
});

test('the database keeps the single walk-in customer of a business unchanged', async () => {
  await at.sell({ payments: [{ payment_processor: at.terminal }] });
  const refuses = (text: string) =>
    assert.rejects(at.c.owner.query(text, [world.harbour]), /customer_walk_in|stays as it is/);
  await refuses(`UPDATE customer SET email = 'a@example.com' WHERE provider_id = $1 AND is_walk_in`);
  await refuses(`UPDATE customer SET is_walk_in = false WHERE provider_id = $1 AND is_walk_in`);
  await refuses(`UPDATE customer SET first_name = 'Ada' WHERE provider_id = $1 AND is_walk_in`);
  await refuses(`UPDATE customer SET deleted_at = now() WHERE provider_id = $1 AND is_walk_in`);
  await refuses(`DELETE FROM customer WHERE provider_id = $1 AND is_walk_in`);
  await refuses(`INSERT INTO customer (provider_id, is_walk_in) VALUES ($1, true)`);
});

test('a sale and its payments never change, and no payment can be added', async () => {
  const { id } = await at.sell({ payments: [{ payment_processor: at.terminal }] });
  const refuses = (text: string, words: RegExp) => assert.rejects(at.c.owner.query(text, [world.harbour, id]), words);
  const stays = /stays as it was made/;
  await refuses('UPDATE counter_sale SET total_minor = 1 WHERE provider_id = $1 AND id = $2', stays);
  await refuses('UPDATE counter_sale SET paid_minor = 1 WHERE provider_id = $1 AND id = $2', stays);
  await refuses('DELETE FROM counter_sale WHERE provider_id = $1 AND id = $2', stays);
  await refuses('UPDATE counter_payment SET amount_minor = 1 WHERE provider_id = $1 AND counter_sale_id = $2', stays);
  await refuses('DELETE FROM counter_payment WHERE provider_id = $1 AND counter_sale_id = $2', stays);
  const other = await at.sell({ payments: [{ payment_processor: at.terminal }] });
  const { rows } = await at.c.owner.query('SELECT payment_id FROM counter_payment WHERE counter_sale_id = $1', [
    other.id,
  ]);
  await assert.rejects(
    at.c.owner.query(
      `INSERT INTO counter_payment (provider_id, counter_sale_id, payment_id, amount_minor, created_at, updated_at)
        VALUES ($1, $2, $3, 400, now(), now())`,
      [world.harbour, id, rows[0].payment_id],
    ),
    /counter_payment_once|counter_sale_paid/,
  );
});

test('a dry run shows exactly what would happen, and changes nothing', async () => {
  const session = await at.open();
  const count = async () => (await at.done('GET', '/counter/sales')).count;
  const before = await count();
  const body = { items: [WATER], payments: [{ payment_processor: at.drawer, tendered: '5.00' }] };
  const tried = await at.done('POST', '/counter/sales?dry_run=true', body);
  assert.deepEqual([money(tried.total_amount), money(tried.change_amount)], ['4.00', '1.00']);
  assert.deepEqual(
    tried.effects.map((one: any) => [one.effect, one.detail.amount ?? null]),
    [
      ['item_added', null],
      ['checkout_completed', null],
      ['payment', '4.00'],
      ['cash_in', '4.00'],
      ['change', '1.00'],
    ],
  );
  assert.equal(await count(), before);
  assert.equal(money((await at.session(session)).expected_amount), '50.00');
  await at.closeSession(session, '50.00');
});

test('repeating a request with an idempotency key sells once', async () => {
  const headers = { 'idempotency-key': `sale-${randomUUID()}` };
  const body = { items: [WATER], payments: [{ payment_processor: at.terminal }] };
  const ask = () => world.post('/counter/sales', { as: world.machine, body, headers });
  const [first, again] = [await ask(), await ask()];
  assert.deepEqual([first.status, again.status, again.body.id], [201, 201, first.body.id]);
});

test('sales are found by customer, drawer, session and kind', async () => {
  const [session, customer] = [await at.open('0.00'), await world.newCustomer()];
  const mine = await at.sell({ customer, payments: [{ payment_processor: at.terminal }] });
  const cash = await at.sellFor('3.00');
  const found = async (query: string): Promise<number[]> =>
    (await at.done('GET', `/counter/sales?${query}`)).results.map((one: any) => one.id);
  assert.deepEqual(await found(`customer=${customer}`), [mine.id]);
  assert.deepEqual(await found(`cash_session=${session}`), [cash.id]);
  assert.ok((await found(`payment_processor=${at.terminal}`)).includes(mine.id));
  assert.ok(!(await found('is_walk_in=true')).includes(mine.id));
  assert.deepEqual(await found(`invoice=${mine.invoice}`), [mine.id]);
  assert.equal((await at.done('GET', `/counter/sales/${mine.id}`)).customer, customer);
  await at.closeSession(session, '3.00');
});

test('a receipt is printed 80 mm wide with the change on it, and emailed to the buyer’s address', async () => {
  const session = await at.open();
  const to = `buyer.${randomUUID()}@example.com`;
  const sale = await at.sell({
    items: [{ ...WATER, description: 'Tea & <scones>', quantity: 2 }],
    payments: [{ payment_processor: at.drawer, tendered: '10.00' }],
    receipt_email: to,
  });
  const { text, headers } = await world.get(`/counter/sales/${sale.id}/receipt`, { as: world.machine });
  assert.match(headers.get('content-type')!, /^text\/html/);
  for (const part of [
    'size: 80mm',
    'Tea &amp; &lt;scones&gt;',
    'Walk-in customer',
    'Handed over',
    '$10.00',
    'Change',
    '$2.00',
  ])
    assert.ok(text.includes(part), `${part} is missing in ${text}`);
  const mails = await at.c.owner.query(
    `SELECT recipient, kind, text_part FROM message WHERE provider_id = $1 AND recipient = $2 ORDER BY id`,
    [world.harbour, to],
  );
  assert.equal(mails.rows.length, 1);
  assert.equal(mails.rows[0].kind, 'counter_receipt');
  assert.match(mails.rows[0].text_part, /2 × Tea & <scones>: \$8\.00/);
  assert.match(mails.rows[0].text_part, /Change: \$2\.00/);
  await at.done('POST', `/counter/sales/${sale.id}/send_receipt`, { email: to });
  const again = await at.c.owner.query(
    `SELECT count(*)::int AS n FROM message WHERE provider_id = $1 AND recipient = $2`,
    [world.harbour, to],
  );
  assert.equal(again.rows[0].n, 2);
  await at.closeSession(session, '58.00');
});
