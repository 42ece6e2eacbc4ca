/** The rows of a statement that runs once, in batches. */
import { raw, sql, statement } from '../../../../kernel/base/db/sql.ts';
import type { Cells } from './formats.ts';
import type { Command } from '../../../../kernel/base/db/sharing/batch.ts';
import type { Transaction } from '../../../../kernel/base/db/database.ts';

type Send = Transaction['send'];

/** A function that keeps a read-only transaction open until `work` is done. */
export type Look = (work: (tx: Pick<Transaction, 'send'>) => Promise<void>) => Promise<void>;

const CURSOR = 'rows_of_export';
/** All rows are read: a plan that is fast for the first rows would be slow for the rest. */
const FOR_ALL: Command = {
  statement: statement(sql`SELECT set_config('cursor_tuple_fraction', '1', true)`),
  values: [],
};

/** Returns a DECLARE for the statement with the same placeholders. */
const declare = ({ statement: { text }, values }: Command): Command => ({
  statement: statement(raw(`DECLARE ${CURSOR} NO SCROLL CURSOR FOR ${text}`)),
  values,
});

/**
 * `read` returns the next batch. All batches have the snapshot of the statement. The transaction stays open until
 * `end`, and vacuum can't remove anything newer meanwhile, so use this only for results that are read quickly.
 */
export async function readOnce(
  look: Look,
  of: Command,
  portion: number,
): Promise<{ read: () => Promise<readonly Cells[]>; end: () => Promise<void> }> {
  const [opened, over] = [Promise.withResolvers<Send>(), Promise.withResolvers<void>()];
  const transaction = look(async (tx) => {
    opened.resolve((commands) => tx.send(commands));
    await over.promise;
  });
  transaction.catch(opened.reject);
  const end = async (): Promise<void> => {
    over.resolve();
    // Nothing was written, so it doesn't matter how the transaction ends.
    await transaction.catch(() => {});
  };
  try {
    const send = await opened.promise;
    await send([FOR_ALL, declare(of)]);
    const next: Command = { statement: statement(raw(`FETCH ${portion} IN ${CURSOR}`)), values: [] };
    return { read: async () => (await send([next]))[0].rows, end };
  } catch (error) {
    await end();
    throw error;
  }
}
