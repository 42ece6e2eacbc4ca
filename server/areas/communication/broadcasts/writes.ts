/** Writes of broadcasts: draft, sending and cancellation. */
import { countAudience, NOBODY, type Counts } from './audience.ts';
import { begins, ends, isDeferred, type Deferral } from './rules/when.ts';
import { broadcastMessageFeed } from './feed.ts';
import { changedNames, insertRow, updateRow } from '../../../kernel/work/unit/row.ts';
import { checkComplete, checkContent } from './template.ts';
import { giveBack, take } from '../../people/identity/index.ts';
import { instant, json, sql } from '../../../kernel/base/db/sql.ts';
import { invalid } from '../../../kernel/base/problem.ts';
import { withdrawBroadcast, type Channel } from '../messages/index.ts';
import type { Target } from './target.ts';
import type { Work } from '../../../kernel/work/unit/work.ts';

export interface Broadcast {
  readonly id: number;
  readonly status: 'draft' | 'scheduled' | 'sending' | 'sent' | 'cancelled';
  readonly channel: Channel;
  readonly use_case: 'marketing' | 'general';
  readonly subject: string | null;
  readonly message: string;
  readonly html: string | null;
  readonly target_recipients: Target;
  /** epoch milliseconds */
  readonly defer_at: number | null;
  readonly defer_local: string | null;
  readonly recipient_counts: Counts;
  readonly written_to: number;
  readonly written: boolean;
  readonly quota_period: string | null;
  readonly quota_taken: number;
}

export interface BroadcastValues {
  channel: Channel;
  use_case: 'marketing' | 'general';
  subject?: string | null;
  message: string;
  html?: string | null;
  target_recipients: Target;
  defer_sending?: { at?: number; local_time?: string } | null;
}

/** Returns properties as columns. */
function columnsOf({
  subject,
  target_recipients,
  defer_sending,
  ...same
}: Partial<BroadcastValues>): Record<string, unknown> {
  const deferral =
    defer_sending === undefined
      ? {}
      : { defer_at: instant(defer_sending?.at ?? null), defer_local: defer_sending?.local_time ?? null };
  return {
    ...same,
    ...(subject !== undefined && { subject: subject?.trim() || null }),
    ...(target_recipients && { target_recipients: json(target_recipients) }),
    ...deferral,
  };
}

/** Returns the zones in which recipients may be. */
const zonesOf = async ({ tx, providerId, tenant }: Work): Promise<string[]> => [
  ...new Set([
    tenant.zone,
    ...(
      await tx.rows<{ timezone: string }>(sql`SELECT DISTINCT timezone FROM venue WHERE provider_id = ${providerId}`)
    ).map((v) => v.timezone),
  ]),
];

async function checkDeferral(work: Work, deferral: Deferral): Promise<number | null> {
  if (!isDeferred(deferral)) return null;
  const zones = await zonesOf(work);
  // Allowed while the time is still ahead somewhere: zones that it has passed already get the message with the first.
  if (ends(deferral, zones)! <= work.now)
    throw invalid(
      `defer_sending.${deferral.at === null ? 'local_time' : 'at'}`,
      'This time has already passed. Leave out defer_sending, or send null, to send immediately.',
    );
  return Math.max(begins(deferral, zones)!, work.now);
}

const deferralOf = ({ defer_at, defer_local }: Broadcast): Deferral => ({ at: defer_at, local: defer_local });

export const readBroadcast = async ({ tx, providerId }: Work, id: number): Promise<Broadcast> =>
  (await tx.one<Broadcast>(sql`SELECT * FROM broadcast_message WHERE provider_id = ${providerId} AND id = ${id}`))!;

function checkForm({ defer_sending: deferral }: Partial<BroadcastValues>): void {
  if (deferral && (deferral.at === undefined) === (deferral.local_time === undefined))
    throw invalid('defer_sending', 'Send either "at" or "local_time".');
}

async function checkSaved(work: Work, id: number): Promise<void> {
  const saved = await readBroadcast(work, id);
  checkContent(saved);
  await checkDeferral(work, deferralOf(saved));
}

