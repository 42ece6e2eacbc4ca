import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { fc, runs } from '../../../test/properties.ts';
import { book, newEvent, newInstructor, newPlace, row } from '../../../test/schedule-world.ts';
import { CrmWorld } from '../../../test/worlds/crm-world.ts';

let c: CrmWorld;
before(async () => {
  c = await CrmWorld.start();
});
after(() => c.close());

/** Messages of workflows; notices write to the ledger as well. */
const ledger = async (where: string, values: unknown[]) =>
  (
    await c.owner.query(
      `SELECT channel, purpose, kind, customer_id::int AS customer, staff_id::int AS staff, subject, text_part AS text, status <> 'skipped' AS goes, reason FROM message WHERE kind = 'workflow' AND ${where} ORDER BY customer_id, id`,
      values,
    )
  ).rows;

const off = (workflow: number) =>
  c.world.patch(`/crm/workflows/${workflow}`, { as: c.world.machine, body: { is_enabled: false } });

test('an email of a workflow is written once into the ledger, with the values of the customer and of the event', async () => {
  const workflow = await c.workflow('event_registration.created');
  const email_template = {
    subject: 'See you at {{event.name}}',
    body: 'Dear {{customer.first_name|friend}}, {{business.name}} awaits you at {{event.starts_at}}.',
  };
  const action = await c.action(workflow.id, 'email_customer', { email_template, purpose: 'transactional' });
  assert.deepEqual(action.email_template, email_template);
  const customer = await c.world.newCustomer({ first_name: 'Ada' });
  const place = await newPlace(c.world);
  const event = await newEvent(c.world, place, { name: 'Rowing' });
  await book(c.world, event.id, customer);
  await c.quiet();
  const [message, ...more] = await ledger('customer_id = $1', [customer]);
  assert.deepEqual(more, []);
  assert.deepEqual(
    [message.kind, message.purpose, message.subject, message.goes],
    ['workflow', 'transactional', 'See you at Rowing', true],
  );
  assert.match(message.text, /^Dear Ada, Harbour awaits you at \d{4}-\d{2}-\d{2} \d{2}:\d{2}\.$/);
  const [run] = await c.runs(`customer=${customer}`);
  assert.equal(run.steps[0].effect.messages.length, 1);
  await off(workflow.id);
});

test('marketing goes to customers who agreed to it, and the run says why others got none', async () => {
  const workflow = await c.workflow('customer.created');
  await c.action(workflow.id, 'email_customer', { email_template: { subject: 'News', body: 'Come again' } });
  const [agreed, asked] = [
    await c.world.newCustomer({ is_opted_into_broadcast_messages: true }),
    await c.world.newCustomer(),
  ];
  await c.quiet();
  const of = async (customer: number) => (await c.runs(`customer=${customer}`))[0].steps[0];
  assert.deepEqual([(await of(agreed)).status, (await of(asked)).status], ['acted', 'skipped']);
  assert.equal((await of(asked)).reason, 'The message was not sent: no_consent.');
  assert.deepEqual(
    (await ledger('customer_id = ANY($1)', [[agreed, asked]])).map((m) => [m.customer, m.goes, m.reason]),
    [
      [agreed, true, null],
      [asked, false, 'no_consent'],
    ],
  );
  await off(workflow.id);
});

test('messages for a child go to the managers of its family', async () => {
  const family = await row(c.world, 'family', {});
  const parent = await c.world.newCustomer({ family_id: family, family_role: 'manager' });
  await c.quiet();
  const workflow = await c.workflow('customer.created');
  await c.action(workflow.id, 'email_customer', {
    email_template: { subject: 'Welcome, {{customer.first_name}}', body: 'Hello' },
    purpose: 'transactional',
  });
  const child = await c.world.newCustomer({ first_name: 'Byron', family_id: family, family_role: 'child' });
  await c.quiet();
  assert.deepEqual(
    (await ledger('about_customer_id = $1', [child])).map((m) => [m.customer, m.subject]),
    [[parent, 'Welcome, Byron']],
  );
  await off(workflow.id);
});

