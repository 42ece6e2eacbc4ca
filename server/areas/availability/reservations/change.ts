/** Creates, changes and ends recurring reservations. */
import { action, answer, create, one, type Who } from '../../../kernel/api/endpoint.ts';
import { BOOKING_PROBLEMS, BOOKS_EVERYWHERE } from '../../scheduling/schedule/index.ts';
import { bookDates } from './book-dates.ts';
import { bookNow, endReservation, lookAgain, zoneOf } from './keep-booking.ts';
import { addDays } from '../../../kernel/base/values/date.ts';
import {
  boolean,
  date,
  id,
  instant,
  integer,
  listOf,
  object,
  oneOf,
  ref,
  text,
  timeOfDay,
} from '../../../kernel/base/fields/kinds.ts';
import { changedNames, insertWhole, updateRow } from '../../../kernel/work/unit/row.ts';
import { checkActsFor } from '../../people/customers/index.ts';
import { conflicts, RESERVATION_PROBLEMS } from './problems.ts';
import { formatInstant, wallAt } from '../../../kernel/base/values/zone.ts';
import { giveBack, notIn } from './give-back.ts';
import { invalid, Problem } from '../../../kernel/base/problem.ts';
import { lastDay, ON_CONFLICT, OUTCOMES, type OnConflict } from './rules/standing.ts';
import { MEMBERSHIP_PROBLEMS } from '../../memberships/customer-memberships/index.ts';
import { alternative, alternativesTo } from './slot-dates.ts';
import { checkMoves, forgetMoved, toMovedDates, type AskedMove } from './moves.ts';
import { planOf, type AskedPlan } from './plan.ts';
import { movedDate, recurringReservation, WEEKDAYS } from './recurring-reservation.ts';
import { recurringReservationFeed } from './feed.ts';
import { reservationSettings } from './settings.ts';
import { sideFor } from '../../../kernel/base/values/wording.ts';
import { sql } from '../../../kernel/base/db/sql.ts';
import { rollBackAfter } from '../../../kernel/work/unit/roll-back-after.ts';
import type { DateResult, ReservationRow } from './rows.ts';
import type { Work } from '../../../kernel/work/unit/work.ts';

const who: Who = { provider: BOOKS_EVERYWHERE, customer: true, unregistered: false };

const values = {
  end_date: date().nullable().optional().describe('The last day. If left out, it goes on until it is ended.'),
  times: integer({ min: 1, max: 520 })
    .nullable()
    .optional()
    .describe('Number of dates to book. Dates that can’t be booked don’t count.'),
  skipped_dates: listOf(date(), { max: 520 })
    .optional()
    .describe('Dates to leave out. A booking on one of them is cancelled.'),
  moved_dates: listOf(object(movedDate), { max: 60 })
    .optional()
    .describe(
      'Dates of an appointment or a room rental that take another time: one of the `alternatives` of the preview, or any time within three days of the date. A date that is booked is moved with `POST /events/{id}/reschedule`.',
    ),
  customer_membership: ref('customermembership')
    .nullable()
    .optional()
    .describe('The membership that pays. If left out, whatever would pay for a single booking.'),
  on_conflict: oneOf(ON_CONFLICT)
    .optional()
    .describe(
      'Handling of dates that can’t be booked. `skip`: the date is left out. `fail`: nothing is created. `waitlist`: the customer joins the waitlist if the class is full; other dates are left out. Later dates are never refused, so for them `fail` means `skip`. The default is `skip`.',
    ),
};

const body = {
  customer: ref('customer').optional().describe('Customers who book for themselves can leave it out.'),
  event: ref('event').optional().describe('An event like those to be booked: of the same series, or at the same time.'),
  // A plain id, not a reference: a series at another venue is refused by its place, as its event or venue would be.
  event_series: id().optional().describe('Id of the recurring series to be booked. Only for staff and machine tokens.'),
  offering_type: ref('offering_type')
    .optional()
    .describe(
      'Offering type to book, if neither event nor event_series is sent: at `venue`, on `weekday` at `local_time`. A class, an appointment or a room rental.',
    ),
  venue: ref('venue').optional(),
  instructor: ref('instructor')
    .nullable()
    .optional()
    .describe(
      'Only with this instructor. If null, with anyone. If left out, that of the event, if it is an appointment.',
    ),
  venue_room: ref('venue_room')
    .nullable()
    .optional()
    .describe(
      'Appointments and room rentals only: the room to use. If null, any free room. If left out, the room of the event, if it is a rental.',
    ),
  weekday: oneOf(WEEKDAYS)
    .optional()
    .describe('If left out, that of the event, of the beginning of the series, or of start_date.'),
  local_time: timeOfDay().optional().describe('By the clock of the venue, for example 19:00.'),
  start_date: date().optional().describe('The first day. If left out, that of the event, or today.'),
  comped: boolean().optional().describe('Only for staff and machine tokens: books without charge or entitlement.'),
  ...values,
};

