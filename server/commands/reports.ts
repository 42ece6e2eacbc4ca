import { allProviders, requireProvider } from './provider.ts';
import { rebuildStored } from '../areas/reporting/reports/index.ts';
import { registry } from '../app.ts';
import { say, textOption, wholeId, type Command } from './command.ts';
import { withDatabase } from './installation.ts';

export const reportsRebuild: Command = {
  name: 'reports rebuild',
  summary: 'Calculate the stored rows of reports again',
  details:
    'Reports of revenue and of bookings read rows that are stored, and kept up to date with every change. This calculates them again from invoices, account entries, memberships and bookings. It is never needed unless the nightly check of the reports names a difference.',
  options: { provider: { type: 'string', value: 'ID', description: 'only this business; default: all' } },
  async run(given) {
    const only = textOption(given, 'provider');
    const businesses = await withDatabase(async (db) => {
      registry();
      const chosen =
        only === undefined ? await allProviders(db) : [await requireProvider(db, wholeId(only, '--provider'))];
      for (const { provider_id: provider, timezone: zone } of chosen)
        await db.transaction(provider, (tx) => rebuildStored(tx, { provider, zone }));
      return chosen.length;
    });
    say(`The stored rows of ${businesses === 1 ? '1 business' : `${businesses} businesses`} were calculated again.`);
    return 0;
  },
};
