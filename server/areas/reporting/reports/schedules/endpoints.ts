import { changes } from '../../../../kernel/api/resource-changes.ts';
import { changeSchedule, createSchedule, deleteSchedule, type Planned } from './writes.ts';
import { STAFF, listAndGet } from '../../../../kernel/api/endpoint.ts';
import { refs } from '../../../../kernel/base/fields/kinds.ts';
import { reportSchedule } from './report-schedule.ts';

const f = reportSchedule.fields;

const body = {
  report: f.report,
  form: f.form.default('rows'),
  format: f.format.default('xlsx'),
  asked: f.asked.default({}),
  frequency: f.frequency,
  day_of_week: f.day_of_week.default(null),
  day_of_month: f.day_of_month.default(null),
  time: f.time,
  recipients: refs('staff', { min: 1, max: 50 }),
  status: f.status.default('active'),
};

const path = '/report_schedules';

export const scheduleEndpoints = [
  ...listAndGet(reportSchedule, {
    path,
    summary: 'List report schedules',
    get: 'Get a report schedule',
    description: 'Super admins see all of them, other staff their own.',
    who: STAFF,
  }),
  ...changes(reportSchedule, {
    path,
    noun: 'report schedule',
    who: STAFF,
    body,
    problems: ['conflict', 'permission_denied'],
    create: {
      description:
        'For staff who may read the report. On each of its days, the report is written to a file for each recipient, with what they may see on that day, and they get an email with a link. Only they can use it, for seven days.',
      run: ({ work, body: values }) => createSchedule(work, values as Planned),
    },
    update: {
      description:
        'Set `status` to `paused` to stop it for a while. It is paused for you if its owner no longer works here or may no longer read the report, or if no recipient may; `status_reason` says so. What was missed is not written later.',
      run: ({ work, body: values, target }) =>
        changeSchedule(work, target, changed(target, values as Partial<Planned>)),
    },
    remove: ({ work, target }) => deleteSchedule(work, target.id),
  }),
];

/** Changing the frequency drops the day of the other frequency. */
const dropped: Readonly<Record<string, object>> = { weekly: { day_of_month: null }, monthly: { day_of_week: null } };

/** Returns the row in the form of a body, with the changes applied. */
const changed = (
  { recipient_ids: recipients, asked, ...row }: Record<string, any>,
  values: Partial<Planned>,
): Planned => ({
  report: row.report,
  form: row.form,
  format: row.format,
  frequency: row.frequency,
  day_of_week: row.day_of_week,
  day_of_month: row.day_of_month,
  time: row.time,
  status: row.status,
  asked: typeof asked === 'string' ? JSON.parse(asked) : asked,
  recipients,
  ...dropped[values.frequency ?? ''],
  ...values,
});
