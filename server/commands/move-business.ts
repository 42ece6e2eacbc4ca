/** A whole business as one file, in both directions: `export business`, `import business`. */
import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { exportBusiness, NoBusiness, type Around, type Moved } from '../kernel/base/archive/write.ts';
import { importBusiness } from '../kernel/base/archive/load.ts';
import { openFiles } from '../kernel/base/files/open-files.ts';
import { movingAccounts } from '../areas/people/identity/index.ts';
import { movingBusiness } from '../areas/platform/providers/index.ts';
import { registry } from '../app.ts';
import { secretBoxOf } from '../kernel/base/secret-box.ts';
import { SHORTEST } from '../kernel/base/archive/passphrase.ts';
import { arrivingIn } from '../arriving/index.ts';
import { SINCE } from '../arriving/since.ts';
import { commandTime } from './command-time.ts';
import { CommandFailure, say, textOption, wholeId, type Command, type Given } from './command.ts';
import { withDatabaseUrl } from './installation.ts';
import type { Config } from '../config.ts';

const passphraseOption = {
  'passphrase-file': {
    type: 'string',
    value: 'FILE',
    description: 'file whose first line is the passphrase for the secrets; default: the variable ARCHIVE_PASSPHRASE',
  },
} as const;

/** Reads the passphrase. Never from an argument: others on the machine could read it. */
function passphraseOf(given: Given, env: NodeJS.ProcessEnv = process.env): string {
  const file = textOption(given, 'passphrase-file');
  if (file !== undefined && !existsSync(resolve(file))) throw new CommandFailure(`There is no file ${resolve(file)}.`);
  const text = file === undefined ? env.ARCHIVE_PASSPHRASE : readFileSync(resolve(file), 'utf8').split(/\r?\n/)[0];
  if (!text)
    throw new CommandFailure(
      'An archive needs a passphrase, which seals the passwords and secrets in it. Remedy: set ARCHIVE_PASSPHRASE, or name a file with --passphrase-file.',
    );
  if (text.length < SHORTEST)
    throw new CommandFailure(`The passphrase is too short. Remedy: use at least ${SHORTEST} characters.`);
  return text;
}

/** Returns the parts of this installation that export and import need. */
export const aroundArchive = (url: string, config: Config, passphrase: string): Around => ({
  url,
  tables: registry().tables,
  accounts: movingAccounts,
  arriving: arrivingIn(registry()),
  since: SINCE,
  business: movingBusiness,
  box: secretBoxOf(config),
  files: openFiles(config),
  passphrase,
  now: commandTime(),
});

const counted = ({ rows, tables, files, accounts, jobs }: Moved): string =>
  `${rows} rows of ${tables} tables, ${accounts} accounts, ${files} files and ${jobs} waiting jobs`;

const seconds = (began: number): string => `${((performance.now() - began) / 1000).toFixed(1)} s`;

export const exportBusinessCommand: Command = {
  name: 'export business',
  summary: 'Write everything of one business to one file, while the server runs',
  positionals: ['BUSINESS', 'FILE'],
  options: { ...passphraseOption, force: { type: 'boolean', description: 'overwrite the file if it exists' } },
  details: [
    'The file is a .tar.gz of JSON lines and files, described in docs/guide/take-your-data.md. It appears only when it is complete.',
    'Passwords and secrets in it are sealed with the passphrase, which the import needs. Everything else can be read by anyone who has the file.',
  ].join('\n'),
  async run(given) {
    const business = wholeId(given.positionals[0], 'BUSINESS');
    const file = resolve(given.positionals[1]);
    const passphrase = passphraseOf(given);
    if (!given.options.force && existsSync(file))
      throw new CommandFailure(`${file} already exists. Remedy: choose another name, or overwrite it with --force.`);
    if (!existsSync(dirname(file))) throw new CommandFailure(`There is no folder ${dirname(file)}.`);
    const began = performance.now();
    const moved = await withDatabaseUrl((url, config) =>
      exportBusiness(aroundArchive(url, config, passphrase), business, file).catch((error: unknown) => {
        throw error instanceof NoBusiness
          ? new CommandFailure(`${error.message} Remedy: find its id with "rollcall provider list".`)
          : error;
      }),
    );
    const megabytes = (statSync(file).size / 1e6).toFixed(1);
    say(`Exported business ${business}: ${counted(moved)}, ${megabytes} MB, in ${seconds(began)}: ${file}`);
    return 0;
  },
};

export const importBusinessCommand: Command = {
  name: 'import business',
  summary: 'Bring a business from a file that "export business" wrote',
  positionals: ['FILE'],
  options: passphraseOption,
  details: [
    'Everything keeps its id, so the installation must be empty, or none of the ids may be taken. An account with the same email address stays as it is.',
    'New accounts keep their passwords, and people confirm their addresses again. What else is not taken from the file is printed.',
    'The file is checked completely before anything is written. An import that fails changes nothing. Nobody else can write while it runs.',
  ].join('\n'),
  async run(given) {
    const file = resolve(given.positionals[0]);
    if (!existsSync(file))
      throw new CommandFailure(
        `There is no file ${file}. Remedy: choose a file that "rollcall export business" wrote.`,
      );
    const passphrase = passphraseOf(given);
    const began = performance.now();
    const { business, resets, ...moved } = await withDatabaseUrl(
      (url, config) => importBusiness(aroundArchive(url, config, passphrase), file),
      { make: true },
    );
    say(`Imported business ${business}: ${counted(moved)}, in ${seconds(began)}.`);
    if (resets.size > 0) {
      say('Not taken from the file, because only a proof or you may set it:');
      for (const [what, count] of resets) say(`  ${count} × ${what}`);
    }
    say('Check its books with "rollcall ledger check". Webhooks, payments and mail go on as soon as the server runs.');
    return 0;
  },
};
