import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { addDays, wallAt } from '../../../kernel/base/values/zone.ts';
import { MembershipWorld } from '../../../test/worlds/membership-world.ts';
import { CrmWorld } from '../../../test/worlds/crm-world.ts';
import { follow, parametersAt } from '../../../test/checks/openapi-refs.ts';
import { iso, newCustomers, newVenue } from '../../../test/schedule-world.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

let c: CrmWorld;
before(async () => {
  c = await CrmWorld.start();
});
after(() => c.close());

const kinds = (recorded: readonly { kind: string }[]) => recorded.map((t) => t.kind);
const off = (workflow: number) =>
  c.world.patch(`/crm/workflows/${workflow}`, { as: c.world.machine, body: { is_enabled: false } });

test('a new customer triggers a workflow, whose effects are the only consequences', async () => {
  const label = await c.label('Welcomed');
  const workflow = await c.workflow('customer.created');
  await c.action(workflow.id, 'add_label', { label: 'Welcomed' });
  await c.action(workflow.id, 'create_task', { title: 'Say hello', due_in_days: 2, scheduled_delay: null });
  const inTwoDays = () => addDays(wallAt(c.world.now, 'America/Toronto').date, 2);
  const earliest = inTwoDays();
  let customer = 0;
  const recorded = await c.recordsOf(async () => (customer = await c.world.newCustomer()));
  const [run] = await c.runs(`customer=${customer}`);
  assert.equal(recorded.length, 3);
  assert.deepEqual(recorded[0], { kind: 'customer.created', payload: { customer } });
  const after_ = recorded.slice(1).toSorted((a, b) => a.kind.localeCompare(b.kind));
  assert.deepEqual(after_[0], {
    kind: 'customer_label.added',
    payload: { customer, customer_label: label.id, label: 'welcomed', workflow_run: run.id },
  });
  assert.equal(after_[1].kind, 'customer_task.created');
  assert.deepEqual(
    [run.status, run.steps.map((s: any) => s.status), run.workflow, run.trigger],
    ['done', ['acted', 'acted'], workflow.id, 'customer.created'],
  );
  assert.deepEqual(run.steps[0].effect, { label: 'welcomed' });
  const { body: tasks } = await c.world.get(`/customer_tasks?customer=${customer}`, { as: c.world.machine });
  assert.deepEqual([tasks.results[0].title, tasks.results[0].workflow_run], ['Say hello', run.id]);
  // Two days, unless midnight has passed in the meantime.
  assert.ok([earliest, inTwoDays()].includes(tasks.results[0].due_date), tasks.results[0].due_date);
  await off(workflow.id);
});

test('a workflow that is off, or created later, or deleted, is never triggered', async () => {
  const never = await c.workflow('customer.created', { is_enabled: false });
  await c.action(never.id, 'create_task', { title: 'Never' });
  const gone = await c.workflow('customer.created');
  await c.action(gone.id, 'create_task', { title: 'Never' });
  await c.world.delete(`/crm/workflows/${gone.id}`, { as: c.world.machine });
  let customer = 0;
  assert.deepEqual(kinds(await c.recordsOf(async () => (customer = await c.world.newCustomer()))), [
    'customer.created',
  ]);
  const late = await c.workflow('customer.created');
  await c.action(late.id, 'create_task', { title: 'Late' });
  await c.quiet();
  assert.deepEqual(await c.runs(`customer=${customer}`), []);
  await off(late.id);
});

test('a delayed action evaluates the conditions when it is due, and records why it does not act', async () => {
  await c.label('Called');
  const workflow = await c.workflow('customer.created');
  await c.action(workflow.id, 'create_task', {
    title: 'Call again',
    scheduled_delay: 'P3D',
    conditions: [{ condition_type: 'customer_label', operator: 'not_equals', label: 'Called' }],
  });
  const [reached, missed] = [await c.world.newCustomer(), await c.world.newCustomer()];
  await c.quiet();
  const label = (await c.world.get('/customer_labels?query=called', { as: c.world.machine })).body.results[0].id;
  const waiting = (await c.runs(`customer=${missed}`))[0];
  assert.deepEqual([waiting.status, waiting.steps[0].status], ['waiting', 'waiting']);
  await c.post(`/customers/${reached}/add_label`, { label });
  // A day of the business is at most an hour longer than 24 hours.
  const start = c.world.now;
  const recorded = await c.recordsOf(() => c.passTo(start + 3 * DAY + 2 * HOUR));
  assert.deepEqual(kinds(recorded), ['customer_task.created']);
  assert.equal(recorded[0].payload.customer, missed);
  const [run] = await c.runs(`customer=${reached}`);
  assert.deepEqual(
    [run.status, run.steps[0].status, run.steps[0].reason],
    ['done', 'skipped', 'A condition is not met.'],
  );
  assert.deepEqual(run.steps[0].conditions, [
    {
      condition: { condition_type: 'customer_label', operator: 'not_equals', label: 'called' },
      holds: false,
      facts: { labels: ['called'] },
    },
  ]);
  c.world.resetNow();
  await off(workflow.id);
});

