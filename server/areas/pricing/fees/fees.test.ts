import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { readFees } from './facts.ts';
import { sql } from '../../../kernel/base/db/sql.ts';
import { seed } from '../../../test/seeds.ts';
import { startWorld, type ApiAnswer, type World } from '../../../test/world.ts';

let world: World;
before(async () => {
  world = await startWorld();
});
after(() => world.close());

const VAT = { name: 'VAT', kind: 'tax', type: 'percent', percentage: '20', purchase_types: ['store'] };
const ask = (method: string, path: string, body?: unknown, as: string | undefined = world.machine) =>
  world.ask(method, path, { as, body });
const wrong = (answer: ApiAnswer): Record<string, string[]> => {
  assert.equal(answer.status, 400, answer.text);
  return answer.body.field_errors;
};
async function made(body: object): Promise<any> {
  const answer = await ask('POST', '/purchase_fees', body);
  assert.equal(answer.status, 201, answer.text);
  return answer.body;
}
async function calculated(body: object, as?: string): Promise<any> {
  const answer = await ask('POST', '/fees_calculator', body, as);
  assert.equal(answer.status, 200, answer.text);
  return answer.body;
}
const amounts = ({ pre_tax_price, post_tax_price, fee_line_items }: any) => [
  pre_tax_price.string,
  fee_line_items.map((line: any) => [line.amount.string, line.description]),
  post_tax_price.string,
];

test('a fee can be created, listed, changed, archived and deleted', async () => {
  const venue = await seed(world, 'venue');
  const fee = await made({
    name: 'Card fee',
    kind: 'fee',
    type: 'percent',
    percentage: '2.5',
    min_amount: '0.30',
    max_amount: '5.00',
    is_taxable: true,
    purchase_types: ['gift_card'],
    venues: [venue],
  });
  assert.deepEqual(
    [fee.percentage, fee.amount, fee.min_amount.string, fee.max_amount.string, fee.is_taxable, fee.venues],
    ['2.5', null, '0.30', '5.00', true, [venue]],
  );
  const flat = await ask('PATCH', `/purchase_fees/${fee.id}`, { type: 'flat', amount: '1.00' });
  assert.equal(flat.status, 200, flat.text);
  assert.deepEqual(
    [flat.body.percentage, flat.body.amount.string, flat.body.min_amount, flat.body.max_amount],
    [null, '1.00', null, null],
    'what belongs to a percentage is gone',
  );
  const found = (query: string) =>
    ask('GET', `/purchase_fees?${query}`).then(({ body }) => body.results.some((one: any) => one.id === fee.id));
  assert.ok(await found(`purchase_type=gift_card&venue=${venue}&kind=fee&type=flat&archived=false`));
  assert.ok(!(await found(`venue=${await seed(world, 'venue')}`)));
  const { archived_at } = (await ask('PATCH', `/purchase_fees/${fee.id}`, { archived: true })).body;
  assert.notEqual(archived_at, null);
  // Doing it twice changes nothing.
  assert.equal((await ask('PATCH', `/purchase_fees/${fee.id}`, { archived: true })).body.archived_at, archived_at);
  assert.ok(await found('archived=true'));
  assert.equal((await ask('PATCH', `/purchase_fees/${fee.id}`, { archived: false })).body.archived_at, null);
  assert.equal((await ask('DELETE', `/purchase_fees/${fee.id}`)).status, 204);
  assert.equal((await ask('GET', `/purchase_fees/${fee.id}`)).status, 404);
});

test('a fee that could not be calculated is refused under the wrong property', async () => {
  const refused: [body: object, field: string][] = [
    [{ ...VAT, percentage: undefined }, 'percentage'],
    [{ ...VAT, percentage: '100.5' }, 'percentage'],
    [{ ...VAT, percentage: '1.23456' }, 'percentage'],
    [{ ...VAT, amount: '1.00' }, 'amount'],
    [{ ...VAT, min_amount: '2.00', max_amount: '1.00' }, 'max_amount'],
    [{ ...VAT, min_amount: '0.00' }, 'min_amount'],
    [{ ...VAT, is_taxable: true }, 'is_taxable'],
    [{ ...VAT, type: 'flat', percentage: undefined }, 'amount'],
    [{ ...VAT, type: 'flat', amount: '1.00' }, 'percentage'],
    [{ ...VAT, type: 'flat', amount: '1.00', percentage: undefined, max_amount: '2.00' }, 'max_amount'],
    [{ ...VAT, purchase_types: [] }, 'purchase_types'],
    [{ ...VAT, purchase_types: ['parking'] }, 'purchase_types.0'],
    [{ ...VAT, venues: [await seed(world, 'venue', world.meadow)] }, 'venues'],
  ];
  for (const [body, field] of refused) {
    const errors = wrong(await ask('POST', '/purchase_fees', body));
    assert.deepEqual(
      Object.keys(errors).map((name) => name.replace(/^venues.*/, 'venues')),
      [field],
    );
  }
  const fee = await made(VAT);
  assert.deepEqual(Object.keys(wrong(await ask('PATCH', `/purchase_fees/${fee.id}`, { type: 'flat' }))), ['amount']);
  await ask('DELETE', `/purchase_fees/${fee.id}`);
});

