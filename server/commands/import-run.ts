/** What both imports share: which business, who acts, and what is told on the way. */
import { createProvider, type NewProvider } from '../areas/providers/index.ts';
import { ownViewer, type Viewer } from '../kernel/access/viewer.ts';
import { CommandFailure, textOption, wholeId, type Given, type Option } from './command.ts';
import { allProviders, requireProvider, type ProviderRow } from './provider.ts';
import type { Database } from '../kernel/db/database.ts';
import type { Rejection } from '../kernel/csv/read-csv.ts';
import type { Tenant } from '../kernel/work.ts';

export const importOptions: Record<string, Option> = {
  provider: { type: 'string', value: 'ID', description: 'the business; needed where there are several' },
  'new-provider': { type: 'string', value: 'NAME', description: 'make a new business of this name for it' },
  mapping: { type: 'string', value: 'FILE', description: 'which columns give what, see docs/guide/import.md' },
};

export async function chooseProvider(db: Database, given: Given, fallback: NewProvider | undefined): Promise<Tenant> {
  const id = textOption(given, 'provider');
  if (id !== undefined) return tenantOf(await requireProvider(db, wholeId(id, '--provider')));
  const name = textOption(given, 'new-provider');
  const all = await allProviders(db);
  if (name === undefined && all.length === 1) return tenantOf(all[0]);
  if (name === undefined && all.length > 1) {
    const some = all.slice(0, 20).map((row) => `  --provider ${row.provider_id}   ${row.name}`).join('\n');
    throw new CommandFailure(`There are ${all.length} businesses here. Remedy: say which one this is for:\n${some}`);
  }
  if (!fallback) throw new CommandFailure('There is no business yet. Remedy: make one with "rollcall provider create", then import.');
  const values = { ...fallback, name: name ?? fallback.name };
  const providerId = await db.acrossTenants('an import makes the business it is for', (tx) => createProvider(tx, values));
  console.error(`Made the business "${values.name}" (provider ${providerId}, ${values.timezone}).`);
  return { providerId, zone: values.timezone, currency: values.currency.toUpperCase() };
}

const tenantOf = (row: ProviderRow): Tenant => ({ providerId: row.provider_id, zone: row.timezone, currency: row.currency });

export const importer = (providerId: number): Viewer =>
  ownViewer(providerId, 'import');

const SHOWN = 1000;
const PLAIN_EVERY = 10_000;

/** Tells on the standard error output: one line that renews itself on a terminal, plain lines elsewhere. */
export class Progress {
  #shown = 0;
  #plainAt = 0;
  readonly #terminal = process.stderr.isTTY === true;

  rejected = ({ line, column, value, reason }: Rejection): void => this.#line(`line ${line}${column ? `, ${column}` : ''}${value ? `, "${value.slice(0, 80)}"` : ''}: ${reason}`);
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
    if (this.#shown > SHOWN) console.error(`... and ${this.#shown - SHOWN} more lines such as these.`);
  }

  #line(text: string): void {
    this.#shown++;
    if (this.#shown <= SHOWN) process.stderr.write(`${this.#terminal ? '\r\u001b[K' : ''}${text}\n`);
  }
}

export const seconds = (began: number): string => ((performance.now() - began) / 1000).toFixed(1);
