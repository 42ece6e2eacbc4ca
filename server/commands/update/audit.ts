/** The audit of a database: the doctor's checks of what is stored, differences of ledgers, and broken invariants. */
import { allProviders } from '../provider.ts';
import { cellFence } from '../../scale/commands/database.ts';
import { checkInvariants } from '../../areas/reporting/report-checks/index.ts';
import { connectTo } from '../../kernel/base/db/connections/connect.ts';
import { Database } from '../../kernel/base/db/database.ts';
import { differencesOf } from '../ledger.ts';
import { problemsIn } from '../check-businesses.ts';
import { STORED_CHECKS } from '../doctor/doctor-checks.ts';
import type { Config } from '../../config.ts';

/** Findings by the name of the check; null: the check can't read the schema of the database. */
export type Audit = Readonly<Record<string, readonly string[] | null>>;

/**
 * Audits a database with this release. `earlier`: its schema is that of an earlier release, which some checks may be
 * unable to read.
 */
export async function audit(url: string, config: Config, { earlier = false } = {}): Promise<Audit> {
  const found: Record<string, readonly string[] | null> = {};
  const run = async (name: string, check: () => Promise<readonly string[]>): Promise<void> => {
    try {
      found[name] = await check();
    } catch (error) {
      if (!earlier) throw error;
      found[name] = null;
    }
  };
  for (const [name, check] of Object.entries(STORED_CHECKS))
    await run(name, async () => {
      const client = await connectTo(url);
      try {
        await client.query("SET TIME ZONE 'UTC'");
        return (await check(client, Date.now, config)).findings.map(({ wrong }) => wrong);
      } finally {
        await client.end();
      }
    });
  const db = new Database({ url, size: 2, fence: cellFence(config) });
  try {
    await run('the ledgers', async () => differencesOf(db, await allProviders(db)));
    await run('the invariants', async () =>
      problemsIn(db, await allProviders(db), ({ tx, providerId }) => checkInvariants(tx, providerId)),
    );
  } finally {
    await db.close();
  }
  return found;
}

/** Returns what is wrong after an update and was right before. Checks that could not run before are left out. */
export const newlyWrong = (before: Audit, after: Audit): string[] =>
  Object.entries(after).flatMap(([name, found]) => {
    const known = before[name] ?? null;
    return known === null ? [] : (found ?? []).filter((wrong) => !known.includes(wrong));
  });
