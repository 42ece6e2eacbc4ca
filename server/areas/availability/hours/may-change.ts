/** The hours that a staff member may change: with `manage_events` everybody's, otherwise only their own. */
import { may } from '../../../kernel/work/access/viewer.ts';
import { Problem } from '../../../kernel/base/problem.ts';
import { sql } from '../../../kernel/base/db/sql.ts';
import { venueLimit } from '../../../kernel/api/venue-limit.ts';
import type { Work } from '../../../kernel/work/unit/work.ts';

type Asking = Pick<Work, 'viewer' | 'tx' | 'providerId'>;

async function isMe({ viewer, tx, providerId }: Asking, instructor: number): Promise<boolean> {
  if (viewer.staffId === null) return false;
  const mine = await tx.one(
    sql`SELECT FROM instructor WHERE provider_id = ${providerId} AND id = ${instructor}
      AND staff_id = ${viewer.staffId}`,
  );
  return mine !== undefined;
}

const onlyYourOwn = () =>
  new Problem(
    'permission_denied',
    'In provider mode, this needs the permission super_admin or manage_events. Without it, instructors can change only their own hours.',
  );

/**
 * Refuses changes to hours. `instructor` owns the schedule; null: it is one of room rentals. Schedules at other venues
 * are refused elsewhere.
 */
export async function checkMayChange(work: Asking, instructor: number | null): Promise<void> {
  if (may(work.viewer, 'manage_events') || (instructor !== null && (await isMe(work, instructor)))) return;
  throw onlyYourOwn();
}

/** Refuses blocking times. Blocked times of an instructor apply at every venue. */
export async function checkMayBlock(work: Asking, instructor: number): Promise<void> {
  const { viewer } = work;
  if (may(viewer, 'manage_events') && viewer.venues === null) return;
  if (await isMe(work, instructor)) return;
  throw may(viewer, 'manage_events') ? venueLimit(viewer, 'this concerns the whole business.') : onlyYourOwn();
}
