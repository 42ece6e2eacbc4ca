/**
 * Workflows in the dashboard by keyboard: drawn, simulated on the past and switched on. The results are checked through
 * the interface.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { shows } from '../../../../test/pages/shows.ts';
import { DashboardWorld } from '../test/dashboard-world.ts';
import { pressBoth } from '../test/hands.ts';
import { newPlace } from '../../../../test/schedule-world.ts';
import { until } from '../../../../test/storm.ts';
import type { Visit } from '../test/window/visit.ts';
import type { World } from '../../../../test/world.ts';

let desk: DashboardWorld;
let world: World;
let owner: Visit;
before(async () => {
  desk = await DashboardWorld.start({ own: true, worker: true });
  ({ world } = desk);
  owner = await desk.window();
  await desk.open(owner, 'today');
});
after(() => desk?.close());

const get = async (path: string) => (await world.get(path, { as: world.machine })).body;
const make = async (path: string, body: object) => {
  const answer = await world.post(path, { as: world.machine, body });
  assert.ok(answer.status < 300, answer.text);
  return answer.body;
};
const saying = (text: string | RegExp) => owner.page.getByText(text).first().waitFor();

/** Presses any button by keyboard. */
const press = (name: string) => owner.page.getByRole('button', { name, exact: true }).last().press('Enter');

const confirm = async (name: string) => {
  const dialog = owner.page.getByRole('dialog').last();
  await dialog.getByText('If you continue:').waitFor();
  await dialog.getByRole('button', { name, exact: true }).press('Enter');
  await dialog.waitFor({ state: 'detached' });
};

const listed = async (name: string): Promise<string> => {
  const list = owner.page.getByRole('list', { name, exact: true });
  await list.waitFor();
  return (await list.innerText()).replaceAll(/\s+/g, ' ');
};
const lists = (name: string, expected: RegExp) => shows(() => listed(name), expected);

/** Waits until the worker has numbered the feed items: a simulation only finds numbered ones. */
const numbered = (count: number) =>
  until('what happened has its number', async () => {
    const { results } = await get('/feed_items?types=customer_label.added&limit=1000');
    return results.length >= count;
  });

test('a workflow is drawn by keyboard, simulated on the last month, switched on, and runs', async () => {
  const { page } = owner;
  const trial = await make('/customer_labels', { name: 'Trial' });
  const vip = await make('/customer_labels', { name: 'VIP' });
  const ann = await world.newCustomer({ first_name: 'Ann', last_name: 'Past' });
  const ben = await world.newCustomer({ first_name: 'Ben', last_name: 'Special' });
  await make(`/customers/${ben}/add_label`, { label: vip.id });
  for (const id of [ann, ben]) await make(`/customers/${id}/add_label`, { label: trial.id });
  await numbered(3);

  await desk.open(owner, 'today');
  await pressBoth(page, 'g', 'w');
  await page.getByRole('heading', { level: 1, name: 'Workflows' }).waitFor();
  await press('New workflow');
  await page.keyboard.type('Follow up on trials');
  await page.getByLabel('When', { exact: true }).selectOption({ label: 'A label was added' });
  await press('Create workflow');
  await page.getByRole('heading', { level: 1, name: 'Follow up on trials' }).waitFor();
  const id = Number(owner.path.split('/').at(-1));
  assert.equal((await get(`/crm/workflows/${id}`)).is_enabled, false);

  await press('Add a step');
  const form = page.getByRole('dialog').last();
  await form.getByLabel('What to do').selectOption({ label: 'Create a task' });
  await form.getByLabel('Title of the task').fill('Call them');
  await form.getByLabel('Add a condition').selectOption({ label: 'A label of the customer' });
  const condition = form.getByRole('group', { name: 'Condition 1' });
  await condition.getByLabel('A label of the customer').selectOption({ label: 'isn’t' });
  await condition.getByLabel('Label', { exact: true }).selectOption({ label: 'VIP' });
  await owner.checkLive('workflow-step');
  await press('Save');
  await lists(
    'Steps',
    /When A label was added If They don’t have the label “VIP” Wait Not at all.*Then Create a task: Call them/,
  );
  await owner.checkLive('workflow-steps');

  await page.getByRole('link', { name: 'Try it' }).press('Enter');
  await saying('It would have run 3 times,');
  await saying('for 2 people.');
  await saying('Steps done: 1');
  await lists('For these people', /Ann Past .*Done Create a task: Call them/);
  await lists(
    'For these people',
    /Ben Special .*Not done Create a task: Call them Not true: They don’t have the label “VIP”/,
  );
  await owner.checkLive('workflow-simulation');
  // The simulation changed nothing.
  assert.equal((await get(`/customer_tasks?customer=${ann}`)).count, 0);

  await press('Switch on');
  const dialog = page.getByRole('dialog').last();
  await dialog.getByText('It would have run 3 times,').waitFor();
  await owner.checkLive('workflow-on');
  await confirm('Switch on');
  await saying('The workflow is on.');
  assert.equal((await get(`/crm/workflows/${id}`)).is_enabled, true);

  const cleo = await world.newCustomer({ first_name: 'Cleo', last_name: 'Next' });
  await make(`/customers/${cleo}/add_label`, { label: trial.id });
  await until('the task is there', async () => (await get(`/customer_tasks?customer=${cleo}`)).count === 1);
  assert.equal((await get(`/customer_tasks?customer=${ann}`)).count, 0, 'what was before stays as it was');
  await page.getByRole('link', { name: 'Runs' }).press('Enter');
  await page.getByRole('link', { name: 'Cleo Next' }).waitFor();
  await lists('Runs', /Cleo Next .*Done Create a task: Call them/);
  await owner.checkLive('workflow-runs');
  owner.check();
});