interface Asked extends AskedPlan {
  readonly customer?: number;
  readonly end_date?: string | null;
  readonly times?: number | null;
  readonly skipped_dates?: readonly string[];
  readonly moved_dates?: readonly AskedMove[];
  readonly customer_membership?: number | null;
  readonly on_conflict?: OnConflict;
  readonly comped?: boolean;
}

const REFUSED_WITH = [...BOOKING_PROBLEMS, ...Object.values(MEMBERSHIP_PROBLEMS), 'conflict'] as const;

/** Refuses customers if the business leaves recurring reservations to its staff. */
async function checkAllowed(work: Work): Promise<{ mostWeeks: number | null }> {
  if (work.viewer.mode === 'provider') return { mostWeeks: null };
  const settings = await reservationSettings(work);
  if (!settings.customers_can_create)
    throw new Problem('permission_denied', {
      staff: 'In customer mode, the business does not allow recurring reservations.',
      customer: 'Only the business can book this every week for you. Please ask them.',
    });
  return { mostWeeks: settings.customers_max_weeks };
}

async function insert(work: Work, asked: Asked): Promise<ReservationRow> {
  const customer = asked.customer ?? work.viewer.customerId;
  if (customer === null) throw invalid('customer', 'This field is required.');
  await checkActsFor(work, customer);
  const { mostWeeks } = await checkAllowed(work);
  const byCustomer = work.viewer.mode !== 'provider';
  if (asked.comped && byCustomer) throw invalid('comped', 'Only staff and machine tokens can book without charge.');
  if (asked.comped && asked.customer_membership)
    throw invalid('comped', 'A comped booking uses no membership. Leave out one of the two.');
  const plan = await planOf(work, asked);
  const endDate = endOf({ ...plan, endDate: asked.end_date ?? null, times: asked.times ?? null }, mostWeeks);
  const values = {
    by_slot: plan.bySlot,
    venue_id: plan.venue,
    venue_room_id: plan.room,
    weekday: plan.weekday,
    start_date: plan.startDate,
    end_date: endDate,
    skipped_dates: unique(asked.skipped_dates ?? []),
  };
  await checkMoves(work, values, asked.moved_dates ?? []);
  checkWaitlist(plan.bySlot, asked.on_conflict);
  const row = await insertWhole<ReservationRow>(work, 'recurring_reservation', {
    ...values,
    customer_id: customer,
    by_customer: byCustomer,
    follows_series: plan.series !== null,
    offering_type_id: plan.offeringType,
    instructor_id: plan.instructor,
    local_time: plan.localTime,
    times: asked.times ?? null,
    moved_dates: JSON.stringify(toMovedDates(asked.moved_dates ?? [])),
    customer_membership_id: asked.customer_membership ?? null,
    comped: asked.comped ?? false,
    on_conflict: asked.on_conflict ?? 'skip',
  });
  if (plan.series !== null)
    await work.tx.run(
      sql`INSERT INTO recurring_reservation_series (provider_id, recurring_reservation_id, event_series_id)
        VALUES (${work.providerId}, ${row.id}, ${plan.series})`,
    );
  return row;
}

function checkWaitlist(bySlot: boolean, onConflict: OnConflict | undefined): void {
  if (bySlot && onConflict === 'waitlist')
    throw invalid('on_conflict', 'Only classes have a waitlist. Send `skip` or `fail`.');
}

function endOf(
  length: { startDate: string; endDate: string | null; times: number | null },
  mostWeeks: number | null,
): string | null {
  if (length.endDate !== null && length.endDate < length.startDate)
    throw invalid('end_date', `Must be ${length.startDate} or later, the day on which it begins.`);
  const last = lastDay(length, mostWeeks);
  if (last !== null && typeof last === 'object')
    throw invalid(length.times !== null && length.endDate === null ? 'times' : 'end_date', last);
  return last;
}

const unique = (dates: readonly string[]): string[] => [...new Set(dates)].toSorted();

