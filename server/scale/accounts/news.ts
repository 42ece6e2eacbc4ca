/**
 * Sends changes of accounts to the other cells: before the response to the change, so that it applies everywhere from
 * the next request on; and by the worker, to cells that were unreachable. The database records each change in its own
 * transaction (0015_cells.sql), so that none is lost.
 */
import { deleteAccountsOf, readState } from '../../areas/people/identity/index.ts';
import { Loops } from '../../kernel/work/worker/loops.ts';
import { openState, sealState, take, type Network } from './copies.ts';
import { sql } from '../../kernel/base/db/sql.ts';
import type { CellMeans } from '../cells/question.ts';
import type { Database, Transaction } from '../../kernel/base/db/database.ts';
import type { Engine } from '../../kernel/work/unit/engine.ts';

/** The response to a change waits this long at most for an unreachable cell. */
const SEND_NOW = { limit: 5, waitMs: 1000 };
const SEND_LATER = { limit: 50, waitMs: 5000 };
const POLL_MS = 1000;

/** The present state of an account; `gone`: deleted here. */
type News = { readonly sealed: string } | { readonly gone: number };

/** Answers the question `account_news`. Accounts that aren't in this cell are ignored, except for their address. */
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

/** Deletes the copy of a deleted account, unless a business of this cell has a record of its person. */
async function forget(tx: Transaction, id: number): Promise<void> {
  await tx.run(sql`SELECT set_config('rollcall.copying_account', 'on', true)`);
  await deleteAccountsOf(tx, [id]);
}

interface Change {
  readonly userId: number;
  readonly change: number;
}

interface Sender extends Network {
  readonly db: Database;
}

/** The number of changes to send in one pass, and how long to wait for a cell. */
interface Pass {
  readonly limit: number;
  readonly waitMs: number;
}

/** Sends a cell its outstanding changes; returns false if there were none. @throws CellAway */
async function notifyCell({ db, box, cells }: Sender, cell: number, { limit, waitMs }: Pass): Promise<boolean> {
  const { changes, news } = await db.lookingAcross('an account belongs to no business', async (tx) => {
    const found = await tx.rows<Change>(
      sql`SELECT user_id AS "userId", change FROM account_news WHERE NOT heard @> ARRAY[${cell}]::smallint[]
        ORDER BY change DESC LIMIT ${limit}`,
    );
    const states: News[] = [];
    for (const { userId } of found) {
      const state = await readState(tx, { id: userId });
      states.push(state ? { sealed: sealState(box, state) } : { gone: userId });
    }
    return { changes: found, news: states };
  });
  if (changes.length === 0) return false;
  await cells.ask(cell, 'account_news', { news }, waitMs);
  await db.acrossTenants('an account belongs to no business', async (tx) => {
    // Accounts that changed in the meantime are sent again.
    await tx.run(
      sql`UPDATE account_news n SET heard = n.heard || ${cell}::smallint
          FROM unnest(${changes.map((c) => c.userId)}::bigint[], ${changes.map((c) => c.change)}::bigint[]) c
            (user_id, change)
          WHERE n.user_id = c.user_id AND n.change = c.change`,
    );
    await tx.run(sql`DELETE FROM account_news WHERE heard @> ${cells.others}::smallint[]`);
  });
  return true;
}

/**
 * Sends every cell its outstanding changes, the newest first; returns true if there may be more. Unreachable cells get
 * them later.
 */
async function sendNews(sender: Sender, pass: Pass): Promise<boolean> {
  const states = await Promise.allSettled(sender.cells.others.map((cell) => notifyCell(sender, cell, pass)));
  return states.some((one) => one.status === 'fulfilled' && one.value);
}

/** Sends a change whose response is about to be returned. */
export const sendNow = (sender: Sender): Promise<boolean> => sendNews(sender, SEND_NOW);

/** Sends from the worker what could not be sent immediately. */
export const accountNewsEngine: Engine = {
  name: 'account_news',
  async start({ db, installation: { box, cells }, log }) {
    const loops = new Loops(log);
    if (cells !== null) loops.repeat('news of accounts', POLL_MS, () => sendNews({ db, box, cells }, SEND_LATER));
    return { stop: () => loops.stop() };
  },
};
