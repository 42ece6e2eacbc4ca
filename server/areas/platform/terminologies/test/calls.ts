import type { Calls } from '../../../../test/matrix/calls.ts';

let n = 0;
/** Another word each time: what is sent as it is changes nothing. */
const body = () => ({ singular: `flow ${++n}`, plural: 'flows' });

export const CALLS: Calls = {
  'PATCH /terminologies/{id}': async () => ({ params: { id: 'class' }, body: body() }),
  'PUT /terminologies/{id}': async () => ({ params: { id: 'membership' }, body: body() }),
};
