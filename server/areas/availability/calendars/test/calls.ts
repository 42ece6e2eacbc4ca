import { randomUUID } from 'node:crypto';
import { connected } from './calendar-world.ts';
import { newInstructor } from '../../../../test/schedule-world.ts';
import { sql } from '../../../../kernel/base/db/sql.ts';
import type { Calls } from '../../../../test/matrix/calls.ts';
import type { World } from '../../../../test/world.ts';

const VALUES = {
  is_source_for_busy_periods: false,
  is_destination_for_service_events: false,
  constrain_only_busy: false,
  push_only_if_event_has_attendees: true,
  set_external_reminders_for_pushed_events: true,
  reminder_number_of_minutes_prior: 30,
};

/** Creates a calendar that is not used yet. */
async function unused(world: World): Promise<number> {
  const { account, setting } = await connected(world);
  await world.work(world.harbour, ({ tx }) =>
    tx.run(sql`DELETE FROM staff_calendar_setting WHERE provider_id = ${world.harbour} AND id = ${setting}`),
  );
  return account;
}

export const CALLS: Calls = {
  'POST /external_calendars/accounts': async (world) => ({
    body: {
      url: `https://calendar.example.com/${randomUUID()}.ics`,
      name: 'Private',
      staff: (await newInstructor(world)).staff,
    },
  }),
  'POST /external_calendars/staff_calendar_settings': async (world) => ({
    body: { calendar_source_account: await unused(world), ...VALUES },
  }),
  'PUT /external_calendars/staff_calendar_settings/{id}': async (world) => ({
    id: (await connected(world)).setting,
    body: VALUES,
  }),
  'PATCH /external_calendars/staff_calendar_settings/{id}': async (world) => ({
    id: (await connected(world)).setting,
    body: { constrain_only_busy: false },
  }),
};

export const ALWAYS_REFUSED = {
  'POST /external_calendars/accounts/oauth2/initiate': 'The installation has no credentials for Google or Microsoft.',
};
