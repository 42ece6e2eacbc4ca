import { action, one, staffWith } from '../../../kernel/api/endpoint.ts';
import { customer } from '../../customers/index.ts';
import { ref } from '../../../kernel/api/kinds.ts';
import { setStatus } from './writes.ts';

export const setStatusEndpoint = action({
  path: '/customers/{id}/set_status',
  summary: 'Give a customer a status',
  description: 'Setting the one that it has changes nothing.',
  who: staffWith('customers'),
  target: customer,
  body: { status: ref('customer_status').nullable().describe('Null: none.') },
  returns: one(customer),
  run: async ({ work, body, target }) => {
    await setStatus(work, target.id, body.status, { by: 'staff' });
    return target.id;
  },
});
