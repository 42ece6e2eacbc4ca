/**
 * The keys that sign tokens are those of the installation, so every cell publishes and accepts the same. A cell tells the
 * others its keys and learns theirs at once: before it makes its first, around a rotation, when it meets the name of a
 * key that it does not know, and from time to time, for one that was away. Private halves go as they are kept: sealed.
 */
import { instant, json, sql } from '../../../../kernel/base/db/sql.ts';
import type { CellQuestion } from '../../../../kernel/api/cell-declarations.ts';
import type { OtherCells } from '../../../../kernel/work/unit/other-cells.ts';
import type { Transaction } from '../../../../kernel/base/db/database.ts';

/** A row as the database prints it. */
type StoredKey = Readonly<Record<string, unknown>>;

const readKeys = async (tx: Transaction): Promise<StoredKey[]> =>
  (await tx.rows<{ key: StoredKey }>(sql`SELECT row_to_json(k) AS key FROM signing_key k`)).map(({ key }) => key);

/** A key that has to go anywhere goes everywhere, and as soon as it does there. */
async function takeKeys(tx: Transaction, keys: readonly StoredKey[], now: number): Promise<void> {
  await tx.run(
    sql`INSERT INTO signing_key (kid, alg, public_jwk, private_sealed, created_at, signs_from, retired_at, published_until)
        SELECT kid, alg, public_jwk, private_sealed, created_at, signs_from, retired_at, published_until
        FROM jsonb_populate_recordset(NULL::signing_key, ${json(keys)}::jsonb) WHERE published_until IS NULL OR published_until > ${instant(now)} ORDER BY kid
        ON CONFLICT (kid) DO UPDATE SET retired_at = least(signing_key.retired_at, excluded.retired_at), published_until = greatest(signing_key.published_until, excluded.published_until)
        WHERE (signing_key.retired_at, signing_key.published_until) IS DISTINCT FROM
          (least(signing_key.retired_at, excluded.retired_at), greatest(signing_key.published_until, excluded.published_until))`,
  );
}

/**
 * Afterwards this cell has the keys of all others that answer, and they have its own. Needs a transaction across tenants.
 * A cell that is away is asked again later: a key is published for an hour before it signs.
 */
export async function exchangeKeys(tx: Transaction, cells: OtherCells, now: number): Promise<void> {
  const keys = await readKeys(tx);
  const answers = await Promise.allSettled(
    cells.others.map((cell) => cells.ask<StoredKey[]>(cell, 'signing_keys', { keys })),
  );
  const known = new Set(keys.map((key) => JSON.stringify(key)));
  const theirs = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
  const others = theirs.filter((key) => !known.has(JSON.stringify(key)));
  // One by one: cells that were told of the same key both name it, and one statement can't write a row twice.
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
