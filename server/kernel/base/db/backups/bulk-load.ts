/** Loads rows that were stored elsewhere into tables unchanged, in an open transaction of the owner of the tables. */
import type pg from 'pg';
import { earlyReferences, foreignKeys, userTriggers } from './backup-catalog.ts';
import { qualified, quote } from '../quote.ts';
import type { BackupTable } from './backup-file.ts';

/**
 * Runs `load` with the triggers of the tables disabled, while references may precede their rows. `ordered`: referenced
 * tables first, see inForeignKeyOrder(). When it returns, all references are valid and PostgreSQL has statistics. Its
 * locks keep others from writing to these tables until the transaction ends.
 */
export async function loadAsStored<T>(
  client: pg.ClientBase,
  ordered: BackupTable[],
  load: () => Promise<T>,
): Promise<T> {
  const here = new Set(ordered.map(qualified));
  const isHere = ({ schema, table }: { schema: string; table: string }) => here.has(qualified({ schema, name: table }));
  const triggers = (await userTriggers(client)).filter((trigger) => trigger.enabled !== 'D' && isHere(trigger));
  const early = earlyReferences(ordered, (await foreignKeys(client)).filter(isHere)).filter(
    ({ deferrable }) => !deferrable,
  );
  const alter = (table: { schema: string; table: string }, what: string) =>
    client.query(`ALTER TABLE ${qualified({ schema: table.schema, name: table.table })} ${what}`);
  // The stored rows already include the triggers' effects; running the triggers again would count everything twice.
  for (const trigger of triggers) await alter(trigger, `DISABLE TRIGGER ${quote(trigger.name)}`);
  for (const key of early) await alter(key, `ALTER CONSTRAINT ${quote(key.name)} DEFERRABLE`);
  await client.query('SET CONSTRAINTS ALL DEFERRED');
  const result = await load();
  await client.query('SET CONSTRAINTS ALL IMMEDIATE');
  for (const key of early) await alter(key, `ALTER CONSTRAINT ${quote(key.name)} NOT DEFERRABLE`);
  const modes = { O: 'ENABLE', A: 'ENABLE ALWAYS', R: 'ENABLE REPLICA', D: 'DISABLE' };
  for (const trigger of triggers) await alter(trigger, `${modes[trigger.enabled]} TRIGGER ${quote(trigger.name)}`);
  // Until PostgreSQL gathers statistics by itself, it takes thousands of new rows for one and joins them all: requests
  // right after a restore would run into their time limit.
  await client.query(`ANALYZE ${ordered.map(qualified).join(', ')}`);
  return result;
}
