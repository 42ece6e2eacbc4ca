/**
 * The keys that sign tokens belong to the installation: every cell publishes and accepts the same keys. A cell
 * exchanges keys with the others directly: before it creates its first key, around a rotation, when it encounters an
 * unknown key name, and from time to time, for cells that were unreachable. Private keys are transferred as they are
 * stored: sealed.
 */
import { instant, json, sql } from '../../../../kernel/base/db/sql.ts';
import type { CellQuestion } from '../../../../kernel/api/cell-declarations.ts';
import type { OtherCells } from '../../../../kernel/work/unit/other-cells.ts';
import type { Transaction } from '../../../../kernel/base/db/database.ts';

/** A row in the form in which the database prints it. */
type StoredKey = Readonly<Record<string, unknown>>;

const readKeys = async (tx: Transaction): Promise<StoredKey[]> =>
  (await tx.rows<{ key: StoredKey }>(sql`SELECT row_to_json(k) AS key FROM signing_key k`)).map(({ key }) => key);

/** A key that is retired in one cell is retired in all, at the earliest of their times. */
async function takeKeys(tx: Transaction, keys: readonly StoredKey[], now: number): Promise<void> {
  await tx.run(
    sql`
      INSERT INTO signing_key (kid, alg, public_jwk, private_sealed, created_at, signs_from, retired_at,
        published_until)
        SELECT kid, alg, public_jwk, private_sealed, created_at, signs_from, retired_at, published_until
        FROM jsonb_populate_recordset(NULL::signing_key, ${json(keys)}::jsonb)
        WHERE published_until IS NULL OR published_until > ${instant(now)} ORDER BY kid
        ON CONFLICT (kid) DO UPDATE SET retired_at = least(signing_key.retired_at, excluded.retired_at),
          published_until = greatest(signing_key.published_until, excluded.published_until)
        WHERE (signing_key.retired_at, signing_key.published_until) IS DISTINCT FROM
          (least(signing_key.retired_at, excluded.retired_at),
            greatest(signing_key.published_until, excluded.published_until))`,
  );
}

/**
 * Exchanges keys: afterwards, this cell has the keys of all cells that responded, and they have its own. Needs a
 * transaction across tenants. Unreachable cells are asked again later: a key is published for an hour before it signs.
 */
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
