/** Finding customers by their answers. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { newCustomers } from '../../../test/schedule-world.ts';
import { seed } from '../../../test/seeds.ts';
import { readComparedAnswers } from './index.ts';
import { startWorld, type Ask, type World } from '../../../test/world.ts';

let world: World;
let people: number[];
const keys: Record<string, string> = {};
before(async () => {
  world = await startWorld();
  people = await newCustomers(world, 3);
  const choices = ['S', 'M'].map((value, order) => ({ value, order }));
  const [ada, ben] = people;
  for (const [type, more, given] of [
    ['boolean', { is_visible_to_all_staff: true }, [{ answer: true }, { answer: false }]],
    ['multiple_choice', { choices }, [['S', 'M'], ['M']]],
    ['short_text', {}, ['Oak', 'Elm']],
    ['integer', {}, [41, 42]],
    ['address', {}, [{ city: 'Bristol' }, { city: 'Bath' }]],
    ['long_text', { is_sensitive: true }, ['Secret', 'Other']],
  ] as const) {
    const field = await done('/customer_fields', { label: `About ${type}`, type, ...more });
    keys[type] = field.key;
    for (const [i, customer] of [ada, ben].entries())
      await done('/customer_field_values', { field: field.id, customer, value: given[i] });
  }
});
after(() => world.close());

async function done(path: string, body: object): Promise<any> {
  const answer = await world.post(path, { as: world.machine, body } as Ask);
  assert.ok(answer.status < 300, answer.text);
  return answer.body;
}

const ask = (answers: string, as = world.machine) =>
  world.get(`/customers?answers=${encodeURIComponent(answers)}&ids=${people.join(',')}&sort=id`, { as });

/** Returns the positions of those who are found among the people, whose ids may be in another order. */
const found = async (answers: string, as?: string) =>
  (await ask(answers, as)).body.results.map(({ id }: { id: number }) => people.indexOf(id)).toSorted();

test('customers are found by each type of answer, by having one, and by having none', async () => {
  for (const [type, value, expected] of [
    ['boolean', 'yes', [0]],
    ['boolean', 'no', [1]],
    ['boolean', '*', [0, 1]],
    ['boolean', 'none', [2]],
    ['multiple_choice', 'M', [0, 1]],
    ['multiple_choice', 'S', [0]],
    ['short_text', 'oak', [0]],
    ['integer', '42', [1]],
    ['address', 'bath', [1]],
    ['long_text', '*', [0, 1]],
  ] as const)
    assert.deepEqual(await found(`${keys[type]}:${value}`), expected, `${type}:${value}`);
  assert.deepEqual(await found(`${keys.boolean}:yes,${keys.integer}:42`), []);
  assert.deepEqual(await found(`${keys.boolean}:yes,${keys.integer}:41`), [0]);
});

test('an unknown question, an encrypted answer and an unreadable condition are refused by name', async () => {
  for (const answers of ['unknown:yes', 'yes', `${keys.long_text}:Secret`, `${keys.boolean}:maybe`]) {
    const { status, body } = await ask(answers);
    assert.equal(status, 400, answers);
    assert.deepEqual(Object.keys(body.field_errors), ['answers']);
  }
});

test('nobody finds customers by answers that they may not see', async () => {
  const desk = world.staff(['attendances']);
  assert.deepEqual(await found(`${keys.boolean}:yes`, desk), [0]);
  assert.equal((await ask(`${keys.short_text}:oak`, desk)).status, 400);
  assert.deepEqual(await found(`${keys.short_text}:oak`, world.customer(people[0])), []);
});

test('a broadcast reaches customers by their answers', async () => {
  const draft = {
    channel: 'email',
    use_case: 'general',
    subject: 'News',
    message: 'Hello',
    target_recipients: { query_type: 'customer', query: { answers: [`${keys.boolean}:no`] } },
  };
  const { id } = await done('/communication/broadcast_messages', draft);
  const targeted: number[] = [];
  for (const side of ['recipients', 'non_recipients']) {
    const { body } = await world.get(`/customers?broadcast_message_${side}=${id}`, { as: world.machine });
    targeted.push(...body.results.map((one: { id: number }) => one.id));
  }
  assert.deepEqual(targeted, [people[1]]);
});

test('conditions of workflows read every answer, also an encrypted one', async () => {
  const fields = (await world.get('/customer_fields?page_size=50', { as: world.machine })).body.results;
  const idOf = (type: string): number => fields.find((one: any) => one.key === keys[type]).id;
  const types = ['boolean', 'multiple_choice', 'integer', 'long_text'];
  const answers = await world.work(world.harbour, (work) => readComparedAnswers(work, people, types.map(idOf)));
  assert.deepEqual(
    types.map((type) => answers.get(people[0])!.get(idOf(type))),
    [['yes'], ['s', 'm'], ['41'], ['secret']],
  );
  assert.equal(answers.get(people[2]), undefined);
});

test('a condition names a question and an answer that exist, and keeps the question from being deleted', async () => {
  const { id: field } = await done('/customer_fields', { label: 'Allergy', type: 'boolean' });
  const workflow = await seed(world, 'crm_workflow');
  const body = { action_type: 'create_task', workflow, title: 'Call', scheduled_delay: null };
  const about = { condition_type: 'customer_field', operator: 'equals', field, value: 'yes' };
  for (const [wrong, property] of [
    [{ field: 999_999 }, 'conditions.0.field'],
    [{ value: 'maybe' }, 'conditions.0.value'],
  ] as const) {
    const conditions = [{ ...about, ...wrong }];
    const refused = await world.post('/crm/workflow_actions', { as: world.machine, body: { ...body, conditions } });
    assert.deepEqual(Object.keys(refused.body.field_errors), [property]);
  }
  await done('/crm/workflow_actions', { ...body, conditions: [about] });
  const deleted = await world.delete(`/customer_fields/${field}`, { as: world.machine });
  assert.deepEqual([deleted.status, deleted.body.code], [409, 'in_use']);
});
