import { resolve } from 'node:path';
import { importSchedule, openSchedule, readMapping } from '../areas/schedule/import/index.ts';
import { CommandFailure, say, textOption, type Command } from './command.ts';
import { chooseProvider, importer, importOptions, Progress, seconds } from './import-run.ts';
import { withDatabase } from './installation.ts';

export const importScheduleCommand: Command = {
  name: 'import schedule',
  summary: 'Bring a schedule (CSV) into a business; running it again changes only what differs',
  positionals: ['FILE'],
  options: importOptions,
  details: 'Rows that cannot be understood are told as "line, column, value: reason"; everything else lands.',
  async run(given) {
    const mappingFile = textOption(given, 'mapping');
    const progress = new Progress();
    let unreadable = 0;
    const file = await openSchedule(resolve(given.positionals[0]), mappingFile === undefined ? null : readMapping(resolve(mappingFile)), (rejection) => {
      unreadable++;
      progress.rejected(rejection);
    }).catch((error: NodeJS.ErrnoException) => {
      throw error.code === 'ENOENT' || !error.code ? new CommandFailure(error.message) : error;
    });
    const { summary, providerId, took } = await withDatabase(
      async (db) => {
        const tenant = await chooseProvider(db, given, file.mapping.business);
        const began = performance.now();
        const done = await importSchedule({
          db, tenant, viewer: importer(tenant.providerId), file, now: Date.now,
          onRejected: progress.rejected, onNote: progress.note, onProgress: progress.step,
        });
        return { summary: done, providerId: tenant.providerId, took: seconds(began) };
      },
      { make: true },
    );
    progress.end();
    const { events, made, repeated } = summary;
    const rows = summary.rows + unreadable;
    const rejected = summary.rejected + unreadable;
    say(`${rows} rows for provider ${providerId} in ${took} s.`);
    say(`Events: ${events.made} made, ${events.changed} changed, ${events.unchanged} unchanged, ${rejected} rejected${repeated > 0 ? `, ${repeated} said twice` : ''}.`);
    say(`Made ${made.venues} venues, ${made.offeringTypes} offering types, ${made.categories} categories.`);
    return rejected > 0 ? 1 : 0;
  },
};
