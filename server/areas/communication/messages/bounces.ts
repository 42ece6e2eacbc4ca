/** Reports of mail servers on emails that we sent: which did not arrive, and which addresses to stop writing to. */
import { addressKey } from '../../../kernel/base/values/mail-address.ts';
import { cardCameBack, cardOfMail } from '../../commerce/gift-cards/index.ts';
import { instant, sql } from '../../../kernel/base/db/sql.ts';
import { isToken, tokenHash } from './tokens.ts';
import { noteBounce, suppress } from './suppress.ts';
import { backgroundWork, type Own } from '../../../kernel/work/unit/background-work.ts';
import { readDeliveryStatus, readFeedback, type Report } from './rules/report.ts';

/** More than any report that returns headers, and most reports that return the email. */
export const MAX_REPORT_BYTES = 5_000_000;
/** Temporary failures of an address before they count as permanent. */
const MAX_SOFT_BOUNCES = 5;
const SOFT_DAYS = 30;

export type BounceOutcome = 'no report' | 'not ours' | 'noted';

/** `+token@` in the address that a report was sent to. */
const TOKEN = /\+([0-9a-f]{32})@/gi;

/**
 * Processes one report. `to` is the address that it was sent to, if the mail server passed it on. A report that does
 * not name a message of ours by its token is ignored: nobody can suppress an address by writing to us.
 */
export async function takeBounce(own: Own, raw: Buffer, to: string | null): Promise<BounceOutcome> {
  const { default: PostalMime } = await import('postal-mime');
  const mail = await PostalMime.parse(raw, {
    forceRfc822Attachments: true,
    maxNestingDepth: 20,
    maxHeadersSize: 200_000,
  });
  const part = (type: string): string | null => {
    const found = mail.attachments.find((a) => a.mimeType === type);
    return found ? textOf(found.content) : null;
  };
  const [status, feedback] = [part('message/delivery-status'), part('message/feedback-report')];
  const report = status !== null ? readDeliveryStatus(status) : feedback !== null ? readFeedback(feedback) : null;
  if (!report) return 'no report';
  const sent = part('message/rfc822') ?? part('text/rfc822-headers') ?? '';
  const envelope = mail.headers
    .filter((h) => ['delivered-to', 'x-original-to', 'envelope-to', 'to'].includes(h.key))
    .map((h) => h.value);
  const named = [to ?? '', ...envelope].flatMap((text) =>
    [...text.matchAll(TOKEN)].map(([, token]) => token.toLowerCase()),
  );
  const returned = /^message-id:\s*<([0-9a-f]{32})@/im.exec(sent)?.[1];
  const tokens = [...new Set([...named, ...(returned ? [returned] : [])])].filter(isToken).slice(0, 5);
  if (tokens.length === 0) return 'not ours';
  const found = await own.db.acrossTenants(
    'a report of a mail server is looked up before its business is known',
    (tx) =>
      tx.one<Found>(
        sql`SELECT provider_id, id, recipient FROM message
          WHERE token_hash = ANY(${tokens.map(tokenHash)}::bytea[]) AND channel = 'email' LIMIT 1`,
      ),
  );
  if (found) await apply(own, found, report);
  else if (!(await applyToGiftCard(own, tokens, report))) return 'not ours';
  return 'noted';
}

/** Gift cards are sent by their own area, and aren't in the ledger: their codes aren't stored anywhere. */
async function applyToGiftCard(own: Own, tokens: readonly string[], report: Report): Promise<boolean> {
  const card = await own.db.acrossTenants('a report of a mail server is looked up before its business is known', (tx) =>
    cardOfMail(tx, tokens.map(tokenHash)),
  );
  if (!card) return false;
  await backgroundWork(own, card.providerId, 'mail_report', async (work) => {
    if (report.verdict === 'complained')
      await suppress(work, { channel: 'email', address: card.recipient, reason: 'complained' });
    if (report.verdict !== 'failed') return;
    if (report.address) await suppress(work, { channel: 'email', address: card.recipient, reason: 'bounced' });
    cardCameBack(work, card);
  });
  return true;
}

interface Found {
  readonly provider_id: number;
  readonly id: number;
  readonly recipient: string | null;
}

const textOf = (content: ArrayBuffer | Uint8Array | string): string =>
  (typeof content === 'string' ? content : Buffer.from(content as ArrayBuffer).toString('latin1')).slice(0, 200_000);

const apply = (own: Own, { provider_id, id, recipient }: Found, report: Report): Promise<unknown> =>
  backgroundWork(own, provider_id, 'mail_report', async (work) => {
    const at = instant(work.now);
    const theMessage = sql`provider_id = ${work.providerId} AND id = ${id}`;
    if (report.verdict === 'delivered') {
      await work.tx.run(
        sql`UPDATE message SET status = 'delivered', delivered_at = ${at}, confirmed = true
          WHERE ${theMessage} AND status = 'sent'`,
      );
      return;
    }
    if (recipient === null) return;
    if (report.verdict === 'complained') {
      await suppress(work, { channel: 'email', address: recipient, reason: 'complained', message: id });
      return;
    }
    const final = report.verdict === 'failed';
    if (final) {
      // A report that arrives twice is counted once.
      const changed = await work.tx.run(
        sql`UPDATE message SET status = 'bounced', failed_at = ${at},
          error = ${`a mail server reported that it could not be delivered (${report.code ?? 'no reason given'})`}
          WHERE ${theMessage} AND status IN ('sent', 'delivered')`,
      );
      if (changed === 0) return;
    }
    const hard = final && report.address;
    await noteBounce(work, { message: id, address: recipient, hard, code: report.code });
    if (hard || (final && (await softly(work, recipient)) >= MAX_SOFT_BOUNCES))
      await suppress(work, { channel: 'email', address: recipient, reason: 'bounced', message: id });
  });

const softly = async (work: Parameters<typeof noteBounce>[0], address: string): Promise<number> =>
  (await work.tx.one<{ n: number }>(
    sql`SELECT count(DISTINCT message_id) AS n FROM message_bounce
        WHERE provider_id = ${work.providerId} AND address = ${addressKey(address)} AND NOT hard
          AND at > ${instant(work.now - SOFT_DAYS * 86_400_000)}`,
  ))!.n;
