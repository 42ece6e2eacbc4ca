/** Rules for acting on substitute requests: instructors for themselves, and staff who manage events for anybody. */
import { invalid, Problem } from '../../../kernel/base/problem.ts';
import { may } from '../../../kernel/work/access/viewer.ts';
import { sql } from '../../../kernel/base/db/sql.ts';
import { staffWith } from '../../../kernel/api/endpoint.ts';
import type { Work } from '../../../kernel/work/unit/work.ts';

/** Permissions to read requests and to act for oneself. */
export const TAKES_PART = [
  'manage_events',
  'attendances',
  'instructor_manage_events',
  'instructor_attendances',
] as const;
export const whoTeaches = staffWith(...TAKES_PART);
export const MANAGES = ['super_admin', 'manage_events'] as const;
export const whoManages = staffWith(...MANAGES);

export const ownInstructor = async ({ viewer, tx, providerId }: Work): Promise<number | null> =>
  viewer.staffId === null
    ? null
    : ((
        await tx.one<{ id: number }>(
          sql`SELECT id FROM instructor WHERE provider_id = ${providerId} AND staff_id = ${viewer.staffId}
            AND NOT archived`,
        )
      )?.id ?? null);

/**
 * Returns the named instructor, or the caller if none is named. The kernel refuses events at venues where the caller
 * may not act.
 */
export async function instructorFor(work: Work, named: number | undefined): Promise<number> {
  const own = await ownInstructor(work);
  if (named === undefined) {
    if (own !== null) return own;
    throw invalid('instructor', 'Name an instructor: you aren’t one yourself.');
  }
  if (named === own) return named;
  if (!may(work.viewer, 'manage_events'))
    throw new Problem(
      'permission_denied',
      'In provider mode, this needs the permission super_admin or manage_events. Without it, instructors can act only for themselves.',
    );
  return named;
}
