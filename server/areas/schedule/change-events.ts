import { action, create, one, staffWith, update } from '../../kernel/api/endpoint.ts';
import { boolean, date, idsOf, instant, integer, listOf, object, oneOf, plannedTime, ref, text } from '../../kernel/api/kinds.ts';
import { invalid } from '../../kernel/api/problem.ts';
import { sql } from '../../kernel/db/sql.ts';
import { cancelEvent, changeEvent, createEvent, type EventValues } from './event-writes.ts';
import { cancelInSeries, changeInSeries, createSeries } from './series-writes.ts';
import { event } from './event.ts';
import type { ProblemCode } from '../../kernel/api/problem.ts';

const whoManages = staffWith('super_admin', 'manage_events');
const CLASHES: ProblemCode[] = ['room_taken', 'instructor_taken', 'already_exists'];

const instructorLinks = { table: 'event_instructor', parent: 'event_id', child: 'instructor_id' };
const timelineLinks = { table: 'event_registration_timeline', parent: 'event_id', child: 'registration_timeline_id' };

const changeable = {
  starts_at: plannedTime(),
  ends_at: plannedTime(),
  name: text({ max: 200 }),
  venue: ref('venue'),
  venue_room: ref('venue_room').nullable().optional(),
  instructors: idsOf('instructor', instructorLinks).optional().describe('Ids; a session may have none.'),
  category: ref('offering_type_category').nullable().optional().describe('Null: that of the offering type.'),
  max_occupancy: integer({ min: 0, max: 1_000_000 }).nullable().optional().describe('Null or 0: without limit.'),
  waitlist_max_override: integer({ min: 0, max: 65_535 }).nullable().optional(),
  description: text({ max: 20_000, blank: true }).nullable().optional().describe('Null or empty: that of the offering type.'),
  registration_timelines: idsOf('registration_timeline', timelineLinks).nullable().optional().describe('Null: those of the offering type.'),
  calendar_opens_at: instant().nullable().optional().describe('Overrides the timelines.'),
};

const creatable = {
  ...changeable,
  offering_type: ref('offering_type'),
  external_id: text({ max: 50 }).nullable().optional(),
};

const recurrence = object({
  rrule: text({ max: 500 }).describe('As FREQ=WEEKLY;BYDAY=MO,WE;UNTIL=20270630.'),
  exceptions: listOf(date(), { max: 1000 }).optional().describe('Days on which there is none.'),
}).optional();

const notify = object({
  email: object({ send: boolean().default(false), message: text({ max: 5000 }).nullable().optional() }).nullable().optional(),
})
  .nullable()
  .optional()
  .describe('What those who booked are told.');

const appliesTo = oneOf(['this', 'following', 'all']).default('this').describe('In a series: this event, this and those after it, or all that are to come.');

/** What is to be said, or null; the message may be empty. */
const wordOf = (n: { email?: { send: boolean; message?: string | null } | null } | null | undefined): string | null =>
  n?.email?.send ? (n.email.message ?? '') : null;

const create_event = create(event, {
  path: '/events',
  summary: 'Put an event into the schedule',
  description: 'With `recurrence` a whole series is made; the answer is its first event.',
  who: whoManages,
  body: { ...creatable, recurrence },
  problems: CLASHES,
  run: async ({ work, body: { recurrence: plan, ...values } }) => {
    return plan ? createSeries(work, values as EventValues, plan) : createEvent(work, values as EventValues);
  },
});

const update_event = update(event, {
  path: '/events/{id}',
  summary: 'Change an event, or its series from here on',
  description: 'A dry run lists every event that would change with the bookings that it touches.',
  who: whoManages,
  body: { ...changeable, notify, applies_to: appliesTo },
  problems: [...CLASHES, 'already_cancelled', 'capacity_below_bookings'],
  run: async ({ work, body, target }) => {
    const { notify: said, applies_to: reach = 'this', ...values } = body;
    if (reach === 'this') await changeEvent(work, target, values, wordOf(said));
    else await changeInSeries(work, target, values, reach, wordOf(said));
    return target.id;
  },
});

const put_by_external_id = action({
  method: 'PUT',
  path: '/events/external_id:{external_id}',
  summary: 'Make or change the event that another system knows by this id',
  who: whoManages,
  body: creatable,
  returns: one(event),
  problems: [...CLASHES, 'already_cancelled', 'capacity_below_bookings'],
  run: async ({ work, body, params }) => {
    const externalId = params.external_id;
    if (externalId.length > 50) throw invalid('external_id', 'No more than 50 characters.');
    if (body.external_id && body.external_id !== externalId) throw invalid('external_id', 'Says another id than the path.');
    // Two first calls at once must not make two: they wait for each other here.
    await work.tx.run(sql`SELECT pg_advisory_xact_lock(hashtextextended(${`event|${work.providerId}|${externalId}`}, 11))`);
    const row = await work.tx.one(
      sql`SELECT * FROM event WHERE provider_id = ${work.providerId} AND external_id = ${externalId} FOR UPDATE`,
    );
    if (!row) return createEvent(work, { ...(body as EventValues), external_id: externalId });
    const { external_id: _, offering_type, ...values } = body;
    if (offering_type !== row.offering_type_id) throw invalid('offering_type', 'The offering type of an event cannot change; cancel it and make another.');
    await changeEvent(work, row, values);
    return row.id;
  },
});

const cancel_event = action({
  path: '/events/{id}/cancel',
  summary: 'Cancel an event, or its series from here on',
  description: 'Bookings end without blame, the waitlist ends.',
  who: whoManages,
  target: event,
  body: { applies_to: appliesTo, notify },
  returns: one(event),
  problems: ['already_cancelled'],
  run: async ({ work, body, target }) => {
    if (body.applies_to === 'this') await cancelEvent(work, target, wordOf(body.notify));
    else await cancelInSeries(work, target, body.applies_to, wordOf(body.notify));
    return target.id;
  },
});

export const changeEvents = [create_event, put_by_external_id, ...update_event, cancel_event];
