/**
 * A batch of one business's items for one reader: read, acted on and marked as done in one transaction. A batch that
 * fails is halved until one item is left that fails alone. That item is retried with growing pauses, and finally set
 * aside.
 */
import { endWork } from '../unit/background-work.ts';
import { instant, sql } from '../../base/db/sql.ts';
import { isConnectionLoss } from '../../base/db/connections/loss.ts';
import { itemsWhere, type FeedItem } from '../feed/items.ts';
import { ownViewer } from '../access/viewer.ts';
import { beginBackground } from '../jobs/background-lock.ts';
import { businessTime, Work } from '../unit/work.ts';
import type { WorkerContext } from '../unit/background.ts';
import type { FeedReader } from '../unit/feed-reader.ts';
import type { Transaction } from '../../base/db/database.ts';

export type DispatchOptions = Omit<WorkerContext, 'url'>;

/**
 * Maximum number of sequence numbers in one transaction: large enough to be quick, small enough that a retry costs
 * little.
 */
export const PORTION = 500;

/** An item that failed alone this often, over more than four minutes, is set aside. */
export const MAX_ATTEMPTS = 9;
const FIRST_PAUSE_MS = 1000;
const ERROR_LENGTH = 2000;

interface Position {
  readonly last: number;
  readonly failsBy: number | null;
  readonly attempts: number;
  readonly end: number;
}

/** The work of one transaction. */
interface Portion {
  readonly from: Position;
  readonly items: readonly FeedItem[];
  /** the position of the reader if it succeeds */
  readonly to: number;
}

/**
 * `more`: there is more to read immediately. `rest`: done, or another worker is on it. `failed`: recorded, and retried
 * later.
 */
type Outcome = 'more' | 'rest' | 'failed';

export async function readPortion(o: DispatchOptions, reader: FeedReader, providerId: number): Promise<Outcome> {
  const tenant = await o.tenants.of(providerId);
  if (!tenant) return 'rest';
  let taken: Portion | null = null;
  try {
    return await o.db.transaction(providerId, async (tx) => {
      beginBackground(tx, [providerId]);
      taken = await takePortion(tx, reader, providerId);
      if (!taken) return 'rest';
      const { items, to, from } = taken;
      if (items.length > 0) {
        await actOn(o, { tx, tenant, reader, items });
        o.metrics.feedRead(reader.name, 'done');
      }
      tx.later(sql`
        UPDATE feed_reader_position SET last_seq = ${to}, fails_by = CASE WHEN fails_by > ${to} THEN fails_by END,
          attempts = 0, error = NULL, retry_at = NULL
        WHERE provider_id = ${providerId} AND reader = ${reader.name}`);
      return to < from.end ? 'more' : 'rest';
    });
  } catch (error) {
    // Without the database, the failure says nothing about the items, so none is recorded.
    if (!taken || isConnectionLoss(error)) throw error;
    await noteFailure(o, reader, providerId, taken, error);
    return 'failed';
  }
}

/** Runs the reader on items in the transaction, with all parts of a work. */
export async function actOn(
  { registry, installation, now }: DispatchOptions,
  {
    tx,
    tenant,
    reader,
    items,
  }: { tx: Transaction; tenant: Work['tenant']; reader: FeedReader; items: readonly FeedItem[] },
): Promise<void> {
  const actor = `feed:${reader.name}`;
  const work = new Work({
    tx,
    registry,
    tenant,
    viewer: ownViewer(tenant.providerId, actor),
    now: businessTime(tenant, now()),
    requestId: `feed-${items[0].seq}`,
    installation,
  });
  await reader.read(work, items);
  await endWork(work, registry, `feed ${reader.name}`);
}

