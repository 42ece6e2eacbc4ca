import { staffWith, listAndGet } from '../../../../kernel/api/endpoint.ts';
import { customerStatus } from './customer-status.ts';
import { raw } from '../../../../kernel/base/db/sql.ts';

const who = staffWith('super_admin', 'customers');

export const findStatuses = [
  ...listAndGet(customerStatus, {
    path: '/customer_statuses',
    summary: 'List customer statuses in their order',
    get: 'Get a customer status',
    who,
    sort: { position: { by: (t) => raw(`${t}.position`) }, name: { by: (t) => raw(`lower(${t}.name)`) } },
    defaultSort: 'position',
  }),
];
