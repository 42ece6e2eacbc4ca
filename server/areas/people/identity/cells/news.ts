/**
 * Tells the other cells what changed of an account: before the change is answered, so that it counts everywhere
 * at the next request, and by the worker where a cell was away. The database notes each change in its own transaction
 * (0014_cells.sql), so none is forgotten.
 */
import { deleteAccountsOf } from '../forget.ts';
import { Loops } from '../../../../kernel/work/worker/loops.ts';
import { openState, sealState, take, type AmongCells } from './elsewhere.ts';
import { readState } from './state.ts';
import { sql } from '../../../../kernel/base/db/sql.ts';
import type { CellMeans } from '../../../../kernel/api/cell-declarations.ts';
import type { Engine } from '../../../../kernel/work/unit/engine.ts';
import type { Transaction } from '../../../../kernel/base/db/database.ts';

/** Nobody waits longer for the answer to a change because another cell is away, ms. */
const BEFORE_THE_ANSWER_MS = 1000;
const LATER_MS = 5000;
const NOW_AT_MOST = 5;
const LATER_AT_MOST = 50;
const LOOK_EVERY_MS = 1000;

/** How an account is by now; `gone`: deleted here. */
type News = { readonly sealed: string } | { readonly gone: number };

/** The answer to `account_news`. Accounts that are not in this cell are none of its business, but for their address. */
export async function hearNews(
  { db, installation: { box }, now, from }: CellMeans,
  { news }: { news: readonly News[] },
): Promise<object> {
  for (const one of news)
    await db.acrossTenants('an account belongs to no business', async (tx) => {
      if ('gone' in one) return forget(tx, one.gone);
      const state = openState(box, one.sealed);
      const { id, email_key: key } = state.account;
      const known = await tx.one(sql`SELECT 1 AS there FROM user_account WHERE id = ${id} OR email_key = ${key}`);
      if (known) await take(tx, from, state, now);
    });
  return {};
}

/** The copy of an account that is gone goes too, unless a business of this cell has a record of its person. */
async function forget(tx: Transaction, id: number): Promise<void> {
  await tx.run(sql`SELECT set_config('rollcall.copying_account', 'on', true)`);
  await deleteAccountsOf(tx, [id]);
}

interface Change {
  readonly userId: number;
  readonly change: number;
}

/** Tells a cell what it has not heard; false: there was nothing. @throws CellAway */
async function tellCell({ db, box, cells }: AmongCells, cell: number, most: number, waitMs: number): Promise<boolean> {
  const { changes, news } = await db.lookingAcross('an account belongs to no business', async (tx) => {
    const found = await tx.rows<Change>(
      sql`SELECT user_id AS "userId", change FROM account_news WHERE NOT heard @> ARRAY[${cell}]::smallint[] ORDER BY change DESC LIMIT ${most}`,
    );
    const told: News[] = [];
    for (const { userId } of found) {
      const state = await readState(tx, { id: userId });
      told.push(state ? { sealed: sealState(box, state) } : { gone: userId });
    }
    return { changes: found, news: told };
  });
  if (changes.length === 0) return false;
  await cells!.ask(cell, 'account_news', { news }, waitMs);
  await db.acrossTenants('an account belongs to no business', async (tx) => {
    // What changed meanwhile is sent once more.
    await tx.run(
      sql`UPDATE account_news n SET heard = n.heard || ${cell}::smallint
          FROM unnest(${changes.map((c) => c.userId)}::bigint[], ${changes.map((c) => c.change)}::bigint[]) c (user_id, change)
          WHERE n.user_id = c.user_id AND n.change = c.change`,
    );
    await tx.run(sql`DELETE FROM account_news WHERE heard @> ${cells!.others}::smallint[]`);
  });
  return true;
}

/** Tells every cell what it has not heard, the newest first; whether there may be more. A cell that is away hears it later. */
async function tellNews(door: AmongCells, most: number, waitMs: number): Promise<boolean> {
  const told = await Promise.allSettled(door.cells!.others.map((cell) => tellCell(door, cell, most, waitMs)));
  return told.some((one) => one.status === 'fulfilled' && one.value);
}

/** For a change that is about to be answered. */
export const tellNow = (door: AmongCells): Promise<boolean> => tellNews(door, NOW_AT_MOST, BEFORE_THE_ANSWER_MS);

/** In the worker: what could not be sent immediately. */
export const accountNewsEngine: Engine = {
  name: 'account_news',
  async start({ db, installation: { box, cells }, log, now }) {
    const loops = new Loops(log);
    if (cells !== null)
      loops.repeat('news of accounts', LOOK_EVERY_MS, () => tellNews({ db, box, cells, now }, LATER_AT_MOST, LATER_MS));
    return { stop: () => loops.stop() };
  },
};
