import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { CheckoutWorld } from '../test/world.ts';
import { seed } from '../../../../test/seeds.ts';
import { startWorld } from '../../../../test/world.ts';

let c: CheckoutWorld;
const NOON = Date.parse('2026-06-10T16:00:00Z');
const CARD = { item_type: 'GIFT_CARD', unit_price: '50.00', recipient_email: 'ada@example.com', recipient_name: 'Ada' };
before(async () => {
  const world = await startWorld();
  world.setNow(NOON);
  c = await CheckoutWorld.of(world);
  await set({
    is_enabled_provider_site: true,
    is_enabled_customer_site: true,
    amount_choices: ['25.00', '50.00'],
    amount_range: { smallest: '100.00', largest: '200.00' },
  });
});
after(() => c.close());

async function set(body: Record<string, unknown>): Promise<void> {
  const { status, text } = await c.ask('PATCH', '/gift_cards/config', body);
  assert.equal(status, 200, text);
}
const cardsOf = async (purchaser: number): Promise<any[]> =>
  (await c.read(`/gift_cards?sort=id&purchaser=${purchaser}`)).results;

test('a customer buys gift cards for somebody else for a given day, and the invoice bills them as a liability', async () => {
  const customer = await c.world.newCustomer();
  const as = c.world.customer(customer);
  const id = await c.open(customer, {}, as);
  const shown = await c.add(id, { ...CARD, deliver_on_date: '2026-12-24' }, as);
  const [item] = shown.checkout_items;
  assert.deepEqual(
    [item.description, item.unit_price.string, item.recipient_email, item.recipient_name, item.deliver_on_date],
    ['Gift card for Ada', '50.00', 'ada@example.com', 'Ada', '2026-12-24'],
  );
  await c.ask('POST', `/checkouts/${id}/items/${item.id}/quantity`, { quantity: 2 }, as);
  const paid = await c.pay(id, { payment_processor: c.sandbox }, as);
  assert.equal(paid.status, 'completed', JSON.stringify(paid));
  const cards = await cardsOf(customer);
  assert.deepEqual(
    cards.map((one) => [one.amount.string, one.status, one.deliver_on_date, one.invoice]),
    [
      ['50.00', 'scheduled', '2026-12-24', paid.invoice],
      ['50.00', 'scheduled', '2026-12-24', paid.invoice],
    ],
  );
  assert.deepEqual(paid.checkout_items[0].result, { object: 'gift_card', id: cards[0].id });
  const {
    line_items: [line],
  } = await c.read(`/invoices/${paid.invoice}?expand=line_items,line_items.billed_item`);
  assert.deepEqual([line.type, line.quantity, line.billed_item.type], ['gift_card', 2, 'billed_gift_card']);
  await c.balanced();
});

test('gift cards that the business does not sell are refused by the name of the wrong property', async () => {
  const customer = await c.world.newCustomer();
  const id = await c.open(customer);
  const wrong = async (body: Record<string, unknown>, as?: string) => {
    const refused = await c.refused('POST', `/checkouts/${id}/add_item`, body, as);
    return [refused.status, Object.keys(refused.field_errors)];
  };
  assert.deepEqual(await wrong({ ...CARD, unit_price: '49.99' }), [400, ['unit_price']]);
  assert.deepEqual(await wrong({ ...CARD, unit_price: '200.01' }), [400, ['unit_price']]);
  assert.deepEqual(await wrong({ ...CARD, deliver_on_date: '2026-06-09' }), [400, ['deliver_on_date']]);
  assert.deepEqual(await wrong({ ...CARD, deliver_on_date: '2028-06-09' }), [400, ['deliver_on_date']]);
  const nameless = { item_type: 'GIFT_CARD', recipient_email: CARD.recipient_email };
  assert.deepEqual(await wrong(nameless), [400, ['unit_price', 'recipient_name']]);
  const printed = { item_type: 'GIFT_CARD', unit_price: CARD.unit_price, deliver_on_date: '2026-06-12' };
  assert.deepEqual(await wrong(printed), [400, ['deliver_on_date']]);
  assert.deepEqual(await wrong({ ...CARD, membership: 1 }), [400, ['membership']]);
  await set({ is_enabled_customer_site: false });
  assert.deepEqual(await wrong(CARD, c.world.customer(customer)), [400, ['item_type']]);
  await set({ is_enabled_customer_site: true });
  const {
    checkout_items: [item],
  } = await c.add(id, { ...CARD, unit_price: '123.45' });
  const other = await c.refused('POST', `/checkouts/${id}/items/${item.id}/price`, { unit_price: '1.00' });
  assert.match(other.message, /Remove it, and add one with another amount/);
});

