import { createProvider } from '../areas/providers/index.ts';
import { sql } from '../kernel/db/sql.ts';
import { CommandFailure, requiredOption, say, type Command } from './command.ts';
import { withDatabase } from './installation.ts';
import { table } from './table.ts';
import type { Database } from '../kernel/db/database.ts';

export interface ProviderRow {
  provider_id: number;
  name: string;
  timezone: string;
  currency: string;
  country: string;
}

export const allProviders = (db: Database): Promise<ProviderRow[]> =>
  db.acrossTenants('an operator lists the businesses of the installation', (tx) =>
    tx.rows<ProviderRow>(sql`SELECT provider_id, name, timezone, currency, country FROM provider ORDER BY provider_id`),
  );

/** Refuses an id that no business has. */
export async function requireProvider(db: Database, id: number): Promise<ProviderRow> {
  const all = await allProviders(db);
  const found = all.find((row) => row.provider_id === id);
  if (found) return found;
  const known = all.slice(0, 10).map((row) => `${row.provider_id} (${row.name})`).join(', ');
  throw new CommandFailure(`There is no provider ${id}. Remedy: ${known ? `use one of ${known}` : 'make one with "rollcall provider create"'}.`);
}

export const createProviderCommand: Command = {
  name: 'provider create',
  summary: 'Make a business and print its id',
  options: {
    name: { type: 'string', value: 'NAME', description: 'what it is called' },
    timezone: { type: 'string', value: 'ZONE', description: 'IANA name, as America/Toronto' },
    currency: { type: 'string', value: 'CODE', description: 'ISO 4217, as CAD' },
    country: { type: 'string', value: 'CODE', description: 'ISO 3166, as CA' },
  },
  async run(given) {
    const [name, timezone, currency, country] = ['name', 'timezone', 'currency', 'country'].map((option) => requiredOption(given, option));
    const id = await withDatabase(
      (db) =>
        db.acrossTenants('an operator makes a business', (tx) =>
          createProvider(tx, { name, timezone, currency, country }).catch((error: Error) => {
            throw /^".*" is no/.test(error.message) ? new CommandFailure(`${error.message}.`) : error;
          }),
        ),
      { make: true },
    );
    say(String(id));
    return 0;
  },
};

export const listProviders: Command = {
  name: 'provider list',
  summary: 'List the businesses of this installation',
  async run() {
    const rows = await withDatabase(allProviders);
    say(table(['id', 'name', 'timezone', 'currency', 'country'], rows.map((r) => [String(r.provider_id), r.name, r.timezone, r.currency, r.country])));
    return 0;
  },
};
