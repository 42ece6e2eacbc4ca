import { externalCalendar, externalCalendarAccount, externalCalendarEvent, staffCalendarSetting } from './resources.ts';
import { filter, list, one, read, STAFF, listAndGet } from '../../../../kernel/api/endpoint.ts';
import { id, instant } from '../../../../kernel/base/fields/kinds.ts';
import { notFound } from '../../../../kernel/base/problem.ts';
import { param, raw, sql } from '../../../../kernel/base/db/sql.ts';
import type { Input } from '../../../../kernel/work/access/viewer.ts';

const OTHERS = 'Staff see their own. With the permission `manage_events` at all venues, they also see those of others.';

const at = (name: string) => param<Input>((i) => new Date(i.query[name]).toISOString());

export const findOutside = [
  ...listAndGet(externalCalendarAccount, {
    path: '/external_calendars/accounts',
    summary: 'List connected calendars',
    get: 'Get a connected calendar',
    description: OTHERS,
    who: STAFF,
  }),
  list(externalCalendar, {
    path: '/external_calendars/accounts/{id}/calendars',
    summary: 'List the calendars of an account',
    description: 'An account of the source `ICAL` has exactly one.',
    who: STAFF,
    target: externalCalendarAccount,
    within: (t) => sql`${raw(t)}.account_id = ${param<Input>((i) => i.id)}`,
  }),
  read({
    path: '/external_calendars/accounts/{id}/calendars/{base64_calendar_id}',
    summary: 'Get a calendar of an account',
    who: STAFF,
    target: externalCalendarAccount,
    returns: one(externalCalendar),
    run: async ({ work, target, params }) => {
      const found = await work.tx.one<{ id: number }>(
        sql`SELECT id FROM external_calendar WHERE provider_id = ${work.providerId} AND account_id = ${target.id}
            AND source_id =
            ${Buffer.from(params.base64_calendar_id, 'base64').toString('utf8').replaceAll('\u0000', '')}`,
      );
      if (!found) throw notFound();
      return found.id;
    },
  }),
  list(externalCalendarEvent, {
    path: '/external_calendars/events',
    summary: 'List events of connected calendars',
    description: `From a day ago to a year ahead, as they were when the calendars were last read. ${OTHERS} Of the events of others, they see only the times.`,
    who: STAFF,
    sort: { start: { by: (t) => raw(`lower(${t}.during)`) } },
    defaultSort: 'start',
    filters: {
      happens_after: filter(
        instant().describe('Events that end after this.'),
        (t) => sql`upper(${raw(t)}.during) > ${at('happens_after')}::timestamptz`,
      ),
      happens_before: filter(
        instant().describe('Events that begin before this.'),
        (t) => sql`lower(${raw(t)}.during) < ${at('happens_before')}::timestamptz`,
      ),
      instructor_id: filter(
        id().describe('Events in the calendars of this instructor.'),
        (t, instructor) => sql`${raw(t)}.calendar_id IN (SELECT c.id FROM external_calendar c
          JOIN external_calendar_account a ON a.provider_id = c.provider_id AND a.id = c.account_id
          JOIN instructor i ON i.provider_id = a.provider_id AND i.staff_id = a.staff_id
          WHERE c.provider_id = current_provider_id() AND i.id = ${instructor})`,
      ),
    },
  }),
  ...listAndGet(staffCalendarSetting, {
    path: '/external_calendars/staff_calendar_settings',
    summary: 'List what connected calendars are used for',
    get: 'Get what a connected calendar is used for',
    description: OTHERS,
    who: STAFF,
  }),
];
