/** Data of a business outside its tables: accounts of its people, its files, and the readers of its feed. */
import type pg from 'pg';
import { MoveRefused, type End } from './ends.ts';
import { filledTables, type MovedTable } from './tables.ts';
import { quote } from '../../../kernel/base/db/quote.ts';
import type { Around } from './context.ts';

/** Maximum number of accounts in one read. */
const MAX_ROWS = 500;

/** Returns the accounts that rows of the copy refer to. */
async function namedPeople(to: End, tables: readonly MovedTable[]): Promise<number[]> {
  return to.within(async (client) => {
    const naming = await filledTables(
      client,
      tables.filter(({ accounts }) => accounts.length > 0),
      to.business,
    );
    if (naming.length === 0) return [];
    const named = naming.flatMap(({ name, accounts }) =>
      accounts.map(
        (column) => `SELECT ${quote(column)} AS id FROM public.${quote(name)} WHERE provider_id = ${to.business}`,
      ),
    );
    const { rows } = await client.query<{ id: string }>(
      `SELECT DISTINCT n.id::text FROM (${named.join(' UNION ALL ')}) n WHERE n.id IS NOT NULL`,
    );
    return rows.map(({ id }) => Number(id));
  });
}

/**
 * Copies the accounts that the other cell lacks, with their ids. `known`: those to check; absent: all that the copy
 * refers to. Resolves to the number copied.
 */
export async function takePeople(
  { accounts, box }: Around,
  from: End,
  to: End,
  tables: readonly MovedTable[],
  known?: ReadonlySet<number>,
): Promise<number> {
  const { rows } = await to.client.query(
    `SELECT n.id::text FROM unnest($1::bigint[]) n (id)
      WHERE NOT EXISTS (SELECT FROM public.${quote(accounts.table)} a WHERE a.id = n.id)`,
    [known ? [...known] : await namedPeople(to, tables)],
  );
  const ids = rows.map(({ id }: { id: string }) => Number(id));
  let taken = 0;
  for (let at = 0; at < ids.length; at += MAX_ROWS) {
    const found = await from.transaction(async (client) => {
      await client.query('SET LOCAL ROLE rollcall_across');
      return accounts.read(client, ids.slice(at, at + MAX_ROWS), box);
    }, 'BEGIN READ ONLY');
    await to.transaction(async (client) => {
      await client.query('SET LOCAL ROLE rollcall_across');
      for (const account of found) {
        const id = await accounts.take(client, account, box);
        if (id !== account.id)
          throw new MoveRefused(
            `A person has two accounts: ${account.id} in the cell of the business, and ${id} in the other one. Remedy: make one of them, see "rollcall doctor".`,
          );
        taken++;
      }
    });
  }
  return taken;
}

/** Copies missing files of these folders, or of the whole business. Resolves to their number. */
export async function takeFiles(
  { files, business }: Around,
  from: End,
  tables: readonly MovedTable[],
  folders?: ReadonlySet<string>,
): Promise<number> {
  if (!files?.to) return 0;
  const all = folders ?? (await from.within((client) => foldersOf(client, tables, business)));
  let copied = 0;
  for (const folder of all) {
    const there = new Set((await files.to.list(folder)).map(({ name }) => name));
    for (const { name } of await files.from.list(folder)) {
      const content = there.has(name) ? null : await files.from.read(`${folder}/${name}`);
      if (content === null) continue;
      await files.to.putParts(`${folder}/${name}`, content);
      copied++;
    }
  }
  return copied;
}

async function foldersOf(client: pg.ClientBase, tables: readonly MovedTable[], business: number): Promise<Set<string>> {
  const folders = new Set<string>();
  for (const { name, said } of tables) {
    if (!said.folder) continue;
    const { rows } = await client.query(
      `SELECT row_to_json(r) AS row FROM public.${quote(name)} r WHERE provider_id = $1`,
      [business],
    );
    for (const { row } of rows) folders.add(said.folder(row));
  }
  return folders;
}

export async function hasFolders(from: End, tables: readonly MovedTable[]): Promise<boolean> {
  return from.within(async (client) => {
    const filled = await filledTables(
      client,
      tables.filter(({ said }) => said.folder),
      from.business,
    );
    return filled.length > 0;
  });
}

/** Adds the readers. Their positions came with the business, so that no reader of its feed starts at the end. */
export async function takeReaders(to: End): Promise<void> {
  const readers = await to.within(async (client) => {
    const { rows } = await client.query<{ reader: string }>('SELECT reader FROM public.feed_reader_position');
    return rows.map(({ reader }) => reader);
  });
  await to.client.query('INSERT INTO public.feed_reader (name) SELECT unnest($1::text[]) ON CONFLICT DO NOTHING', [
    readers,
  ]);
}
