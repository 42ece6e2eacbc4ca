import { sql } from '../../../../kernel/base/db/sql.ts';
import { iso, row } from '../../../../test/schedule-world.ts';
import { name, seed, slug, type Seeds } from '../../../../test/seeds.ts';

/** Numbers of the feed items that triggered seeded runs. */
let runs = 1_000_000;

export const SEEDS: Seeds = {
  customer_status: (world, providerId) =>
    row(world, 'customer_status', { name: name('Status'), slug: slug() }, providerId),
  customer_label: (world, providerId) =>
    row(world, 'customer_label', { name: name('Label'), slug: slug() }, providerId),
  customer_note: async (world, providerId) =>
    row(
      world,
      'customer_note',
      {
        customer_id: await seed(world, 'customer', providerId),
        author_id: await seed(world, 'staff', providerId),
        text: 'Called about rowing',
        pinned: true,
        at: iso(world.now),
      },
      providerId,
    ),
  customer_task: async (world, providerId) => {
    const done = { done_at: iso(world.now), done_by_id: await seed(world, 'staff', providerId) };
    return row(
      world,
      'customer_task',
      {
        customer_id: await seed(world, 'customer', providerId),
        assignee_id: await seed(world, 'staff', providerId),
        title: name('Call'),
        due_date: '2030-05-01',
        ...done,
      },
      providerId,
    );
  },
  crm_workflow: async (world, providerId) => {
    const workflow = await row(
      world,
      'workflow',
      { name: name('Welcome'), trigger: 'customer.created', is_enabled: false },
      providerId,
    );
    await row(world, 'workflow_action', { workflow_id: workflow, action_type: 'call_webhook' }, providerId);
    return workflow;
  },
  crm_workflow_action: async (world, providerId) => {
    const workflow = await seed(world, 'crm_workflow', providerId);
    return world.work(
      providerId,
      async ({ tx }) =>
        (await tx.one(
          sql`SELECT min(id) AS id FROM workflow_action
            WHERE provider_id = ${providerId} AND workflow_id = ${workflow}`,
        ))!.id,
    );
  },
  workflow_run: async (world, providerId) => {
    const workflow = await seed(world, 'crm_workflow', providerId);
    const run = {
      workflow_id: workflow,
      customer_id: await seed(world, 'customer', providerId),
      feed_item: ++runs,
      trigger: 'customer.created',
      payload: '{}',
      triggered_at: iso(world.now),
      status: 'done',
    };
    return row(world, 'workflow_run', run, providerId);
  },
  workflow_step: async (world, providerId) => {
    const run = await seed(world, 'workflow_run', providerId);
    const action = await world.work(
      providerId,
      async ({ tx }) =>
        (await tx.one(
          sql`SELECT a.id FROM workflow_action a JOIN workflow_run r ON r.provider_id = a.provider_id
            AND r.workflow_id = a.workflow_id WHERE r.provider_id = ${providerId} AND r.id = ${run}`,
        ))!.id,
    );
    const effect = { status: 'acted', effect: JSON.stringify({ customer_task: 1 }), finished_at: iso(world.now) };
    return row(
      world,
      'workflow_step',
      { workflow_run_id: run, workflow_action_id: action, due_at: iso(world.now), ...effect },
      providerId,
    );
  },
};