test('a waiting action does not act if its workflow was turned off in the meantime', async () => {
  const workflow = await c.workflow('customer.created');
  await c.action(workflow.id, 'create_task', { title: 'Later', scheduled_delay: 'PT1H' });
  const customer = await c.world.newCustomer();
  await c.quiet();
  await off(workflow.id);
  assert.deepEqual(kinds(await c.recordsOf(() => c.passTo(c.world.now + DAY))), []);
  const [run] = await c.runs(`customer=${customer}`);
  assert.deepEqual([run.steps[0].status, run.steps[0].reason], ['stopped', 'The workflow was switched off.']);
  c.world.resetNow();
});

test('customers with a membership, their own or a shared one, are distinguished from those without, by workflows and by lists alike', async () => {
  const m = await MembershipWorld.of(c.world);
  const membership = await m.pack(10);
  const [holder, friend, former, stranger] = await newCustomers(c.world, 4);
  const owned = await m.give(holder, membership);
  await m.share(owned.id, friend);
  const { id: ended } = await m.give(former, membership);
  await c.owner.query(`UPDATE customer_membership SET status = 'completed', ended_at = now() WHERE id = $1`, [ended]);
  await c.quiet();
  const workflow = await c.workflow('customer.updated');
  for (const [label, condition] of [
    ['Member', { operator: 'equals', membership }],
    ['Any', { operator: 'equals' }],
    ['Guest', { operator: 'not_equals' }],
  ] as const) {
    await c.label(label);
    await c.action(workflow.id, 'add_label', {
      label,
      conditions: [{ condition_type: 'membership_held', ...condition }],
    });
  }
  for (const customer of [holder, friend, former, stranger])
    await c.world.patch(`/customers/${customer}`, { as: c.world.machine, body: { last_name: 'King' } });
  await c.quiet();
  const labels = await Promise.all([holder, friend, former, stranger].map((customer) => c.labelsOf(customer)));
  assert.deepEqual(labels, [['any', 'member'], ['any', 'member'], ['guest'], ['guest']]);
  const { results } = (
    await c.world.get(`/customers?active_memberships=${membership}&fields=id`, { as: c.world.machine })
  ).body;
  assert.deepEqual(results.map((r: { id: number }) => r.id).toSorted(), [holder, friend].toSorted());
  await off(workflow.id);
});

test('a change of status triggers only the actions that match it', async () => {
  const [lead, trial] = [await c.status('Lead one'), await c.status('Trial one')];
  const workflow = await c.workflow('customer_status.changed');
  const wanted = await c.action(workflow.id, 'call_webhook', {
    name: 'Trial began',
    conditions: [{ condition_type: 'crm_status_change', from: 'lead_one', to: 'Trial one' }],
  });
  await c.action(workflow.id, 'create_task', {
    title: 'No',
    conditions: [
      { condition_type: 'crm_status_change', to: 'lead_one' },
      { condition_type: 'crm_status_change', from: 'trial_one' },
    ],
  });
  const customer = await c.world.newCustomer();
  await c.quiet();
  await c.post(`/customers/${customer}/set_status`, { status: lead.id });
  const recorded = await c.recordsOf(() => c.post(`/customers/${customer}/set_status`, { status: trial.id }));
  const run = (await c.runs(`workflow=${workflow.id}&customer=${customer}`)).at(-1);
  assert.deepEqual(recorded, [
    {
      kind: 'customer_status.changed',
      payload: { customer, from: 'lead_one', to: 'trial_one', by: 'staff', workflow_run: null },
    },
    {
      kind: 'crm_workflow.webhook_called',
      payload: {
        customer,
        workflow: workflow.id,
        workflow_action: wanted.id,
        workflow_run: run.id,
        name: 'Trial began',
      },
    },
  ]);
  assert.deepEqual(
    run.steps.map((s: any) => s.status),
    ['acted', 'skipped'],
  );
  await off(workflow.id);
});

