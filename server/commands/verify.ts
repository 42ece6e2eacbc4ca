import { allProviders, requireProvider, type ProviderRow } from './provider.ts';
import { checkInvariants, checkReports } from '../areas/reporting/report-checks/index.ts';
import { checkLedger } from '../areas/money/ledger/index.ts';
import { commandTime } from './command-time.ts';
import { problemsIn } from './check-businesses.ts';
import { say, textOption, wholeId, type Command } from './command.ts';
import { withDatabase } from './installation.ts';
import type { Database } from '../kernel/base/db/database.ts';

/**
 * Returns everything that is wrong with the data of these businesses, in words: broken invariants, and differences
 * between the ledger or the reports and the rows that they are made of. `now` is the real time.
 */
const contradictionsIn = (db: Database, businesses: readonly ProviderRow[], now: number): Promise<string[]> =>
  problemsIn(db, businesses, async (reading) => [
    ...(await checkInvariants(reading.tx, reading.providerId)),
    ...(await checkLedger(reading)),
    ...(await checkReports(reading, now)),
  ]);

export const verify: Command = {
  name: 'verify',
  summary: 'Check places, waitlists, uses, invoices, payments, stock, the ledger and the reports for contradictions',
  details:
    'Changes nothing. The exit code is 1 if something is wrong. The worker does the same every night; "rollcall doctor" reports what it found.',
  options: { provider: { type: 'string', value: 'ID', description: 'only this business; default: all' } },
  async run(given) {
    const only = textOption(given, 'provider');
    const { businesses, found } = await withDatabase(async (db) => {
      const chosen =
        only === undefined ? await allProviders(db) : [await requireProvider(db, wholeId(only, '--provider'))];
      return { businesses: chosen.length, found: await contradictionsIn(db, chosen, commandTime()) };
    });
    for (const problem of found) say(problem);
    say(
      found.length === 0
        ? `Everything agrees at ${businesses === 1 ? '1 business' : `${businesses} businesses`}.`
        : `${found.length} ${found.length === 1 ? 'problem' : 'problems'} found, and nothing was changed. This should never happen: report it with these lines.`,
    );
    return found.length === 0 ? 0 : 1;
  },
};
