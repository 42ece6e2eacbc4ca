import type { Calls } from '../../../../test/matrix/calls.ts';

let n = 0;
/** A different word each time, because an unchanged one changes nothing. */
const body = () => ({ singular: `flow ${++n}`, plural: 'flows' });

export const CALLS: Calls = {
  'PATCH /terminologies/{id}': async () => ({ params: { id: 'class' }, body: body() }),
  'PUT /terminologies/{id}': async () => ({ params: { id: 'membership' }, body: body() }),
};
