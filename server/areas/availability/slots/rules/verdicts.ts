/**
 * Explains why a time is offered or not: every rule with its verdict. The first rule that refuses is the reason. Pure.
 */
import { formatInstant } from '../../../../kernel/base/values/zone.ts';
import type { Wording, Wordings } from '../../../../kernel/base/values/wording.ts';
import { moment, one, say, type When } from '../../../../kernel/base/values/words.ts';

interface SlotFacts {
  readonly now: number;
  readonly startsAt: number;
  readonly endsAt: number;
  readonly zone: string;
  /** staff can book outside of the window */
  readonly byStaff: boolean;
  readonly closed: boolean;
  /** entirely within opening hours */
  readonly open: boolean;
  readonly hoursFrom: HoursFrom;
  readonly blocked: boolean;
  /** the instructor is busy at the time itself; with details for staff */
  readonly busy: boolean;
  readonly busyWith: readonly (number | null)[];
  /** too close to another use, including the time kept free around both */
  readonly near: boolean;
  /** there would be no time to get there from another venue, or to the next one */
  readonly onTheWay: boolean;
  /** null: no room is needed */
  readonly roomFree: boolean | null;
  readonly appointments: number;
  readonly limit: number | null;
  /** bounds between which customers can book it, in epoch milliseconds of the start */
  readonly notice: number;
  readonly closes: number;
  readonly horizon: number;
  readonly opens: number;
}

type Facts = Readonly<Record<string, string | number | boolean | null>>;

export interface SlotVerdict {
  readonly code: string;
  readonly passed: boolean;
  readonly message: Wording;
  readonly facts: Facts;
  /** facts about other people: hidden from customers */
  readonly staffFacts: Facts;
}

const verdict = (
  code: string,
  passed: boolean,
  yes: string,
  no: Wordings,
  facts: Facts = {},
  staffFacts: Facts = {},
): SlotVerdict => ({
  code,
  passed,
  message: passed ? yes : no,
  facts,
  staffFacts,
});

/** Text for customers if the reason concerns other people. */
const taken = (staff: string): Wordings => ({
  staff,
  customer: 'This time is not available. Please choose another one.',
});

/** Source of the hours of a day. */
export type HoursFrom = 'weekly' | 'override' | 'not_valid';

const OUTSIDE: Readonly<Record<HoursFrom, string>> = {
  weekly:
    'It is outside of the weekly hours, or reaches beyond them. Choose another time, or change the hours of the availability schedule.',
  override:
    'Other hours apply on that day, and it is outside of them or reaches beyond them. Choose another time, or change the override of the availability schedule.',
  not_valid:
    'The availability schedule is not valid on that day. Choose another day, or change the dates of the schedule.',
};

/** Texts for each reason, and what people can do about it. */
export const REFUSED = {
  event_started: (): Wordings => ({
    staff: 'The time has passed. Choose a later one.',
    customer: 'This time has passed. Please choose a later one.',
  }),
  closed: (): Wordings => ({
    staff: 'The venue is closed on that day. Choose another day, or delete the closure.',
    customer: say`The ${one.venue} is closed on that day. Please choose another day.`,
  }),
  no_hours: (): Wordings =>
    taken(
      'There are no hours in which this is offered there. Create an availability schedule for the offering type, or choose another venue.',
    ),
  outside_hours: (from: HoursFrom): Wordings => ({
    staff: OUTSIDE[from],
    customer: 'Nothing is offered at this time. Please choose another one.',
  }),
  blocked: (): Wordings =>
    taken('The time is blocked for the instructor or the venue. Choose another time, or remove the blocked time.'),
  instructor_busy: (events: readonly (number | null)[]): Wordings =>
    taken(`The instructor is busy${naming(events)}. Choose another time or instructor.`),
  buffer: (): Wordings =>
    taken(
      'It is too close to something else: the time before or after one of them would not stay free. Choose a time that is further away, or change the buffers of the offering type.',
    ),
  travel: (): Wordings =>
    taken(
      'The instructor could not get here from another venue in time, or there afterwards. Choose another time or instructor, or change the travel times in the settings of slots.',
    ),
  room_busy: (): Wordings => ({
    staff:
      'No room is free at this time, including its buffers. Choose another time, or add a room to the offering type.',
    customer: say`No ${one.room} is free at this time. Please choose another one.`,
  }),
  daily_limit: (appointments: number, limit: number): Wordings => ({
    staff: `The instructor has reached the limit of appointments on that day (${appointments} of ${limit}). Choose another day or instructor, or raise the limit in the settings of slots.`,
    customer: 'This day is fully booked. Please choose another day.',
  }),
  /** `earliest`, as shown in the text */
  registration_closed: (earliest: When | null): Wordings => ({
    staff: 'It is too soon: customers can no longer book it. Staff still can.',
    customer:
      earliest === null
        ? say`It is too late to book this time. Please choose another one.`
        : say`It is too late to book this time. Please choose one from ${earliest} on.`,
  }),
  registration_not_open: (latest: When | null): Wordings => ({
    staff: 'It is too far ahead: customers cannot book it yet. Staff already can.',
    customer:
      latest === null
        ? say`This can be booked later. Please choose an earlier time.`
        : say`This can be booked later. For now, times until ${latest} can be booked.`,
  }),
};

