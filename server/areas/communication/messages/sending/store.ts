/** Queries and writes of the sending engine on the ledger. Rows of all businesses: one engine sends for everybody. */
import { addressNow, aroundMessage, verdictNow, type SkipReason } from '../verdict.ts';
import { instant, raw, sql, type Sql } from '../../../../kernel/base/db/sql.ts';
import { LETTERHEAD } from '../../../platform/providers/index.ts';
import type { LetterheadRow } from '../../../../kernel/base/mail/letterhead.ts';
import type { CalendarPart, Channel } from '../queue.ts';
import type { Language } from '../../../../kernel/base/languages/languages.ts';
import { beginBackground } from '../../../../kernel/work/jobs/background-lock.ts';
import { mayBegin } from '../../../../kernel/work/unit/other-cells.ts';
import type { Installation } from '../../../../kernel/work/unit/installation.ts';
import type { Transaction } from '../../../../kernel/base/db/database.ts';

/** One attempt at one message. */
export interface Attempt {
  readonly provider_id: number;
  readonly id: number;
  readonly attempts: number;
}

/** A message that this engine has claimed, with everything that sending it needs. */
export interface Claimed extends Attempt, LetterheadRow {
  readonly key: string;
  readonly channel: Channel;
  readonly purpose: 'transactional' | 'marketing';
  readonly subject: string | null;
  readonly text_part: string | null;
  readonly html_part: string | null;
  readonly button: string | null;
  readonly language: Language;
  readonly calendar: CalendarPart | null;
  readonly headers: Record<string, string> | null;
  readonly sealed: boolean;
  readonly address: string | null;
  readonly verdict: SkipReason | null;
  /** of the recipient: zone of the venue that the message belongs to, otherwise of the business */
  readonly zone: string;
  readonly quiet_start: string | null;
  readonly quiet_end: string | null;
}

export interface ClaimOptions {
  readonly installation: Pick<Installation, 'cells'>;
  readonly engine: number;
  readonly channel: Channel;
  /** maximum for one business and purpose */
  readonly share: number;
  readonly most: number;
  /** businesses after this id */
  readonly after: number;
  readonly now: number;
  /** for test businesses, whose messages are never sent; absent: for all others */
  readonly ofTests?: boolean;
}

/**
 * Claims messages that are due: a share of each business in turn, and messages that people wait for before news, so
 * that ten thousand emails of one business delay neither its own confirmations nor anybody else's.
 */
export async function claim(
  tx: Transaction,
  { installation, engine, channel, share, most, after, now, ofTests = false }: ClaimOptions,
): Promise<Claimed[]> {
  const queued = sql`q.status = 'queued' AND q.channel = ${channel}`;
  const taken = await tx.rows<{ provider_id: number; id: number }>(sql`
    WITH RECURSIVE business AS (
      (SELECT q.provider_id FROM message q WHERE ${queued} AND q.provider_id > ${after} ORDER BY q.provider_id LIMIT 1)
      UNION ALL
      SELECT (SELECT q.provider_id FROM message q WHERE ${queued} AND q.provider_id > b.provider_id
        ORDER BY q.provider_id LIMIT 1)
      FROM business b WHERE b.provider_id IS NOT NULL
    ), due AS (
      SELECT d.provider_id, d.id FROM business b
      CROSS JOIN (VALUES ('transactional', false), ('transactional', true), ('marketing', false),
        ('marketing', true)) AS p (purpose, broadcast)
      CROSS JOIN LATERAL (
        SELECT q.provider_id, q.id FROM message q
        WHERE ${queued} AND q.provider_id = b.provider_id AND q.purpose = p.purpose
          AND (q.broadcast_id IS NOT NULL) = p.broadcast AND q.send_at <= ${instant(now)}
        ORDER BY q.send_at, q.id LIMIT ${raw(String(share))} FOR UPDATE SKIP LOCKED) d
      WHERE b.provider_id IS NOT NULL AND ${mayBegin(installation, sql`b.provider_id`)}
        AND ${ofTests}::boolean = EXISTS (SELECT FROM test_clock t WHERE t.provider_id = b.provider_id)
      LIMIT ${raw(String(most))}
    )
    UPDATE message m SET status = 'sending', claimed_by = ${engine}, handed_at = NULL, attempts = m.attempts + 1
    FROM due WHERE m.provider_id = due.provider_id AND m.id = due.id RETURNING m.provider_id, m.id`);
  if (taken.length === 0) return [];
  return tx.rows<Claimed>(sql`
    SELECT m.provider_id, m.id, m.attempts, m.key, m.channel, m.purpose, m.subject, m.text_part, m.html_part, m.button,
      m.language, m.calendar, m.headers, m.sealed,
           ${addressNow} AS address, ${verdictNow} AS verdict, ${LETTERHEAD}, coalesce(v.timezone, b.timezone) AS zone,
           CASE WHEN s.provider_id IS NULL THEN '21:00'::time ELSE s.sms_quiet_hours_start END AS quiet_start,
           CASE WHEN s.provider_id IS NULL THEN '08:00'::time ELSE s.sms_quiet_hours_end END AS quiet_end
    FROM message m JOIN provider b ON b.provider_id = m.provider_id
    LEFT JOIN communication_settings s ON s.provider_id = m.provider_id
    ${aroundMessage}
    LEFT JOIN venue v ON v.provider_id = c.provider_id AND v.id = c.venue_id
    WHERE (m.provider_id, m.id) IN (SELECT *
      FROM unnest(${taken.map((t) => t.provider_id)}::bigint[], ${taken.map((t) => t.id)}::bigint[]))
    ORDER BY m.purpose DESC, m.broadcast_id IS NOT NULL, m.send_at, m.id`);
}

