import { boolean, ref, text } from '../../../../kernel/base/fields/kinds.ts';
import { CALENDAR_PROBLEMS } from '../problems.ts';
import { changedNames, insertRow, updateRow, deleteRow } from '../../../../kernel/work/unit/row.ts';
import { changes } from '../../../../kernel/api/resource-changes.ts';
import { invalid, Problem } from '../../../../kernel/base/problem.ts';
import { staffCalendarSettingFeed } from '../feed.ts';
import { sql } from '../../../../kernel/base/db/sql.ts';
import { STAFF } from '../../../../kernel/api/endpoint.ts';
import { staffCalendarSetting } from './resources.ts';
import type { Work } from '../../../../kernel/work/unit/work.ts';

const f = staffCalendarSetting.fields;

const body = {
  constrain_only_busy: f.constrain_only_busy.default(true),
  is_destination_for_service_events: f.is_destination_for_service_events,
  is_source_for_busy_periods: f.is_source_for_busy_periods,
  push_only_if_event_has_attendees: f.push_only_if_event_has_attendees.default(false),
  reminder_number_of_minutes_prior: f.reminder_number_of_minutes_prior.optional(),
  set_external_reminders_for_pushed_events: boolean().default(false),
};

function checkDestination({ is_destination_for_service_events: wanted }: Record<string, unknown>): void {
  if (!wanted) return;
  const why =
    'This calendar is read by its address, so no events can be written to it. Subscribe to the calendar feed of the instructor there instead: expand `icalendar_links` of the instructor.';
  throw new Problem(CALENDAR_PROBLEMS.calendar_read_only, why, { is_destination_for_service_events: [why] });
}

interface Sent {
  readonly calendar_source_account: number;
  readonly calendar_source_calendar_id?: string;
  readonly base64_calendar_source_calendar_id?: string;
}

/** Returns the named calendar, or the only one of the account. */
async function calendarOf(work: Work, sent: Sent): Promise<{ id: number; staff: number }> {
  const calendars = await work.tx.rows<{ id: number; source: string; staff: number }>(
    sql`SELECT c.id, c.source_id AS source, a.staff_id AS staff FROM external_calendar c
        JOIN external_calendar_account a ON a.provider_id = c.provider_id AND a.id = c.account_id
        WHERE c.provider_id = ${work.providerId} AND c.account_id = ${sent.calendar_source_account} ORDER BY c.id`,
  );
  const encoded = sent.base64_calendar_source_calendar_id;
  const named = [sent.calendar_source_calendar_id, encoded && Buffer.from(encoded, 'base64').toString('utf8')];
  const left = calendars.filter(({ source }) => named.every((name) => name === undefined || name === source));
  if (left.length !== 1) throw invalid('calendar_source_calendar_id', 'Must be the id of a calendar of this account.');
  return left[0];
}

const about = async (work: Work, setting: { readonly id?: number; readonly calendar_id?: number }) => {
  const of = await work.tx.one<{ account: number; staff: number }>(
    sql`SELECT a.id AS account, a.staff_id AS staff FROM external_calendar c
        JOIN external_calendar_account a ON a.provider_id = c.provider_id AND a.id = c.account_id
        WHERE c.provider_id = ${work.providerId} AND c.id = ${setting.calendar_id}`,
  );
  return { staff_calendar_setting: setting.id!, external_calendar_account: of!.account, staff: of!.staff };
};

export const changeSettings = changes(staffCalendarSetting, {
  path: '/external_calendars/staff_calendar_settings',
  noun: 'staff calendar setting',
  who: STAFF,
  body,
  first: {
    calendar_source_account: ref('external_calendar_account'),
    calendar_source_calendar_id: text({ max: 500 })
      .optional()
      .describe('The calendar of the account. If left out, it is the only one.'),
    base64_calendar_source_calendar_id: text({ max: 1000 }).optional().describe('The file in base64.'),
    ...body,
  },
  problems: [CALENDAR_PROBLEMS.calendar_read_only],
  create: {
    description: 'A calendar has at most one setting.',
    problems: ['already_exists', CALENDAR_PROBLEMS.calendar_read_only],
    run: async ({ work, body: sent }) => {
      checkDestination(sent);
      const {
        calendar_source_account: account,
        calendar_source_calendar_id: _,
        base64_calendar_source_calendar_id: __,
        ...values
      } = sent;
      const calendar = await calendarOf(work, sent);
      const id = await insertRow(work, 'staff_calendar_setting', { ...values, calendar_id: calendar.id });
      work.record(staffCalendarSettingFeed.created, id, {
        staff_calendar_setting: id,
        external_calendar_account: account,
        staff: calendar.staff,
      });
      return id;
    },
  },
  update: async ({ work, body: sent, target }) => {
    checkDestination(sent);
    const changed = changedNames(sent);
    if (changed.length === 0) return;
    await updateRow(work, 'staff_calendar_setting', target.id, sent);
    work.record(staffCalendarSettingFeed.updated, target.id, { ...(await about(work, target)), changed });
  },
  remove: async ({ work, target }) => {
    const of = await about(work, target);
    await deleteRow(work, 'staff_calendar_setting', target.id);
    work.record(staffCalendarSettingFeed.deleted, target.id, of);
  },
});
