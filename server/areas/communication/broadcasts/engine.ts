/**
 * Writes broadcasts into the ledger, one portion per transaction, and detects when everything is sent. The progress is
 * in the row that the transaction locks, so any worker can continue, even after one was killed.
 */
import { added, countsOf, judged, BROADCAST, purposeOf, type Counts } from './audience.ts';
import { broadcastMessageFeed } from './feed.ts';
import { cancelBroadcast, type Broadcast } from './writes.ts';
import { find, lookupContext, type Found } from './target.ts';
import { giveBack, takeUpTo } from '../../people/identity/index.ts';
import { instant, json, raw, sql, type Sql } from '../../../kernel/base/db/sql.ts';
import { Loops } from '../../../kernel/work/worker/loops.ts';
import { backgroundWork } from '../../../kernel/work/unit/background-work.ts';
import { queueMessages, type NewMessage } from '../messages/index.ts';
import { Problem } from '../../../kernel/base/problem.ts';
import { rendered, valuesOf, type Reader } from './template.ts';
import { sendAt } from './rules/when.ts';
import { updateRow } from '../../../kernel/work/unit/row.ts';
import type { Engine, EngineContext, RunningEngine } from '../../../kernel/work/unit/engine.ts';
import { businessTime, type Work } from '../../../kernel/work/unit/work.ts';

const WHY = 'broadcasts of every business are written';
const IDLE_MS = 200;
/** broadcasts that take turns, with a portion each */
const TURNS = 20;
/** Few sizes, so that there are few prepared statements. */
const PORTIONS = [500, 200, 100, 50, 20];
/** characters of messages in one statement, so that long messages take no more memory than short ones */
const MAX_TEXT = 2_000_000;
/** Interval of the check whether the rest is sent. */
const LOOK_MS = 1000;
const AFTER_FAILURE_MS = 10_000;

interface Person extends Reader {
  readonly id: number;
  readonly zone: string;
  readonly reason: string | null;
}

export const broadcastEngine: Engine = {
  name: 'broadcasts',
  start: async (context) => new BroadcastEngine(context),
  ofTestBusiness: {
    due: (provider) => [
      sql`(SELECT min(d.next_at) FROM broadcast_message d WHERE d.provider_id = ${provider} AND d.next_at IS NOT NULL)`,
    ],
    async act(context, tenant) {
      const due = await context.db.looking(tenant.providerId, (tx) =>
        tx.rows<Due>(dueAt(businessTime(tenant, context.now()))),
      );
      let acted = false;
      for (const one of due) if (await turn(context, one)) acted = true;
      return acted;
    },
  },
};

interface Due {
  readonly provider_id: number;
  readonly id: number;
}

const dueAt = (now: number): Sql =>
  sql`SELECT provider_id, id FROM broadcast_message WHERE next_at <= ${instant(now)} ORDER BY next_at
    LIMIT ${raw(String(TURNS))}`;

/** Takes one turn; returns true if there was something to do. A broadcast that fails doesn't delay the others. */
async function turn(o: EngineContext, { provider_id: provider, id }: Due): Promise<boolean> {
  try {
    return (await backgroundWork(o, provider, 'broadcasts', (work) => step(work, id))) === true;
  } catch (err) {
    o.log.warn({ err, provider, broadcast: id }, 'writing a broadcast: will try again');
    await backgroundWork(o, provider, 'broadcasts', (work) =>
      work.tx.run(
        sql`UPDATE broadcast_message SET next_at = ${instant(work.now + AFTER_FAILURE_MS)}
          WHERE provider_id = ${provider} AND id = ${id} AND next_at IS NOT NULL`,
      ),
    );
    return false;
  }
}

class BroadcastEngine implements RunningEngine {
  readonly #o: EngineContext;
  readonly #loops: Loops;