/** Creates a broadcast. @throws Problem that names the property */
export async function createBroadcast(work: Work, values: BroadcastValues): Promise<number> {
  checkForm(values);
  const counts = await countAudience(work, values.target_recipients, values);
  const id = await insertRow(work, 'broadcast_message', {
    ...columnsOf(values),
    recipient_counts: json(counts),
    counted_at: instant(work.now),
  });
  await checkSaved(work, id);
  work.record(broadcastMessageFeed.created, id, { broadcast_message: id });
  return id;
}

/** Changes a broadcast. @throws Problem that names the property */
export async function changeBroadcast(work: Work, id: number, values: Partial<BroadcastValues>): Promise<void> {
  checkForm(values);
  const before = await readBroadcast(work, id);
  if (!(await updateRow(work, 'broadcast_message', id, columnsOf(values)))) return;
  await checkSaved(work, id);
  if (whom(before) !== whom(await readBroadcast(work, id))) await count(work, id);
  work.record(broadcastMessageFeed.updated, id, { broadcast_message: id, changed: changedNames(values) });
}

/** Returns the properties that determine the recipients. */
const whom = ({ channel, use_case, target_recipients }: Broadcast): string =>
  json([channel, use_case, target_recipients]);

async function count(work: Work, id: number): Promise<Broadcast> {
  const broadcast = await readBroadcast(work, id);
  const counts = await countAudience(work, broadcast.target_recipients, broadcast);
  await updateRow(work, 'broadcast_message', id, { recipient_counts: json(counts), counted_at: instant(work.now) });
  return { ...broadcast, recipient_counts: counts };
}

/**
 * Hands the broadcast over to a worker, immediately or for its time. Nothing is queued before the whole broadcast is
 * known to fit.
 */
export async function sendBroadcast(work: Work, id: number): Promise<void> {
  const broadcast = await count(work, id);
  const { channel, recipient_counts: counts } = broadcast;
  checkComplete(broadcast);
  const at = await checkDeferral(work, deferralOf(broadcast));
  // A later broadcast may have recipients by its time.
  if (at === null && counts.recipients === 0)
    throw invalid('target_recipients', 'Nobody would receive it. recipients_preview shows why.');
  const quota =
    channel === 'email'
      ? { quota_period: await take(work, at ?? work.now, counts.recipients), quota_taken: counts.recipients }
      : {};
  await updateRow(work, 'broadcast_message', id, {
    ...quota,
    status: at === null ? 'sending' : 'scheduled',
    sent_by_id: work.viewer.staffId,
    scheduled_at: instant(at),
    next_at: instant(at ?? work.now),
    ...(at === null && { recipient_counts: json(NOBODY) }),
  });
  if (at !== null) work.record(broadcastMessageFeed.scheduled, id, { broadcast_message: id });
  const detail = { ...counts, at: instant(at ?? work.now) };
  if (at === null) work.effect('send', 'broadcast_message', id, detail);
  else work.effect('schedule', 'broadcast_message', id, detail);
}

/** Cancels the broadcast: unsent messages are never sent. `failure`: the reason, if the service itself cancels it. */
export async function cancelBroadcast(
  work: Work,
  { id, status, quota_period, quota_taken, recipient_counts }: Broadcast,
  failure: string | null = null,
): Promise<void> {
  const withdrawn = await withdrawBroadcast(work, id);
  // Quota for people whose messages were never written, or were written and withdrawn.
  const unused =
    quota_period === null
      ? 0
      : Math.max(quota_taken - (status === 'sending' ? recipient_counts.recipients : 0) + withdrawn, 0);
  await giveBack(work, quota_period, unused);
  await updateRow(work, 'broadcast_message', id, {
    status: 'cancelled',
    cancelled_at: instant(work.now),
    next_at: null,
    quota_taken: Math.max(quota_taken - unused, 0),
    failure,
  });
  work.record(broadcastMessageFeed.cancelled, id, { broadcast_message: id });
  work.effect('cancel', 'broadcast_message', id, { withdrawn });
}
