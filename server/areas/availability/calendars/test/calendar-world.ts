/** Creates calendars of instructors for tests, as rows. */
import { randomBytes } from 'node:crypto';
import { iso, newInstructor, row } from '../../../../test/schedule-world.ts';
import type { World } from '../../../../test/world.ts';

export interface Connected {
  readonly instructor: number;
  readonly staff: number;
  readonly account: number;
  readonly calendar: number;
  readonly setting: number;
}

/**
 * Creates a calendar of an instructor that counts as busy, without events; `setting` and `calendar` override its rows.
 */
export async function connected(
  world: World,
  {
    providerId = world.harbour,
    setting = {},
    calendar = {},
    of,
  }: {
    providerId?: number;
    setting?: Record<string, unknown>;
    calendar?: Record<string, unknown>;
    of?: { instructor: number; staff: number };
  } = {},
): Promise<Connected> {
  const { instructor, staff } = of ?? (await newInstructor(world, providerId));
  const account = await row(
    world,
    'external_calendar_account',
    {
      staff_id: staff,
      calendar_source: 'ICAL',
      username: 'Private',
      address_print: `\\x${randomBytes(32).toString('hex')}`,
    },
    providerId,
  );
  const calendarId = await row(
    world,
    'external_calendar',
    // Not read by the engine of the service that test files share.
    { account_id: account, source_id: `ical-${account}`, due_at: 'infinity', ...calendar },
    providerId,
  );
  const settingId = await row(
    world,
    'staff_calendar_setting',
    {
      calendar_id: calendarId,
      is_source_for_busy_periods: true,
      is_destination_for_service_events: false,
      ...setting,
    },
    providerId,
  );
  return { instructor, staff, account, calendar: calendarId, setting: settingId };
}

/** Creates an event of a calendar, between these instants. */
export const outsideEvent = (
  world: World,
  calendar: number,
  [from, to]: readonly [number, number],
  over: Record<string, unknown> = {},
  providerId = world.harbour,
): Promise<number> =>
  row(
    world,
    'external_calendar_event',
    {
      calendar_id: calendar,
      source_event_id: randomBytes(8).toString('hex'),
      during: `[${iso(from)},${iso(to)})`,
      is_all_day: false,
      is_busy: true,
      status: 'CONF',
      visibility: 'DEFT',
      title: 'Dentist',
      ...over,
    },
    providerId,
  );
