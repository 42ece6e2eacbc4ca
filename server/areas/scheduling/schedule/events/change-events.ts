import { changes } from '../../../../kernel/api/resource-changes.ts';
import { action, one, staffWith } from '../../../../kernel/api/endpoint.ts';
import {
  boolean,
  dateOrStart,
  idsOf,
  instant,
  integer,
  listOf,
  object,
  oneOf,
  plannedTime,
  ref,
  text,
} from '../../../../kernel/base/fields/kinds.ts';
import { invalid } from '../../../../kernel/base/problem.ts';
import { sql } from '../../../../kernel/base/db/sql.ts';
import { alreadyCancelled, cancelEvent, type EventRow } from './cancel-events.ts';
import { cancelAndMove } from './cancel-and-move.ts';
import { changeEvent, createEvent, type EventValues } from './event-writes.ts';
import { cancelInSeries, changeInSeries, createSeries } from '../series/series-writes.ts';
import { event } from './event.ts';
import { reopenEvent } from './reopen-events.ts';
import { eventFeed } from '../feed.ts';
import { createOfferingType, offeringType } from '../../offerings/index.ts';
import { SCHEDULE_PROBLEMS } from '../problems.ts';
import { VENUE_PROBLEMS } from '../../../places/venues/index.ts';

const whoManages = staffWith('super_admin', 'manage_events');
export const CLASHES = [
  SCHEDULE_PROBLEMS.venue_closed,
  VENUE_PROBLEMS.room_taken,
  SCHEDULE_PROBLEMS.instructor_taken,
  'already_exists',
] as const;

const instructorLinks = { table: 'event_instructor', parent: 'event_id', child: 'instructor_id' };
const timelineLinks = { table: 'event_registration_timeline', parent: 'event_id', child: 'registration_timeline_id' };

/** The properties of an event that can be changed. */
export const EVENT_BODY = {
  starts_at: plannedTime(),
  ends_at: plannedTime(),
  name: text({ max: 200 }),
  venue: ref('venue'),
  venue_room: ref('venue_room').nullable().optional(),
  instructors: idsOf('instructor', instructorLinks)
    .optional()
    .describe('Ids of the instructors. An event can have none.'),
  category: ref('offering_type_category')
    .nullable()
    .optional()
    .describe('If null, the event uses the category of its offering type.'),
  max_occupancy: integer({ min: 0, max: 1_000_000 }).nullable().optional().describe('Null or 0 means no limit.'),
  waitlist_max_override: integer({ min: 0, max: 65_535 }).nullable().optional(),
  online_venue: ref('venue')
    .nullable()
    .optional()
    .describe(
      'Adds places online to an event at a venue: the online venue whose video call they join. Null removes them.',
    ),
  online_max_occupancy: integer({ min: 1, max: 1_000_000 })
    .nullable()
    .optional()
    .describe('The number of places online; required with `online_venue`.'),
  description: text({ max: 20_000, blank: true })
    .nullable()
    .optional()
    .describe('If null or empty, the event uses the one of its offering type.'),
  registration_timelines: idsOf('registration_timeline', timelineLinks)
    .nullable()
    .optional()
    .describe('If null, the event uses those of its offering type.'),
  calendar_opens_at: instant().nullable().optional().describe('Overrides the registration timelines.'),
};

const creatable = {
  ...EVENT_BODY,
  offering_type: ref('offering_type'),
  external_id: text({ max: 50 }).nullable().optional(),
};

/** Exceptions of a recurrence; `exceptionsOf` resolves their dates. */
export const exceptions = listOf(dateOrStart(), { max: 1000 })
  .optional()
  .describe('Dates on which no event takes place. The time at which an event would start stands for its date.');

const offered = offeringType.fields;

/** A new offering type whose first event is created with it. */
const newOfferingType = object({
  name: offered.name,
  description: offered.description.optional(),
  customer_visibility: offered.customer_visibility.optional(),
  allows_dropins: offered.allows_dropins.optional(),
  dropin_price: offered.dropin_price.optional(),
})
  .optional()
  .describe('Instead of `offering_type`: creates a class with the event.');

const recurrence = object({
  rrule: text({ max: 500 }).describe('For example FREQ=WEEKLY;BYDAY=MO,WE;UNTIL=20270630.'),
  exceptions,
}).optional();

const notify = object({
  email: object({ send: boolean().default(false), message: text({ max: 5000 }).nullable().optional() })
    .nullable()
    .optional(),
})
  .nullable()
  .optional()
  .describe('The message to the people who booked.');

const onClosedDay = boolean()
  .optional()
  .describe('True plans it even if the venue is closed on that day. A series leaves closed days out.');

const appliesTo = oneOf(['this', 'following', 'all'])
  .default('this')
  .describe('Scope for events of a series: this event, this and all later ones, or all upcoming ones.');

/** Returns the message to send, which may be empty; null to send none. */
const wordOf = (n: { email?: { send: boolean; message?: string | null } | null } | null | undefined): string | null =>
  n?.email?.send ? (n.email.message ?? '') : null;

