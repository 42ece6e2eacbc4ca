/** Reports of the SMS service on a message after accepting it. */
import { instant, sql } from '../../../../kernel/base/db/sql.ts';
import { isSigned, statusOf } from '../../../../kernel/base/sms/twilio.ts';
import { noteBounce, suppress } from '../suppress.ts';
import { backgroundWork } from '../../../../kernel/work/unit/background-work.ts';
import { STATUS_PATH } from './status.ts';
import { tokenHash } from '../tokens.ts';
import type { EngineContext } from '../../../../kernel/work/unit/engine.ts';

type Own = Pick<EngineContext, 'db' | 'tenants' | 'registry' | 'installation' | 'now'>;

/**
 * Processes a report; returns false if it is not from our SMS service. A report that arrives twice, or late, changes
 * nothing.
 */
export async function takeSmsReport(
  own: Own,
  token: string,
  form: URLSearchParams,
  signature: string | undefined,
): Promise<boolean> {
  const { baseUrl, messages } = own.installation;
  if (messages.smsToken === null || !isSigned(messages.smsToken, `${baseUrl}${STATUS_PATH}/${token}`, form, signature))
    return false;
  const report = statusOf(form);
  const found = await own.db.acrossTenants(
    'a report on a text message is looked up before its business is known',
    (tx) =>
      tx.one<{ provider_id: number; id: number; recipient: string | null }>(
        sql`SELECT provider_id, id, recipient FROM message WHERE token_hash = ${tokenHash(token)} AND channel = 'sms'`,
      ),
  );
  if (!report || !found) return true;
  await backgroundWork(own, found.provider_id, 'sms_report', async (work) => {
    const at = instant(work.now);
    const these = sql`provider_id = ${work.providerId} AND id = ${found.id} AND status IN ('sending', 'sent')`;
    if (report.status === 'delivered') {
      await work.tx.run(
        sql`UPDATE message SET status = 'delivered', delivered_at = ${at}, sent_at = coalesce(sent_at, ${at}),
          confirmed = true, text_part = CASE WHEN sealed THEN NULL ELSE text_part END WHERE ${these}`,
      );
      return;
    }
    const changed = await work.tx.run(
      sql`UPDATE message SET status = ${report.address ? 'bounced' : 'failed'}, failed_at = ${at}, confirmed = true,
        error = ${`the SMS service could not deliver it (${report.code ?? 'no reason given'})`},
          text_part = CASE WHEN sealed THEN NULL ELSE text_part END WHERE ${these}`,
    );
    if (changed === 0 || !report.address || found.recipient === null) return;
    await noteBounce(work, { message: found.id, address: found.recipient, hard: true, code: report.code });
    await suppress(work, { channel: 'sms', address: found.recipient, reason: 'bounced', message: found.id });
  });
  return true;
}
