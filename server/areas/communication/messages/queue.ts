/** Writes messages into the ledger, in the transaction of their occasion; a worker sends what is queued there. */
import { instant, json, sql, type Sql } from '../../../kernel/base/db/sql.ts';
import { keepingCustomers } from '../../people/customers/index.ts';
import { takeTexts } from '../../people/identity/index.ts';
import { addressNow, aroundMessage, verdictNow, type SkipReason } from './verdict.ts';
import type { Language } from '../../../kernel/base/languages/languages.ts';
import type { Work } from '../../../kernel/work/unit/work.ts';

export type Channel = 'email' | 'sms';
export type Purpose = 'transactional' | 'marketing';

/** A calendar entry that is attached to an email, as iCalendar text. */
export interface CalendarPart {
  readonly method: 'REQUEST' | 'CANCEL';
  readonly content: string;
}

export interface NewMessage {
  readonly channel: Channel;
  readonly purpose: Purpose;
  /** reason for sending, as the ledger shows it: `event_reminder`, `broadcast_message`, `workflow`, … */
  readonly kind: string;
  /** `about`: the child that a message to its parent concerns */
  readonly to: { readonly customer: number; readonly about?: number } | { readonly staff: number };
  /** null for `sms` */
  readonly subject: string | null;
  readonly text: string;
  /** absent: the text as HTML, generated when it is sent; `AS_TEXT`: the same, and shown like that in the API */
  readonly html?: string;
  /** what the main link does: words for the button that it becomes, see `kernel/base/mail/layout.ts` */
  readonly button?: string;
  /** language of the text around the message; absent: English */
  readonly language?: Language;
  /** identifies the message, unique at the business: it is queued once, however often that is repeated */
  readonly key: string;
  readonly calendar?: CalendarPart;
  /** additional headers; none of them may name a recipient */
  readonly headers?: Readonly<Record<string, string>>;
  readonly broadcast?: number;
  /** epoch milliseconds; absent: immediately */
  readonly sendAt?: number;
  /** the text contains a live secret: it is sealed until it is sent, and then deleted */
  readonly secret?: boolean;
  /**
   * a number that is not the customer's yet, to verify it; or an address that is not theirs, to which they asked to
   * have it sent
   */
  readonly number?: string;
}

/**
 * A queued message. `skipped`: why it will not be sent; it is in the ledger all the same, except for an unknown
 * recipient (`id` null).
 */
export interface Queued {
  readonly id: number | null;
  readonly skipped: SkipReason | null;
}

const MAX_SUBJECT = 300;

/** Marks a message whose HTML says the same as its text, as for most messages: it is not stored a second time. */
export const AS_TEXT = '';

/**
 * Returns now, but no later than the database's clock: if the clock of this process is ahead, others would hold the
 * message back until theirs catches up.
 */
const atOnce = ({ now, tenant: { testClock } }: Work): Sql =>
  sql`least(${instant(now)}::timestamptz, now() + ${testClock?.aheadMs ?? 0}::float8 * interval '1 millisecond')`;

export const queueMessage = async (work: Work, message: NewMessage): Promise<Queued> =>
  (await queueMessages(work, [message]))[0];