// Guards against: Workflows that loop forever, or act twice
test('workflows that trigger each other are stopped when the first would run again, and the record says so', async () => {
  const [hot, cold] = [await c.status('Hot'), await c.status('Cold')];
  const toCold = await c.workflow('customer_status.changed');
  await c.action(toCold.id, 'set_status', {
    status: 'cold',
    conditions: [{ condition_type: 'crm_status_change', to: 'hot' }],
  });
  const toHot = await c.workflow('customer_status.changed');
  await c.action(toHot.id, 'set_status', {
    status: 'hot',
    conditions: [{ condition_type: 'crm_status_change', to: 'cold' }],
  });
  const customer = await c.world.newCustomer();
  await c.quiet();
  const recorded = await c.recordsOf(() => c.post(`/customers/${customer}/set_status`, { status: hot.id }));
  assert.deepEqual(
    recorded.map((t) => `${t.kind} ${t.payload.from}>${t.payload.to} ${t.payload.by}`),
    [
      `customer_status.changed ${recorded[0].payload.from}>hot staff`,
      'customer_status.changed hot>cold workflow',
      'customer_status.changed cold>hot workflow',
    ],
  );
  const runs = await c.runs(`customer=${customer}&status=stopped`);
  assert.ok(runs.length > 0);
  for (const run of runs) assert.match(run.reason, /^A circle: this workflow triggered itself again/);
  const last = runs.at(-1);
  assert.ok(last.depth >= 2 && last.caused_by !== null && last.steps.length === 0);
  await Promise.all([off(toCold.id), off(toHot.id)]);
  assert.equal(await c.statusOf(customer), 'hot');
  assert.ok(cold.id);
});

// Guards against: Workflows that loop forever, or act twice
test('a loop through another program ends after 20 runs within a day', async () => {
  const workflow = await c.workflow('customer.updated');
  await c.action(workflow.id, 'create_task', { title: 'Again' });
  const customer = await c.world.newCustomer();
  const change = (n: number) =>
    c.world.patch(`/customers/${customer}`, { as: c.world.machine, body: { last_name: `Name ${n}` } });
  for (let n = 0; n < 22; n++) await change(n);
  await c.quiet();
  const runs = (
    await c.world.get(`/crm/workflow_runs?customer=${customer}&page_size=50&sort=id`, { as: c.world.machine })
  ).body.results;
  assert.deepEqual(
    [runs.filter((r: any) => r.status === 'done').length, runs.filter((r: any) => r.status === 'stopped').length],
    [20, 2],
  );
  assert.match(runs.at(-1).reason, /ran 20 times for this customer within a day/);
  await off(workflow.id);
});

test('the rule of a status changes the customer’s status, on events of any area, and the record names the rule', async () => {
  const guest = await c.status('Guest');
  const regular = await c.status('Regular', { set_on: ['checkin.created'], set_from: [guest.id] });
  assert.deepEqual([regular.set_on, regular.set_from], [['checkin.created'], [guest.id]]);
  const venue = await newVenue(c.world);
  const [one, other] = [await c.world.newCustomer(), await c.world.newCustomer()];
  await c.post(`/customers/${one}/set_status`, { status: guest.id });
  const checkIn = (customer: number) => c.post('/checkins', { customer, venue, date: iso(c.world.now).slice(0, 10) });
  const recorded = await c.recordsOf(async () => {
    await checkIn(one);
    await checkIn(other);
  });
  assert.deepEqual(kinds(recorded), ['checkin.created', 'checkin.created', 'customer_status.changed']);
  assert.deepEqual(recorded[2].payload, {
    customer: one,
    from: 'guest',
    to: 'regular',
    by: 'rule',
    workflow_run: null,
  });
  const chasing = await c.world.patch(`/customer_statuses/${guest.id}`, {
    as: c.world.machine,
    body: { set_on: ['customer_status.changed'] },
  });
  assert.equal(chasing.status, 400);
  assert.ok(chasing.body.field_errors.set_on);
});