/** Refuses a reservation that would never book anything; with `fail`, also one of which any date is not booked. */
function checkResult(row: ReservationRow, dates: readonly DateResult[]): void {
  const missed = dates.filter(({ outcome }) => outcome === 'unavailable');
  // An invalid membership is invalid for every date.
  const wrong = missed.find(({ reasons: [reason] }) => reason.code === 'parameter_invalid');
  if (wrong)
    throw invalid('customer_membership', {
      staff: wrong.reasons[0].staff.replace(/^customer_membership: /, ''),
      customer: wrong.reasons[0].customer,
    });
  // A class that is full today may have a place tomorrow, but a time that is never free would leave everybody waiting.
  const none = row.by_slot && missed.length === dates.length;
  if (missed.length > 0 && (row.on_conflict === 'fail' || none))
    throw conflicts(
      missed.map(({ startsAt, zone, reasons: [reason] }) => ({ startsAt, zone, reason })),
      { bySlot: row.by_slot, none },
    );
}

const nothingToReserve = (): Problem =>
  new Problem(RESERVATION_PROBLEMS.nothing_to_reserve, {
    staff:
      'No event takes place at that time. Check the day of the week, the time and the dates, or create the events first.',
    customer: 'Nothing takes place at this time. Choose another one.',
  });

const createReservation = create(recurringReservation, {
  path: '/recurring_reservations',
  summary: 'Create a recurring reservation',
  description:
    'Books every event that is still to come at this time each week, and those that are created later; of an appointment or a room rental, it takes the time on each date, up to a year ahead. Each is booked and paid for as a single booking would be. `GET /recurring_reservations/{id}/dates` says what became of each date. Customers need the permission of the business, see `PATCH /recurring_reservations/settings`; for their dates booking opens and closes as for any booking, and each is booked when it opens.',
  tells: true,
  who,
  body,
  problems: [...REFUSED_WITH, ...Object.values(RESERVATION_PROBLEMS)],
  run: async ({ work, body: asked }) => {
    const row = await insert(work, asked);
    work.record(recurringReservationFeed.created, row.id, { recurring_reservation: row.id, customer: row.customer_id });
    const { dates } = await bookNow(work, row);
    if (dates.length === 0) throw nothingToReserve();
    checkResult(row, dates);
    return row.id;
  },
});

const preview = action({
  path: '/recurring_reservations/preview',
  summary: 'Preview a recurring reservation',
  description:
    'Takes what `POST /recurring_reservations` takes, and returns each date with what would become of it. Nothing is booked: an event that would be created for a date is null.',
  who,
  body,
  returns: answer({
    dates: listOf(
      object({
        date: date(),
        event: id().nullable(),
        starts_at: instant(),
        outcome: oneOf(OUTCOMES),
        registrations_open_at: instant().nullable(),
        reasons: listOf(text()),
        messages: listOf(text()),
        alternatives: listOf(object(alternative)).describe(
          'Nearest free times, for the first ten dates of an appointment or a rental whose time is not free. Send one with its date in `moved_dates`.',
        ),
      }),
    ),
  }),
  problems: [...REFUSED_WITH, ...Object.values(RESERVATION_PROBLEMS)],
  silent: 'it books nothing',
  run: async ({ work, body: asked }) => {
    const { row, dates } = await rollBackAfter(work, async (trial) => {
      const row = await insert(trial, asked);
      return { row, ...(await bookDates(trial, row)) };
    });
    if (dates.length === 0) throw nothingToReserve();
    const side = sideFor(work.viewer.mode);
    const alternatives = row.by_slot ? await alternativesTo(work, row, dates) : new Map();
    return {
      dates: dates.map(({ date: day, event, startsAt, zone, outcome, opensAt, reasons }) => ({
        date: day,
        event: row.by_slot && outcome === 'booked' ? null : event,
        starts_at: formatInstant(startsAt, zone),
        outcome,
        registrations_open_at: opensAt === null ? null : formatInstant(opensAt, zone),
        reasons: reasons.map(({ code }) => code),
        messages: reasons.map((reason) => reason[side]),
        alternatives: alternatives.get(day) ?? [],
      })),
    };
  },
});

/** Returns the reservation of the path, which the pipeline has locked. Refuses anyone who may not change it. */
async function activeOne(work: Work, target: Readonly<Record<string, any>>): Promise<ReservationRow> {
  await checkActsFor(work, target.customer_id);
  if (target.status === 'ended')
    throw new Problem('already_ended', {
      staff: 'The recurring reservation has ended. Create a new one.',
      customer: 'This has already ended. You can make a new one.',
    });
  return target as ReservationRow;
}

