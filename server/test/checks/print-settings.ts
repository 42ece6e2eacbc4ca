/** Writes the table of all settings into docs/operations.md. */
import { readFileSync, writeFileSync } from 'node:fs';
import { settingsTable } from '../../settings.ts';

const PAGE = new URL('../../../docs/operations.md', import.meta.url);

const page = readFileSync(PAGE, 'utf8');
writeFileSync(
  PAGE,
  page.replace(/^\| variable \|[^]*?(?=\n\n|\n?$(?![^]))/m, () => settingsTable()),
);
