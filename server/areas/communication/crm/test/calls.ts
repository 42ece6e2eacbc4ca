import { seed } from '../../../../test/seeds.ts';
import type { Calls } from '../../../../test/matrix/calls.ts';

export const CALLS: Calls = {
  'POST /customers/bulk_delete': async (world) => ({ body: { customers: { ids: [await seed(world, 'customer')] } } }),
  'POST /customers/{id}/remove_label': async (world) => {
    const [id, label] = [await seed(world, 'customer'), await seed(world, 'customer_label')];
    await world.post(`/customers/${id}/add_label`, { as: world.machine, body: { label } });
    return { id, body: { label } };
  },
  'POST /customers/{id}/merge': async (world) => ({
    id: await seed(world, 'customer'),
    body: { from: await seed(world, 'customer') },
  }),
  'PATCH /customer_notes/{id}': async (world) => ({
    id: await seed(world, 'customer_note'),
    body: { text: 'Will come back' },
  }),
  'POST /customer_tasks/{id}/complete': async (world) => {
    const id = await seed(world, 'customer_task');
    await world.post(`/customer_tasks/${id}/reopen`, { as: world.machine });
    return { id, body: {} };
  },
  'PUT /crm/workflows/{id}': async (world) => ({ id: await seed(world, 'crm_workflow'), body: { name: 'Another' } }),
  'POST /crm/workflow_actions': async (world) => ({
    body: {
      action_type: 'create_task',
      workflow: await seed(world, 'crm_workflow'),
      title: 'Call',
      conditions: [],
      scheduled_delay: null,
    },
  }),
  'PUT /crm/workflow_actions/{id}': async (world) => ({
    id: await seed(world, 'crm_workflow_action'),
    body: {
      action_type: 'create_task',
      workflow: await seed(world, 'crm_workflow'),
      title: 'Call',
      conditions: [],
      scheduled_delay: 'P1D',
    },
  }),
  'PATCH /crm/workflow_actions/{id}': async (world) => ({
    id: await seed(world, 'crm_workflow_action'),
    body: { name: 'Another' },
  }),
};

export const CHANGES_NOTHING: Record<string, string> = {
  'POST /crm/workflows/{id}/simulate': 'it shows what would have been done',
};
