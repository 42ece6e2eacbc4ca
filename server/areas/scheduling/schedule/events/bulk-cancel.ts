import { action, one, staffWith } from '../../../../kernel/api/endpoint.ts';
import { boolean, group, object, refs, text } from '../../../../kernel/base/fields/kinds.ts';
import { bulkAction, startBulkAction, type BulkKind } from '../../../platform/bulk/index.ts';
import { cancelEvent } from './cancel-events.ts';
import { notFound } from '../../../../kernel/base/problem.ts';
import { venueLimit } from '../../../../kernel/api/venue-limit.ts';
import { sql } from '../../../../kernel/base/db/sql.ts';

export const cancelEvents: BulkKind = {
  type: 'cancel_events',
  one: async (work, eventId, { notify, venues }: { notify: string | null; venues: number[] | null }) => {
    const row = await work.tx.one(
      sql`SELECT * FROM event WHERE provider_id = ${work.providerId} AND id = ${eventId} FOR UPDATE`,
    );
    if (!row) throw notFound();
    // Requested by staff of some venues: an event that has moved to another venue since is no longer theirs.
    if (venues && !venues.includes(row.venue_id)) throw venueLimit({ venues }, 'the event has moved to another one.');
    await cancelEvent(work, row, notify);
  },
};

export const bulkCancel = action({
  path: '/events/bulk_cancel',
  summary: 'Cancel many events',
  description: 'Returns immediately. A job cancels the events, and each event has its own result.',
  who: staffWith('super_admin', 'manage_events'),
  body: {
    events: group({ ids: refs('event', { min: 1, max: 10_000 }) }),
    notify: object({
      email: object({ send: boolean().default(false), message: text({ max: 5000 }).nullable().optional() })
        .nullable()
        .optional(),
    })
      .nullable()
      .optional(),
  },
  returns: one(bulkAction),
  run: async ({ work, body }) => {
    const ids = [...new Set(body.events.ids)];
    const found = await work.tx.rows<{
      id: number;
      status: string;
      venue_id: number;
      attending_count: number;
      waiting_count: number;
    }>(
      sql`SELECT id, status, venue_id, attending_count, waiting_count FROM event WHERE provider_id = ${work.providerId} AND id = ANY(${ids}::bigint[])`,
    );
    for (const e of found) {
      if (e.status === 'active')
        work.effect('event_cancelled', 'event', e.id, { bookings: e.attending_count, waiting: e.waiting_count });
    }
    const said = body.notify?.email?.send ? (body.notify.email.message ?? '') : null;
    const venues = [...new Set(found.map((e) => e.venue_id))];
    return startBulkAction(work, cancelEvents, ids, { notify: said, venues: work.viewer.venues }, venues);
  },
});
