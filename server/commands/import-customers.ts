import { resolve } from 'node:path';
import { importCustomers, openCustomers, readCustomerMapping } from '../areas/customers/import/index.ts';
import { CommandFailure, say, textOption, type Command } from './command.ts';
import { chooseProvider, importer, importOptions, Progress, seconds } from './import-run.ts';
import { withDatabase } from './installation.ts';

const { provider, mapping } = importOptions;

export const importCustomersCommand: Command = {
  name: 'import customers',
  summary: 'Bring customers (CSV) into a business; running it again changes only what differs',
  positionals: ['FILE'],
  options: { provider, mapping },
  details: 'People are told apart by their e-mail address. Nobody is invited or written to.',
  async run(given) {
    const mappingFile = textOption(given, 'mapping');
    const progress = new Progress();
    let unreadable = 0;
    const file = await openCustomers(resolve(given.positionals[0]), mappingFile === undefined ? null : readCustomerMapping(resolve(mappingFile)), (rejection) => {
      unreadable++;
      progress.rejected(rejection);
    }).catch((error: NodeJS.ErrnoException) => {
      throw error.code === 'ENOENT' || !error.code ? new CommandFailure(error.message) : error;
    });
    const { summary, providerId, took } = await withDatabase(async (db) => {
      const tenant = await chooseProvider(db, given, undefined);
      const began = performance.now();
      const done = await importCustomers({ db, tenant, viewer: importer(tenant.providerId), file, now: Date.now, onRejected: progress.rejected, onProgress: progress.step });
      return { summary: done, providerId: tenant.providerId, took: seconds(began) };
    });
    progress.end();
    const rejected = summary.rejected + unreadable;
    say(`${summary.rows + unreadable} rows for provider ${providerId} in ${took} s.`);
    say(`Customers: ${summary.made} made, ${summary.changed} changed, ${summary.unchanged} unchanged, ${rejected} rejected.`);
    return rejected > 0 ? 1 : 0;
  },
};
