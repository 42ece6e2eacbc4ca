import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { GROUPS, registry } from '../../app.ts';
import { MIGRATIONS_DIR } from '../../kernel/base/db/schema/migrate.ts';

/** The tenant: every other table refers to it, so it is created before the group of the area that owns it. */
const IN_THE_KERNEL = new Set(['provider']);

/** The group of each area, by name. */
const GROUP_OF = new Map(
  Object.entries(GROUPS).flatMap(([group, areas]) => areas.map((area) => [area.name, group] as const)),
);

const FILES = readdirSync(MIGRATIONS_DIR).toSorted();

/** The files of the kernel and of each group that owns a table. */
const SCHEMA = ['kernel', ...Object.keys(GROUPS)].flatMap((group) => {
  const file = FILES.find((name) => name.slice('0000_'.length) === `${group}.sql`);
  return file ? [{ group, file }] : [];
});

test('the schema starts with the kernel and continues with the groups in their order', () => {
  assert.ok(SCHEMA.length > 5);
  assert.deepEqual(
    FILES.slice(0, SCHEMA.length),
    SCHEMA.map(({ file }) => file),
  );
});

test("every table is created in the file of its owner's group", () => {
  const { owners } = registry();
  for (const { group, file } of SCHEMA) {
    const text = readFileSync(join(MIGRATIONS_DIR, file), 'utf8');
    for (const [, table] of text.matchAll(/^CREATE TABLE (\w+)/gm)) {
      if (IN_THE_KERNEL.has(table)) continue;
      const owner = owners.get(table);
      assert.equal(owner === 'kernel' ? owner : GROUP_OF.get(owner!), group, `${table} in ${file}, owned by ${owner}`);
    }
  }
});
