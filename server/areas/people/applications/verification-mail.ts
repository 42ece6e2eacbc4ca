/**
 * The email with the code of a waiting log-in. The job creates the code when it sends the email: the queue never holds
 * one.
 */
import { randomInt } from 'node:crypto';
import { instant, json, sql } from '../../../kernel/base/db/sql.ts';
import { keepCode, type PendingLogin } from './pending-login.ts';
import { accountMailParts, readAccount } from '../identity/index.ts';
import { readLetterhead } from '../../platform/providers/index.ts';
import type { Job } from '../../../kernel/work/unit/job.ts';
import type { Transaction } from '../../../kernel/base/db/database.ts';

const TASK = 'send_verification_code';
const DIGITS = 6;

/** Enqueues the email in the transaction that starts the verification. */
export async function verificationMail(tx: Transaction, { id, providerId }: PendingLogin, now: number): Promise<void> {
  await tx.run(
    sql`
      SELECT enqueue_job(${TASK}, ${json({ pending_login: id, provider_id: providerId })}, ${null},
        ${instant(now)}, 'first')`,
  );
}

export const sendVerificationCode: Job = {
  task: TASK,
  acrossTenants: 'a log-in that waits belongs to no business, and its mail is sent in the name of one',
  run: async (work, payload: { pending_login: string }) => {
    const { box, mailer } = work.installation;
    const code = String(randomInt(10 ** DIGITS)).padStart(DIGITS, '0');
    const pending = await keepCode(work.tx, box, { id: payload.pending_login, code, now: work.realNow });
    const account = pending && (await readAccount(work.tx, pending.userId));
    if (!account || account.disabledAt !== null) return;
    const head = await readLetterhead(work);
    const mail = accountMailParts(
      head,
      (say) => ({
        subject: say('code.subject', { code }),
        hello: account.emailConfirmedAt === null ? '' : account.firstName,
        lines: [say('code.text', { code }), say('code.once')],
        ending: say('code.ending'),
      }),
      { linksTo: `${work.installation.baseUrl}/` },
    );
    await mailer.send(work.tx, { providerId: work.providerId, fromName: head.business, to: account.email, ...mail });
  },
};
