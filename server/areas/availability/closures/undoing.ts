/** Undoes closures: the days are open again, and the events that they cancelled come back where possible. */
import { action, one, remove, staffWith } from '../../../kernel/api/endpoint.ts';
import { bulkAction, startBulkAction, type BulkKind } from '../../platform/bulk/index.ts';
import { fillLeftOut } from './filling.ts';
import { businessClosure } from './business-closure.ts';
import { businessClosureFeed } from './feed.ts';
import { instant, sql } from '../../../kernel/base/db/sql.ts';
import { lockToChange, reopenEvents, type Reopening } from '../../scheduling/schedule/index.ts';
import { notify, wordsOf } from './bulk-close.ts';
import { notFound } from '../../../kernel/base/problem.ts';
import { previewed } from './preview.ts';
import type { Work } from '../../../kernel/work/unit/work.ts';

/** Events are restored a few at a time: the room, the instructors and the bookings of each are checked. */
const PORTION = 25;

export const reopenClosed = {
  type: 'reopen_business',
  portion: PORTION,
  many: (work: Work, ids: readonly number[], parameters: Reopening) => reopenEvents(work, ids, parameters),
} satisfies BulkKind;

const who = staffWith('super_admin');

const deleteClosure = remove(businessClosure, {
  path: '/business_closures/{id}',
  summary: 'Undo a closure',
  description:
    'The day is open again immediately, and everything comes back as with `POST /business_closures/{id}/reopen`.',
  tells: true,
  who,
  unlocked: true,
  run: async ({ work, target, dryRun }) => {
    await undo(work, sql`c.id = ${target.id}`, { notify: '' }, dryRun);
  },
});

const reopen = action({
  path: '/business_closures/{id}/reopen',
  summary: 'Undo all closures of one call',
  description:
    'Undoes this closure and all others of the same `bulk_close`. A job brings back the events that they cancelled, with their bookings and waitlists, as `POST /events/{id}/reopen` does. Each event has its own result, and everyone concerned is notified. A dry run shows who and what comes back, and why the rest does not.',
  tells: true,
  who,
  target: businessClosure,
  unlocked: true,
  body: {
    notify: notify.describe('The message to everyone concerned. They are notified unless `send` is false.'),
  },
  returns: one(bulkAction),
  run: ({ work, target, body, dryRun }) =>
    undo(work, sql`c.bulk_action_id = ${target.bulk_action_id}`, { notify: wordsOf(body.notify) }, dryRun),
});

interface Closure {
  readonly id: number;
  readonly closure_date: string;
  readonly venue_id: number | null;
}

/**
 * Undoes closures. `which` selects closures under the alias `c`. Returns the bulk action that brings back their events.
 */
async function undo(
  work: Work,
  which: ReturnType<typeof sql>,
  parameters: Reopening,
  dryRun: boolean,
): Promise<number> {
  const { tx, providerId } = work;
  // Events are locked before closures, in the same order as when a day is closed.
  if (dryRun)
    await lockToChange(
      work,
      (await eventsOf(work, which)).map((event) => event.id),
    );
  const closures = await tx.rows<Closure>(
    sql`SELECT c.* FROM business_closure c WHERE c.provider_id = ${providerId} AND ${which} ORDER BY c.id FOR UPDATE`,
  );
  if (closures.length === 0) throw notFound();
  await keepClosed(work, closures);
  const events = await eventsOf(work, which);
  const ids = closures.map((closure) => closure.id);
  await tx.all([
    sql`DELETE FROM business_closure_event WHERE provider_id = ${providerId}
      AND business_closure_id = ANY(${ids}::bigint[])`,
    sql`DELETE FROM business_closure WHERE provider_id = ${providerId} AND id = ANY(${ids}::bigint[])`,
  ]);
  const venues = [...new Set(events.map((event) => event.venue_id))];
  const event = events.map(({ id }) => id);
  const bulk_action = await startBulkAction(work, reopenClosed, event, parameters, venues);
  for (const closure of closures) {
    const { id, closure_date, venue_id: venue } = closure;
    work.touch('business_closure', id, { ...closure });
    work.record(businessClosureFeed.deleted, id, { business_closure: id, closure_date, venue, bulk_action });
    work.effect('day_opened', 'business_closure', id, { closure_date, venue });
  }
  if (dryRun) await previewed(work, reopenClosed, event, parameters);
  const dates = closures.map((closure) => closure.closure_date).toSorted();
  const open = closures.flatMap(({ venue_id }) => venue_id ?? []);
  // A day in between that another call has closed stays closed.
  const everywhere = open.length < closures.length;
  await fillLeftOut(work, { from: dates[0], to: dates.at(-1)! }, everywhere ? null : [...new Set(open)], dryRun);
  return bulk_action;
}

/** Hands events that another closure keeps cancelled over to that closure: they come back with it. */
const keepClosed = ({ tx, providerId }: Work, closures: readonly Closure[]): Promise<unknown> =>
  tx.run(
    sql`UPDATE business_closure_event n SET business_closure_id = (
          SELECT o.id FROM business_closure o WHERE o.provider_id = n.provider_id
            AND o.closure_date = e.local_starts_at::date
            AND (o.venue_id IS NULL OR o.venue_id = e.venue_id) AND o.id <> ALL(${closures.map((c) => c.id)}::bigint[])
          ORDER BY o.venue_id NULLS LAST LIMIT 1)
        FROM event e
        WHERE n.provider_id = ${providerId} AND n.business_closure_id = ANY(${closures.map((c) => c.id)}::bigint[])
          AND e.provider_id = n.provider_id AND e.id = n.event_id
          AND EXISTS (SELECT FROM business_closure o
          WHERE o.provider_id = n.provider_id AND o.closure_date = e.local_starts_at::date
            AND (o.venue_id IS NULL OR o.venue_id = e.venue_id)
            AND o.id <> ALL(${closures.map((c) => c.id)}::bigint[]))`,
  );

/** Returns events that the closures cancelled and that could come back, soonest first. */
const eventsOf = (
  { tx, providerId, now }: Work,
  which: ReturnType<typeof sql>,
): Promise<{ id: number; venue_id: number }[]> =>
  tx.rows(
    sql`SELECT e.id, e.venue_id FROM business_closure c
          JOIN business_closure_event n ON n.provider_id = c.provider_id AND n.business_closure_id = c.id
          JOIN event e ON e.provider_id = n.provider_id AND e.id = n.event_id
        WHERE c.provider_id = ${providerId} AND ${which} AND e.status = 'cancelled'
          AND e.starts_at > ${instant(now)}::timestamptz
        ORDER BY e.starts_at, e.id`,
  );

export const undoing = [deleteClosure, reopen];
