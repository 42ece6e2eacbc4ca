import { raw, sql } from '../../../../kernel/base/db/sql.ts';
import { collection, date, id, integer, listOf, oneOf, text } from '../../../../kernel/base/fields/kinds.ts';
import { describeRecurrence, parseRecurrence } from '../../../../kernel/base/values/recurrence.ts';
import { resource } from '../../../../kernel/api/resource.ts';
import { viewingVenues } from '../../../../kernel/work/access/viewer.ts';

export const eventSeries = resource('event_series', {
  description: 'A recurring plan: a recurrence rule in the local time of a time zone, and the events created from it.',
  fields: {
    id: id(),
    rrule: text({ max: 500 }).describe('RFC 5545 recurrence rule, for example FREQ=WEEKLY;BYDAY=MO,WE.'),
    description: text().computed(
      (t) => [raw(`${t}.rrule`)],
      ([rrule]) => {
        const rule = parseRecurrence(rrule!);
        return 'error' in rule ? rrule : describeRecurrence(rule);
      },
    ),
    timezone: text(),
    first_starts_at: text()
      .from((t) => raw(`to_char(${t}.first_local_starts_at, 'YYYY-MM-DD"T"HH24:MI:SS')`))
      .describe('Local time of the first event.'),
    duration_minutes: integer({ min: 1 }),
    exceptions: listOf(date()).computed(
      (t) => [raw(`to_json(${t}.exceptions)::text`)],
      ([dates]) => JSON.parse(dates!),
    ),
    status: oneOf(['active', 'ended']),
    events: collection('event', { column: 'series_id' }, (seriesId) => `/events?series=${seriesId}`),
  },
  visible: { provider: true, customer: false, unregistered: false },
  // The place of its plan; an event that was moved individually has its own.
  place: {
    within: (t) => sql`(${raw(t)}.template->>'venue')::bigint = ANY(${viewingVenues}::bigint[])`,
    elsewhere: 'hidden',
  },
});
