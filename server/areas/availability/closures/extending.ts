/** Extends memberships because the business was closed: a part of `bulk_close`, if staff choose it. */
import { extendedTo } from './rules/extension.ts';
import { lockAllOwned, moveExpirations } from '../../memberships/customer-memberships/index.ts';
import { sql } from '../../../kernel/base/db/sql.ts';
import type { BulkKind } from '../../platform/bulk/index.ts';
import type { Work } from '../../../kernel/work/unit/work.ts';

interface Extending {
  /** in order */
  readonly days: readonly string[];
}

/**
 * Returns packs and prepaid plans that are valid on any of the days. Recurring plans are left out: they have their own
 * payment days, and one that is set to end is left to end.
 */
export async function membershipsOn({ tx, providerId }: Work, days: readonly string[]): Promise<number[]> {
  const rows = await tx.rows<{ id: number }>(
    sql`SELECT id FROM customer_membership WHERE provider_id = ${providerId} AND status IN ('active', 'hold')
      AND membership_type <> 'recurring_plan'
          AND NOT is_set_for_cancellation AND start_date <= ${days.at(-1)!}::date
          AND expiration_date >= ${days[0]}::date ORDER BY id`,
  );
  return rows.map((row) => row.id);
}

export const extendMemberships = {
  type: 'extend_memberships',
  many: async (work: Work, ids: readonly number[], { days }: Extending) => {
    const moves = (await lockAllOwned(work, ids)).flatMap((owned) => {
      const { status, start_date: start, expiration_date: end, is_set_for_cancellation: ends, holds } = owned;
      if (start === null || end === null || ends || !['active', 'hold'].includes(status)) return [];
      const held = holds.map((hold) => ({ start: hold.start_date, end: hold.end_date }));
      const to = extendedTo({ start, end, held }, days);
      return to === end ? [] : [{ owned, to }];
    });
    await moveExpirations(work, moves);
    return new Map();
  },
} satisfies BulkKind;
