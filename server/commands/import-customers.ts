import { resolve } from 'node:path';
import { importCustomers, openCustomers, readCustomerMapping } from '../areas/people/customers/import/index.ts';
import { importNumbers, readPhoneOf } from '../areas/communication/messages/index.ts';
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

const { 'new-provider': _, ...shared } = importOptions;

export const importCustomersCommand: Command = {
  name: 'import customers',
  summary: 'Import customers from a CSV file; running it again changes only what differs',
  positionals: ['FILE'],
  options: {
    ...shared,
    invite: { type: 'boolean', description: 'invite everyone in the file who has no account and was never invited' },
  },
  details: [
    'People are identified by their email address. Without --invite, nobody gets an email. Run the same file with it later to invite the people in it.',
    'Errors are reported as "line, column, value: reason", and the exit code is 1.',
  ].join('\n'),
  async run(given) {
    const mappingFile = textOption(given, 'mapping');
    const dateFormat = dateFormatOption(given);
    const [dryRun, invite] = ['dry-run', 'invite'].map((name) => given.options[name] === true);
    const progress = new Progress();
    let unreadable = 0;
    const mapping = mappingFile === undefined ? null : readCustomerMapping(resolve(mappingFile));
    const file = await openFile(
      openCustomers(resolve(given.positionals[0]), mapping, (rejection) => {
        unreadable++;
        progress.rejected(rejection);
      }),
    );
    const { summary, providerId, took } = await withDatabase(async (db) => {
      const business = await chooseProvider(db, given, undefined);
      const began = performance.now();
      const readPhone = (text: string) => {
        const phone = readPhoneOf(text, business.country);
        return phone
          ? { ...phone, entered: text }
          : { problem: `is not a phone number of ${business.country}, or one with its country code` };
      };
      const done = await importCustomers({
        db,
        registry: registry(),
        tenant: business,
        viewer: importer(business.providerId),
        file,
        now: commandTime,
        dateFormat,
        dryRun,
        invite,
        readPhone,
        keepPhones: importNumbers,
        onRejected: progress.rejected,
        onNote: progress.note,
        onProgress: progress.step,
      });
      return { summary: done, providerId: business.providerId, took: seconds(began) };
    });
    progress.end();
    const rejected = summary.rejected + unreadable;
    const { made, changed, unchanged, invited, leftOut } = summary;
    say(`${summary.rows + unreadable} rows for provider ${providerId} in ${took} s.`);
    say(`Customers: ${made} created, ${changed} changed, ${unchanged} unchanged, ${rejected} rejected.`);
    if (leftOut > 0) say(`${leftOut} ${leftOut === 1 ? 'cell was' : 'cells were'} left empty.`);
    if (invite) say(`Invited: ${invited}.`);
    if (dryRun) say('Nothing was changed: this was a dry run.');
    return rejected + leftOut > 0 ? 1 : 0;
  },
};