test('the calculator returns both prices and every fee and tax, in either direction', async () => {
  await made({ ...VAT, purchase_types: ['course'] });
  await made({
    name: 'Booking fee',
    kind: 'fee',
    type: 'flat',
    amount: '1.50',
    is_taxable: true,
    purchase_types: ['course'],
  });
  const lines = [
    ['1.50', 'Booking fee'],
    ['8.30', 'VAT: 20% of $41.50'],
  ];
  const there = await calculated({ purchase_type: 'course', pre_tax_price: '40' });
  assert.deepEqual(Object.keys(there).toSorted(), ['fee_line_items', 'post_tax_price', 'pre_tax_price']);
  assert.deepEqual(amounts(there), ['40.00', lines, '49.80']);
  const back = await calculated(
    { purchase_type: 'course', post_tax_price: '49.80' },
    world.customer(await seed(world, 'customer')),
  );
  assert.deepEqual(amounts(back), ['40.00', lines, '49.80']);
  assert.deepEqual(amounts(await calculated({ purchase_type: 'course', pre_tax_price: '0' })), ['0.00', [], '0.00']);
  const none = await calculated({ purchase_type: 'joining_fee', pre_tax_price: '25' });
  assert.deepEqual(amounts(none), ['25.00', [], '25.00']);
});

test('a total that no price matches names its rounding, or is refused with the lowest possible one', async () => {
  await made({ ...VAT, purchase_types: ['membership'] });
  const rounded = await calculated({ purchase_type: 'membership', post_tax_price: '0.03' });
  assert.deepEqual(amounts(rounded), [
    '0.02',
    [
      ['0.00', 'VAT: 20% of $0.02'],
      ['0.01', 'Rounding'],
    ],
    '0.03',
  ]);
  await made({ name: 'Handling', kind: 'fee', type: 'flat', amount: '2.00', purchase_types: ['membership'] });
  const body = { purchase_type: 'membership', post_tax_price: '1.00' };
  const { post_tax_price: message } = wrong(await ask('POST', '/fees_calculator', body));
  assert.match(message[0], /No price comes to \$1\.00 .* comes to \$2\.01/);
});

const forEvent = (body: object) => ask('POST', '/fees_calculator', { purchase_type: 'event', ...body });

test('exactly one price must be sent', async () => {
  assert.deepEqual(Object.keys(wrong(await forEvent({}))), ['pre_tax_price']);
  assert.deepEqual(Object.keys(wrong(await forEvent({ pre_tax_price: '1', post_tax_price: '1' }))), ['post_tax_price']);
  assert.deepEqual(Object.keys(wrong(await forEvent({ pre_tax_price: '1.005' }))), ['pre_tax_price']);
});

const totalAt = async (venue?: number) =>
  (await calculated({ purchase_type: 'gift_card', pre_tax_price: '10', venue })).post_tax_price.string;

test('a fee limited to venues is charged only there, and an archived one nowhere', async () => {
  const [here, there] = [await seed(world, 'venue'), await seed(world, 'venue')];
  const local = { ...VAT, name: 'City tax', purchase_types: ['gift_card'], venues: [here] };
  const fee = await made(local);
  assert.deepEqual([await totalAt(here), await totalAt(there), await totalAt()], ['12.00', '10.00', '10.00']);
  await ask('PATCH', `/purchase_fees/${fee.id}`, { archived: true });
  assert.equal(await totalAt(here), '10.00');
});

const totalToJoin = async (): Promise<string> =>
  (await calculated({ purchase_type: 'joining_fee', pre_tax_price: '10.00' })).post_tax_price.string;

test('after any change of a fee the next price uses it, and the old one again if it is changed back', async () => {
  const fee = await made({ ...VAT, name: 'Stamp', percentage: '1', purchase_types: ['joining_fee'] });
  // As another process, or a person working in the database, would do it.
  const charge = (percentage: string) =>
    world.work(world.harbour, ({ tx }) =>
      tx.run(
        sql`UPDATE purchase_fee SET percentage = ${percentage}::numeric
          WHERE provider_id = ${world.harbour} AND id = ${fee.id}`,
      ),
    );
  assert.equal(await totalToJoin(), '10.10');
  for (const [percentage, expected] of [
    ['2', '10.20'],
    ['1', '10.10'],
    ['3', '10.30'],
  ]) {
    await charge(percentage);
    assert.equal(await totalToJoin(), expected);
  }
  assert.equal((await ask('DELETE', `/purchase_fees/${fee.id}`)).status, 204);
  assert.equal(await totalToJoin(), '10.00');
});

