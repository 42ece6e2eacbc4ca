/** Staff members who were imported by mistake. */
import { changeStaffMember } from './writes.ts';
import { sql } from '../../../kernel/base/db/sql.ts';
import type { Work } from '../../../kernel/work/unit/work.ts';

interface Member extends Record<string, unknown> {
  readonly id: number;
  readonly user_id: number | null;
  readonly teaches: boolean;
}

/** Archives those who have no log-in and don't teach. Returns the reasons for keeping the others, by id. */
export async function takeBackStaff(work: Work, ids: readonly number[]): Promise<Map<number, string>> {
  const rows = await work.tx.rows<Member>(
    sql`SELECT s.*, EXISTS (SELECT FROM instructor i
          WHERE i.provider_id = s.provider_id AND i.staff_id = s.id AND NOT i.archived) AS teaches
      FROM staff s WHERE s.provider_id = ${work.providerId} AND s.id = ANY(${ids}::bigint[]) AND NOT s.archived
      ORDER BY s.id FOR UPDATE OF s`,
  );
  const kept = new Map<number, string>();
  for (const { teaches, ...row } of rows) {
    if (row.user_id !== null) kept.set(row.id, 'has a log-in');
    else if (teaches) kept.set(row.id, 'is an instructor: archive the instructor first');
    else {
      work.touch('staff', row.id, row);
      await changeStaffMember(work, row.id, { archived: true });
    }
  }
  return kept;
}