test('a step is changed and removed again, and its errors are shown next to their field', async () => {
  const { page } = owner;
  const { id } = await make('/crm/workflows', { name: 'Win back', trigger: 'customer.inactive', is_enabled: false });
  const { id: action } = await make('/crm/workflow_actions', {
    workflow: id,
    action_type: 'email_customer',
    email_template: { subject: 'We miss you', body: 'Come back, {{customer.first_name}}.' },
    conditions: [{ condition_type: 'days_since_last_visit', operator: 'equals', days: 30 }],
    scheduled_delay: 'P3D',
  });
  await desk.open(owner, `workflows/${id}`);
  await saying('Days since the last visit = 30');
  await saying('3 days');
  await press('Edit step Email the customer: We miss you');
  const form = page.getByRole('dialog').last();
  await form.getByLabel('Message', { exact: true }).fill('Dear {{customer.nick}}');
  await press('Save');
  await form.locator('[aria-invalid=true]').waitFor();
  await form.getByLabel('Message', { exact: true }).fill('Dear ');
  await form.getByLabel('Insert a field into “Message”').selectOption({ label: 'First name' });
  await form.getByLabel('Unit').selectOption({ label: 'Weeks' });
  await form.getByLabel('Days since the last visit').selectOption({ label: '≥' });
  await press('Save');
  await saying('3 weeks');
  const saved = await get(`/crm/workflow_actions/${action}`);
  assert.deepEqual(
    [saved.scheduled_delay, saved.email_template.body, saved.conditions],
    [
      'P3W',
      'Dear {{customer.first_name}}',
      [{ condition_type: 'days_since_last_visit', operator: 'at_least', days: 30 }],
    ],
  );
  await press('Delete Email the customer: We miss you');
  await confirm('Delete');
  await saying('Without a step, the workflow does nothing.');
  assert.equal((await get(`/crm/workflow_actions?workflow=${id}`)).count, 0);
  await press('Delete');
  await confirm('Delete');
  await page.waitForURL(/\/workflows$/);
  assert.equal((await world.get(`/crm/workflows/${id}`, { as: world.machine })).status, 404);
});

test('every kind of step and condition can be added', async () => {
  const { page } = owner;
  await make('/customer_statuses', { name: 'Regular' });
  await newPlace(world);
  const { id } = await make('/crm/workflows', { name: 'All', trigger: 'customer_status.changed', is_enabled: false });
  await desk.open(owner, `workflows/${id}`);
  await press('Add a step');
  const form = page.getByRole('dialog').last();
  const kinds = await form.getByLabel('What to do').locator('option').allInnerTexts();
  const filled: Record<string, Record<string, string>> = {
    'Email the customer': { Subject: 'Hi', Message: 'There' },
    'Text the customer': { Text: 'Hi' },
    'Email a staff member': { 'Staff member': '', Subject: 'Hi', Message: 'There' },
    'Add a label': { Label: '' },
    'Remove a label': { Label: '' },
    'Set the status': { Status: '' },
    'Create a task': { 'Title of the task': 'Call' },
    'Call webhooks': {},
  };
  assert.deepEqual(kinds, Object.keys(filled));
  const conditions = form.getByLabel('Add a condition');
  // Objects that conditions name have to exist.
  for (const hasText of ['Venue of the customer', 'A label of the customer'])
    await conditions.locator('option', { hasText }).waitFor({ state: 'attached' });
  const types = (await conditions.locator('option').allInnerTexts()).slice(1);
  assert.equal(types.length, 9);
  for (const type of types) await conditions.selectOption({ label: type });
  await form.getByLabel('What to do').selectOption({ label: 'Call webhooks' });
  await press('Save');
  await saying('Call webhooks');
  for (const kind of kinds.slice(0, -1)) {
    await press('Add a step');
    const next = page.getByRole('dialog').last();
    await next.getByLabel('What to do').selectOption({ label: kind });
    for (const [label, value] of Object.entries(filled[kind])) {
      const field = next.getByLabel(label, { exact: true });
      if (value !== '') await field.fill(value);
      else {
        await field.locator('option').nth(1).waitFor({ state: 'attached' });
        await field.selectOption({ index: 1 });
      }
    }
    await press('Save');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  }
  const { results } = await get(`/crm/workflow_actions?workflow=${id}`);
  assert.deepEqual(results.map((one: any) => one.action_type).toSorted(), [
    'add_label',
    'call_webhook',
    'create_task',
    'email_customer',
    'email_staff',
    'remove_label',
    'set_status',
    'sms_customer',
  ]);
  assert.equal(results[0].conditions.length, types.length);
  await owner.checkLive('workflow-all');
});

test('the list is usable by everybody, and only available to super admins', async () => {
  await desk.open(owner, 'workflows');
  await owner.page.getByRole('list', { name: 'Workflows' }).waitFor();
  await owner.checkLive('workflows');
  const front = await desk.window(await desk.colleague({ permissions: ['customers'] }));
  await desk.open(front, 'workflows');
  assert.equal(await front.heading(), 'You don’t have access to this page');
  await front.close();
  owner.check();
});

test('an occasion that is chosen while the others still load stays chosen when they arrive', async () => {
  const visitor = await desk.window();
  const { page } = visitor;
  const arrive = visitor.hold('/feed_item_types');
  await desk.open(visitor, 'workflows');
  await page.getByRole('button', { name: 'New workflow', exact: true }).click();
  const when = page.getByLabel('When', { exact: true });
  await when.selectOption({ value: 'all' });
  await when.selectOption({ label: 'A label was added' });
  const others = when.locator('optgroup').last().locator('option');
  assert.equal(await others.count(), 0);
  arrive();
  await others.first().waitFor({ state: 'attached' });
  assert.equal(await when.inputValue(), 'customer_label.added');
  await visitor.close();
});
