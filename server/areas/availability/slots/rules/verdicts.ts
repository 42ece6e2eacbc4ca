/**
 * Why a time is offered, or why not: every rule with what it says, in the order in which the first that refuses is told.
 * Pure.
 */
import { formatInstant } from '../../../../kernel/values/zone.ts';
import { momentText } from '../../../../kernel/values/spoken-time.ts';
import type { Wording, Wordings } from '../../../../kernel/values/wording.ts';
import { one, say } from '../../../../kernel/values/words.ts';

export interface SlotFacts {
  readonly now: number;
  readonly startsAt: number;
  readonly endsAt: number;
  readonly zone: string;
  /** staff book outside of the window */
  readonly byStaff: boolean;
  readonly closed: boolean;
  /** within opening hours as a whole */
  readonly open: boolean;
  readonly blocked: boolean;
  /** the instructor is busy at the time itself; of what, for staff */
  readonly busy: boolean;
  readonly busyWith: readonly (number | null)[];
  /** too near to another use, counted with what stays free around both */
  readonly near: boolean;
  /** there would be no time to come from another venue, or to get there */
  readonly onTheWay: boolean;
  /** null: no room is needed */
  readonly roomFree: boolean | null;
  readonly appointments: number;
  readonly limit: number | null;
  /** from when to when customers can book it, epoch ms of the start */
  readonly notice: number;
  readonly closes: number;
  readonly horizon: number;
  readonly opens: number;
}

export interface SlotVerdict {
  readonly code: string;
  readonly passed: boolean;
  readonly message: Wording;
  readonly facts: Record<string, string | number | boolean | null>;
}

const verdict = (
  code: string,
  passed: boolean,
  yes: string,
  no: Wordings,
  facts: SlotVerdict['facts'] = {},
): SlotVerdict => ({
  code,
  passed,
  message: passed ? yes : no,
  facts,
});

const alike = (text: string): Wordings => ({ staff: text, customer: text });

export function slotVerdicts(f: SlotFacts): SlotVerdict[] {
  const at = (epochMs: number) => (Number.isFinite(epochMs) ? formatInstant(epochMs, f.zone) : null);
  const spoken = (epochMs: number) => momentText(epochMs, f.zone);
  const ahead = f.startsAt - f.now;
  return [
    verdict('event_started', ahead > 0, 'The time has not come yet.', alike('The time has passed.'), {
      now: at(f.now),
      starts_at: at(f.startsAt),
    }),
    verdict('closed', !f.closed, 'The venue is not closed.', alike('The venue is closed on that day.')),
    verdict(
      'outside_hours',
      f.open,
      'It is within the hours.',
      alike('It is outside of the hours, or reaches beyond them.'),
    ),
    verdict('blocked', !f.blocked, 'The time is not blocked.', {
      staff: 'The time is blocked for the instructor or the venue.',
      customer: 'This time is not available.',
    }),
    verdict(
      'instructor_busy',
      !f.busy,
      'The instructor is free.',
      { staff: `The instructor is busy${naming(f.busyWith)}.`, customer: 'This time is not available.' },
      { events: f.busyWith.filter((id) => id !== null).join(',') || null },
    ),
    verdict('buffer', !f.near || f.busy, 'Enough time stays free around it.', {
      staff: 'It is too close to something else: the time before or after one of them would not stay free.',
      customer: 'This time is not available.',
    }),
    verdict('travel', !f.onTheWay, 'There is time to get there.', {
      staff: 'The instructor could not get here from another venue in time, or there afterwards.',
      customer: 'This time is not available.',
    }),
    verdict('room_busy', f.roomFree !== false, f.roomFree === null ? 'No room is needed.' : 'A room is free.', {
      staff: 'No room for it is free, with the time that stays free around it.',
      customer: say`No ${one.room} is free at this time.`,
    }),
    verdict(
      'daily_limit',
      f.limit === null || f.appointments < f.limit,
      'The limit of the day is not reached.',
      {
        staff: `The instructor has ${f.appointments} appointments on that day, and the limit is ${f.limit}.`,
        customer: 'This day is fully booked.',
      },
      { appointments: f.appointments, daily_limit: f.limit },
    ),
    verdict(
      'registration_closed',
      f.byStaff || (f.startsAt >= f.notice && f.startsAt > f.closes),
      'It is not too soon.',
      alike(`It is too soon: booking it in time has ended.`),
      { earliest_starts_at: at(Math.max(f.notice, f.closes)), by_staff: f.byStaff },
    ),
    verdict(
      'registration_not_open',
      f.byStaff || f.startsAt <= Math.min(f.horizon, f.opens),
      'It is not too far ahead.',
      {
        staff: 'It is too far ahead: customers cannot book it yet.',
        customer: `This can be booked later. For now, times until ${Number.isFinite(Math.min(f.horizon, f.opens)) ? spoken(Math.min(f.horizon, f.opens)) : 'then'} can be booked.`,
      },
      { latest_starts_at: at(Math.min(f.horizon, f.opens)), by_staff: f.byStaff },
    ),
  ];
}

const naming = (events: readonly (number | null)[]): string => {
  const known = events.filter((id) => id !== null);
  const elsewhere = events.length > known.length ? ['a calendar that they connected'] : [];
  const all = [...known.map((id) => `event ${id}`), ...elsewhere];
  return all.length > 0 ? ` (${all.join(', ')})` : '';
};
