/** Writes the tables that the documents have from the code: settings and permissions. */
import { readFileSync, writeFileSync } from 'node:fs';
import { PRINTED_TABLES, withTable } from './printed-tables.ts';

for (const { file, table } of PRINTED_TABLES) {
  const page = new URL(`../../../${file}`, import.meta.url);
  writeFileSync(page, withTable(readFileSync(page, 'utf8'), table));
}
