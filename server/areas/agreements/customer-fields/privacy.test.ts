/** The answers in a person's data file, and those that an erasure leaves. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from '../../../kernel/base/db/sql.ts';
import { startWorld, type Ask, type World } from '../../../test/world.ts';

let world: World;
before(async () => {
  world = await startWorld();
});
after(() => world.close());

async function done(path: string, body: object, as = world.machine): Promise<any> {
  const answer = await world.post(path, { as, body } as Ask);
  assert.ok(answer.status < 300, answer.text);
  return answer.body;
}

test('a person gets their answers in their data, also sensitive ones, and an erasure deletes all of them', async () => {
  const field = (await done('/customer_fields', { label: 'Illness', type: 'short_text', is_sensitive: true })).id;
  const form = (await done('/customer_forms', { name: 'Health', fields: [field] })).id;
  const customer = await world.newCustomer();
  const me = world.customer(customer);
  await done('/customer_form_submissions', { form, customer, values: [{ field, customer, value: 'Diabetes' }] }, me);
  const data = await world.get(`/customers/${customer}/personal_data`, { as: me });
  assert.equal(data.status, 200, data.text);
  const { answers, submitted_forms } = data.body;
  assert.equal(answers[0].value, 'Diabetes');
  assert.equal(submitted_forms[0].answers[0].value, 'Diabetes');
  await done(`/customers/${customer}/erase`, {});
  const left = await world.work(world.harbour, ({ tx }) =>
    tx.one<{ n: number }>(sql`
      SELECT (SELECT count(*) FROM customer_field_value WHERE customer_id = ${customer})
        + (SELECT count(*) FROM customer_form_submission WHERE customer_id = ${customer}) AS n`),
  );
  assert.equal(Number(left!.n), 0);
});
