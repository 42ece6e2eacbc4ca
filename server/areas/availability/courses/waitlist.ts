/**
 * The waitlist for a whole series. When every remaining session has a free place, the schedule holds a seat at each for
 * the first in line, for a day, and the customer is notified.
 */
import { one, say } from '../../../kernel/base/values/words.ts';
import { COURSE_NOTICES, notifyCustomers } from './notices.ts';
import { COURSE_PROBLEMS } from './problems.ts';
import { holdSeats, lockEvents, releaseHolds } from '../../scheduling/schedule/index.ts';
import { insertRow, updateRow } from '../../../kernel/work/unit/row.ts';
import { instant, sql } from '../../../kernel/base/db/sql.ts';
import { spokenMoment } from '../../../kernel/base/languages/spoken.ts';
import { offerOf, oneSeries, type Session } from './facts.ts';
import { Problem } from '../../../kernel/base/problem.ts';
import { courseWaitlistFeed } from './feed.ts';
import type { FeedReader } from '../../../kernel/work/unit/feed-reader.ts';
import type { Job } from '../../../kernel/work/unit/job.ts';
import type { Transaction } from '../../../kernel/base/db/database.ts';
import type { Work } from '../../../kernel/work/unit/work.ts';

const TASK = 'offer_course_places';
const HELD_FOR = 'course_waitlist_spot';
const KEPT_MS = 24 * 3_600_000;
/** Seats that checkouts hold are freed without a feed item. */
const LOOK_MS = 10 * 60_000;

interface Spot extends Record<string, unknown> {
  readonly id: number;
  readonly course_date_series_id: number;
  readonly customer_id: number;
  readonly status: string;
  readonly offered_until: number | null;
}

/** Enqueues a check, after commit, if a customer on the waitlist can be offered a place. */
export const offerPlaces = (work: Work, series: number, runAt?: number): void =>
  work.enqueue({ task: TASK, payload: { course_date_series: series }, key: `course_date_series:${series}`, runAt });

const payloadOf = ({ id, course_date_series_id: series, customer_id: customer }: Spot) => ({
  course_waitlist_spot: id,
  course_date_series: series,
  customer,
});

const isFull = ({ max, taken }: Session): boolean => max !== null && taken >= max;

export async function joinSeries(work: Work, series: number, customer: number): Promise<number> {
  const facts = await oneSeries(work, series);
  const offer = offerOf(facts, work.now);
  if (offer.refusal) throw new Problem(COURSE_PROBLEMS.course_not_open, offer.refusal);
  const [mine] = await work.tx.rows<Spot>(
    sql`SELECT * FROM course_waitlist_spot WHERE provider_id = ${work.providerId} AND course_date_series_id = ${series}
      AND customer_id = ${customer} AND status IN ('waiting', 'offered')`,
  );
  if (mine) return mine.id;
  const enrolledAlready = await work.tx.one(
    sql`SELECT id FROM course_enrollment WHERE provider_id = ${work.providerId} AND course_date_series_id = ${series}
      AND customer_id = ${customer} AND status = 'active'`,
  );
  if (enrolledAlready)
    throw new Problem(COURSE_PROBLEMS.already_enrolled, {
      staff: 'The customer is already enrolled in this series.',
      customer: say`You are already enrolled in these ${one.course} dates.`,
    });
  if (!offer.left.some(isFull))
    throw new Problem(COURSE_PROBLEMS.course_waitlist_not_needed, {
      staff: 'The series has a free place. Enrol the customer instead.',
      customer: say`There is a free ${one.spot}. Book it instead of joining the ${one.waitlist}.`,
    });
  const id = await insertRow(work, 'course_waitlist_spot', {
    course_date_series_id: series,
    customer_id: customer,
    added_at: instant(work.now),
  });
  work.record(courseWaitlistFeed.joined, id, { course_waitlist_spot: id, course_date_series: series, customer });
  work.effect('course_waitlist_joined', 'course_waitlist_spot', id, { customer });
  offerPlaces(work, series, work.now + LOOK_MS);
  return id;
}

async function lockSpots(work: Work, which: { readonly series: number; readonly customer?: number }): Promise<Spot[]> {
  const rows = await work.tx.rows<Spot>(sql`
    SELECT * FROM course_waitlist_spot WHERE provider_id = ${work.providerId}
      AND course_date_series_id = ${which.series}
      AND (${which.customer ?? null}::bigint IS NULL OR customer_id = ${which.customer ?? null})
      AND status IN ('waiting', 'offered')
    ORDER BY id FOR NO KEY UPDATE`);
  for (const row of rows) work.touch('course_waitlist_spot', row.id, row);
  return rows;
}

/** Ends the wait of a customer who got a place in any way; the seats that were held for them are booked already. */
export async function endWaiting(
  work: Work,
  of: { readonly series: number; readonly customer: number },
): Promise<void> {
  for (const spot of await lockSpots(work, of)) {
    await updateRow(work, 'course_waitlist_spot', spot.id, { status: 'enrolled' });
    work.record(courseWaitlistFeed.ended, spot.id, payloadOf(spot));
  }
}