/** Those messages that are still claimed by this engine, and are handed over from now on. */
export interface HandingOver extends Attempt {
  readonly address: string;
  readonly tokenHash: string;
  readonly unsubscribeHash: string | null;
}

const nameOf = ({ provider_id, id }: { provider_id: number; id: number }) => `${provider_id}:${id}`;

export const markHandingOver = (
  tx: Transaction,
  engine: number,
  all: readonly HandingOver[],
  now: number,
): Promise<boolean[]> => markMine(tx, engine, all, sql`handed_at = ${instant(now)}`);

/** Marks messages that nothing is configured to send as kept. They are final, because nobody else is asked. */
export const markKept = (tx: Transaction, engine: number, all: readonly HandingOver[]): Promise<boolean[]> =>
  markMine(
    tx,
    engine,
    all,
    sql`status = 'kept', error = NULL, text_part = CASE WHEN m.sealed THEN NULL ELSE m.text_part END`,
  );

async function markMine(tx: Transaction, engine: number, all: readonly HandingOver[], as: Sql): Promise<boolean[]> {
  beginBackground(
    tx,
    all.map((m) => m.provider_id),
  );
  const marked = await tx.rows<{ provider_id: number; id: number }>(sql`
    UPDATE message m SET ${as}, recipient = h.address, token_hash = h.token_hash, unsubscribe_hash = h.unsubscribe_hash
    FROM unnest(${all.map((h) => h.provider_id)}::bigint[], ${all.map((h) => h.id)}::bigint[],
      ${all.map((h) => h.attempts)}::int[], ${all.map((h) => h.address)}::text[],
                ${all.map((h) => h.tokenHash)}::bytea[], ${all.map((h) => h.unsubscribeHash)}::bytea[]) AS h
                (provider_id, id, attempts, address, token_hash, unsubscribe_hash)
    WHERE m.provider_id = h.provider_id AND m.id = h.id AND m.attempts = h.attempts AND m.claimed_by = ${engine}
      AND m.status = 'sending'
    RETURNING m.provider_id, m.id`);
  const names = new Set(marked.map(nameOf));
  return all.map((h) => names.has(nameOf(h)));
}

/** The outcome of an attempt. */
export interface Settled extends Attempt {
  readonly status: 'queued' | 'sent' | 'bounced' | 'failed' | 'skipped';
  readonly reason?: SkipReason;
  readonly error?: string;
  readonly reference?: string | null;
  /** time of the next attempt, epoch milliseconds */
  readonly sendAt?: number;
  /** address of the recipient, if nothing was handed over */
  readonly address?: string | null;
  /** the attempt does not count: it was not really one */
  readonly uncounted?: boolean;
}

