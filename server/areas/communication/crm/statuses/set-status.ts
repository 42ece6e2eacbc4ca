import { action, one, staffWith } from '../../../../kernel/api/endpoint.ts';
import { customer } from '../../../people/customers/index.ts';
import { findStatus } from '../workflows/names.ts';
import { slugOrId } from '../../../../kernel/base/fields/kinds.ts';
import { setStatus } from './writes.ts';

export const setStatusEndpoint = action({
  path: '/customers/{id}/set_status',
  summary: 'Set the status of a customer',
  description: 'Setting the status that the customer already has changes nothing.',
  who: staffWith('customers'),
  target: customer,
  body: { status: slugOrId('customer_status').nullable().describe('Null removes the status.') },
  returns: one(customer),
  run: async ({ work, body, target }) => {
    const status = typeof body.status === 'string' ? (await findStatus(work, body.status, 'status')).id : body.status;
    await setStatus(work, target.id, status, { by: 'staff' });
    return target.id;
  },
});
