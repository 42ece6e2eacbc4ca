/** The command that imports files of other products as the dashboard does. */
import { basename, join, resolve } from 'node:path';
import { createWriteStream, mkdirSync, readFileSync } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { pino } from 'pino';
import { chooseProvider, dateFormatOption, importer } from './import-run.ts';
import { commandTime } from './command-time.ts';
import { CommandFailure, say, textOption, type Command, type Given } from './command.ts';
import { configured, withDatabase } from './installation.ts';
import { formatDecimal } from '../kernel/base/values/money.ts';
import { importFiles, type FileState, type FilesImport } from '../areas/reporting/imports/index.ts';
import { installationOf, registry } from '../app.ts';
import { Problem } from '../kernel/base/problem.ts';
import { readSettings } from './import-settings.ts';

const STEPS = { recognised: 'Recognized', checking: 'Checked', running: 'Imported' } as const;

const plural = (n: number, one: string): string => `${n} ${one}${n === 1 ? '' : 's'}`;

const amountOf = (minor: number, currency: string): string => `${formatDecimal({ minor, currency })} ${currency}`;

/** Prints what a file is, what it would do or has done, and what has to be said first. */
const printing =
  (currency: string): FilesImport['onFile'] =>
  (file, step) => {
    const { file_name: name, kind, row_count: rows, source } = file;
    say(`${STEPS[step]}: ${name}`);
    if (step === 'recognised') {
      say(`  ${plural(rows, 'row')} of ${kind}, ids from "${source}", names of columns in line ${file.heading_line}`);
      for (const one of file.missing) say(`  Missing: ${one}`);
      for (const { property, column, value, rows: many, choices } of file.questions)
        say(
          `  Question: what does "${value}" mean in "${column}" (${property}, ${plural(many, 'row')})? ${choices.join(', ')}`,
        );
      return;
    }
    const { created_count: made, changed_count: changed, unchanged_count: same, rejected_count: left } = file;
    say(`  ${made} new, ${changed} changed, ${same} unchanged, ${left} left out`);
    for (const [day, { count, minor }] of Object.entries(file.charges).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      say(
        `  Would be billed on ${day}, once somebody approves it: ${amountOf(minor, currency)} (${plural(count, 'charge')})`,
      );
    for (const [of, { count, minor }] of Object.entries(file.sums))
      say(`  Sum of ${of.replaceAll('_', ' ')}: ${amountOf(minor, currency)} (${plural(count, 'row')})`);
    for (const { heading, value_count: many } of file.unimported)
      say(`  Not imported: the column "${heading}" (${plural(many, 'value')})`);
  };

const reporting =
  (folder: string | undefined): FilesImport['onReport'] =>
  async ({ file_name: name }: FileState, _, parts) => {
    if (folder === undefined) return;
    mkdirSync(folder, { recursive: true });
    await pipeline(parts, createWriteStream(join(folder, `${name}.report.csv`)));
  };

function filesOf(given: Given): FilesImport['files'] {
  const { source, files } = readSettings(textOption(given, 'settings'));
  const dates = dateFormatOption(given);
  return given.positionals.map((path) => {
    const name = basename(path);
    const { kind, columns, sheet, heading_line: heading } = files[name] ?? {};
    return {
      name,
      bytes: readFileSync(resolve(path)),
      place: { sheet, heading },
      correction: { kind, columns, source: textOption(given, 'source') ?? source, date_format: dates },
    };
  });
}

export const importFilesCommand: Command = {
  name: 'import',
  summary: 'Import exports of other products, as the dashboard does: customers, memberships, bookings and more',
  positionals: ['FILE…'],
  options: {
    business: { type: 'string', value: 'ID', description: 'the business; required if there are several' },
    check: { type: 'boolean', description: 'report what would happen and keep nothing' },
    settings: {
      type: 'string',
      value: 'FILE',
      description: 'answers to questions, and what files and columns are (JSON), see docs/guide/import.md',
    },
    source: {
      type: 'string',
      value: 'NAME',
      description: 'where the ids in the files come from: a product, or "file"',
    },
    'date-format': {
      type: 'string',
      value: 'FORMAT',
      description: 'DD/MM/YYYY, MM/DD/YYYY or YYYY-MM-DD, if it isn’t clear from the files',
    },
    reports: {
      type: 'string',
      value: 'FOLDER',
      description: 'write the result of every row of each file there, as CSV',
    },
  },
  details: [
    'All files are imported together, in the order in which they depend on each other. Words without a known meaning are questions: without their answers, nothing is imported. Nothing is billed before somebody approves it, and nobody gets a message.',
    'The exit code is 1 if something has to be said first, or if a row was left out.',
  ].join('\n'),
  async run(given) {
    const files = filesOf(given);
    const { answers } = readSettings(textOption(given, 'settings'));
    const isCheck = given.options.check === true;
    const isDone = await withDatabase(async (db) => {
      const config = configured();
      const tenant = await chooseProvider(
        db,
        { ...given, options: { provider: given.options.business } },
        undefined,
        '--business',
      );
      const declared = registry();
      return importFiles({
        db,
        registry: declared,
        installation: installationOf(config, pino({ level: 'silent' }), () => config.publicUrl ?? '', {}),
        tenant,
        viewer: importer(tenant.providerId),
        now: commandTime,
        files,
        answers,
        checkOnly: isCheck,
        onFile: printing(tenant.currency),
        onReport: reporting(textOption(given, 'reports')),
      }).catch((error: unknown) => {
        if (!(error instanceof Problem)) throw error;
        const reasons = Object.values(error.fields).flat();
        throw new CommandFailure(reasons.length > 0 ? reasons.join(' ') : error.message);
      });
    });
    if (isCheck) say('Nothing was imported: this was a check.');
    else if (!isDone) say('Not everything was imported: see above.');
    return isDone ? 0 : 1;
  },
};
