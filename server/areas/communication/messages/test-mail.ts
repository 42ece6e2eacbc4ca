/** Sends a test email, as customers would get it, to a staff member who wants to see it first. */
import { id, text } from '../../../kernel/base/fields/kinds.ts';
import { invalid } from '../../../kernel/base/problem.ts';
import { randomUUID } from 'node:crypto';
import { queueMessage, type NewMessage } from './queue.ts';
import { sql } from '../../../kernel/base/db/sql.ts';
import { take } from '../../people/identity/index.ts';
import type { Work } from '../../../kernel/work/unit/work.ts';

export interface TestMail {
  /** kind in the ledger: `broadcast_test` */
  readonly kind: string;
  /** path of the operation */
  readonly path: string;
  readonly mail: Pick<NewMessage, 'text' | 'html' | 'button' | 'language'> & { readonly subject: string | null };
  /** the staff member who receives it; absent: the caller */
  readonly staff?: number;
}

export const testMailShape = { message: id().describe('Id of the message.'), recipient: text() };

/** Returns the staff member: the caller, or the one named. It is sent to nobody else. */
function readerOf({ viewer }: Work, staff: number | undefined): number {
  const reader = staff ?? viewer.staffId;
  if (reader === null)
    throw invalid(
      'staff',
      'Send the id of the staff member who gets the message: this token belongs to no staff member.',
    );
  return reader;
}

/** Sends it. Counts as one email of the quota, so that it can't be used to get around it. */
export async function sendTestMail(work: Work, { kind, path, mail, staff }: TestMail) {
  const reader = readerOf(work, staff);
  const queued = await queueMessage(work, {
    ...mail,
    channel: 'email',
    subject: `[Test] ${mail.subject ?? ''}`,
    purpose: 'transactional',
    kind,
    to: { staff: reader },
    key: `${kind}:${randomUUID()}`,
  });
  if (queued.id === null || queued.skipped !== null)
    throw invalid('staff', `The message can't be sent: ${queued.skipped}.`);
  await take(work, work.now, 1);
  work.audit({
    action: `POST ${path}`,
    object: 'message',
    objectId: queued.id,
    before: null,
    after: { staff: reader, subject: mail.subject },
  });
  work.effect('send_test_email', 'message', queued.id, { staff: reader });
  const sent = await work.tx.one<{ recipient: string }>(
    sql`SELECT recipient FROM message WHERE provider_id = ${work.providerId} AND id = ${queued.id}`,
  );
  return { message: queued.id, recipient: sent!.recipient };
}
