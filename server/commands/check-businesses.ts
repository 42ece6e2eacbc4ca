/** Checks of each business, one after the other, for the commands that report what is wrong. */
import { registry } from '../app.ts';
import type { Database, Transaction } from '../kernel/base/db/database.ts';
import type { ProviderRow } from './provider.ts';
import type { Tenant } from '../kernel/work/unit/work.ts';
import { DEFAULT_WORDS } from '../kernel/base/values/words.ts';

interface Reading {
  readonly tx: Transaction;
  readonly providerId: number;
  readonly tenant: Tenant;
}

/** Returns everything that the check finds at these businesses, in words, each with the id of its business. */
export async function problemsIn(
  db: Database,
  businesses: readonly ProviderRow[],
  check: (reading: Reading) => Promise<readonly string[]>,
): Promise<string[]> {
  // Connects the declarations of areas: without it, the comparisons are not defined.
  registry();
  const found: string[] = [];
  for (const { provider_id: providerId, timezone: zone, currency } of businesses) {
    const tenant = { providerId, zone, currency, words: DEFAULT_WORDS };
    const problems = await db.looking(providerId, (tx) => check({ tx, providerId, tenant }));
    found.push(...problems.map((problem) => `Business ${providerId}: ${problem}`));
  }
  return found;
}
