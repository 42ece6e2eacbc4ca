import { action, one, staffWith } from '../../kernel/api/endpoint.ts';
import { boolean, id, listOf, object, text } from '../../kernel/api/kinds.ts';
import { bulkAction, startBulkAction, type BulkKind } from '../bulk/index.ts';
import { cancelEvent } from './event-writes.ts';
import { invalid, notFound } from '../../kernel/api/problem.ts';
import { sql } from '../../kernel/db/sql.ts';

export const cancelEvents: BulkKind = {
  type: 'cancel_events',
  one: async (work, eventId, { notify }: { notify: string | null }) => {
    const row = await work.tx.one(sql`SELECT * FROM event WHERE provider_id = ${work.providerId} AND id = ${eventId} FOR UPDATE`);
    if (!row) throw notFound();
    await cancelEvent(work, row, notify);
  },
};

export const bulkCancel = action({
  path: '/events/bulk_cancel',
  summary: 'Cancel many events',
  description: 'Answers at once; a job cancels them, and each has its own result.',
  who: staffWith('super_admin', 'manage_events'),
  body: {
    events: object({ ids: listOf(id(), { min: 1, max: 10_000 }) }),
    notify: object({ email: object({ send: boolean().default(false), message: text({ max: 5000 }).nullable().optional() }).nullable().optional() }).nullable().optional(),
  },
  returns: one(bulkAction),
  dryRun: true,
  run: async ({ work, body }) => {
    const ids = [...new Set(body.events.ids)];
    const found = await work.tx.rows<{ id: number; status: string; attending_count: number; waiting_count: number }>(
      sql`SELECT id, status, attending_count, waiting_count FROM event WHERE provider_id = ${work.providerId} AND id = ANY(${ids}::bigint[])`,
    );
    const known = new Set(found.map((e) => e.id));
    const missing = ids.filter((eventId) => !known.has(eventId));
    if (missing.length > 0) throw invalid('events.ids', `There is no event with the id ${missing[0]}.`);
    for (const e of found) {
      if (e.status === 'active') work.effect('event_cancelled', 'event', e.id, { bookings: e.attending_count, waiting: e.waiting_count });
    }
    const said = body.notify?.email?.send ? (body.notify.email.message ?? '') : null;
    return startBulkAction(work, cancelEvents, ids, { notify: said });
  },
});
