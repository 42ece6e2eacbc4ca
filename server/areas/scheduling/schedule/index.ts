import { instructorFilters, offeringTypeFilters, offeringTypeProperties, uses, venueFilters } from './ahead.ts';
import { shareRoom } from './share-room.ts';
import { bulkJob } from '../../platform/bulk/index.ts';
import { Problem } from '../../../kernel/base/problem.ts';
import { attendance, waitlistSpot } from './attendance.ts';
import { attendanceEndpoints } from './attendance-endpoints.ts';
import { bookingEndpoints } from './booking-endpoints.ts';
import { bulkCancel, cancelEvents } from './bulk-cancel.ts';
import { changeEvents } from './change-events.ts';
import { checkin, checkinEndpoints } from './checkins.ts';
import { event, whereBookedByMe } from './event.ts';
import { eventSeries } from './event-series.ts';
import { expirePlaces } from './waiting.ts';
import { EXPIRE_TASK } from './freed-seats.ts';
import { explanations } from './explain.ts';
import { EXTEND_TASK, makeEvents } from './series-writes.ts';
import { findEvents } from './find-events.ts';
import { closedDays } from './closed-days.ts';
import { payers } from './payer.ts';
import { returning } from './returning.ts';
import { scheduleFeed } from './feed.ts';
import { seriesEndpoints } from './series-endpoints.ts';
import { BOOKING_NOTICES, TEACHING_NOTICES } from './notices.ts';
import { SCHEDULE_PROBLEMS } from './problems.ts';
import { VENUE_PROBLEMS } from '../../places/venues/index.ts';
import { TABLES } from './tables.ts';
import { readTranslations } from '../../../kernel/base/languages/translations.ts';
import type { Area } from '../../../kernel/api/area.ts';

export { event, eventPath, passesPath } from './event.ts';
export { closedDays, dayOf, type ClosedDay, type ClosedDays } from './closed-days.ts';
export { cancelEvent, cancelEvents, lockToChange, type EventRow } from './cancel-events.ts';
export {
  noPlaces,
  placesFor,
  readSession,
  readTimeOfDay,
  writeEvents,
  type CompiledMapping,
  type Places,
  type Session,
} from './import/index.ts';
export { makeLeftOut, seriesThrough, type Stretch } from './skipped-events.ts';
export { leaveCancelled, reopenEvents, type Reopening } from './reopen-events.ts';
export { returning, type Returning } from './returning.ts';
export { attendance } from './attendance.ts';
export { endEmpty } from './empty-appointments.ts';
export {
  offerColumn,
  offerFacts,
  plannedWindow,
  readPlanned,
  type OfferFacts,
  type Planned,
  type PlannedFacts,
} from './planned.ts';
export { eventSeries } from './event-series.ts';
export {
  changeCancelled,
  changeEvent,
  createEvent,
  lockUses,
  timeColumns as timesOf,
  type EventValues,
} from './event-writes.ts';
export { bookPart, bookParts, cancelParts, lockToPay, showInCalendar, takeEvents } from './parts.ts';
export { eventFilters, eventSorts } from './find-events.ts';
export { CLASHES, EVENT_BODY, exceptions } from './change-events.ts';
export { clashOf } from './series-writes.ts';
export { exceptionsOf, seriesTimes, timesOn } from './series-times.ts';
export { BOOKS_EVERYWHERE } from './sight.ts';
export { cancelBooking } from './unregister.ts';
export { customerOf } from './booking-endpoints.ts';
export { lockUncovered, settleUncovered, type Displaced, type Settling } from './uncovered-bookings.ts';
export { lockBookings, mergeBookings } from './merge-bookings.ts';
export { BOOKING_NOTICES, TEACHING_NOTICES } from './notices.ts';
export { joinWaitlist, leaveWaitlist, lockEvent, lockEvents } from './waiting.ts';
export { readAhead, type Ahead } from './read-facts.ts';
export { eventInstructorsChanged, registrationLateCancelled } from './feed.ts';
export { bookHeld, extendHolds, holdSeats, lockToBook, releaseHolds } from './seat-holds.ts';
export { BOOKING_PROBLEMS, HOLD_PROBLEMS, SCHEDULE_PROBLEMS } from './problems.ts';
export {
  payers,
  type Asked,
  type Charge,
  type Debit,
  type Displacing,
  type UncoveringPayer,
  type GivenBack,
  type Objection,
  type Payer,
} from './payer.ts';
import { one, say } from '../../../kernel/base/values/words.ts';
export { register } from './register.ts';
export { registrationStatus } from './registration-status.ts';
export { whoBooks } from './booking-endpoints.ts';
export { whoSeesEvents } from './find-events.ts';

export const schedule: Area = {
  name: 'schedule',
  description: 'Events, recurring series, bookings and the waitlist.',
  tables: TABLES,
  resources: [event, eventSeries, attendance, waitlistSpot],
  endpoints: [
    ...findEvents,
    ...changeEvents,
    bulkCancel,
    ...bookingEndpoints,
    ...explanations,
    ...seriesEndpoints,
    ...attendanceEndpoints,
  ],
  topics: [
    {
      name: 'checkins',
      description: 'Who has arrived, and how check-ins work at a business.',
      resources: [checkin],
      endpoints: checkinEndpoints,
    },
  ],
  ports: [payers, closedDays, returning],
  problems: SCHEDULE_PROBLEMS,
  notices: Object.values(BOOKING_NOTICES),
  translations: readTranslations('schedule/refusals'),
  staffNotices: Object.values(TEACHING_NOTICES),
  properties: { offering_type: offeringTypeProperties },
  filters: {
    '/venues': venueFilters,
    '/offering_types': offeringTypeFilters,
    '/instructors': instructorFilters,
  },
  uses,
  follows: {
    venue_room: async (work, room, { allows_double_booking: shared }) => {
      if (typeof shared === 'boolean') await shareRoom(work, room, shared);
    },
  },
  reveals: { venue: { video_url: (t) => whereBookedByMe(t) } },
  feed: scheduleFeed,
  jobs: [
    bulkJob(cancelEvents),
    { task: EXPIRE_TASK, run: (work, { event: id }: { event: number }) => expirePlaces(work, id) },
    {
      task: EXTEND_TASK,
      run: async (work, { series }: { series: number }) => void (await makeEvents(work, series, 'skip')),
    },
  ],
  constraints: {
    event_capacity: () => new Problem(SCHEDULE_PROBLEMS.event_full, say`The ${one.event} is full.`),
    event_room_free: () =>
      new Problem(VENUE_PROBLEMS.room_taken, 'Another event uses the room at that time.', {
        venue_room: ['Another event uses this room at that time.'],
      }),
    instructor_free: () =>
      new Problem(SCHEDULE_PROBLEMS.instructor_taken, 'An instructor is teaching another event at that time.', {
        instructors: ['One of them is teaching another event at that time.'],
      }),
    event_provider_id_external_id_key: () =>
      new Problem('already_exists', 'external_id: Another event already has this id.', {
        external_id: ['Another event already has this id.'],
      }),
  },
};