test('a locked status is left alone by rules and workflows, and changed by staff', async () => {
  const guest = await c.status('Locked guest');
  const regular = await c.status('Locked regular', { set_on: ['checkin.created'] });
  const workflow = await c.workflow('customer_label.added');
  await c.action(workflow.id, 'set_status', { status: regular.slug });
  const venue = await newVenue(c.world);
  const customer = await c.world.newCustomer();
  const lock = (is_status_locked: boolean) =>
    c.world.patch(`/customers/${customer}`, { as: c.world.machine, body: { is_status_locked } });
  await c.post(`/customers/${customer}/set_status`, { status: guest.id });
  await lock(true);
  const label = await c.label('Locks nothing');
  const recorded = await c.recordsOf(async () => {
    await c.post('/checkins', { customer, venue, date: iso(c.world.now).slice(0, 10) });
    await c.post(`/customers/${customer}/add_label`, { label: label.id });
  });
  assert.deepEqual(
    [kinds(recorded).includes('customer_status.changed'), await c.statusOf(customer)],
    [false, guest.slug],
  );
  const [{ id: run }] = await c.runs(`customer=${customer}`);
  const steps = (await c.world.get(`/crm/workflow_runs/${run}?expand=steps`, { as: c.world.machine })).body.steps;
  assert.deepEqual(
    steps.map((s: any) => [s.status, s.reason]),
    [['skipped', "The customer's status is locked."]],
  );
  await c.post(`/customers/${customer}/set_status`, { status: regular.id });
  assert.equal(await c.statusOf(customer), regular.slug);
  await c.post(`/customers/${customer}/set_status`, { status: guest.id });
  await lock(false);
  await c.recordsOf(() => c.post('/checkins', { customer, venue, date: iso(c.world.now + DAY).slice(0, 10) }));
  assert.equal(await c.statusOf(customer), regular.slug);
  await off(workflow.id);
  await c.world.patch(`/customer_statuses/${regular.id}`, { as: c.world.machine, body: { set_on: [] } });
});

test('a customer’s absence is recorded once for each duration, even after days of downtime', async () => {
  const venue = await newVenue(c.world);
  const start = Date.parse('2031-03-01T17:00:00Z');
  await c.passTo(start);
  await c.newDay();
  const [away, back] = [await c.world.newCustomer(), await c.world.newCustomer()];
  for (const customer of [away, back]) await c.came(customer, '2031-03-01', venue);
  await c.came(back, '2031-03-05', venue);
  const recorded = await c.recordsOf(async () => {
    await c.passTo(start + 10 * DAY);
    await c.newDay();
    await c.newDay();
  });
  assert.deepEqual(recorded, [
    { kind: 'customer.inactive', payload: { customer: away, days: 7, last_visit: '2031-03-01' } },
  ]);
  const next = await c.recordsOf(async () => {
    await c.passTo(start + 15 * DAY);
    await c.newDay();
  });
  assert.deepEqual(
    next.map((t) => [t.payload.customer, t.payload.days]),
    [
      [back, 7],
      [away, 14],
    ],
  );
  c.world.resetNow();
});

test('visits, age and bookings are evaluated for the day on which an action is due', async () => {
  const venue = await newVenue(c.world);
  const workflow = await c.workflow('customer.created');
  const conditions = [
    { condition_type: 'visits', operator: 'less_than', count: 2, days: 14 },
    { condition_type: 'upcoming_booking', operator: 'equals', value: false },
    { condition_type: 'age', operator: 'at_least', years: 18 },
  ];
  await c.action(workflow.id, 'create_task', { title: 'Invite', scheduled_delay: 'P14D', conditions });
  const [seldom, often, young] = [
    await c.world.newCustomer({ date_of_birth: '1990-01-01' }),
    await c.world.newCustomer({ date_of_birth: '1990-01-01' }),
    await c.world.newCustomer({ date_of_birth: iso(c.world.now - 5000 * DAY).slice(0, 10) }),
  ];
  const day = (n: number) => iso(c.world.now + n * DAY).slice(0, 10);
  await c.came(seldom, day(1), venue);
  for (const n of [3, 5]) await c.came(often, day(n), venue);
  const recorded = await c.recordsOf(() => c.passTo(c.world.now + 14 * DAY + 2 * HOUR));
  assert.deepEqual(
    recorded.filter((t) => t.kind !== 'customer.created').map((t) => [t.kind, t.payload.customer]),
    [['customer_task.created', seldom]],
  );
  const failing = async (customer: number) =>
    (await c.runs(`customer=${customer}`))[0].steps[0].conditions
      .filter((v: any) => !v.holds)
      .map((v: any) => v.condition.condition_type);
  assert.deepEqual([await failing(often), await failing(young)], [['visits'], ['age']]);
  c.world.resetNow();
  await off(workflow.id);
});

