/** Answers of a customer that staff see at the door. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { book, newCustomers, newEvent, newPlace } from '../../../test/schedule-world.ts';
import { startWorld, type Ask, type World } from '../../../test/world.ts';
import { StatementCount } from '../../../test/statement-count.ts';

const counted = new StatementCount();
let world: World;
before(async () => {
  world = await startWorld();
});
after(async () => {
  counted.stop();
  await world.close();
});

async function made(path: string, body: object): Promise<number> {
  const answer = await world.post(path, { as: world.machine, body } as Ask);
  assert.ok(answer.status < 300, answer.text);
  return answer.body.id;
}

const asthma = () =>
  made('/customer_fields', {
    label: 'Asthma',
    type: 'boolean',
    explanation_required_condition: 'if_true',
    show_at_check_in: true,
    is_sensitive: true,
  });

async function answers(customer: number, field_values: object[]): Promise<void> {
  const { status, text } = await world.patch(`/customers/${customer}`, { as: world.machine, body: { field_values } });
  assert.equal(status, 200, text);
}

const YES = { answer: true, explanation: 'Inhaler in the bag' };

test('answers that are marked for the door are shown to staff who may see them, and a no is left out', async () => {
  const [sensitive, open, other] = [
    await asthma(),
    await made('/customer_fields', {
      label: 'Lent',
      type: 'short_text',
      show_at_check_in: true,
      is_visible_to_all_staff: true,
    }),
    await made('/customer_fields', { label: 'Size', type: 'short_text' }),
  ];
  const [customer] = await newCustomers(world, 1);
  await answers(customer, [
    { field: sensitive, value: YES },
    { field: open, value: 'Mat 7' },
    { field: other, value: 'M' },
  ]);
  const flags = async (as: string) =>
    (await world.get(`/customers/${customer}?fields=check_in_flags`, { as })).body.check_in_flags?.map(
      (one: any) => one.label,
    );
  assert.deepEqual(await flags(world.machine), ['Asthma', 'Lent']);
  assert.deepEqual(await flags(world.staff(['attendances'])), ['Lent']);
  assert.deepEqual(await flags(world.customer(customer)), []);
  await answers(customer, [{ field: sensitive, value: { answer: false } }]);
  assert.deepEqual(await flags(world.machine), ['Lent']);
});

/** The properties that the door screen reads, except the labels, which take a statement of their own. */
const DOOR = [
  'id,status,place,is_first_visit,requirements',
  'customer.id,customer.first_name,customer.last_name,customer.registration_block,customer.check_in_flags',
  'customer_membership.id,customer_membership.name,customer_membership.status,charge.id,charge.status,charge.amount',
  'waitlist_spot.status,waitlist_spot.position,waitlist_spot.place',
];

test('a roster of 40 with blocks, flags, and missing forms and waivers takes as many statements as one of 2', async () => {
  const field = await asthma();
  const place = await newPlace(world);
  const form = await made('/customer_forms', {
    name: 'Health',
    fields: [field],
    offering_types_applies_to: 'only',
    offering_types: [place.offering],
  });
  const waiver = await made('/waivers', {
    name: 'Liability',
    text: 'At my own risk.',
    if_unsigned: 'show_at_door',
    offering_types_applies_to: 'only',
    offering_types: [place.offering],
  });
  const rosterOf = async (people: number) => {
    const event = await newEvent(world, place, { max_occupancy: 40 });
    for (const customer of await newCustomers(world, people)) {
      await answers(customer, [{ field, value: YES }]);
      assert.equal((await book(world, event.id, customer)).status, 200);
    }
    const read = () =>
      world.get(`/attendances?event=${event.id}&page_size=50&fields=${DOOR.join()}`, { as: world.machine });
    const { body } = await read();
    assert.equal(body.results.length, people);
    for (const { customer, requirements } of body.results) {
      assert.deepEqual(customer.check_in_flags, [{ field, label: 'Asthma', type: 'boolean', value: YES }]);
      const missing = requirements.map((one: any) => [one.kind, one.id]).toSorted();
      assert.deepEqual(missing, [
        ['form', form],
        ['waiver', waiver],
      ]);
    }
    return counted.fewest(read);
  };
  const [two, forty] = [await rosterOf(2), await rosterOf(40)];
  assert.equal(forty, two);
  assert.ok(forty <= 3, `${forty} statements`);
});

test('a list of customers with 20 answers each takes as many statements for 50 as for 2', async () => {
  const fields: number[] = [];
  for (let n = 0; n < 20; n++)
    fields.push(await made('/customer_fields', { label: `List ${n}`, type: 'short_text', is_sensitive: n % 2 === 0 }));
  const customers = await newCustomers(world, 50);
  for (const customer of customers)
    await answers(
      customer,
      fields.map((field) => ({ field, value: 'Yes' })),
    );
  const statements = async (n: number) => {
    const ids = customers.slice(0, n).join(',');
    const read = () => world.get(`/customers?ids=${ids}&page_size=60&expand=field_values`, { as: world.machine });
    const { body } = await read();
    assert.equal(body.results.length, n);
    for (const { field_values } of body.results) assert.equal(field_values.length, 20);
    return counted.fewest(read);
  };
  const [two, fifty] = [await statements(2), await statements(50)];
  assert.equal(fifty, two);
  assert.ok(fifty <= 4, `${fifty} statements`);
});
