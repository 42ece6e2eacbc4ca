/** Facts about two people that decide whether one referred the other. */
import { raw, sql, type Sql } from '../../../kernel/base/db/sql.ts';
import type { Facts } from './rules/decide.ts';
import type { Work } from '../../../kernel/work/unit/work.ts';

export interface Pair extends Facts {
  readonly code: string;
  readonly referrerGone: boolean;
  readonly names: { readonly referrer: string; readonly customer: string };
}

/** Condition: an earlier record has the same address or user, even if that record was deleted. */
const knownBefore = (c: string): Sql => sql`EXISTS (
  SELECT FROM customer o WHERE o.provider_id = ${raw(c)}.provider_id AND o.id < ${raw(c)}.id
    AND (lower(o.email) = lower(${raw(c)}.email) OR o.user_id = ${raw(c)}.user_id))`;

interface Row extends Record<string, any> {
  readonly key: number;
}

const columns = sql`r.id AS r_id, r.family_id AS r_family, r.user_id AS r_user, r.deleted_at IS NOT NULL AS r_gone,
  r.first_name AS r_name,
  c.id AS c_id, c.family_id AS c_family, c.user_id AS c_user, c.first_name AS c_name, c.referred_by_code AS code`;

const pairOf = (row: Row): Pair => ({
  referrer: { id: row.r_id, family: row.r_family, user: row.r_user },
  customer: { id: row.c_id, family: row.c_family, user: row.c_user },
  known: row.known,
  code: row.code,
  referrerGone: row.r_gone,
  names: { referrer: row.r_name ?? 'Somebody', customer: row.c_name ?? 'Somebody' },
});

/** Returns the pairs of those customers who came with a code and have no referral yet. */
export async function newPairs({ tx, providerId }: Work, customers: readonly number[]): Promise<Pair[]> {
  const rows = await tx.rows<Row>(sql`
    SELECT c.id AS key, ${columns}, ${knownBefore('c')} AS known
    FROM customer c JOIN customer r ON r.provider_id = c.provider_id AND r.referral_code = upper(c.referred_by_code)
    WHERE c.provider_id = ${providerId} AND c.id = ANY(${customers}::bigint[]) AND c.deleted_at IS NULL
      AND r.deleted_at IS NULL
      AND NOT EXISTS (SELECT FROM referral f WHERE f.provider_id = c.provider_id AND f.signed_up_as = c.id)
    ORDER BY c.id`);
  return rows.map(pairOf);
}

/** Returns the pairs by referral id. A customer who was referred before by another customer is known, too. */
export async function pairsOf({ tx, providerId }: Work, referrals: readonly number[]): Promise<Map<number, Pair>> {
  const rows = await tx.rows<Row>(sql`
    SELECT f.id AS key, ${columns}, EXISTS (SELECT FROM referral o
      WHERE o.provider_id = f.provider_id AND o.customer_id = f.customer_id
        AND o.id <> f.id AND o.status <> 'cancelled' AND (o.status = 'confirmed' OR o.id < f.id)) AS known
    FROM referral f JOIN customer r ON r.provider_id = f.provider_id AND r.id = f.referrer_id
      JOIN customer c ON c.provider_id = f.provider_id AND c.id = f.customer_id
    WHERE f.provider_id = ${providerId} AND f.id = ANY(${referrals}::bigint[]) ORDER BY f.id`);
  return new Map(rows.map((row) => [row.key, pairOf(row)]));
}
