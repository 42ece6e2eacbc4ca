// Compares db/schema.sql with what the migrations amount to in a real database; --write brings the file up to date.
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { createMigrated, startCluster } from './cluster.ts';
import { dumpSchema } from './schema-dump.ts';

const FILE = fileURLToPath(new URL('../../db/schema.sql', import.meta.url));
const HEADER =
  '-- What all migrations together amount to, read from the catalog of a migrated database. To be read, not to be run or edited:\n' +
  '-- write a migration, then "node bin/rollcall.mjs run server/test/schema-drift.ts --write".\n\n';
const SHOWN = 40;

const actual = HEADER + (await migratedSchema());
if (process.argv.includes('--write')) {
  writeFileSync(FILE, actual);
  console.log('Wrote db/schema.sql.');
} else {
  const differences = compareLines(readRecorded(), actual);
  if (differences.length > 0) {
    console.error(
      `db/schema.sql is not what the migrations amount to (- recorded, + migrated):\n${differences.slice(0, SHOWN).join('\n')}\n` +
        `${differences.length > SHOWN ? `… and ${differences.length - SHOWN} more lines\n` : ''}` +
        'Remedy: run "node bin/rollcall.mjs run server/test/schema-drift.ts --write" and commit db/schema.sql with the migration.',
    );
    process.exitCode = 1;
  }
}

async function migratedSchema(): Promise<string> {
  const cluster = await startCluster();
  try {
    const client = new pg.Client({ connectionString: await createMigrated(cluster.url, 'schema') });
    await client.connect();
    try {
      return await dumpSchema(client);
    } finally {
      await client.end();
    }
  } finally {
    await cluster.remove();
  }
}

function readRecorded(): string {
  try {
    return readFileSync(FILE, 'utf8').replaceAll('\r\n', '\n');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return '';
    throw error;
  }
}

/** Lines only one side has, by the longest common subsequence once equal ends are cut away. */
function compareLines(before: string, now: string): string[] {
  let [a, b] = [before.split('\n'), now.split('\n')];
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) start += 1;
  [a, b] = [a.slice(start), b.slice(start)];
  while (a.length > 0 && b.length > 0 && a.at(-1) === b.at(-1)) [a, b] = [a.slice(0, -1), b.slice(0, -1)];

  // common[i][j]: how many lines a from i on and b from j on share in order
  const common = Array.from({ length: a.length + 1 }, () => new Uint32Array(b.length + 1));
  for (let i = a.length - 1; i >= 0; i -= 1) {
    for (let j = b.length - 1; j >= 0; j -= 1) {
      common[i][j] = a[i] === b[j] ? common[i + 1][j + 1] + 1 : Math.max(common[i + 1][j], common[i][j + 1]);
    }
  }
  const lines: string[] = [];
  for (let i = 0, j = 0; i < a.length || j < b.length;) {
    if (i < a.length && j < b.length && a[i] === b[j]) [i, j] = [i + 1, j + 1];
    else if (j >= b.length || (i < a.length && common[i + 1][j] >= common[i][j + 1])) lines.push(`- ${a[i++]}`);
    else lines.push(`+ ${b[j++]}`);
  }
  return lines;
}