const updateReservation = action({
  method: 'PATCH',
  path: '/recurring_reservations/{id}',
  summary: 'Update a recurring reservation',
  description:
    'Bookings on dates that no longer belong to it are cancelled, in time or late by the window of each event. New dates are booked. If what pays or `on_conflict` changes, dates that could not be booked are tried again.',
  tells: true,
  who,
  target: recurringReservation,
  body: values,
  returns: one(recurringReservation),
  problems: [...REFUSED_WITH, ...Object.values(RESERVATION_PROBLEMS), 'already_ended'],
  run: async ({ work, target, body: sent, dryRun }) => {
    const row = await activeOne(work, target);
    const { mostWeeks } = await checkAllowed(work);
    const asked = {
      end_date: sent.end_date,
      times: sent.times,
      skipped_dates: sent.skipped_dates && unique(sent.skipped_dates),
      moved_dates: sent.moved_dates && toMovedDates(sent.moved_dates),
      customer_membership_id: sent.customer_membership,
      on_conflict: sent.on_conflict,
    };
    const known: Record<string, unknown> = { ...row, moved_dates: toMovedDates(row.moved_dates) };
    const differs = Object.fromEntries(
      Object.entries(asked).filter(
        ([name, value]) => value !== undefined && JSON.stringify(value) !== JSON.stringify(known[name]),
      ),
    ) as Partial<typeof asked>;
    if (changedNames(differs).length === 0) return row.id;
    if (row.comped && differs.customer_membership_id)
      throw invalid('customer_membership', 'A comped booking uses no membership. Leave it out.');
    const after = { ...row, ...differs } as ReservationRow;
    const length = { startDate: row.start_date, endDate: after.end_date, times: after.times };
    const end_date = 'end_date' in differs || 'times' in differs ? endOf(length, mostWeeks) : after.end_date;
    checkWaitlist(row.by_slot, differs.on_conflict);
    if (sent.moved_dates) {
      await checkMoves(work, { ...after, end_date }, sent.moved_dates);
      await forgetMoved(work, row, after.moved_dates);
    }
    const { moved_dates, ...plain } = differs;
    const moves = moved_dates && { moved_dates: JSON.stringify(moved_dates) };
    await updateRow(work, 'recurring_reservation', row.id, { ...plain, ...moves, end_date });
    await giveBack(work, row, notIn({ ...after, end_date }), { dryRun, forget: true });
    const retry = 'customer_membership_id' in differs || 'on_conflict' in differs;
    const { dates } = await bookNow(work, { ...after, end_date }, { retry });
    checkResult(after, dates);
    const changed = changedNames(differs).map((name) => name.replace(/_id$/, ''));
    work.record(recurringReservationFeed.updated, row.id, {
      recurring_reservation: row.id,
      customer: row.customer_id,
      changed,
    });
    return row.id;
  },
});

const end = action({
  path: '/recurring_reservations/{id}/end',
  summary: 'End a recurring reservation',
  description:
    'Nothing more is booked, and its bookings from `from` on are cancelled: in time or late by the window of each event, as any cancellation. A dry run shows which, and what they cost.',
  tells: true,
  who,
  target: recurringReservation,
  body: {
    from: date().optional().describe('The first day on which nothing is booked any more. If left out, today.'),
    keep_bookings: boolean().default(false).describe('If true, what is booked already stays booked.'),
  },
  returns: one(recurringReservation),
  problems: ['already_ended', 'conflict'],
  run: async ({ work, target, body: { from, keep_bookings }, dryRun }) => {
    const row = await activeOne(work, target);
    const today = wallAt(work.now, await zoneOf(work, row)).date;
    const first = from ?? today;
    if (!keep_bookings)
      await giveBack(work, row, sql`d.local_date >= ${first}::date`, { dryRun, forget: first > today });
    if (first <= today) {
      await endReservation(work, row, 'requested');
      return row.id;
    }
    const end_date = addDays(first, -1);
    if (end_date < row.start_date) {
      await endReservation(work, row, 'requested');
    } else if (row.end_date === null || end_date < row.end_date) {
      await updateRow(work, 'recurring_reservation', row.id, { end_date });
      work.record(recurringReservationFeed.updated, row.id, {
        recurring_reservation: row.id,
        customer: row.customer_id,
        changed: ['end_date'],
      });
      lookAgain(work, row.id);
    }
    return row.id;
  },
});

const tryAgain = action({
  path: '/recurring_reservations/{id}/try_again',
  summary: 'Try again to book dates that could not be booked',
  tells: true,
  who,
  target: recurringReservation,
  returns: one(recurringReservation),
  problems: [...REFUSED_WITH, 'already_ended'],
  run: async ({ work, target }) => {
    const row = await activeOne(work, target);
    await checkAllowed(work);
    await bookNow(work, row, { retry: true });
    return row.id;
  },
});

export const changeReservations = [createReservation, preview, updateReservation, end, tryAgain];
