import { action, one, staffWith } from '../../../kernel/api/endpoint.ts';
import { boolean, called, date, listOf, object, refs, text } from '../../../kernel/base/fields/kinds.ts';
import { bulkAction, startBulkAction } from '../../platform/bulk/index.ts';
import { closeEvents, type Closing } from './closing.ts';
import { businessClosureFeed } from './feed.ts';
import { daysOf, MAX_DAYS } from './rules/days.ts';
import { extendMemberships, membershipsOn } from './extending.ts';
import { instant, sql } from '../../../kernel/base/db/sql.ts';
import { invalid, Problem } from '../../../kernel/base/problem.ts';
import { previewed } from './preview.ts';
import { venuesToClose } from '../../places/venues/index.ts';
import { wallAt } from '../../../kernel/base/values/zone.ts';
import type { Work } from '../../../kernel/work/unit/work.ts';

/** Nobody could oversee a bulk action over more. */
const MAX_EVENTS = 10_000;
/** Days multiplied by venues. */
const MAX_CLOSURES = 2000;

export const notify = called(
  'closure_notice',
  object({
    email: object({
      send: boolean().default(true),
      message: text({ max: 4000 }).nullable().optional().describe('Additional words of the business.'),
    })
      .nullable()
      .optional(),
  }),
)
  .nullable()
  .optional();

type Notify = { email?: { send: boolean; message?: string | null } | null } | null | undefined;

/**
 * Returns the message for the people concerned; null if they aren't notified. They are notified unless staff decide
 * otherwise.
 */
export const wordsOf = (said: Notify, reason: string | null = null): string | null =>
  said?.email?.send === false ? null : [reason, said?.email?.message].filter(Boolean).join('\n\n');

export const bulkClose = action({
  path: '/business_closures/bulk_close',
  summary: 'Close days, and cancel their events',
  description: `Closes days at all venues, or at some. The days are closed immediately: nothing can be planned on them any more. A job cancels their events that have not started, and each has its own result. Bookings end without counting as late, and whatever paid for them is given back. Days that are closed already are left as they are. A dry run shows everything that the closure touches. At most ${MAX_DAYS} days in one call.`,
  tells: true,
  who: staffWith('super_admin'),
  body: {
    dates: listOf(date(), { max: MAX_DAYS }).optional().describe('Send either this, or `from` and `to`.'),
    from: date().optional().describe('The first day.'),
    to: date().optional().describe('The last day.'),
    venues: refs('venue', { min: 1, max: 1000 }).nullable().optional().describe('If left out or null, all venues.'),
    reason: text({ max: 500 })
      .nullable()
      .optional()
      .describe(
        'Why, in words for customers: shown to everybody with the closed day, also without logging in, and part of the message about it. Leave out what is only for staff.',
      ),
    notify: notify.describe(
      'The message to people who lose a booking or a spot on a waitlist. They are notified unless `send` is false.',
    ),
    extend_memberships: boolean()
      .default(false)
      .describe(
        'True makes packs and prepaid memberships last longer: by one day for each closed day on which they could have been used. They keep these days if the closure is undone.',
      ),
  },
  returns: one(bulkAction),
  problems: ['already_exists'],
  run: async ({ work, body, dryRun }) => {
    const at = body.venues ? [...new Set(body.venues)] : null;
    const venues = await venuesToClose(work, at, !dryRun);
    const days = readDays(work, body, venues);
    const pairs = await openPairs(work, days, at);
    if (pairs.length === 0)
      throw new Problem('already_exists', 'All of these days are closed already.', {
        [body.dates ? 'dates' : 'from']: ['All of these days are closed already.'],
      });
    if (pairs.length > MAX_CLOSURES)
      throw invalid(
        'venues',
        `These are ${pairs.length} closures, one for each day and venue, and one call can make at most ${MAX_CLOSURES}. Close fewer days at a time, or leave out \`venues\` to close all of them.`,
      );
    const events = await eventsOn(work, pairs);
    if (events.length > MAX_EVENTS)
      throw invalid(
        body.dates ? 'dates' : 'to',
        `${events.length} events take place on these days, and one call can cancel at most ${MAX_EVENTS}. Close fewer days at a time.`,
      );
    const reason = body.reason ?? null;
    const parameters: Closing = { notify: wordsOf(body.notify, reason) };
    const ids = events.map((event) => event.id);
    const places = at ?? venues.map((venue) => venue.id);
    const started = await startBulkAction(work, closeEvents, ids, parameters, places);
    const closures = await insertClosures(work, { pairs, reason, bulkAction: started, events });
    if (dryRun) await previewed(work, closeEvents, ids, parameters);
    if (dryRun)
      for (const closure of closures) await work.registry.previewEffects(work, businessClosureFeed.created, closure);
    if (body.extend_memberships) await extend(work, [...new Set(pairs.map((pair) => pair.date))], dryRun);
    return started;
  },
});