test('staff get messages as long as they work here', async () => {
  const { staff } = await newInstructor(c.world);
  const workflow = await c.workflow('customer.created');
  await c.action(workflow.id, 'email_staff', {
    staff,
    email_template: { subject: '{{customer.last_name}} is new', body: '{{customer.email}}' },
  });
  const first = await c.world.newCustomer({ last_name: 'King' });
  await c.quiet();
  await c.owner.query('UPDATE staff SET archived = true WHERE id = $1', [staff]);
  const second = await c.world.newCustomer();
  await c.quiet();
  assert.deepEqual(
    (await ledger('staff_id = $1', [staff])).map((m) => m.subject),
    ['King is new'],
  );
  const steps = await Promise.all(
    [first, second].map(async (customer) => (await c.runs(`customer=${customer}`))[0].steps[0]),
  );
  assert.deepEqual(
    steps.map((s) => s.status),
    ['acted', 'skipped'],
  );
  assert.match(steps[1].reason, /no active staff member/);
  await off(workflow.id);
});

test('a template with an unknown field is refused when it is saved, by the name of its part', async () => {
  const workflow = await c.workflow('customer.created', { is_enabled: false });
  const refused = async (action_type: string, more: object, name: string) => {
    const answer = await c.world.post('/crm/workflow_actions', {
      as: c.world.machine,
      body: { workflow: workflow.id, action_type, conditions: [], scheduled_delay: null, ...more },
    });
    assert.deepEqual([answer.status, Object.keys(answer.body.field_errors ?? {})], [400, [name]], answer.text);
  };
  await refused(
    'email_customer',
    { email_template: { subject: 'Hi {{customer.nickname}}', body: 'x' } },
    'email_template.subject',
  );
  await refused('email_customer', { email_template: { subject: 'Hi', body: '{{password}}' } }, 'email_template.body');
  await refused('email_customer', { email_template: { subject: 'Hi' } }, 'email_template.body');
  await refused('sms_customer', { text: 'Hi {{customer.first_name' }, 'text');
  await refused('email_staff', { email_template: { subject: 'a', body: 'b' } }, 'staff');
});

test('no conditions and no templates make the service fail: they are stored as they are, or refused by name', async () => {
  const workflow = await c.workflow('customer_status.changed', { is_enabled: false });
  const word = fc.oneof(
    fc.constantFrom('equals', 'not_equals', 'at_least', 'customer_label', '', '__proto__', 'constructor'),
    fc.string({ unit: 'grapheme', maxLength: 70 }),
  );
  const value = fc.oneof(
    word,
    fc.integer(),
    fc.double(),
    fc.boolean(),
    fc.constant(null),
    fc.array(word, { maxLength: 3 }),
    fc.dictionary(word, word, { maxKeys: 3 }),
  );
  const type = fc.oneof(
    fc.constantFrom(
      'customer_label',
      'crm_status_change',
      'customer_status',
      'visits',
      'days_since_last_visit',
      'upcoming_booking',
      'age',
      'venue',
      'membership_held',
    ),
    value,
  );
  const names = ['operator', 'label', 'from', 'to', 'status', 'count', 'days', 'value', 'years', 'venue'];
  const condition = fc.record(
    { condition_type: type, ...Object.fromEntries(names.map((name) => [name, value])) },
    { requiredKeys: [] },
  );
  const template = fc.record(
    {
      subject: fc.oneof(value, fc.stringMatching(/^[{}a-z.| ]{0,40}$/)),
      body: fc.oneof(value, fc.stringMatching(/^[{}a-z.| ]{0,40}$/)),
    },
    { requiredKeys: [] },
  );
  const body = fc.record(
    {
      action_type: fc.constantFrom('email_customer', 'create_task', 'call_webhook', 'set_status', 'sms_customer'),
      conditions: fc.oneof(fc.array(fc.oneof(condition, value), { maxLength: 4 }), value),
      scheduled_delay: value,
      email_template: template,
      title: value,
      status: value,
      text: value,
      due_in_days: value,
    },
    { requiredKeys: ['action_type', 'conditions'] },
  );
  await fc.assert(
    fc.asyncProperty(body, async (sent) => {
      const answer = await c.world.post('/crm/workflow_actions', {
        as: c.world.machine,
        body: { workflow: workflow.id, scheduled_delay: null, ...sent },
      });
      assert.ok([201, 400].includes(answer.status), answer.text);
      if (answer.status === 400) assert.ok(Object.keys(answer.body.field_errors).length > 0, answer.text);
      else
        assert.deepEqual(
          (await c.world.get(`/crm/workflow_actions/${answer.body.id}`, { as: c.world.machine })).body,
          answer.body,
        );
    }),
    runs(300),
  );
});