test('many prices are calculated together, and an invalid one is named by its position', async () => {
  await made({ ...VAT, purchase_types: ['recurring_membership'] });
  const item = { purchase_type: 'recurring_membership', pre_tax_price: '10' };
  const many = await ask('POST', '/fees_calculator/bulk', {
    items: [item, { ...item, pre_tax_price: '20' }, { purchase_type: 'joining_fee', post_tax_price: '5' }],
  });
  assert.equal(many.status, 200, many.text);
  assert.deepEqual(
    many.body.results.map((one: any) => one.post_tax_price.string),
    ['12.00', '24.00', '5.00'],
  );
  const one = await ask('POST', '/fees_calculator/bulk', { items: [item, { purchase_type: 'event' }] });
  assert.deepEqual(Object.keys(wrong(one)), ['items.1.pre_tax_price']);
});

test('the fees of one business do not affect another', async () => {
  await made({ ...VAT, name: 'Ours', purchase_types: ['event'] });
  const theirs = await world.ask('POST', '/fees_calculator', {
    as: world.meadowMachine,
    body: { purchase_type: 'event', pre_tax_price: '10' },
  });
  assert.deepEqual(theirs.body.fee_line_items, []);
});

test('only super admins change fees, and customers see them only in prices', async () => {
  const fee = await seed(world, 'purchase_fee');
  assert.equal((await ask('POST', '/purchase_fees', VAT, world.staff([]))).status, 403);
  assert.equal((await ask('GET', `/purchase_fees/${fee}`, undefined, world.staff([]))).status, 200);
  assert.equal(
    (await ask('GET', `/purchase_fees/${fee}`, undefined, world.customer(await seed(world, 'customer')))).status,
    403,
  );
});

const atMeadow = (method: string, path: string, body: object) =>
  world.ask(method, path, { as: world.meadowMachine, body });
const chargedAtMeadow = async (): Promise<number[]> => {
  const answer = await world.get('/purchase_fees?page_size=100&archived=false', { as: world.meadowMachine });
  return answer.body.results.map((one: any) => one.id);
};

test('a business never exceeds its limit of fees, even if several are created or unarchived at the same time', async () => {
  const had = (await chargedAtMeadow()).length;
  const archived = await Promise.all(
    Array.from({ length: 3 }, async () => {
      const { body } = await atMeadow('POST', '/purchase_fees', VAT);
      assert.equal((await atMeadow('PATCH', `/purchase_fees/${body.id}`, { archived: true })).status, 200);
      return body.id as number;
    }),
  );
  for (let n = had; n < 98; n++) await seed(world, 'purchase_fee', world.meadow);
  const last = await Promise.all([
    ...Array.from({ length: 4 }, () => atMeadow('POST', '/purchase_fees', VAT)),
    ...archived.map((id) => atMeadow('PATCH', `/purchase_fees/${id}`, { archived: false })),
  ]);
  const refused = last.filter(({ status }) => status >= 400);
  assert.equal(last.length - refused.length, 2);
  assert.deepEqual([...new Set(refused.map(({ body }) => body.code))], ['conflict']);
  assert.match(refused[0].body.message, /at most 100 .* Archive those/);
  const charged = await chargedAtMeadow();
  assert.equal(charged.length, 100);
  const unchanged = await atMeadow('PATCH', `/purchase_fees/${charged[0]}`, { archived: false, name: 'GST' });
  assert.equal(unchanged.status, 200, 'what is charged already is changed as before');
});

test('a business says whether its prices include tax, and the next price follows it', async () => {
  const path = `/providers/${world.harbour}`;
  const book = (provider = world.harbour) => world.work(provider, (work) => readFees(work.tx, work.providerId));
  const shown = async () => (await world.get(`${path}?fields=prices_include_tax`)).body.prices_include_tax;
  assert.deepEqual([await shown(), (await book()).includesTax], [false, false]);
  assert.equal((await ask('PATCH', path, { prices_include_tax: true })).status, 200);
  assert.deepEqual([await shown(), (await book()).on('store', null).includesTax], [true, true]);
  assert.equal((await book(world.meadow)).includesTax, false);
  const body = { purchase_type: 'joining_fee', pre_tax_price: '10' };
  assert.deepEqual(amounts(await calculated(body)), ['10.00', [], '10.00'], 'the calculator says what it is asked');
  assert.equal((await ask('PATCH', path, { prices_include_tax: false })).status, 200);
});
