import { listSetAside, wantAgain } from '../kernel/feed/set-aside.ts';
import { CommandFailure, say, textOption, wholeId, type Command } from './command.ts';
import { withDatabase } from './installation.ts';
import { table } from './table.ts';

export const listFeed: Command = {
  name: 'feed list',
  summary: 'List what readers of the feed could not act on and went on without; times are in UTC',
  async run() {
    const found = await withDatabase((db) => listSetAside(db));
    say(
      table(
        ['provider', 'item', 'type', 'reader', 'at', 'attempts', 'error'],
        found.map((f) => [String(f.provider), String(f.seq), f.kind, f.reader, new Date(f.at).toISOString().slice(0, 16), String(f.attempts), f.error.replaceAll(/\s+/g, ' ').slice(0, 100)]),
      ),
    );
    return 0;
  },
};

export const retryFeed: Command = {
  name: 'feed retry',
  summary: 'Let readers of the feed try again what they went on without; the worker does it within a minute or two',
  details: 'What passes is gone from "rollcall feed list"; what fails again stays there with its new error. Items come again one by one, after all that has happened since.',
  options: {
    reader: { type: 'string', value: 'NAME', description: 'only those of this reader' },
    provider: { type: 'string', value: 'ID', description: 'only those of this business' },
  },
  async run(given) {
    const provider = textOption(given, 'provider');
    const wanted = await withDatabase((db) => wantAgain(db, { reader: textOption(given, 'reader'), provider: provider === undefined ? undefined : wholeId(provider, '--provider') }));
    if (wanted === 0) throw new CommandFailure('There is nothing to try again. Remedy: see "rollcall feed list".');
    say(`${wanted} will be tried again.`);
    return 0;
  },
};
