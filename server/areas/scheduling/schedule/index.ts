import { instructorFilters, offeringTypeFilters, offeringTypeProperties, uses, venueFilters } from './events/ahead.ts';
import { shareRoom } from './events/share-room.ts';
import { bulkJob } from '../../platform/bulk/index.ts';
import { Problem } from '../../../kernel/base/problem.ts';
import { attendance, waitlistSpot } from './attendance/attendance.ts';
import { attendanceEndpoints } from './attendance/attendance-endpoints.ts';
import { customerProperties } from './attendance/of-customers.ts';
import { bookingEndpoints } from './bookings/booking-endpoints.ts';
import { bulkCancel, cancelEvents } from './events/bulk-cancel.ts';
import { changeEvents } from './events/change-events.ts';
import { checkin, checkinEndpoints } from './attendance/checkins.ts';
import { generateOnlineLink, joinOnline } from './bookings/online-access.ts';
import { event, whereBookedByMe } from './events/event.ts';
import { eventSeries } from './series/event-series.ts';
import { expirePlaces } from './waitlist/waiting.ts';
import { EXPIRE_TASK } from './waitlist/freed-seats.ts';
import { checkEligibility } from './bookings/eligibility.ts';
import { explanations } from './bookings/explain.ts';
import { EXTEND_TASK, makeEvents } from './series/series-writes.ts';
import { findEvents } from './events/find-events.ts';
import { closedDays } from './events/closed-days.ts';
import { payers } from './bookings/payer-port.ts';
import { entranceRules } from './attendance/entrance.ts';
import { requirements } from './bookings/requirements.ts';
import { returning } from './events/returning.ts';
import { scheduleFeed } from './feed.ts';
import { seriesEndpoints } from './series/series-endpoints.ts';
import { BOOKING_NOTICES, TEACHING_NOTICES } from './notices.ts';
import { SCHEDULE_PROBLEMS } from './problems.ts';
import { VENUE_PROBLEMS } from '../../places/venues/index.ts';
import { switchPlaceEndpoint } from './bookings/switch-place.ts';
import { TABLES } from './tables.ts';
import { readTranslations } from '../../../kernel/base/languages/translations.ts';
import type { Area } from '../../../kernel/api/area.ts';