/** Removes a customer from the waitlist, and releases the seats that are held for them. */
export async function leaveSeries(work: Work, series: number, customer: number): Promise<number | null> {
  const { sessions } = await oneSeries(work, series);
  await lockEvents(
    work,
    sessions.map(({ event }) => event),
  );
  const [spot] = await lockSpots(work, { series, customer });
  if (!spot) return null;
  await updateRow(work, 'course_waitlist_spot', spot.id, { status: 'left' });
  if (spot.status === 'offered') await releaseHolds(work, { object: HELD_FOR, ids: [spot.id] });
  work.record(courseWaitlistFeed.left, spot.id, payloadOf(spot));
  work.effect('course_waitlist_left', 'course_waitlist_spot', spot.id, { customer });
  offerPlaces(work, series);
  return spot.id;
}

/** Ends all waits for a series that is cancelled. Its events are locked, and their holds have ended with them. */
export async function endAllWaiting(work: Work, series: number): Promise<void> {
  for (const spot of await lockSpots(work, { series })) {
    await updateRow(work, 'course_waitlist_spot', spot.id, { status: 'ended' });
    work.record(courseWaitlistFeed.ended, spot.id, payloadOf(spot));
  }
}

/** Ends expired offers, and offers free places to the next in line. */
async function offer(work: Work, { course_date_series: id }: { course_date_series: number }): Promise<void> {
  const before = await oneSeries(work, id);
  await lockEvents(
    work,
    before.sessions.map(({ event }) => event),
  );
  const spots = await lockSpots(work, { series: id });
  if (spots.length === 0) return;
  const open = offerOf(await oneSeries(work, id), work.now);
  if (open.left.length === 0 || open.refusal) return endAllWaiting(work, id);
  const over = spots.filter((spot) => spot.status === 'offered' && spot.offered_until! <= work.now);
  for (const spot of over) {
    await updateRow(work, 'course_waitlist_spot', spot.id, { status: 'expired' });
    work.record(courseWaitlistFeed.ended, spot.id, payloadOf(spot));
  }
  if (over.length > 0) await releaseHolds(work, { object: HELD_FOR, ids: over.map((spot) => spot.id) });
  const after = offerOf(await oneSeries(work, id), work.now).left;
  let free = Math.min(...after.map(({ max, taken }) => (max === null ? Infinity : max - taken)));
  for (const spot of spots.filter(({ status }) => status === 'waiting')) {
    if (free <= 0) break;
    if (await keep(work, spot, after, before.name)) free--;
  }
  const next = spots.flatMap(({ offered_until: until }) => (until !== null && until > work.now ? [until] : []));
  offerPlaces(work, id, Math.min(work.now + LOOK_MS, ...next));
}

/** Holds a seat at each session; returns false if the customer can no longer take part. */
async function keep(work: Work, spot: Spot, left: readonly Session[], name: string): Promise<boolean> {
  const until = Math.min(work.now + KEPT_MS, ...left.map(({ startsAt }) => startsAt));
  const by = { object: HELD_FOR, id: spot.id };
  try {
    await work.tx.attempt(() =>
      holdSeats(
        work,
        left.map(({ event }) => ({ event, customer: spot.customer_id, until, by, part: true })),
      ),
    );
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    await updateRow(work, 'course_waitlist_spot', spot.id, { status: 'ended' });
    work.record(courseWaitlistFeed.ended, spot.id, payloadOf(spot));
    return false;
  }
  await updateRow(work, 'course_waitlist_spot', spot.id, { status: 'offered', offered_until: instant(until) });
  work.record(courseWaitlistFeed.offered, spot.id, payloadOf(spot));
  const url = `${work.installation.baseUrl}/account/${work.providerId}/profile`;
  await notifyCustomers(work, {
    type: COURSE_NOTICES.placeOffered,
    customers: [spot.customer_id],
    key: `${spot.id}:${until}`,
    values: (reader) => ({
      'course.name': name,
      'offer.until': spokenMoment(reader, until, left[0].zone),
      'claim.url': url,
    }),
    push: { text: () => '', url, until },
  });
  return true;
}

export const offerJob: Job = { task: TASK, run: offer };

/** A booking that is cancelled, or an event whose capacity is raised, may free the last session that was full. */
export const placesReader: FeedReader = {
  name: 'course_places',
  kinds: ['event_registration.cancelled', 'event_registration.late_cancelled', 'event.changed'],
  async read(work, items) {
    const events = [...new Set(items.map(({ payload }) => payload.event as number))];
    const series = await work.tx.rows<{ id: number }>(sql`
      SELECT DISTINCT d.course_date_series_id AS id FROM course_date d WHERE d.provider_id = ${work.providerId}
        AND d.event_id = ANY(${events}::bigint[]) AND EXISTS (SELECT FROM course_waitlist_spot w
          WHERE w.provider_id = d.provider_id AND w.course_date_series_id = d.course_date_series_id
            AND w.status IN ('waiting', 'offered'))
      ORDER BY 1`);
    for (const { id } of series) offerPlaces(work, id);
  },
};

/** Finds series with customers on the waitlist whose job was lost with its queue. */
export const sweepWaitlists = (tx: Transaction, now: number): Promise<unknown> =>
  tx.run(sql`
    SELECT enqueue_job(${TASK},
      json_build_object('provider_id', provider_id, 'course_date_series', course_date_series_id),
      provider_id || ':course_date_series:' || course_date_series_id, ${instant(now)}::timestamptz)
    FROM (SELECT DISTINCT provider_id, course_date_series_id FROM course_waitlist_spot
      WHERE status IN ('waiting', 'offered') LIMIT 1000) AS waiting`);