test('an action that names something unknown, or has properties that it cannot use, is refused by name', async () => {
  const workflow = await c.workflow('customer.created');
  const refused = async (body: object, ...names: string[]) => {
    const answer = await c.world.post('/crm/workflow_actions', {
      as: c.world.machine,
      body: { workflow: workflow.id, conditions: [], scheduled_delay: null, ...body },
    });
    assert.equal(answer.status, 400, answer.text);
    assert.deepEqual(Object.keys(answer.body.field_errors).toSorted(), names.toSorted());
  };
  await refused({ action_type: 'add_label' }, 'label');
  await refused({ action_type: 'add_label', label: 'No such label' }, 'label');
  await refused({ action_type: 'add_label', label: 'welcomed', title: 'x' }, 'title');
  await refused({ action_type: 'create_task', title: 'x', scheduled_delay: '3 days' }, 'scheduled_delay');
  await refused({ action_type: 'create_task', title: 'x', staff: 987654 }, 'staff');
  await refused(
    { action_type: 'create_task', title: 'x', conditions: [{ condition_type: 'visit', count: 1 }] },
    'conditions.0.condition_type',
  );
  await refused(
    { action_type: 'create_task', title: 'x', conditions: [{ condition_type: 'visits', operator: 'more', days: 0 }] },
    'conditions.0.operator',
    'conditions.0.count',
    'conditions.0.days',
  );
  await refused(
    { action_type: 'create_task', title: 'x', conditions: [{ condition_type: 'crm_status_change', to: 'hot' }] },
    'conditions.0.condition_type',
  );
  await refused(
    {
      action_type: 'create_task',
      title: 'x',
      conditions: [{ condition_type: 'venue', operator: 'equals', venue: 987654 }],
    },
    'conditions.0.venue',
  );
});

test('a label or a status that an action names can’t be deleted until the action no longer names it', async () => {
  const label = await c.label('Kept');
  const status = await c.status('Kept too');
  const workflow = await c.workflow('customer_status.changed', { is_enabled: false });
  const action = await c.action(workflow.id, 'add_label', {
    label: 'kept',
    conditions: [{ condition_type: 'crm_status_change', to: 'kept_too' }],
  });
  const remove = (path: string) => c.world.delete(path, { as: c.world.machine });
  for (const path of [`/customer_labels/${label.id}`, `/customer_statuses/${status.id}`]) {
    const answer = await remove(path);
    assert.deepEqual([answer.status, answer.body.code], [409, 'in_use']);
    assert.match(answer.body.message, new RegExp(`${action.id} of workflow ${workflow.id}`));
  }
  const retrigger = await c.world.patch(`/crm/workflows/${workflow.id}`, {
    as: c.world.machine,
    body: { trigger: 'customer.created' },
  });
  assert.ok(retrigger.body.field_errors.trigger, retrigger.text);
  assert.equal((await remove(`/crm/workflow_actions/${action.id}`)).status, 204);
  assert.deepEqual(
    [(await remove(`/customer_labels/${label.id}`)).status, (await remove(`/customer_statuses/${status.id}`)).status],
    [204, 204],
  );
});

test('birthdays and memberships that end in a week are recorded on their day', async () => {
  const today = Date.parse('2033-02-27T17:00:00Z');
  await c.passTo(today);
  await c.newDay();
  const leap = await c.world.newCustomer({ date_of_birth: '1992-02-29' });
  await c.world.newCustomer({ date_of_birth: '1992-03-02' });
  const members = await MembershipWorld.of(c.world);
  const { id } = await members.give(leap, await members.pack(5), { expiration_date: '2033-03-07' });
  const recorded = await c.recordsOf(async () => {
    await c.passTo(today + DAY);
    await c.newDay();
  });
  const wanted = ['customer.birthday', 'customer_membership.ends_soon'];
  assert.deepEqual(
    recorded.filter(({ kind }) => wanted.includes(kind)),
    [
      { kind: wanted[0], payload: { customer: leap } },
      { kind: wanted[1], payload: { customer_membership: id, customer: leap } },
    ],
  );
});

