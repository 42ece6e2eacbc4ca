import { createProvider } from '../areas/platform/providers/index.ts';
import { sql } from '../kernel/base/db/sql.ts';
import { commandTime } from './command-time.ts';
import { CommandFailure, requiredOption, say, textOption, wholeId, type Command } from './command.ts';
import { otherCells } from '../scale/commands/database.ts';
import { configured, withDatabase } from './installation.ts';
import { inviteOwner, linkFor, ownerNameOption, ownerOf } from './owner.ts';
import { table } from './table.ts';
import type { Database } from '../kernel/base/db/database.ts';
import { DEFAULT_WORDS } from '../kernel/base/values/words.ts';

export interface ProviderRow {
  provider_id: number;
  name: string;
  timezone: string;
  currency: string;
  country: string;
  is_test: boolean;
}

export const allProviders = (db: Database): Promise<ProviderRow[]> =>
  db.acrossTenants('an operator lists the businesses of the installation', (tx) =>
    tx.rows<ProviderRow>(
      sql`SELECT provider_id, name, timezone, currency, country, is_test FROM provider ORDER BY provider_id`,
    ),
  );

/** Refuses an id that no business has. */
export async function requireProvider(db: Database, id: number): Promise<ProviderRow> {
  const all = await allProviders(db);
  const found = all.find((row) => row.provider_id === id);
  if (found) return found;
  const known = all
    .slice(0, 10)
    .map((row) => `${row.provider_id} (${row.name})`)
    .join(', ');
  throw new CommandFailure(
    `There is no provider ${id}. Remedy: ${known ? `use one of ${known}` : 'create one with "rollcall provider create"'}.`,
  );
}

export const createProviderCommand: Command = {
  name: 'provider create',
  summary: 'Create a business and print its id',
  options: {
    name: { type: 'string', value: 'NAME', description: 'name of the business' },
    timezone: { type: 'string', value: 'ZONE', description: 'IANA name, for example America/Toronto' },
    currency: { type: 'string', value: 'CODE', description: 'ISO 4217 code, for example CAD' },
    country: { type: 'string', value: 'CODE', description: 'ISO 3166 code, for example CA' },
    owner: {
      type: 'string',
      value: 'EMAIL',
      description: 'email address of the owner, who may do everything and sets a password with the printed link',
    },
    test: {
      type: 'boolean',
      description:
        'make a test business: its clock can be advanced, it takes no real money, and it can be deleted or go live later',
    },
    ...ownerNameOption,
  },
  async run(given) {
    const [name, timezone, currency, country] = ['name', 'timezone', 'currency', 'country'].map((option) =>
      requiredOption(given, option),
    );
    const test = given.options.test === true;
    const email = textOption(given, 'owner');
    const owner = email === undefined ? null : ownerOf(email, given);
    const now = commandTime();
    const { tenant, secret } = await withDatabase(
      (db) =>
        db.acrossTenants('an operator creates a business with its owner', async (tx) => {
          const providerId = await createProvider(tx, {
            name,
            timezone,
            currency,
            country,
            test,
            cells: otherCells(configured()),
          }).catch((error: Error) => {
            throw /^".*" is no/.test(error.message) ? new CommandFailure(`${error.message}.`) : error;
          });
          const made = { providerId, zone: timezone, currency: currency.toUpperCase(), words: DEFAULT_WORDS };
          return { tenant: made, secret: owner && (await inviteOwner(tx, made, owner, now)) };
        }),
      { make: true },
    );
    say(String(tenant.providerId));
    if (owner && secret) say(linkFor(configured(), tenant, owner.email, secret));
    return 0;
  },
};

export const inviteOwnerCommand: Command = {
  name: 'provider invite-owner',
  summary: 'Print a link for the owner of a business to set a password',
  positionals: ['EMAIL'],
  options: { provider: { type: 'string', value: 'ID', description: 'the business' }, ...ownerNameOption },
  details:
    'Makes the person a staff member who may do everything, if they are not one yet. Links that were printed earlier stop working.',
  async run(given) {
    const id = wholeId(requiredOption(given, 'provider'), '--provider');
    const owner = ownerOf(given.positionals[0], given);
    const { tenant, secret } = await withDatabase(async (db) => {
      const { timezone, currency } = await requireProvider(db, id);
      const of = { providerId: id, zone: timezone, currency, words: DEFAULT_WORDS };
      return {
        tenant: of,
        secret: await db.acrossTenants('an operator invites the owner of a business', (tx) =>
          inviteOwner(tx, of, owner, commandTime()),
        ),
      };
    });
    say(linkFor(configured(), tenant, owner.email, secret));
    return 0;
  },
};

export const listProviders: Command = {
  name: 'provider list',
  summary: 'List the businesses of this installation',
  async run() {
    const rows = await withDatabase(allProviders);
    say(
      table(
        ['id', 'name', 'timezone', 'currency', 'country', 'test'],
        rows.map((r) => [String(r.provider_id), r.name, r.timezone, r.currency, r.country, r.is_test ? 'yes' : '-']),
      ),
    );
    return 0;
  },
};