/** The only verdict on a time for which there are no hours at all. */
export const NO_HOURS: SlotVerdict = {
  code: 'outside_hours',
  passed: false,
  message: REFUSED.no_hours(),
  facts: {},
  staffFacts: {},
};

export function slotVerdicts(f: SlotFacts): SlotVerdict[] {
  const at = (epochMs: number) => (Number.isFinite(epochMs) ? formatInstant(epochMs, f.zone) : null);
  const spoken = (epochMs: number) => (Number.isFinite(epochMs) ? moment(epochMs, f.zone) : null);
  const [earliest, latest] = [Math.max(f.notice, f.closes), Math.min(f.horizon, f.opens)];
  return [
    verdict('event_started', f.startsAt > f.now, 'The time has not come yet.', REFUSED.event_started(), {
      now: at(f.now),
      starts_at: at(f.startsAt),
    }),
    verdict('closed', !f.closed, 'The venue is not closed.', REFUSED.closed()),
    verdict('outside_hours', f.open, 'It is within the hours.', REFUSED.outside_hours(f.hoursFrom), {
      hours_from: f.hoursFrom,
    }),
    verdict('blocked', !f.blocked, 'The time is not blocked.', REFUSED.blocked()),
    verdict(
      'instructor_busy',
      !f.busy,
      'The instructor is free.',
      REFUSED.instructor_busy(f.busyWith),
      {},
      { events: f.busyWith.filter((id) => id !== null).join(',') || null },
    ),
    verdict('buffer', !f.near || f.busy, 'The buffers before and after it are free.', REFUSED.buffer()),
    verdict('travel', !f.onTheWay, 'There is time to get there.', REFUSED.travel()),
    verdict(
      'room_busy',
      f.roomFree !== false,
      f.roomFree === null ? 'No room is needed.' : 'A room is free.',
      REFUSED.room_busy(),
    ),
    verdict(
      'daily_limit',
      f.limit === null || f.appointments < f.limit,
      'The limit of the day is not reached.',
      REFUSED.daily_limit(f.appointments, f.limit ?? Infinity),
      {},
      { appointments: f.appointments, daily_limit: f.limit },
    ),
    verdict(
      'registration_closed',
      f.byStaff || (f.startsAt >= f.notice && f.startsAt > f.closes),
      'It is not too soon.',
      REFUSED.registration_closed(spoken(earliest)),
      { earliest_starts_at: at(earliest), by_staff: f.byStaff },
    ),
    verdict(
      'registration_not_open',
      f.byStaff || f.startsAt <= latest,
      'It is not too far ahead.',
      REFUSED.registration_not_open(spoken(latest)),
      { latest_starts_at: at(latest), by_staff: f.byStaff },
    ),
  ];
}

const naming = (events: readonly (number | null)[]): string => {
  const known = events.filter((id) => id !== null);
  const elsewhere = events.length > known.length ? ['a calendar that they connected'] : [];
  const all = [...known.map((id) => `event ${id}`), ...elsewhere];
  return all.length > 0 ? ` (${all.join(', ')})` : '';
};
