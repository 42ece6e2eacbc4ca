/** Signing keys as rows, which cells of one installation exchange. Private keys stay sealed. */
import { instant, json, sql } from '../../../../kernel/base/db/sql.ts';
import { CellPort, type OtherCells } from '../../../../kernel/work/unit/other-cells.ts';
import type { Transaction } from '../../../../kernel/base/db/database.ts';

/**
 * Exchanges keys: afterwards, this cell has the keys of all cells that responded, and they have its own. Needs a
 * transaction across tenants. `server/scale` provides it.
 */
export const keyExchange = new CellPort<(tx: Transaction, now: number) => Promise<void>>('signing keys');

/** Exchanges keys with the other cells, if there are any. */
export const exchangeKeys = async (tx: Transaction, cells: OtherCells | null | undefined, now: number): Promise<void> =>
  cells?.at(keyExchange)(tx, now);

/** A row in the form in which the database prints it. */
export type StoredKey = Readonly<Record<string, unknown>>;

export const readKeys = async (tx: Transaction): Promise<StoredKey[]> =>
  (await tx.rows<{ key: StoredKey }>(sql`SELECT row_to_json(k) AS key FROM signing_key k`)).map(({ key }) => key);

/**
 * Adds keys and updates known ones. A key that is retired in one cell is retired in all, at the earliest of their
 * times.
 */
export async function takeKeys(tx: Transaction, keys: readonly StoredKey[], now: number): Promise<void> {
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
