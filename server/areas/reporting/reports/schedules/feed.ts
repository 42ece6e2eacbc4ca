import { feedKinds } from '../../../../kernel/work/feed/feed-item.ts';
import { ref } from '../../../../kernel/base/fields/kinds.ts';

export const reportScheduleFeed = feedKinds(
  'report_schedule',
  { report_schedule: ref('report_schedule') },
  {
    created: 'Somebody planned a report to be written every week or month.',
    updated: { description: 'A report schedule was changed, paused or resumed by somebody.' },
    deleted: 'A report schedule was deleted.',
    ran: 'A report schedule asked for the files of its recipients. Each of them gets an email when theirs is written.',
    paused: 'A report schedule was paused because it can’t run any longer. Its property `status_reason` says why.',
  },
);

export const SCHEDULE_FEED = [reportScheduleFeed];