async function extend(work: Work, days: readonly string[], dryRun: boolean): Promise<void> {
  const ids = await membershipsOn(work, days);
  if (dryRun) await previewed(work, extendMemberships, ids, { days });
  else if (ids.length > 0) await startBulkAction(work, extendMemberships, ids, { days });
}

/**
 * Returns the days of a request. Today is the earliest date at any of the venues: a day can be closed as long as it has
 * not ended everywhere.
 */
function readDays(
  { now, tenant }: Work,
  body: { dates?: string[]; from?: string; to?: string },
  venues: readonly { readonly timezone: string }[],
): readonly string[] {
  const todays = [...new Set(venues.map((venue) => venue.timezone))].map((zone) => wallAt(now, zone).date);
  const days = daysOf(body, todays.toSorted()[0] ?? wallAt(now, tenant.zone).date);
  if ('message' in days) throw invalid(days.field, days.message);
  return days.days;
}

/** A day at one venue, or at all. */
interface Pair {
  readonly date: string;
  readonly venue: number | null;
}

/** Returns the pairs that have no closure of their own yet. */
const openPairs = (
  { tx, providerId }: Work,
  days: readonly string[],
  venues: readonly number[] | null,
): Promise<Pair[]> =>
  tx.rows<Pair>(
    sql`SELECT d.date, v.venue FROM unnest(${days}::date[]) AS d (date)
      CROSS JOIN unnest(${venues ?? [null]}::bigint[]) AS v (venue)
        WHERE NOT EXISTS (SELECT FROM business_closure c WHERE c.provider_id = ${providerId} AND c.closure_date = d.date
          AND c.venue_id IS NOT DISTINCT FROM v.venue)
        ORDER BY d.date, v.venue`,
  );

interface OnDay {
  readonly id: number;
  readonly date: string;
  readonly venue_id: number;
  readonly attending_count: number;
  readonly waiting_count: number;
  readonly held_count: number;
  readonly schedule_type: string;
}

/**
 * Returns active events that start on these days in the zone of their venue, and have not started yet; soonest first.
 */
const eventsOn = ({ tx, providerId, now }: Work, pairs: readonly Pair[]): Promise<OnDay[]> =>
  tx.rows<OnDay>(
    sql`SELECT DISTINCT ON (e.starts_at, e.id) e.id, d.date, e.venue_id,
      e.attending_count + e.online_attending_count AS attending_count,
      e.waiting_count + e.online_waiting_count AS waiting_count, e.held_count + e.online_held_count AS held_count,
      o.schedule_type
        FROM unnest(${pairs.map((pair) => pair.date)}::date[], ${pairs.map((pair) => pair.venue)}::bigint[]) AS d
          (date, venue)
          JOIN event e ON e.provider_id = ${providerId} AND e.local_starts_at >= d.date
            AND e.local_starts_at < d.date + 1
            AND (d.venue IS NULL OR e.venue_id = d.venue)
          JOIN offering_type o ON o.provider_id = e.provider_id AND o.id = e.offering_type_id
        WHERE e.status = 'active' AND e.starts_at > ${instant(now)}::timestamptz ORDER BY e.starts_at, e.id`,
  );

/** Inserts closures and returns their ids. */
async function insertClosures(
  work: Work,
  {
    pairs,
    reason,
    bulkAction: bulk_action,
    events,
  }: {
    pairs: readonly Pair[];
    reason: string | null;
    bulkAction: number;
    events: readonly OnDay[];
  },
): Promise<number[]> {
  const at = instant(work.now);
  const rows = await work.tx.rows<{ id: number; date: string; venue: number | null }>(
    sql`
      INSERT INTO business_closure (provider_id, closure_date, venue_id, reason, bulk_action_id, created_at, updated_at)
        SELECT ${work.providerId}::bigint, date, venue, ${reason}::text, ${bulk_action}::bigint, ${at}::timestamptz,
          ${at}::timestamptz
        FROM unnest(${pairs.map((pair) => pair.date)}::date[], ${pairs.map((pair) => pair.venue)}::bigint[]) AS p
          (date, venue)
        RETURNING id, closure_date AS date, venue_id AS venue`,
  );
  for (const { id, date: closure_date, venue } of rows.toSorted((a, b) => a.id - b.id)) {
    work.touch('business_closure', id, null);
    work.record(businessClosureFeed.created, id, { business_closure: id, closure_date, venue, reason, bulk_action });
    const on = events.filter((e) => e.date === closure_date && (venue === null || e.venue_id === venue));
    const sum = (count: 'attending_count' | 'waiting_count' | 'held_count') => on.reduce((n, e) => n + e[count], 0);
    const ofType = (type: string) => on.filter((e) => e.schedule_type === type).length;
    work.effect('day_closed', 'business_closure', null, {
      closure_date,
      venue,
      events: on.length,
      appointments: ofType('appointment'),
      room_rentals: ofType('room_rental'),
      course_sessions: ofType('course'),
      bookings: sum('attending_count'),
      waiting: sum('waiting_count'),
      held_places: sum('held_count'),
    });
  }
  return rows.map(({ id }) => id);
}