async function takePortion(tx: Transaction, reader: FeedReader, providerId: number): Promise<Portion | null> {
  const from = await lockPosition(tx, reader.name, providerId);
  if (!from || from.last >= from.end) return null;
  const upTo = from.failsBy ?? Math.min(from.last + PORTION, from.end);
  const ofKinds = reader.kinds === null ? sql`true` : sql`kind = ANY(${reader.kinds}::text[])`;
  const all = await itemsWhere(
    tx,
    sql`provider_id = ${providerId} AND seq > ${from.last} AND seq <= ${upTo} AND ${ofKinds}`,
  );
  // After a failure, half of the batch: the other half is next.
  const items = from.failsBy === null ? all : all.slice(0, Math.ceil(all.length / 2));
  return { from, items, to: items.length < all.length ? items.at(-1)!.seq : upTo };
}

/** Returns the position of the reader, locked; null if another transaction holds it. */
async function lockPosition(tx: Transaction, reader: string, providerId: number): Promise<Position | null> {
  const locked = sql`
    SELECT r.last_seq AS last, r.fails_by AS "failsBy", r.attempts, p.last_seq AS end
    FROM feed_reader_position r JOIN feed_position p USING (provider_id)
    WHERE r.provider_id = ${providerId} AND r.reader = ${reader} FOR UPDATE OF r SKIP LOCKED`;
  const found = await tx.one<Position>(locked);
  if (found) return found;
  // A business that was created after the reader began is read from its first item.
  const made = await tx.run(
    sql`INSERT INTO feed_reader_position (provider_id, reader) VALUES (${providerId}, ${reader}) ON CONFLICT
      DO NOTHING`,
  );
  return made === 1 ? ((await tx.one<Position>(locked)) ?? null) : null;
}

const textOf = (error: unknown): string => {
  const { code, message } = error as { code?: string; message?: string };
  return `${code ? `${code} ` : ''}${message ?? String(error)}`.slice(0, ERROR_LENGTH);
};

/** Halves a batch that fails. For a single item, counts the failure, waits longer each time, and finally gives up. */
async function noteFailure(
  o: DispatchOptions,
  reader: FeedReader,
  providerId: number,
  { from, items, to }: Portion,
  error: unknown,
): Promise<void> {
  const { log, metrics, now, db } = o;
  const about = { err: error, reader: reader.name, provider: providerId, from: from.last + 1, to };
  metrics.feedRead(reader.name, 'failed');
  const single = items.length === 1;
  const failsBy = single ? items[0].seq : to;
  const attempts = single ? from.attempts + 1 : 0;
  const givesUp = attempts >= MAX_ATTEMPTS;
  const retryAt = single ? instant(now() + FIRST_PAUSE_MS * 2 ** (attempts - 1)) : null;
  const change = givesUp
    ? sql`last_seq = ${failsBy}, fails_by = CASE WHEN fails_by > ${failsBy} THEN fails_by END, attempts = 0,
      error = NULL, retry_at = NULL`
    : sql`fails_by = ${failsBy}, attempts = ${attempts}, error = ${textOf(error)}, retry_at = ${retryAt}::timestamptz`;
  const noted = await db.transaction(providerId, async (tx) => {
    // Unless another worker has made progress since.
    const mine = await tx.run(sql`
      UPDATE feed_reader_position SET ${change}
      WHERE provider_id = ${providerId} AND reader = ${reader.name} AND last_seq = ${from.last}
        AND attempts = ${from.attempts} AND fails_by IS NOT DISTINCT FROM ${from.failsBy}`);
    if (mine === 1 && givesUp) {
      await tx.run(sql`
        INSERT INTO feed_item_set_aside (provider_id, reader, seq, attempts, error, set_aside_at)
        VALUES (${providerId}, ${reader.name}, ${failsBy}, ${attempts}, ${textOf(error)},
          ${instant(now())}::timestamptz) ON CONFLICT DO NOTHING`);
    }
    return mine === 1;
  });
  if (!noted) return;
  if (!givesUp) return log.warn({ ...about, attempts }, 'a reader of the feed failed; the items are tried again');
  metrics.feedRead(reader.name, 'set_aside');
  log.error(
    { ...about, seq: failsBy, kind: items[0].kind, attempts },
    'a reader of the feed goes on without an item that it cannot act on; "rollcall feed list" shows it',
  );
}