  constructor(context: EngineContext) {
    this.#o = context;
    this.#loops = new Loops(context.log);
    this.#loops.repeat('writing of broadcasts', IDLE_MS, async () => {
      let acted = false;
      for (const one of await this.#due()) if (!this.#loops.stopped && (await turn(this.#o, one))) acted = true;
      return acted;
    });
  }

  stop(): Promise<void> {
    return this.#loops.stop();
  }

  #due(): Promise<Due[]> {
    const { db, now } = this.#o;
    return db.acrossTenants(WHY, (tx) => tx.rows<Due>(dueAt(now())));
  }
}

/** Takes the next step of a broadcast; returns false if another worker is processing it. */
async function step(work: Work, id: number): Promise<boolean> {
  const row = await work.tx.one(
    sql`SELECT * FROM broadcast_message WHERE provider_id = ${work.providerId} AND id = ${id}
      AND next_at <= ${instant(work.now)} FOR UPDATE SKIP LOCKED`,
  );
  if (!row) return false;
  const broadcast = row as Broadcast;
  const found = broadcast.written ? null : await findOr(work, broadcast, row);
  if (found) await writePortion(work, broadcast, found, row);
  if (broadcast.written) await lookWhetherSent(work, broadcast, row);
  return true;
}

/** Ends a broadcast whose filters can no longer be read, so that nobody gets it by mistake. */
async function findOr(work: Work, broadcast: Broadcast, row: Record<string, unknown>): Promise<Found | null> {
  try {
    return await find(lookupContext(work), broadcast.target_recipients);
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    work.touch('broadcast_message', broadcast.id, row);
    await cancelBroadcast(work, broadcast, error.message.slice(0, 500));
    return null;
  }
}

function portionOf({ message, html, subject }: Broadcast): number {
  const length = message.length + (html?.length ?? 0) + (subject?.length ?? 0);
  return PORTIONS.find((n) => n * length <= MAX_TEXT) ?? PORTIONS.at(-1)!;
}

async function writePortion(
  work: Work,
  broadcast: Broadcast,
  found: Found,
  row: Record<string, unknown>,
): Promise<void> {
  const { tx } = work;
  const { id, written_to: after } = broadcast;
  const size = portionOf(broadcast);
  const { from, customer, input } = found;
  const next = await tx.rows<{ id: number }>(
    sql`SELECT DISTINCT ${customer} AS id FROM ${from} AND ${customer} > ${after}::bigint ORDER BY 1
      LIMIT ${raw(String(size))}`,
    input,
  );
  const people = await peopleOf(
    work,
    broadcast,
    found,
    next.map((c) => c.id),
  );
  const { recipients, quota_taken } = await withinQuota(
    work,
    broadcast,
    people.filter((p) => p.reason === null),
  );
  const getting = new Set(recipients);
  const left = people.filter((p) => !getting.has(p));
  await queueMessages(work, await messagesOf(work, broadcast, recipients));
  await exclude(work, id, left);
  const by = [...Map.groupBy(people, (p) => (getting.has(p) ? null : (p.reason ?? 'quota')))].map(([reason, of]) => ({
    reason,
    n: of.length,
  }));
  // A scheduled broadcast is counted again, because its recipients have changed in the meantime.
  const before: Counts | null = broadcast.status === 'scheduled' ? null : broadcast.recipient_counts;
  const here = countsOf(next.length, by);
  const counts = before ? added(before, here) : here;
  const written = next.length < size;
  if (written) await giveBack(work, broadcast.quota_period, quota_taken - counts.recipients);
  if (broadcast.status === 'scheduled' || written) work.touch('broadcast_message', id, row);
  await updateRow(work, 'broadcast_message', id, {
    status: 'sending',
    written_to: next.at(-1)?.id ?? after,
    written,
    recipient_counts: json(counts),
    counted_at: instant(work.now),
    quota_taken: written && broadcast.quota_period !== null ? Math.min(quota_taken, counts.recipients) : quota_taken,
    next_at: instant(work.now),
  });
}

