import { DAYS_OF_WEEK } from '../rules/next-run.ts';
import { FORMATS } from '../exports/formats.ts';
import { id, idsOf, instant, integer, map, oneOf, ref, text, timeOfDay } from '../../../../kernel/base/fields/kinds.ts';
import { may, type Input, type Viewer } from '../../../../kernel/work/access/viewer.ts';
import { param, raw, sql } from '../../../../kernel/base/db/sql.ts';
import { REPORTS } from '../catalogue/index.ts';
import { resource } from '../../../../kernel/api/resource.ts';

const viewingStaff = param<Input>((i) => i.viewer.staffId);

/** The staff in the array column, as links. */
const recipientLink = {
  table: '(SELECT provider_id, id AS schedule_id, unnest(recipient_ids) AS staff_id FROM report_schedule)',
  parent: 'schedule_id',
  child: 'staff_id',
};

export const reportSchedule = resource('report_schedule', {
  description:
    'A report that is written to a file every week or month. Each recipient gets an email with a link to a file of their own.',
  fields: {
    id: id(),
    owner: ref('staff', 'owner_id').nullable().describe('Staff member who created it. Null if a program did.'),
    report: oneOf(REPORTS.map(({ name }) => name)),
    form: oneOf(['rows', 'groups']),
    format: oneOf(FORMATS),
    asked: map().describe(
      'Columns and filters, as `POST /reports/{report}/export` takes them. Periods by their names, for example `last_month`, move with each run.',
    ),
    frequency: oneOf(['weekly', 'monthly']),
    day_of_week: oneOf(DAYS_OF_WEEK).nullable().describe('Weekly schedules only.'),
    day_of_month: integer({ min: 1, max: 31 })
      .nullable()
      .describe('Monthly schedules only. In a month that is too short, it runs on the last day.'),
    time: timeOfDay()
      .from((t) => raw(`regexp_replace(${t}.time::text, '^(\\d\\d:\\d\\d):00$', '\\1')`))
      .describe('Time of day by the clock of the business.'),
    recipients: idsOf('staff', recipientLink).describe(
      'Staff who may read the report. Each file holds what its recipient may see.',
    ),
    status: oneOf(['active', 'paused']),
    status_reason: text({ max: 500 }).nullable().describe('Why it is paused, if nobody paused it.'),
    next_run_at: instant().nullable().describe('Null while it is paused.'),
    last_run_at: instant().nullable(),
    created_at: instant(),
    updated_at: instant(),
  },
  visible: {
    provider: (t: string, viewer: Viewer) => (may(viewer) ? true : sql`${raw(t)}.owner_id = ${viewingStaff}`),
    customer: false,
    unregistered: false,
  },
});
