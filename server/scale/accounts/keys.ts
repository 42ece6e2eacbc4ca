/**
 * The keys that sign tokens belong to the installation: every cell publishes and accepts the same keys. A cell
 * exchanges keys with the others directly: before it creates its first key, around a rotation, when it encounters an
 * unknown key name, and from time to time, for cells that were unreachable.
 */
import { readKeys, takeKeys, type StoredKey } from '../../areas/people/applications/index.ts';
import type { CellQuestion } from '../cells/question.ts';
import type { OtherCells } from '../../kernel/work/unit/other-cells.ts';
import type { Transaction } from '../../kernel/base/db/database.ts';

/** Unreachable cells are asked again later: a key is published for an hour before it signs. */
export async function exchangeKeys(tx: Transaction, cells: OtherCells, now: number): Promise<void> {
  const keys = await readKeys(tx);
  const answers = await Promise.allSettled(
    cells.others.map((cell) => cells.ask<StoredKey[]>(cell, 'signing_keys', { keys })),
  );
  const known = new Set(keys.map((key) => JSON.stringify(key)));
  const theirs = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
  const others = theirs.filter((key) => !known.has(JSON.stringify(key)));
  // One by one: several cells may return the same key, and one statement can't write a row twice.
  for (const each of others) await takeKeys(tx, [each], now);
}

export const signingKeysQuestion: CellQuestion<{ keys: readonly StoredKey[] }> = {
  name: 'signing_keys',
  answer: ({ db, now }, { keys }) =>
    db.acrossTenants('the keys of the installation belong to no business', async (tx) => {
      await takeKeys(tx, keys, now);
      return readKeys(tx);
    }),
};
