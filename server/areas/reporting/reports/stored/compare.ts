/** Compares stored rows with what they were calculated from. */
import { turnoutOf, type Whose } from './fold.ts';
import { raw, sql, type Sql } from '../../../../kernel/base/db/sql.ts';
import { refreshStored } from './refresh.ts';
import { revenueOf } from '../catalogue/revenue.ts';
import { SALE_COLUMNS, salesOf } from '../catalogue/sales.ts';
import type { Database, Transaction } from '../../../../kernel/base/db/database.ts';
import type { Tenant } from '../../../../kernel/work/unit/work.ts';

/** Tries that each find a moment without a change, which a business has at night. */
const TRIES = 10;
const MAX_DIFFERENCES = 100;

/** Returns every difference, in words. */
export async function compareStored(db: Database, tenant: Tenant): Promise<string[]> {
  const { providerId: provider, zone } = tenant;
  for (let attempt = 0; attempt < TRIES; attempt++) {
    if (!(await refreshStored(db, tenant))) return [];
    const found = await db.looking(provider, (tx) => differences(tx, { provider, zone }));
    if (found !== null) return found;
  }
  return [];
}

/** Two selections of `key` and `amounts`: as they are stored, and as they are calculated. */
interface Comparison {
  readonly name: string;
  readonly stored: Sql;
  readonly calculated: Sql;
}

const AMOUNTS = raw(`(count(*), sum(r.sold), sum(r.recognised), sum(r.cash))::text AS amounts`);
const BY_MONTH = raw(`concat_ws(' ', r.month, r.what, r.type) AS key`);

const comparisons = (provider: number): readonly Comparison[] => {
  const rows = sql`SELECT ${BY_MONTH}, ${AMOUNTS} FROM revenue_part r WHERE r.provider_id = ${provider} GROUP BY 1`;
  const sale = raw('(r.base, r.kind)::text AS key, (r.*)::text AS amounts');
  return [
    {
      name: 'revenue by month',
      stored: sql`SELECT concat_ws(' ', month, what, nullif(type, '')) AS key,
        (n, sold, recognised, cash)::text AS amounts
        FROM revenue_month WHERE provider_id = ${provider} AND n <> 0`,
      calculated: rows,
    },
    {
      name: 'rows of revenue',
      stored: rows,
      calculated: sql`SELECT ${BY_MONTH}, ${AMOUNTS}
        FROM ${revenueOf(sql`SELECT ${SALE_COLUMNS} FROM (${salesOf()}) s`)} r GROUP BY 1`,
    },
    {
      name: 'sales',
      stored: sql`SELECT ${sale} FROM (SELECT ${SALE_COLUMNS} FROM revenue_sale WHERE provider_id = ${provider}) r`,
      calculated: sql`SELECT ${sale} FROM (SELECT ${SALE_COLUMNS} FROM (${salesOf()}) s) r`,
    },
    {
      name: 'visits of events',
      stored: sql`SELECT event_id::text AS key, (attended, no_show, late_cancelled)::text AS amounts FROM report_turnout
        WHERE provider_id = ${provider} AND attended + no_show + late_cancelled > 0`,
      calculated: sql`SELECT r.event_id::text AS key, (r.attended, r.no_show, r.late_cancelled)::text AS amounts
        FROM (${turnoutOf(provider)}) r`,
    },
  ];
};

/** Returns null if something changed since the stored rows were brought up to date. */
async function differences(tx: Transaction, whose: Whose): Promise<string[] | null> {
  const { provider } = whose;
  const found: string[] = [];
  for (const { name, stored, calculated } of comparisons(provider)) {
    // The changes are read by the statement that compares, so that all of it is of one moment.
    const rows = await tx.rows<{
      changed: boolean;
      key: string | null;
      stored: string | null;
      calculated: string | null;
    }>(
      sql`SELECT c.changed, d.key, d.stored, d.calculated
        FROM (SELECT EXISTS (SELECT FROM report_change WHERE provider_id = ${provider}) AS changed) c
        LEFT JOIN (SELECT coalesce(s.key, k.key) AS key, s.amounts AS stored, k.amounts AS calculated
          FROM (${stored}) s FULL JOIN (${calculated}) k ON k.key = s.key
          WHERE s.amounts IS DISTINCT FROM k.amounts ORDER BY 1 LIMIT ${MAX_DIFFERENCES}) d ON true`,
      whose,
    );
    if (rows[0].changed) return null;
    for (const { key, stored: kept, calculated: expected } of rows)
      if (key !== null)
        found.push(`stored ${name}: ${key}: ${expected ?? 'nothing'} expected, and ${kept ?? 'nothing'} stored.`);
  }
  return found;
}
