/** Facts by which people compare memberships: what each covers, and how many visits it has. */
import { isFor } from '../../../memberships/memberships/index.ts';
import { sql } from '../../../../kernel/base/db/sql.ts';
import type { Present } from '../look.ts';
import type { Sold } from './memberships.ts';

/** Offerings that are named; the rest is counted. */
const MAX_NAMES = 4;

export interface Compared {
  /** of the offerings that customers can see; null: all of them */
  readonly covers: { readonly names: readonly string[]; readonly more: number } | null;
  /** total number of visits of a pack; null: it has no such number */
  readonly visits: number | null;
}

export type Offer = Sold & Compared;

export async function compared({ tx }: Present, providerId: number, sold: readonly Sold[]): Promise<readonly Offer[]> {
  const rows = await tx.rows<{ id: number; names: string[]; every: number; visits: number | null }>(sql`
    WITH offered AS (SELECT * FROM offering_type
      WHERE provider_id = ${providerId} AND status = 'active' AND customer_visibility = 'public')
    SELECT m.id, (SELECT count(*)::int FROM offered) AS every,
      (SELECT max_uses FROM membership_limit l WHERE l.provider_id = m.provider_id AND l.membership_id = m.id
        AND l.period = 'total' AND m.type = 'pack') AS visits,
      ARRAY(SELECT o.name FROM offered o WHERE ${isFor('m', 'o')} ORDER BY lower(o.name), o.id) AS names
    FROM membership m WHERE m.provider_id = ${providerId} AND m.id = ANY(${sold.map(({ id }) => id)}::bigint[])`);
  const found = new Map(rows.map((row) => [row.id, row]));
  return sold.map((one): Offer => {
    const { names = [], every = 0, visits = null } = found.get(one.id) ?? {};
    const covers = names.length === every ? null : { names: names.slice(0, MAX_NAMES), more: names.length - MAX_NAMES };
    return { ...one, covers, visits };
  });
}
