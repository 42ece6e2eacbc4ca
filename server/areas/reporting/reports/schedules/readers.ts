/** Staff as readers of a report, with their permissions on the day they are checked. */
import { sql } from '../../../../kernel/base/db/sql.ts';
import type { Permission } from '../../../../kernel/work/access/permission.ts';
import type { Report } from '../report.ts';
import type { Work } from '../../../../kernel/work/unit/work.ts';

export interface Reader {
  readonly id: number;
  readonly permissions: readonly Permission[];
  /** venues that they are limited to; null if they aren't */
  readonly venues: readonly number[] | null;
}

/** Returns those of these staff members who work here and may read the report, in the order of their ids. */
export async function readersOf(
  { tx, providerId }: Pick<Work, 'tx' | 'providerId'>,
  { who }: Report,
  staff: readonly number[],
): Promise<Reader[]> {
  const found = await tx.rows<Reader & Record<string, unknown>>(
    sql`SELECT id, permissions, nullif(venue_ids, '{}') AS venues FROM staff
      WHERE provider_id = ${providerId} AND id = ANY(${[...staff]}::bigint[]) AND NOT archived
        AND permissions && ${['super_admin', ...who]}::text[] ORDER BY id`,
  );
  return found;
}
