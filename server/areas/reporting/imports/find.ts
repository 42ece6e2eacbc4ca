import { filter, list, staffWith, type Endpoint, listAndGet } from '../../../kernel/api/endpoint.ts';
import { FATES, importFile, importRow } from './import-file.ts';
import { oneOf } from '../../../kernel/base/fields/kinds.ts';
import { param, raw, sql } from '../../../kernel/base/db/sql.ts';
import type { Input } from '../../../kernel/work/access/viewer.ts';

const parent = param<Input>((i) => i.id);
const who = staffWith('super_admin');

export const findImports: Endpoint[] = [
  ...listAndGet(importFile, {
    path: '/imports',
    summary: 'List imports',
    get: 'Get an import',
    who,
    sort: { id: { by: (t) => raw(`${t}.id`) } },
    defaultSort: '-id',
  }),
  list(importRow, {
    path: '/imports/{id}/rows',
    summary: 'List the rows of an import',
    description: 'Result of each row, by the last check or run.',
    who,
    target: importFile,
    within: (t) => sql`${raw(t)}.import_id = ${parent}`,
    filters: { fate: filter(oneOf(FATES), (t, value) => sql`${raw(t)}.fate = ${value}`) },
    sort: { line: { by: (t) => raw(`${t}.line`) } },
    defaultSort: 'line',
  }),
];