export async function settle(tx: Transaction, engine: number, all: readonly Settled[], now: number): Promise<void> {
  const at = instant(now);
  beginBackground(
    tx,
    all.map((m) => m.provider_id),
  );
  await tx.run(sql`
    UPDATE message m SET status = s.status, reason = s.reason,
      error = coalesce(s.error, CASE WHEN s.status <> 'sent' THEN m.error END),
      carrier_reference = coalesce(s.reference, m.carrier_reference), send_at = coalesce(s.send_at, m.send_at),
      recipient = coalesce(s.address, m.recipient),
      sent_at = CASE WHEN s.status = 'sent' THEN ${at}::timestamptz ELSE m.sent_at END,
      failed_at = CASE WHEN s.status IN ('failed', 'bounced') THEN ${at}::timestamptz ELSE m.failed_at END,
      handed_at = CASE WHEN s.status = 'sent' THEN m.handed_at END, confirmed = true,
      attempts = m.attempts - s.uncounted::int,
      claimed_by = CASE WHEN s.status = 'queued' THEN NULL ELSE m.claimed_by END,
      text_part = CASE WHEN m.sealed AND s.status <> 'queued' THEN NULL ELSE m.text_part END
    FROM unnest(${all.map((s) => s.provider_id)}::bigint[], ${all.map((s) => s.id)}::bigint[],
      ${all.map((s) => s.attempts)}::int[], ${all.map((s) => s.status)}::text[],
                ${all.map((s) => s.reason ?? null)}::text[], ${all.map((s) => s.error?.slice(0, 500) ?? null)}::text[],
                ${all.map((s) => s.reference ?? null)}::text[],
                ${all.map((s) => instant(s.sendAt ?? null))}::timestamptz[],
                ${all.map((s) => s.address ?? null)}::text[], ${all.map((s) => s.uncounted ?? false)}::boolean[])
         AS s (provider_id, id, attempts, status, reason, error, reference, send_at, address, uncounted)
    WHERE m.provider_id = s.provider_id AND m.id = s.id AND m.attempts = s.attempts AND m.claimed_by = ${engine}
      AND (m.status = 'sending' OR (m.status = 'sent' AND NOT m.confirmed))`);
}

/** Returns engines with messages in progress. */
export const enginesAtWork = async (tx: Transaction): Promise<number[]> =>
  (
    await tx.rows<{ engine: number }>(sql`SELECT DISTINCT claimed_by AS engine FROM message WHERE status = 'sending'`)
  ).map((r) => r.engine);

const LOCK = 771_013;

/** Returns true if no engine holds this engine's lock, which then is ours until the transaction ends. */
export const isGone = async (tx: Transaction, engine: number): Promise<boolean> =>
  (await tx.one<{ gone: boolean }>(sql`SELECT pg_try_advisory_xact_lock(${LOCK}, ${engine}) AS gone`))!.gone;

export const ENGINE_LOCK = LOCK;

/**
 * Settles messages of an engine that is gone. Messages that it had not begun to hand over were certainly not accepted,
 * and return to the queue. Of the rest, those that are missing in `written` are treated alike; all others count as
 * sent, because they may have been.
 */
export async function release(
  tx: Transaction,
  engine: number,
  written: ReadonlySet<string> | null,
  now: number,
): Promise<{ again: number; sent: number }> {
  const left = await tx.rows<Attempt & { handed_at: number | null }>(
    sql`SELECT provider_id, id, attempts, handed_at FROM message WHERE status = 'sending' AND claimed_by = ${engine}
      ORDER BY provider_id, id FOR UPDATE`,
  );
  const went = left.filter((m) => m.handed_at !== null && (written === null || written.has(nameAttempt(m))));
  const again = left.filter((m) => !went.includes(m));
  const these = (rows: readonly Attempt[]) =>
    sql`
      (provider_id, id) IN (SELECT *
        FROM unnest(${rows.map((m) => m.provider_id)}::bigint[], ${rows.map((m) => m.id)}::bigint[]))`;
  await tx.all([
    sql`UPDATE message SET status = 'queued', claimed_by = NULL, handed_at = NULL,
      send_at = least(send_at, ${instant(now)}) WHERE ${these(again)}`,
    sql`UPDATE message SET status = 'sent', sent_at = handed_at, confirmed = false,
      text_part = CASE WHEN sealed THEN NULL ELSE text_part END WHERE ${these(went)}`,
  ]);
  return { again: again.length, sent: went.length };
}

/**
 * Returns messages to the queue that this engine claimed without knowing: the response to its transaction was lost.
 * `known`: attempts that it has in progress.
 */
export const releaseUnheard = (
  tx: Transaction,
  engine: number,
  channel: Channel,
  known: readonly string[],
): Promise<number> =>
  tx.run(
    sql`UPDATE message SET status = 'queued', claimed_by = NULL, handed_at = NULL, attempts = attempts - 1
        WHERE status = 'sending' AND claimed_by = ${engine} AND channel = ${channel}
          AND provider_id || ':' || id || ':' || attempts <> ALL (${known}::text[])`,
  );

/** Returns the name of an attempt in the journal. */
export const nameAttempt = ({ provider_id, id, attempts }: Attempt): string => `${provider_id}:${id}:${attempts}`;