export { event, eventPath, passesPath } from './events/event.ts';
export { closedDays, dayOf, type ClosedDay, type ClosedDays } from './events/closed-days.ts';
export { cancelEvent, cancelEvents, lockToChange, type EventRow } from './events/cancel-events.ts';
export {
  noPlaces,
  placesFor,
  readSession,
  readTimeOfDay,
  takeBackBookings,
  takeBackEvents,
  writeEvents,
  type CompiledMapping,
  type Places,
  type Session,
} from './import/index.ts';
export { makeLeftOut, seriesThrough, type Stretch } from './series/skipped-events.ts';
export { leaveCancelled, reopenEvents, type Reopening } from './events/reopen-events.ts';
export { returning, type Returning } from './events/returning.ts';
export { attendance } from './attendance/attendance.ts';
export { endEmpty } from './events/empty-appointments.ts';
export {
  offerColumn,
  offerFacts,
  plannedWindow,
  readPlanned,
  type OfferFacts,
  type Planned,
  type PlannedFacts,
} from './bookings/planned.ts';
export { eventSeries } from './series/event-series.ts';
export {
  changeCancelled,
  changeEvent,
  createEvent,
  lockUses,
  timeColumns as timesOf,
  type EventValues,
} from './events/event-writes.ts';
export { bookPart, bookParts, cancelParts, lockToPay, showInCalendar, takeEvents } from './bookings/parts.ts';
export { eventFilters, eventSorts } from './events/find-events.ts';
export { CLASHES, EVENT_BODY, exceptions } from './events/change-events.ts';
export { createSeries, findClash } from './series/series-writes.ts';
export { exceptionsOf, seriesTimes, timesOn } from './series/series-times.ts';
export { BOOKS_EVERYWHERE } from './sight.ts';
export { cancelBooking } from './bookings/unregister.ts';
export { customerOf } from './bookings/booking-endpoints.ts';
export {
  lockUncovered,
  settleUncovered,
  type UncoveredBookings,
  type Settling,
} from './bookings/uncovered-bookings.ts';
export { lockBookings, mergeBookings } from './bookings/merge-bookings.ts';
export { BOOKING_NOTICES, TEACHING_NOTICES } from './notices.ts';
export { findStep as findWaitlistStep, type WaitlistStep } from './rules/waitlist.ts';
export { joinWaitlist, leaveWaitlist, lockEvent, lockEvents } from './waitlist/waiting.ts';
export { readAhead, type Ahead } from './bookings/read-facts.ts';
export { onlinePath, readOnlineLink } from './bookings/online-access.ts';
export { onlineWindow, opensAt, type OnlineWindow } from './rules/online-window.ts';
export { bookingPath, readBookingLink, type LinkedBooking } from './bookings/booking-link.ts';
export { eventFeed, eventRegistrationFeed } from './feed.ts';
export { bookHeld, extendHolds, holdSeats, lockToBook, releaseHolds } from './waitlist/seat-holds.ts';
export { BOOKING_PROBLEMS, HOLD_PROBLEMS, SCHEDULE_PROBLEMS } from './problems.ts';
export type {
  Asked,
  Charge,
  Debit,
  CoverageLoss,
  UncoveringPayer,
  GivenBack,
  Objection,
  Payer,
} from './bookings/payer.ts';
export { payers } from './bookings/payer-port.ts';
export { requirements, type Missing, type RequirementAt, type RequirementSource } from './bookings/requirements.ts';
import { many, one, say } from '../../../kernel/base/values/words.ts';
export { checkEntrance, entranceRules, type EntranceRule } from './attendance/entrance.ts';
export { areCheckinsOn, checkInVisitor } from './attendance/checkins.ts';
export { markAttendance } from './attendance/marking.ts';
export { register } from './bookings/register.ts';
export { PLACES, TO_SETTLE, type Place } from './rules/booking.ts';
export { readUnsettled, type Unsettled } from './bookings/unsettled.ts';
export { registrationStatus } from './bookings/registration-status.ts';
export { whoBooks } from './bookings/booking-endpoints.ts';
export { whoSeesEvents } from './events/find-events.ts';

export const schedule: Area = {
  name: 'schedule',
  description: 'Events, recurring series, bookings and the waitlist.',
  tables: TABLES,
  resources: [event, eventSeries],
  endpoints: [...findEvents, ...changeEvents, bulkCancel, ...bookingEndpoints, ...explanations, ...seriesEndpoints],
  topics: [
    {
      name: 'registration_eligibility',
      description: 'Who can book an event, for a whole roster in one call.',
      endpoints: [checkEligibility],
    },
    {
      name: 'attendances',
      description: 'Who is booked, has come, or waits for a place.',
      resources: [attendance, waitlistSpot],
      endpoints: [...attendanceEndpoints, switchPlaceEndpoint],
    },
    {
      name: 'checkins',
      description: 'Check-ins: the people who have arrived, and the rules of check-ins at a business.',
      resources: [checkin],
      endpoints: checkinEndpoints,
    },
    {
      name: 'online_access',
      description: 'Links with which people join online events that they booked.',
      endpoints: [generateOnlineLink, joinOnline],
    },
  ],
  ports: [payers, requirements, entranceRules, closedDays, returning],
  problems: SCHEDULE_PROBLEMS,
  notices: Object.values(BOOKING_NOTICES),
  translations: readTranslations('schedule/refusals'),
  staffNotices: Object.values(TEACHING_NOTICES),
  properties: { customer: customerProperties, offering_type: offeringTypeProperties },
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
    event_online_capacity: () => new Problem(SCHEDULE_PROBLEMS.event_full, say`All ${many.spot} online are taken.`),
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