const eventChanges = changes(event, {
  path: '/events',
  noun: 'event, or its series from this event on',
  who: whoManages,
  body: { ...EVENT_BODY, notify, applies_to: appliesTo, on_closed_day: onClosedDay },
  first: {
    ...creatable,
    offering_type: creatable.offering_type.optional().describe('Required, unless you send `new_offering_type`.'),
    new_offering_type: newOfferingType,
    recurrence,
    on_closed_day: onClosedDay,
  },
  create: {
    summary: 'Create an event',
    description:
      'With `recurrence`, creates a whole series and returns its first event. With `new_offering_type`, creates its offering type too: either all of it is created or none.',
    problems: CLASHES,
    run: async ({ work, body: { recurrence: plan, new_offering_type: made, ...sent } }) => {
      if ((sent.offering_type === undefined) === (made === undefined))
        throw invalid('offering_type', 'Send either offering_type or new_offering_type.');
      const offering_type = sent.offering_type ?? (await createOfferingType(work, made!));
      const values = { ...sent, offering_type } as EventValues;
      return plan ? createSeries(work, values, plan) : createEvent(work, values);
    },
  },
  update: {
    description:
      'A dry run lists the events and bookings that change, and who is notified: instructors who are added or removed and, unless `notify` does it, the people who booked if someone else teaches.',
    tells: true,
    problems: [...CLASHES, 'already_cancelled', SCHEDULE_PROBLEMS.capacity_below_bookings],
    run: async ({ work, body, target, dryRun }) => {
      const { notify: said, applies_to: reach = 'this', ...values } = body;
      if (reach === 'this') await changeEvent(work, target, values, wordOf(said));
      else await changeInSeries(work, target, values, reach, wordOf(said));
      if (dryRun && values.instructors !== undefined)
        await work.registry.previewEffects(work, eventFeed.instructors_changed, target.id);
    },
  },
});

const put_by_external_id = action({
  method: 'PUT',
  path: '/events/external_id:{external_id}',
  summary: 'Create or update the event with this external id',
  who: whoManages,
  body: { ...creatable, on_closed_day: onClosedDay },
  returns: one(event),
  problems: [...CLASHES, 'already_cancelled', SCHEDULE_PROBLEMS.capacity_below_bookings],
  run: async ({ work, body, params }) => {
    const externalId = params.external_id;
    if (externalId.length > 50) throw invalid('external_id', 'Must be at most 50 characters.');
    if (body.external_id && body.external_id !== externalId)
      throw invalid('external_id', 'Must be the same id as in the path.');
    // Two concurrent first requests must not create two: they wait for each other here.
    await work.tx.run(
      sql`SELECT pg_advisory_xact_lock(hashtextextended(${`event|${work.providerId}|${externalId}`}, 11))`,
    );
    const row = await work.tx.one(
      sql`SELECT * FROM event WHERE provider_id = ${work.providerId} AND external_id = ${externalId} FOR UPDATE`,
    );
    if (!row) return createEvent(work, { ...(body as EventValues), external_id: externalId });
    const { external_id: _, offering_type, ...values } = body;
    if (offering_type !== row.offering_type_id)
      throw invalid(
        'offering_type',
        "The offering type of an event can't be changed. Cancel the event and create another one.",
      );
    await changeEvent(work, row, values);
    return row.id;
  },
});

const cancel_event = action({
  path: '/events/{id}/cancel',
  summary: 'Cancel an event, or its series from this event on',
  description:
    'Its bookings are cancelled without counting as late, and its waitlist ends. With `move_bookings_to`, bookings move to another event instead, in the order in which they were made: what paid pays again, and each customer gets one message. Those that can’t move, for example because the other event is full, are cancelled. A dry run shows which ones move.',
  tells: true,
  who: whoManages,
  target: event,
  body: {
    applies_to: appliesTo,
    notify,
    move_bookings_to: ref('event').optional().describe('Only for one event, not for a series.'),
  },
  returns: one(event),
  problems: ['already_cancelled'],
  run: async ({ work, body, target }) => {
    const { move_bookings_to: to } = body;
    if (to !== undefined && body.applies_to !== 'this')
      throw invalid('move_bookings_to', 'Only the bookings of one event can move. Cancel the others separately.');
    if (to !== undefined && target.status === 'cancelled') throw alreadyCancelled();
    if (to !== undefined) await cancelAndMove(work, target as EventRow, { to, notify: wordOf(body.notify) });
    else if (body.applies_to === 'this') await cancelEvent(work, target, wordOf(body.notify));
    else await cancelInSeries(work, target, body.applies_to, wordOf(body.notify));
    return target.id;
  },
});

const reopen_event = action({
  path: '/events/{id}/reopen',
  summary: 'Reopen a cancelled event',
  description:
    'It takes place after all, in its room and with its instructors if they are free. People who had booked are booked again, unless they have booked something else at that time or what paid can’t be used any more. The waitlist returns. A dry run shows all of it.',
  tells: true,
  who: whoManages,
  target: event,
  body: { notify: notify.describe('The message to everyone concerned.'), on_closed_day: onClosedDay },
  returns: one(event),
  problems: ['conflict', SCHEDULE_PROBLEMS.event_started, ...CLASHES.filter((kind) => kind !== 'already_exists')],
  run: async ({ work, body, target }) => {
    await reopenEvent(work, target.id, { notify: wordOf(body.notify), on_closed_day: body.on_closed_day });
    return target.id;
  },
});

export const changeEvents = [...eventChanges, put_by_external_id, cancel_event, reopen_event];
