/** Tables of the documents that the code knows better: `print-tables.ts` writes them, and a test compares them. */
import { permissionsTable } from '../../areas/people/staff/permissions.ts';
import { settingsTable } from '../../settings.ts';

export const PRINTED_TABLES = [
  { file: 'docs/operations.md', table: settingsTable() },
  { file: 'docs/guide/concepts.md', table: permissionsTable() },
];

/** Returns the document with this table in place of the one with the same heading. */
export function withTable(document: string, table: string): string {
  const head = `${table.slice(0, table.indexOf('\n'))}\n`;
  const [before, after, ...others] = document.split(head);
  if (after === undefined || others.length > 0) throw new Error(`There has to be one table with the heading ${head}`);
  return `${before}${table}\n${after.replace(/^(\|.*\n)*/, '')}`;
}
