import { feedItemKind } from '../../../../kernel/work/feed/feed-item.ts';
import { ref } from '../../../../kernel/base/fields/kinds.ts';

const payload = { report_schedule: ref('report_schedule') };
const kind = (what: string, description: string) =>
  feedItemKind(`report_schedule.${what}`, { object: 'report_schedule', description, payload });

export const scheduleCreated = kind('created', 'Somebody planned a report to be written every week or month.');
export const scheduleUpdated = kind('updated', 'A report schedule was changed, paused or resumed by somebody.');
export const scheduleDeleted = kind('deleted', 'A report schedule was deleted.');
export const scheduleRan = kind(
  'ran',
  'A report schedule asked for the files of its recipients. Each of them gets an email when theirs is written.',
);
export const schedulePaused = kind(
  'paused',
  'A report schedule was paused because it can’t run any longer. Its property `status_reason` says why.',
);

export const SCHEDULE_FEED = [scheduleCreated, scheduleUpdated, scheduleDeleted, scheduleRan, schedulePaused];
