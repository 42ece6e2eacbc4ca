import { boolean, text } from '../../../../kernel/base/fields/kinds.ts';
import { choice, filter, staffWith, listAndGet } from '../../../../kernel/api/endpoint.ts';
import { customerLabel } from './customer-label.ts';
import { raw, sql } from '../../../../kernel/base/db/sql.ts';

const who = staffWith('super_admin', 'customers');

export const findLabels = [
  ...listAndGet(customerLabel, {
    path: '/customer_labels',
    summary: 'List customer labels',
    get: 'Get a customer label',
    who,
    filters: {
      archived: choice(boolean(), { true: (t) => raw(`${t}.archived`), false: (t) => raw(`NOT ${t}.archived`) }),
      query: filter(
        text({ max: 64 }).describe('Text that the name contains.'),
        (t, words) => sql`strpos(lower(${raw(t)}.name), lower(${words})) > 0`,
      ),
    },
    sort: { name: { by: (t) => raw(`lower(${t}.name)`) }, created_at: { by: (t) => raw(`${t}.created_at`) } },
    defaultSort: 'name',
  }),
];
