import { checkLedger } from '../areas/money/ledger/index.ts';
import { allProviders, requireProvider, type ProviderRow } from './provider.ts';
import { registry } from '../app.ts';
import { say, textOption, wholeId, type Command } from './command.ts';
import { withDatabase } from './installation.ts';
import type { Database } from '../kernel/db/database.ts';

/** Every difference of these businesses, in words. */
export async function differencesOf(db: Database, businesses: readonly ProviderRow[]): Promise<string[]> {
  // Connects what areas declare: without it, nobody has said what is compared.
  registry();
  const found: string[] = [];
  for (const { provider_id: providerId, timezone: zone, currency } of businesses) {
    const differences = await db.looking(providerId, (tx) =>
      checkLedger({ tx, providerId, tenant: { providerId, zone, currency } }),
    );
    found.push(...differences.map((difference) => `Business ${providerId}: ${difference}`));
  }
  return found;
}

export const ledgerCheck: Command = {
  name: 'ledger check',
  summary: 'Compare the ledger with invoices, payments and accounts, and report every difference',
  details:
    'Changes nothing. The exit code is 1 if something differs. The worker does the same every night; "rollcall doctor" reports what it found.',
  options: { provider: { type: 'string', value: 'ID', description: 'only this business; default: all' } },
  async run(given) {
    const only = textOption(given, 'provider');
    const { businesses, found } = await withDatabase(async (db) => {
      const chosen =
        only === undefined ? await allProviders(db) : [await requireProvider(db, wholeId(only, '--provider'))];
      return { businesses: chosen.length, found: await differencesOf(db, chosen) };
    });
    for (const difference of found) say(difference);
    say(
      found.length === 0
        ? `The ledger of ${businesses === 1 ? '1 business' : `${businesses} businesses`} agrees with everything that it was posted for.`
        : `${found.length} ${found.length === 1 ? 'difference' : 'differences'} found, and nothing was changed. This should never happen: report it with these lines.`,
    );
    return found.length === 0 ? 0 : 1;
  },
};
