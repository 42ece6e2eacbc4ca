/** Changes to customers: one row for each property of each change, from the audit. */
import { actorName } from '../../../people/audit/index.ts';
import { anyOf, customerColumns, within } from './common.ts';
import { below, column, filterBy, report } from '../report.ts';
import { id, instant, listOf, text } from '../../../../kernel/base/fields/kinds.ts';
import { raw } from '../../../../kernel/base/db/sql.ts';
import { writableCustomer } from '../../../people/customers/index.ts';

/** Writable columns of a customer, by their names in the interface. Links aren't stored in the row. */
const COLUMNS = Object.entries(writableCustomer)
  .filter(([, { spec }]) => spec.relation?.kind !== 'many' && spec.schema.type !== 'array')
  .map(([name, { spec }]) => [spec.relation?.kind === 'one' ? spec.relation.column : name, name] as const);

const quoted = (values: readonly string[]): string => `ARRAY[${values.map((value) => `'${value}'`).join(', ')}]`;

/** Selects the value in readable form: the name of a venue. */
const valueOf = (row: string): string => `CASE d.name WHEN 'venue'
  THEN (SELECT w.name FROM venue w WHERE w.provider_id = a.provider_id AND w.id = (${row}->>d.col)::bigint)
  ELSE ${row}->>d.col END`;

export const customerFieldChangesReport = report('customer_field_changes', {
  title: 'changes to customers',
  description:
    'What was changed about customers, from what to what, and by whom. It comes from the audit log, so it goes back as far as the operator keeps that. What was said when a customer was added is not a change.',
  who: ['customers'],
  from: 'audit_entry a',
  joins: {
    f: raw(`JOIN LATERAL (SELECT d.n, d.name, ${valueOf('a.before')} AS was, ${valueOf('a.after')} AS becomes
      FROM unnest(${quoted(COLUMNS.map(([col]) => col))}, ${quoted(COLUMNS.map(([, name]) => name))})
      WITH ORDINALITY AS d (col, name, n)
      WHERE a.before->>d.col IS DISTINCT FROM a.after->>d.col) f ON true`),
    c: raw('JOIN customer c ON c.provider_id = a.provider_id AND c.id = a.object_id'),
  },
  where: raw(
    `a.object = 'customer' AND a.before IS NOT NULL AND a.after IS NOT NULL AND f.name IS NOT NULL
      AND c.deleted_at IS NULL AND NOT c.is_walk_in`,
  ),
  id: '(a.id * 100 + f.n)',
  venue: null,
  customer: 'customer.id',
  columns: {
    ...customerColumns('c'),
    ...below('field', {
      id: column(id(), 'NULL::bigint', 'Always empty: customers have no fields of your own.'),
      label: column(text(), `replace(f.name, '_', ' ')`, 'Changed field.'),
    }),
    changed_at: column(instant(), 'a.at', 'When it was changed.'),
    changed_by: column(
      text(),
      actorName('a'),
      'Person who changed it. Empty if a program did, or the name is no longer known.',
    ),
    previous_value: column(text(), 'f.was', 'Previous value. Empty if there was none.'),
    new_value: column(text(), 'f.becomes', 'New value. Empty if there is none.'),
  },
  sort: '-changed_at',
  filters: {
    ...within('changed_at', 'a.at'),
    // Existing integrations send it; businesses have no custom fields yet.
    customer_fields: filterBy(
      listOf(id(), { max: 1000 }).describe('Finds nothing: customers have no fields of your own.'),
      () => raw('false'),
    ),
    customers: anyOf('a.object_id'),
  },
});