/** Returns the readers of messages for these customers who are not decided yet. */
async function peopleOf(
  work: Work,
  { id, channel, use_case }: Broadcast,
  { input }: Found,
  customers: readonly number[],
): Promise<Person[]> {
  if (customers.length === 0) return [];
  const ours = sql`k.provider_id = ${work.providerId} AND k.customer_id = r.id`;
  const fresh = sql`NOT EXISTS (SELECT FROM message k WHERE ${ours} AND k.broadcast_id = ${id})
    AND NOT EXISTS (SELECT FROM broadcast_exclusion k WHERE ${ours} AND k.broadcast_message_id = ${id})`;
  // Two customers of a business never share an email address, but sometimes a phone number.
  const taken =
    channel === 'sms'
      ? sql`
        EXISTS (SELECT FROM message k WHERE k.provider_id = ${work.providerId} AND k.broadcast_id = ${id}
          AND k.channel = 'sms' AND k.recipient = q.address)`
      : raw('false');
  return work.tx.rows<Person>(
    sql`SELECT a.*
      FROM (${judged(sql`SELECT unnest(${customers}::bigint[]) AS id`, { channel, use_case }, { fresh, taken })}) a
      ORDER BY a.id`,
    input,
  );
}

/**
 * Takes from the quota again, because there may be more recipients than were counted: the surplus is taken from what is
 * left, and readers beyond the quota get nothing.
 */
async function withinQuota(
  work: Work,
  { quota_period, quota_taken, status, recipient_counts }: Broadcast,
  recipients: readonly Person[],
): Promise<{ recipients: readonly Person[]; quota_taken: number }> {
  if (quota_period === null) return { recipients, quota_taken };
  const written = status === 'scheduled' ? 0 : recipient_counts.recipients;
  const over = written + recipients.length - quota_taken;
  if (over <= 0) return { recipients, quota_taken };
  const got = await takeUpTo(work, quota_period, over);
  return { recipients: recipients.slice(0, recipients.length - (over - got)), quota_taken: quota_taken + got };
}

async function messagesOf(work: Work, broadcast: Broadcast, recipients: readonly Person[]): Promise<NewMessage[]> {
  const { name } = (await work.tx.one<{ name: string }>(
    sql`SELECT name FROM provider WHERE provider_id = ${work.providerId}`,
  ))!;
  return recipients.map((person) => ({
    ...rendered(broadcast, valuesOf(person, name)),
    purpose: purposeOf(broadcast),
    kind: BROADCAST.type,
    to: { customer: person.id },
    key: `broadcast:${broadcast.id}:${person.id}`,
    broadcast: broadcast.id,
    sendAt: sendAt({ at: null, local: broadcast.defer_local }, person.zone, work.now),
  }));
}

const exclude = async (work: Work, id: number, people: readonly Person[]): Promise<unknown> =>
  people.length > 0 &&
  work.tx.run(sql`
    INSERT INTO broadcast_exclusion (provider_id, broadcast_message_id, customer_id, reason)
    SELECT ${work.providerId}::bigint, ${id}::bigint, p.id, p.reason
    FROM unnest(${people.map((p) => p.id)}::bigint[], ${people.map((p) => p.reason ?? 'quota')}::text[]) AS p
      (id, reason)
    ORDER BY p.id
    ON CONFLICT DO NOTHING`);

async function lookWhetherSent(work: Work, { id }: Broadcast, row: Record<string, unknown>): Promise<void> {
  const left = await work.tx.one<{ send_at: number }>(
    sql`SELECT send_at FROM message WHERE provider_id = ${work.providerId} AND broadcast_id = ${id}
      AND status IN ('queued', 'sending') ORDER BY send_at LIMIT 1`,
  );
  if (left) {
    await work.tx.run(
      sql`UPDATE broadcast_message SET next_at = ${instant(Math.max(left.send_at, work.now + LOOK_MS))}
        WHERE provider_id = ${work.providerId} AND id = ${id}`,
    );
    return;
  }
  work.touch('broadcast_message', id, row);
  await updateRow(work, 'broadcast_message', id, { status: 'sent', sent_at: instant(work.now), next_at: null });
  work.record(broadcastMessageFeed.sent, id, { broadcast_message: id });
}
