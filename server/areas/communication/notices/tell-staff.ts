/** Tells those who run a business that something needs them. */
import { queueMessages } from '../messages/index.ts';
import { sql } from '../../../kernel/db/sql.ts';
import type { Work } from '../../../kernel/work.ts';

export interface StaffNotice {
  /** as the ledger calls it: `webhook_parked` */
  readonly kind: string;
  readonly subject: string;
  readonly text: string;
  /** what it is, unique at the business for this kind: told once */
  readonly key: string;
}

/**
 * By e-mail, to every super admin that works there, in the transaction of its cause. Areas that stand later call it as
 * they act or read the feed.
 */
export async function tellSuperAdmins(work: Work, { kind, subject, text, key }: StaffNotice): Promise<void> {
  const admins = await work.tx.rows<{ id: number }>(
    sql`SELECT id FROM staff WHERE provider_id = ${work.providerId} AND NOT archived AND 'super_admin' = ANY (permissions) ORDER BY id`,
  );
  await queueMessages(
    work,
    admins.map(({ id }) => ({
      channel: 'email',
      purpose: 'transactional',
      kind,
      to: { staff: id },
      subject,
      text,
      key: `${kind}:${key}:${id}`,
    })),
  );
}
