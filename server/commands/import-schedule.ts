import { resolve } from 'node:path';
import { importSchedule, openSchedule, readMapping } from '../areas/scheduling/schedule/import/index.ts';
import { registry } from '../app.ts';
import { commandTime } from './command-time.ts';
import { say, textOption, type Command } from './command.ts';
import {
  chooseProvider,
  dateFormatOption,
  importer,
  importOptions,
  openFile,
  Progress,
  seconds,
} from './import-run.ts';
import { withDatabase } from './installation.ts';

export const importScheduleCommand: Command = {
  name: 'import schedule',
  summary: 'Import a schedule from a CSV file; running it again changes only what differs',
  positionals: ['FILE'],
  options: importOptions,
  details:
    'Rows that cannot be read are reported as "line, column, value: reason", and the exit code is 1. All other rows are imported.',
  async run(given) {
    const mappingFile = textOption(given, 'mapping');
    const dateFormat = dateFormatOption(given);
    const dryRun = given.options['dry-run'] === true;
    const progress = new Progress();
    let unreadable = 0;
    const mapping = mappingFile === undefined ? null : readMapping(resolve(mappingFile));
    const file = await openFile(
      openSchedule(resolve(given.positionals[0]), mapping, (rejection) => {
        unreadable++;
        progress.rejected(rejection);
      }),
    );
    const { summary, providerId, took } = await withDatabase(
      async (db) => {
        const business = await chooseProvider(db, given, file.mapping.business);
        const began = performance.now();
        const done = await importSchedule({
          db,
          registry: registry(),
          tenant: business,
          viewer: importer(business.providerId),
          file,
          now: commandTime,
          dateFormat,
          dryRun,
          onRejected: progress.rejected,
          onNote: progress.note,
          onProgress: progress.step,
        });
        return { summary: done, providerId: business.providerId, took: seconds(began) };
      },
      { make: !dryRun },
    );
    progress.end();
    const { events, made, repeated } = summary;
    const rows = summary.rows + unreadable;
    const rejected = summary.rejected + unreadable;
    say(`${rows} rows for provider ${providerId} in ${took} s.`);
    say(
      `Events: ${events.made} created, ${events.changed} changed, ${events.unchanged} unchanged, ${rejected} rejected${repeated > 0 ? `, ${repeated} repeated` : ''}.`,
    );
    say(`Created ${made.venues} venues, ${made.offeringTypes} offering types, ${made.categories} categories.`);
    if (dryRun) say('Nothing was changed: this was a dry run.');
    return rejected > 0 ? 1 : 0;
  },
};