/** Queues many messages in order, in one statement; for a key that was used before, it returns the earlier outcome. */
export async function queueMessages(work: Work, all: readonly NewMessage[]): Promise<Queued[]> {
  if (all.length === 0) return [];
  const now = instant(work.now);
  const customers = all.map((m) => ('customer' in m.to ? m.to.customer : null));
  const about = all.map((m) => ('customer' in m.to && m.to.about !== m.to.customer ? (m.to.about ?? null) : null));
  // The foreign keys lock customers by message: before that, they are locked by id, like everywhere else.
  const made = await work.tx.rows<Made>(sql`
    WITH people AS MATERIALIZED (
      ${keepingCustomers(work.providerId, sql`${[...customers, ...about]}::bigint[]`)}
    )
    INSERT INTO message (provider_id, key, channel, purpose, kind, customer_id, about_customer_id, staff_id, subject,
      text_part, html_part, button, language, calendar, headers,
                         sealed, broadcast_id, fixed_recipient, queued_at, send_at, recipient, status, reason)
    SELECT m.provider_id, m.key, m.channel, m.purpose, m.kind, m.customer_id, m.about_customer_id, m.staff_id,
      m.subject, m.text_part, m.html_part, m.button, m.language, m.calendar, m.headers,
           m.sealed, m.broadcast_id, m.fixed_recipient, ${now}::timestamptz, coalesce(m.send_at, ${atOnce(work)}),
           ${addressNow},
           CASE WHEN v.reason IS NULL THEN 'queued' ELSE 'skipped' END, v.reason
    FROM (SELECT ${work.providerId}::bigint AS provider_id, * FROM unnest(
      ${all.map((m) => m.key)}::text[], ${all.map((m) => m.channel)}::text[], ${all.map((m) => m.purpose)}::text[],
      ${all.map((m) => m.kind)}::text[],
      ${customers}::bigint[],
      ${about}::bigint[],
      ${all.map((m) => ('staff' in m.to ? m.to.staff : null))}::bigint[],
      ${all.map((m) => m.subject?.slice(0, MAX_SUBJECT) ?? null)}::text[], ${all.map((m) => textOf(work, m))}::text[],
      ${all.map((m) => m.html ?? null)}::text[], ${all.map((m) => m.button ?? null)}::text[],
      ${all.map((m) => m.language ?? 'en')}::text[],
      ${all.map((m) => (m.calendar ? json(m.calendar) : null))}::jsonb[],
      ${all.map((m) => (m.headers ? json(m.headers) : null))}::jsonb[],
      ${all.map((m) => m.secret ?? false)}::boolean[], ${all.map((m) => m.broadcast ?? null)}::bigint[],
      ${all.map((m) => m.number !== undefined)}::boolean[],
      ${all.map((m) => (m.sendAt === undefined ? null : instant(m.sendAt)))}::timestamptz[],
      ${all.map((m) => m.number ?? null)}::text[]) WITH ORDINALITY
      AS given (key, channel, purpose, kind, customer_id, about_customer_id, staff_id, subject, text_part, html_part,
        button, language, calendar, headers, sealed, broadcast_id, fixed_recipient, send_at, recipient, nth)) m
    ${aroundMessage} CROSS JOIN LATERAL (SELECT ${verdictNow} AS reason OFFSET 0) v
    WHERE (SELECT count(*) FROM people) >= 0 AND (c.id IS NOT NULL OR st.id IS NOT NULL) ORDER BY m.nth
    ON CONFLICT (provider_id, key) DO NOTHING RETURNING key, id, reason`);
  await withinQuota(work, all, made);
  const known = new Map(made.map((row) => [row.key, row]));
  for (const { key, kind, to } of all)
    if (known.get(key)?.reason === null)
      work.tells(kind, 'staff' in to ? `staff ${to.staff}` : `customer ${to.customer}`);
  const missing = all.filter((m) => !known.has(m.key)).map((m) => m.key);
  if (missing.length > 0) {
    const before = await work.tx.rows<{ key: string; id: number; reason: SkipReason | null }>(
      sql`SELECT key, id, reason FROM message WHERE provider_id = ${work.providerId} AND key = ANY(${missing}::text[])`,
    );
    for (const row of before) known.set(row.key, row);
  }
  return all.map(({ key }) => ({
    id: known.get(key)?.id ?? null,
    skipped: known.has(key) ? known.get(key)!.reason : 'gone',
  }));
}

interface Made {
  readonly key: string;
  readonly id: number;
  reason: SkipReason | null;
}

/** Skips text messages beyond this month's quota: the later ones of those that were created. */
async function withinQuota(work: Work, all: readonly NewMessage[], made: readonly Made[]): Promise<void> {
  if (work.installation.messages.smsQuota === null) return;
  const texts = new Set(all.filter(({ channel }) => channel === 'sms').map(({ key }) => key));
  const queued = made.filter(({ key, reason }) => reason === null && texts.has(key));
  const over = queued.slice(await takeTexts(work, queued.length));
  if (over.length === 0) return;
  for (const one of over) one.reason = 'quota';
  await work.tx.run(
    sql`UPDATE message SET status = 'skipped', reason = 'quota',
      text_part = CASE WHEN sealed THEN NULL ELSE text_part END
        WHERE provider_id = ${work.providerId} AND id = ANY(${over.map(({ id }) => id)}::bigint[])`,
  );
}

const textOf = (work: Work, { secret, key, text }: NewMessage): string =>
  secret ? work.installation.box.seal(sealedFor(work.providerId, key), text) : text;

/** Returns the purpose that the text of a message is sealed for. */
export const sealedFor = (providerId: number, key: string): string => `message:${providerId}:${key}`;

/** Withdraws those of these messages that aren't sent yet: they are skipped as out of date. */
export async function withdrawMessages(work: Work, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return;
  await work.tx.run(
    sql`UPDATE message SET status = 'skipped', reason = 'outdated',
      text_part = CASE WHEN sealed THEN NULL ELSE text_part END
        WHERE provider_id = ${work.providerId} AND id = ANY(${ids}::bigint[]) AND status = 'queued'`,
  );
}

/**
 * Withdraws the unsent messages of a broadcast, and returns their number. This includes messages that a worker has
 * claimed, until their handover begins: the worker checks again before the last byte.
 */
export const withdrawBroadcast = (work: Work, broadcast: number): Promise<number> =>
  work.tx.run(
    sql`UPDATE message SET status = 'skipped', reason = 'withdrawn'
        WHERE provider_id = ${work.providerId} AND broadcast_id = ${broadcast}
          AND (status = 'queued' OR (status = 'sending' AND handed_at IS NULL))`,
  );
