/** Migrations as files. The first line of each says which releases work with the schema after it. */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export interface Migration {
  readonly version: number;
  /** File name without its extension, such as `0001_start`. */
  readonly name: string;
  readonly sql: string;
  readonly checksum: string;
  /** it removes something that older releases use, and waits until none of them runs */
  readonly contracts: boolean;
  /** the oldest release that works with it, even if it does not know it; null: only releases that know it */
  readonly oldestRelease: string | null;
}

export const MIGRATIONS_DIR = fileURLToPath(new URL('../../../../../db/migrations', import.meta.url));

const EXPAND = '-- expand';
const CONTRACT = /^-- contract: needs every process at (\d+\.\d+\.\d+)$/;
/** Marks a migration that every release works with. */
const ANY_RELEASE = '0.0.0';

/**
 * Reads the compatibility. `-- expand`: every earlier release continues to work. `-- contract: needs every process at
 * 1.2.0`: that release and later ones do. Without either, it creates a new database, which no release uses yet.
 */
function compatibilityOf(sql: string): Pick<Migration, 'contracts' | 'oldestRelease'> {
  const [first] = sql.split('\n', 1);
  if (first === EXPAND) return { contracts: false, oldestRelease: ANY_RELEASE };
  const release = CONTRACT.exec(first)?.[1] ?? null;
  return { contracts: release !== null, oldestRelease: release };
}

/** Reads all migrations of a folder, in order. */
export function readMigrations(dir: string): Migration[] {
  const files = readdirSync(dir)
    .filter((file) => file.endsWith('.sql'))
    .toSorted();
  const migrations = files.map((file) => {
    if (!/^\d{4}_[a-z0-9_]+\.sql$/.test(file))
      throw new Error(`${join(dir, file)} is not named like 0001_what_it_does.sql.`);
    // A checkout with other line endings is still the same migration.
    const sql = readFileSync(join(dir, file), 'utf8').replaceAll('\r\n', '\n');
    const checksum = createHash('sha256').update(sql).digest('hex');
    const [version, name] = [Number(file.slice(0, 4)), file.slice(0, -'.sql'.length)];
    return { version, name, sql, checksum, ...compatibilityOf(sql) };
  });
  const twice = migrations.find(({ version }, i) => i > 0 && migrations[i - 1].version === version);
  if (twice)
    throw new Error(`Two migrations carry the number of ${twice.name}. Remedy: give one the next free number.`);
  return migrations;
}
