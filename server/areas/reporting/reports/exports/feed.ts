import { feedKinds } from '../../../../kernel/work/feed/feed-item.ts';
import { id, text } from '../../../../kernel/base/fields/kinds.ts';

export const reportExportFeed = feedKinds(
  'report_export',
  { report_export: id(), job: id(), report: text() },
  {
    requested: 'A report was requested as a file. A job writes it.',
    finished: 'A report was written to a file, which the person who asked for it can download.',
    failed: 'A report could not be written to a file.',
  },
);