test('a workflow is created with its actions, or not at all', async () => {
  const actions = [
    {
      action_type: 'email_customer',
      email_template: { subject: 'Hello', body: 'Hi {{customer.first_name}}' },
      conditions: [],
      scheduled_delay: null,
    },
    { action_type: 'create_task', title: 'Call', conditions: [], scheduled_delay: 'P1D' },
  ];
  const body = { name: 'Whole', trigger: 'customer.created', is_enabled: false };
  const made = await c.world.post('/crm/workflows', { as: c.world.machine, body: { ...body, actions } });
  assert.equal(made.status, 201, made.text);
  const { results } = (await c.world.get(`/crm/workflow_actions?workflow=${made.body.id}`, { as: c.world.machine }))
    .body;
  assert.deepEqual(results.map((one: any) => one.action_type).toSorted(), ['create_task', 'email_customer']);
  const wrong = [actions[0], { ...actions[1], title: null }];
  const refused = await c.world.post('/crm/workflows', {
    as: c.world.machine,
    body: { ...body, name: 'Half', actions: wrong },
  });
  assert.deepEqual([refused.status, Object.keys(refused.body.field_errors)], [400, ['actions.1.title']], refused.text);
  const all = (await c.world.get('/crm/workflows?page_size=100', { as: c.world.machine })).body.results;
  assert.ok(!all.some(({ name }: any) => name === 'Half'));
});

test('triggers are the feed items about a customer, of every area, and nothing else', async () => {
  const document = (await c.world.get('/openapi.json')).body;
  const parameter = parametersAt(document, 'GET', '/crm/workflow_actions').find((p) => p.name === 'workflow_trigger')!;
  const { enum: triggers } = follow(document, parameter.schema);
  for (const kind of [
    'customer_status.changed',
    'customer.created',
    'attendance.attended',
    'event_registration.created',
    'customer.inactive',
    'customer.birthday',
    'customer_membership.ends_soon',
    'customer_task.done',
  ])
    assert.ok(triggers.includes(kind), kind);
  for (const kind of [
    'lead_form.submitted',
    'event.cancelled',
    'customer.merged',
    'customer_status.created',
    'crm_workflow.created',
    'crm_workflow.webhook_called',
  ])
    assert.ok(!triggers.includes(kind), kind);
  const filtered = await c.world.get(
    '/crm/workflow_actions?workflow_trigger=customer_status.changed&action_type=set_status',
    { as: c.world.machine },
  );
  assert.ok(filtered.body.count >= 2);
  assert.ok(filtered.body.results.every((a: any) => a.action_type === 'set_status'));
  assert.equal(
    (await c.world.get('/crm/workflow_actions?workflow_trigger=lead_form.submitted', { as: c.world.machine })).status,
    400,
  );
});

test('a simulation shows what would have been done and for which facts it knows only the present, and changes nothing', async () => {
  const venue = await newVenue(c.world);
  await c.label('Simulated');
  // After everything that other tests have created.
  c.world.setNow(c.world.now + 365 * DAY);
  const from = c.world.now;
  const [came, stayed] = [await c.world.newCustomer(), await c.world.newCustomer()];
  await c.came(came, iso(c.world.now + 2 * DAY).slice(0, 10), venue);
  await c.passTo(from + 20 * DAY);
  const workflow = await c.workflow('customer.created', { is_enabled: false });
  const conditions = [
    { condition_type: 'visits', operator: 'equals', count: 0, days: 7 },
    { condition_type: 'customer_label', operator: 'not_equals', label: 'simulated' },
  ];
  const [soon, later] = [
    await c.action(workflow.id, 'create_task', { title: 'x', scheduled_delay: 'P5D', conditions }),
    await c.action(workflow.id, 'create_task', { title: 'y', scheduled_delay: 'P60D' }),
  ];
  let answer: any;
  const recorded = await c.recordsOf(
    async () =>
      (answer = await c.post(`/crm/workflows/${workflow.id}/simulate`, { from: iso(from), to: iso(from + DAY) })),
  );
  assert.deepEqual(recorded, []);
  assert.deepEqual(await c.runs(`workflow=${workflow.id}`), []);
  const of = (customer: number) => answer.runs.find((r: any) => r.customer === customer).actions;
  assert.deepEqual(
    [of(came), of(stayed)].map((actions) => actions.map((a: any) => [a.workflow_action, a.would])),
    [
      [
        [soon.id, 'skip'],
        [later.id, 'not_yet'],
      ],
      [
        [soon.id, 'act'],
        [later.id, 'not_yet'],
      ],
    ],
  );
  assert.deepEqual(
    of(came)[0].conditions.map((v: any) => [v.holds, v.as_of]),
    [
      [false, 'then'],
      [true, 'today'],
    ],
  );
  assert.deepEqual(
    [answer.items, answer.would_act, answer.would_skip, answer.is_complete, answer.facts_of_today],
    [2, 1, 1, true, ['customer_label']],
  );
  c.world.resetNow();
});
