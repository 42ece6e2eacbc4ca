import { boolean, id, listOf } from '../../../../kernel/base/fields/kinds.ts';
import { choice, filter, get, listAndGet, type Who } from '../../../../kernel/api/endpoint.ts';
import { customer } from '../../customers/index.ts';
import { isActive, registrationBlock } from './registration-block.ts';
import { raw, sql } from '../../../../kernel/base/db/sql.ts';

/** All staff; customers for themselves and their family. */
const who: Who = { provider: true, customer: true, unregistered: false };

export const findBlocks = [
  ...listAndGet(registrationBlock, {
    path: '/customer_registration_blocks',
    summary: 'List registration blocks',
    get: 'Get a registration block',
    who,
    filters: {
      customer: filter(listOf(id(), { max: 100 }), (t, ids) => sql`${raw(t)}.customer_id = ANY(${ids}::bigint[])`),
      is_active: choice(boolean(), { true: isActive, false: (t) => sql`NOT ${isActive(t)}` }),
    },
    sort: { created_at: { by: (t) => raw(`${t}.created_at`) } },
    defaultSort: '-created_at',
  }),
  get(customer, {
    path: '/customers/{id}/account_status',
    summary: 'Get the account status of a customer',
    description:
      'Returns the customer. `fields=registration_block` with `expand=registration_block` says whether they can book. ' +
      'For one event, check their eligibility.',
    who,
  }),
];
