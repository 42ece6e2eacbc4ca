/** Notifies the owners of a business, or some of its staff, that something needs their attention. */
import { queueMessages } from '../messages/index.ts';
import { sql } from '../../../kernel/base/db/sql.ts';
import type { StaffNotice } from '../../../kernel/work/unit/notices.ts';
import type { Work } from '../../../kernel/work/unit/work.ts';

export async function notifySuperAdmins(work: Work, notice: StaffNotice): Promise<void> {
  const admins = await work.tx.rows<{ id: number }>(
    sql`SELECT id FROM staff WHERE provider_id = ${work.providerId} AND NOT archived
      AND 'super_admin' = ANY (permissions) ORDER BY id`,
  );
  await notifyStaff(
    work,
    admins.map(({ id }) => id),
    notice,
  );
}

export async function notifyStaff(
  work: Work,
  staff: readonly number[],
  { type: { type: kind, subject: usual }, subject = usual, text, language, key }: StaffNotice,
): Promise<void> {
  await queueMessages(
    work,
    staff.map((id) => ({
      channel: 'email',
      purpose: 'transactional',
      kind,
      to: { staff: id },
      ...(language && { language }),
      subject,
      text,
      key: `${kind}:${key}:${id}`,
    })),
  );
}
