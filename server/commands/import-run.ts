/** Code that both imports share: opening the file, choosing the business and the actor, and printing progress. */
import { createProvider, findTenant, type NewProvider } from '../areas/platform/providers/index.ts';
import { ownViewer, type Viewer } from '../kernel/work/access/viewer.ts';
import { DATE_FORMATS, type DateFormat } from '../kernel/base/csv/read-date.ts';
import { CommandFailure, textOption, UsageError, wholeId, type Given, type Option } from './command.ts';
import { allProviders, requireProvider, type ProviderRow } from './provider.ts';
import { otherCells } from '../scale/commands/database.ts';
import { configured } from './installation.ts';
import type { Database } from '../kernel/base/db/database.ts';
import type { CsvFile, Rejection } from '../kernel/base/csv/read-csv.ts';
import type { Tenant } from '../kernel/work/unit/work.ts';
import { DEFAULT_WORDS } from '../kernel/base/values/words.ts';

export const importOptions: Record<string, Option> = {
  provider: { type: 'string', value: 'ID', description: 'the business; required if there are several' },
  'new-provider': { type: 'string', value: 'NAME', description: 'create a business with this name to import into' },
  mapping: { type: 'string', value: 'FILE', description: 'which columns contain what, see docs/guide/import.md' },
  'date-format': {
    type: 'string',
    value: 'FORMAT',
    description: 'DD/MM/YYYY, MM/DD/YYYY or YYYY-MM-DD, if it isn’t clear from the file',
  },
  'dry-run': { type: 'boolean', description: 'report what would happen and change nothing' },
};

export function dateFormatOption(given: Given): DateFormat | undefined {
  const text = textOption(given, 'date-format');
  if (text !== undefined && !Object.hasOwn(DATE_FORMATS, text))
    throw new UsageError(`--date-format must be one of ${Object.keys(DATE_FORMATS).join(', ')}.`);
  return text as DateFormat | undefined;
}

/** Opens the file that the command names, and prints its format and the columns that are not imported. */
export async function openFile<
  T extends { readonly name: string; readonly csv: CsvFile; readonly ignored: readonly string[] },
>(opening: Promise<T>): Promise<T> {
  const file = await opening.catch((error: NodeJS.ErrnoException) => {
    throw error.code === 'ENOENT' || !error.code ? new CommandFailure(error.message) : error;
  });
  console.error(`Reading ${file.name}: ${file.csv.dialect}.`);
  if (file.ignored.length > 0) console.error(`Columns that are not imported: ${file.ignored.join(', ')}.`);
  return file;
}

interface Business extends Tenant {
  /** ISO 3166 */
  readonly country: string;
}

/** @param option name of the option that chooses, as this command calls it */
export async function chooseProvider(
  db: Database,
  given: Given,
  fallback: NewProvider | undefined,
  option = '--provider',
): Promise<Business> {
  const id = textOption(given, 'provider');
  if (id !== undefined) return businessOf(db, await requireProvider(db, wholeId(id, option)));
  const name = textOption(given, 'new-provider');
  const all = await allProviders(db);
  if (name === undefined && all.length === 1) return businessOf(db, all[0]);
  if (name === undefined && all.length > 1) {
    const some = all
      .slice(0, 20)
      .map((row) => `  ${option} ${row.provider_id}   ${row.name}`)
      .join('\n');
    throw new CommandFailure(`There are ${all.length} businesses here. Remedy: choose one:\n${some}`);
  }
  if (!fallback)
    throw new CommandFailure(
      'There is no business yet. Remedy: create one with "rollcall provider create", then import.',
    );
  if (given.options['dry-run'])
    throw new CommandFailure(
      'A dry run creates no business. Remedy: create it with "rollcall provider create" first, or import without --dry-run.',
    );
  const values = { ...fallback, name: name ?? fallback.name };
  const providerId = await db.acrossTenants('an import makes the business it is for', (tx) =>
    createProvider(tx, { ...values, cells: otherCells(configured()) }),
  );
  console.error(`Created the business "${values.name}" (provider ${providerId}, ${values.timezone}).`);
  return {
    providerId,
    zone: values.timezone,
    currency: values.currency.toUpperCase(),
    country: values.country.toUpperCase(),
    words: DEFAULT_WORDS,
  };
}

const businessOf = async (db: Database, { provider_id: id, country }: ProviderRow): Promise<Business> => ({
  ...(await findTenant(db.reading(id), id))!,
  country,
});

export const importer = (providerId: number): Viewer => ownViewer(providerId, 'import');

const MAX_SHOWN = 1000;
const PLAIN_EVERY = 10_000;

/** Prints to standard error: one line that updates itself on a terminal, plain lines elsewhere. */
export class Progress {
  #shown = 0;
  #plainAt = 0;
  readonly #terminal = process.stderr.isTTY === true;

  rejected = ({ line, column, value, reason, cellOnly = false }: Rejection): void =>
    this.#line(
      `line ${line}${column ? `, ${column}` : ''}${value ? `, "${value.slice(0, 80)}"` : ''}: ${reason}; ${cellOnly ? 'left empty' : 'skipped'}`,
    );
  note = (line: number, note: string): void => this.#line(`line ${line}: note: ${note}`);

  step = (part: number, rows: number): void => {
    const text = `${rows} rows, ${Math.floor(part * 100)} %`;
    if (this.#terminal) process.stderr.write(`\r${text}\u001b[K`);
    else if (rows >= this.#plainAt + PLAIN_EVERY) {
      this.#plainAt = rows;
      process.stderr.write(`${text}\n`);
    }
  };

  end(): void {
    if (this.#terminal) process.stderr.write('\r\u001b[K');
    if (this.#shown > MAX_SHOWN) console.error(`... and ${this.#shown - MAX_SHOWN} more lines like these.`);
  }

  #line(text: string): void {
    this.#shown++;
    if (this.#shown <= MAX_SHOWN) process.stderr.write(`${this.#terminal ? '\r\u001b[K' : ''}${text}\n`);
  }
}

export const seconds = (began: number): string => ((performance.now() - began) / 1000).toFixed(1);
