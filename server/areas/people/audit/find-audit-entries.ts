import { raw, param, sql } from '../../../kernel/base/db/sql.ts';
import { id, instant, listOf, text } from '../../../kernel/base/fields/kinds.ts';
import { auditEntry } from './audit-entry.ts';
import { filter, staffWith, type Filter, listAndGet } from '../../../kernel/api/endpoint.ts';
import type { Input } from '../../../kernel/work/access/viewer.ts';

const who = staffWith('super_admin');

const equals = (column: string, what: string, max = 200): Filter =>
  filter(text({ max }).describe(what), (t, v) => sql`${raw(`${t}.${column}`)} = ${v}`);

const bound = (name: string, operator: '>=' | '<='): Filter => {
  const at = param<Input>((i) => new Date(i.query[name]).toISOString());
  return filter(instant(), (t) => sql`${raw(`${t}.at ${operator}`)} ${at}::timestamptz`);
};

export const findAuditEntries = [
  ...listAndGet(auditEntry, {
    path: '/audit_entries',
    summary: 'List audit entries, newest first',
    get: 'Get an audit entry',
    who,
    filters: {
      object: filter(
        listOf(text({ max: 100 })).describe('Comma-separated list of object types, for example `customer,staff`.'),
        (t, kinds) => sql`${raw(t)}.object = ANY(${kinds}::text[])`,
      ),
      object_id: filter(
        listOf(id()).describe('Comma-separated list of ids. Requires `object`.'),
        (t, ids) => sql`${raw(t)}.object_id = ANY(${ids}::bigint[])`,
      ),
      actor: equals('actor', 'As `machine_token:7`, `user:3` or `job:bulk_cancel_events`.'),
      action: equals('action', 'As `PATCH /customers/{id}`.'),
      request_id: equals('request_id', 'Only changes of this request or job.'),
      user: filter(
        id().describe('Only changes that the person with this account made, with any credential.'),
        (t, v) => sql`${raw(t)}.user_id = ${v}`,
      ),
      application: filter(
        id().describe('Only changes made through this application.'),
        (t, v) => sql`${raw(t)}.application_id = ${v}`,
      ),
      at_gte: bound('at_gte', '>='),
      at_lte: bound('at_lte', '<='),
    },
    sort: { id: { by: (t) => raw(`${t}.id`) } },
    defaultSort: '-id',
  }),
];
