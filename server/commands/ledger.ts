import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import {
  checkLedger,
  JOURNAL_FORMATS,
  journalText,
  trialBalance,
  withAmounts,
  type JournalFormat,
} from '../areas/money/ledger/index.ts';
import { allProviders, requireProvider, type ProviderRow } from './provider.ts';
import { registry } from '../app.ts';
import { formatDecimal } from '../kernel/base/values/money.ts';
import { problemsIn } from './check-businesses.ts';
import { parseDate } from '../kernel/base/values/date.ts';
import { requiredOption, say, textOption, UsageError, wholeId, type Command, type Given } from './command.ts';
import { withDatabase } from './installation.ts';
import type { Database } from '../kernel/base/db/database.ts';
import type { Tenant } from '../kernel/work/unit/work.ts';
import { DEFAULT_WORDS } from '../kernel/base/values/words.ts';

/** Returns every difference of these businesses, in words. */
export const differencesOf = (db: Database, businesses: readonly ProviderRow[]): Promise<string[]> =>
  problemsIn(db, businesses, checkLedger);

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

const day = (given: Given, name: string): string => {
  const text = requiredOption(given, name);
  if (parseDate(text) === null || text < '1900' || text >= '3000')
    throw new UsageError(`--${name} must be a date, for example 2026-01-31, not "${text}".`);
  return text;
};

const formatOf = (given: Given): JournalFormat => {
  const text = textOption(given, 'format') ?? 'csv';
  const format = JOURNAL_FORMATS.find((one) => one === text);
  if (!format) throw new UsageError(`--format must be ${JOURNAL_FORMATS.join(' or ')}, not "${text}".`);
  return format;
};

export const ledgerExport: Command = {
  name: 'ledger export',
  summary: 'Write the journal of a period as CSV or JSON, or its trial balance',
  details:
    'Writes to the standard output unless --out names a file. Both days belong to the period, by the calendar of the business. The columns are described in docs/guide/accounting.md.',
  positionals: ['BUSINESS'],
  options: {
    from: { type: 'string', value: 'DATE', description: 'first day' },
    to: { type: 'string', value: 'DATE', description: 'last day' },
    format: { type: 'string', value: 'FORMAT', description: 'csv (default) or json' },
    totals: { type: 'boolean', description: 'the trial balance, as JSON, instead of the journal' },
    out: { type: 'string', value: 'FILE', description: 'file to write' },
  },
  async run(given) {
    const id = wholeId(given.positionals[0], 'BUSINESS');
    const range = { from: day(given, 'from'), to: day(given, 'to') };
    if (range.to < range.from) throw new UsageError('--to must not be before --from.');
    const format = formatOf(given);
    const out = textOption(given, 'out');
    await withDatabase(async (db) => {
      registry();
      const { timezone: zone, currency } = await requireProvider(db, id);
      const tenant = { providerId: id, zone, currency, words: DEFAULT_WORDS };
      const text = given.options.totals
        ? [`${JSON.stringify(await totals(db, tenant, range), null, 2)}\n`]
        : journalText({ db, tenant }, range, format);
      if (out !== undefined) return pipeline(text, createWriteStream(out));
      await pipeline(text, process.stdout, { end: false });
    });
    return 0;
  },
};

async function totals(db: Database, tenant: Tenant, range: { from: string; to: string }): Promise<unknown> {
  const { providerId, currency } = tenant;
  const balance = await db.looking(providerId, (tx) => trialBalance({ tx, providerId, tenant }, range));
  return withAmounts(balance, (minor) => formatDecimal({ minor, currency }));
}
