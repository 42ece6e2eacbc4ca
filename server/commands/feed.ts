import { listSetAside, wantAgain } from '../kernel/work/worker/dead-letter.ts';
import { CommandFailure, say, textOption, wholeId, type Command } from './command.ts';
import { withDatabase } from './installation.ts';
import { table } from './table.ts';

export const listFeed: Command = {
  name: 'feed list',
  summary: 'List feed items that readers could not process and skipped; times are in UTC',
  async run() {
    const found = await withDatabase((db) => listSetAside(db));
    say(
      table(
        ['provider', 'item', 'type', 'reader', 'at', 'attempts', 'error'],
        found.map((f) => [
          String(f.provider),
          String(f.seq),
          f.kind,
          f.reader,
          new Date(f.at).toISOString().slice(0, 16),
          String(f.attempts),
          f.error.replaceAll(/\s+/g, ' ').slice(0, 100),
        ]),
      ),
    );
    return 0;
  },
};

export const retryFeed: Command = {
  name: 'feed retry',
  summary: 'Retry feed items that readers skipped; the worker does it within a minute or two',
  details:
    'Items that succeed disappear from "rollcall feed list". Items that fail again stay there with their new error. Items are retried one by one, after everything that has happened since.',
  options: {
    reader: { type: 'string', value: 'NAME', description: 'only items of this reader' },
    provider: { type: 'string', value: 'ID', description: 'only items of this business' },
  },
  async run(given) {
    const provider = textOption(given, 'provider');
    const wanted = await withDatabase((db) =>
      wantAgain(db, {
        reader: textOption(given, 'reader'),
        provider: provider === undefined ? undefined : wholeId(provider, '--provider'),
      }),
    );
    if (wanted === 0) throw new CommandFailure('There is nothing to retry. Remedy: see "rollcall feed list".');
    say(`${wanted} will be retried.`);
    return 0;
  },
};
