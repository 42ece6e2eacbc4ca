/** Answers of customers in the report of customers. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startWorld, type World } from '../../../test/world.ts';

let world: World;
before(async () => {
  world = await startWorld();
});
after(() => world.close());

test('the report of customers has answers on request, and sensitive ones only if they are named', async () => {
  const made = async (body: object) => (await world.post('/customer_fields', { as: world.machine, body })).body;
  const size = await made({ label: 'Report size', type: 'integer' });
  const asthma = await made({ label: 'Report asthma', type: 'boolean', is_sensitive: true });
  const customer = await world.newCustomer();
  const field_values = [
    { field: size.id, value: 41 },
    { field: asthma.id, value: { answer: true } },
  ];
  assert.equal(
    (await world.patch(`/customers/${customer}`, { as: world.machine, body: { field_values } })).status,
    200,
  );
  const read = async (query: string, as = world.machine) => {
    const { body, text } = await world.get(`/reports/customers/data?ids=${customer}&${query}`, { as });
    assert.equal(body.rows?.length, 1, text);
    return body.rows[0];
  };
  assert.deepEqual((await read('columns=id,answers')).answers, { [size.key]: 41 });
  assert.deepEqual((await read(`columns=id,answers&extra_customer_fields=${asthma.key}, ${size.key}`)).answers, {
    [size.key]: 41,
    [asthma.key]: { answer: true, explanation: null },
  });
  assert.equal('answers' in (await read('page_size=1')), false, 'left out unless it is named');
});
