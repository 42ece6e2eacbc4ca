import { action, one, staffWith } from '../../../../kernel/api/endpoint.ts';
import { customer } from '../../../people/customers/index.ts';
import { invalid, notFound } from '../../../../kernel/base/problem.ts';
import { mergeCustomers } from './merge-customers.ts';
import { pathId } from '../../../../kernel/api/requests/input.ts';
import { ref } from '../../../../kernel/base/fields/kinds.ts';
import { sql } from '../../../../kernel/base/db/sql.ts';

/** Without a target: the pipeline would lock the customer before the events, against the documented order of locks. */
export const mergeEndpoint = action({
  path: '/customers/{id}/merge',
  summary: 'Merge two customers who are the same person',
  description:
    'With `into`, this customer is merged into that one; with `from`, that customer is merged into this one. Everything that refers to the merged customer moves to the other one. Then the merged customer no longer exists: requests for it get a 404, and a feed item `customer.merged` names the customer that is kept. Returns the customer that is kept. Try it with `dry_run` first.',
  who: staffWith('super_admin'),
  body: { into: ref('customer').optional(), from: ref('customer').optional() },
  returns: one(customer),
  problems: ['conflict'],
  run: async ({ work, params, body: { into, from } }) => {
    const id = pathId(params.id);
    const known =
      id !== null &&
      (await work.tx.one(
        sql`SELECT id FROM customer WHERE provider_id = ${work.providerId} AND id = ${id} AND deleted_at IS NULL AND NOT is_walk_in`,
      ));
    if (id === null || !known) throw notFound();
    if ((into === undefined) === (from === undefined))
      throw invalid('into', 'Send either into (the customer to keep) or from (the customer to merge).');
    const kept = into ?? id;
    await mergeCustomers(work, { kept, merged: from ?? id });
    return kept;
  },
});