test('a partial refund of a payment leaves gift cards alone, and takes the rest of the purchase', async () => {
  const customer = await c.world.newCustomer();
  const id = await c.open(customer);
  await c.add(id, CARD);
  await c.add(id, { item_type: 'QUICK_ITEM', description: 'A towel', unit_price: '20.00', purchase_type: 'store' });
  const { invoice, payment } = await c.pay(id, { payment_processor: c.sandbox });
  const [card] = await cardsOf(customer);
  await c.ask('POST', `/gift_cards/${card.id}/redeem`, { customer });
  const refused = await c.refused('POST', `/invoices/${invoice}/credit`, { amount: '30.00', reason: 'A mistake.' });
  assert.match(refused.message, /at most 20\.00/);
  const taken = await c.ask('POST', `/payments/${payment}/refund`, { amount: '20.00', reason: 'A mistake.' });
  assert.ok(taken.status < 300, taken.text);
  const all = await c.refused('POST', `/invoices/${invoice}/credit`, { reason: 'A mistake.' });
  assert.equal(all.code, 'gift_card_redeemed');
  await c.balanced();
});

test('a gift card for a customer becomes their credit without naming the buyer, and pays for their purchases', async () => {
  const [purchaser, recipient] = [await c.world.newCustomer(), await c.world.newCustomer()];
  const id = await c.open(purchaser);
  await c.add(id, { ...CARD, recipient });
  await c.pay(id, { payment_processor: c.desk });
  const [card] = await cardsOf(purchaser);
  const redeemed = await c.ask('POST', `/gift_cards/${card.id}/redeem`, {});
  assert.equal(redeemed.body.redeemed_by, recipient, redeemed.text);
  const own = await c.open(recipient, { use_account_credit: true });
  await c.add(own, { item_type: 'QUICK_ITEM', description: 'A towel', unit_price: '20.00', purchase_type: 'store' });
  assert.equal((await c.pay(own)).status, 'completed');
  assert.equal((await c.read(`/customers/${recipient}/account_balance`)).credit.string, '30.00');
  await c.balanced();
});

test('taxes on a gift card are added even if prices include tax, so that it keeps its face value', async () => {
  const gst = { name: 'GST', kind: 'tax', type: 'percent', percentage: '10', purchase_types: ['gift_card'] };
  const tax = await c.ask('POST', '/purchase_fees', gst);
  assert.equal(tax.status, 201, tax.text);
  await c.ask('PATCH', `/providers/${c.world.harbour}`, { prices_include_tax: true });
  const customer = await c.world.newCustomer();
  const id = await c.open(customer);
  const shown = await c.add(id, CARD);
  assert.deepEqual([shown.list_price.string, shown.total_price.string], ['50.00', '55.00']);
  const { invoice } = await c.pay(id, { payment_processor: c.sandbox });
  const back = await c.ask('POST', `/invoices/${invoice}/credit`, { reason: 'A mistake.', give_back: 'refund' });
  assert.equal(back.status, 201, back.text);
  assert.deepEqual(
    (await cardsOf(customer)).map(({ status }) => status),
    ['voided'],
  );
  await c.balanced();
});

test('buyers choose one of the pictures that the business offers, and the card keeps it', async () => {
  const [one, two, other] = await Promise.all([1, 2, 3].map(() => seed(c.world, 'image', c.world.harbour)));
  const offer = async (images: readonly number[]) =>
    (await c.ask('PATCH', '/gift_cards/config', { image_choices: images })).body.image_choices;
  assert.deepEqual(await offer([two, one]), [two, one]);
  assert.deepEqual((await c.read('/gift_cards/config')).image_choices, [two, one]);
  const foreign = await seed(c.world, 'image', c.world.meadow);
  const unknown = await c.refused('PATCH', '/gift_cards/config', { image_choices: [foreign] });
  assert.deepEqual([unknown.status, Object.keys(unknown.field_errors)], [400, ['image_choices']]);
  const customer = await c.world.newCustomer();
  const as = c.world.customer(customer);
  const id = await c.open(customer, {}, as);
  const refused = await c.refused('POST', `/checkouts/${id}/add_item`, { ...CARD, image: other }, as);
  assert.deepEqual([refused.status, Object.keys(refused.field_errors)], [400, ['image']]);
  const { checkout_items: items } = await c.add(id, { ...CARD, image: one }, as);
  assert.equal(items[0].image.id, one);
  assert.equal((await c.pay(id, { payment_processor: c.sandbox }, as)).status, 'completed');
  assert.deepEqual(await offer([two]), [two]);
  assert.deepEqual(
    (await cardsOf(customer)).map(({ image }) => image.id),
    [one],
  );
});
