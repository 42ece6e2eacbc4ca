import type { Calls } from '../../../../test/matrix/calls.ts';

export const CALLS: Calls = {
  'POST /jobs/{id}/cancel': async (world) => {
    const asked = await world.post('/reports/customers/export', { as: world.machine, body: {} });
    if (asked.status !== 200) throw new Error(asked.text);
    return { id: asked.body.job, body: {} };
  },
};
