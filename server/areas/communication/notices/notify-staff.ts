/** Notifies the owners of a business, or some of its staff, that something needs their attention. */
import { queueMessages } from '../messages/index.ts';
import { ENGLISH } from '../../../kernel/base/languages/languages.ts';
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

/** Sends an email to each of them in the language of the business: nothing is known about their own. */
export async function notifyStaff(
  work: Work,
  staff: readonly number[],
  { type: { type: kind }, write, key }: StaffNotice,
): Promise<void> {
  const { reader = ENGLISH } = work.tenant;
  const { subject, text, button } = write(reader);
  await queueMessages(
    work,
    staff.map((id) => ({
      channel: 'email',
      purpose: 'transactional',
      kind,
      to: { staff: id },
      language: reader.language,
      subject,
      text,
      ...(button !== undefined && { button }),
      key: `${kind}:${key}:${id}`,
    })),
  );
}
