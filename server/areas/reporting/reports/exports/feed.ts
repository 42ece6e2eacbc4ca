import { feedItemKind } from '../../../../kernel/work/feed/feed-item.ts';
import { id, text } from '../../../../kernel/base/fields/kinds.ts';

export const exportRequested = feedItemKind('report_export.requested', {
  object: 'report_export',
  description: 'A report was requested as a file. A job writes it.',
  payload: { report_export: id(), job: id(), report: text() },
});

export const exportFinished = feedItemKind('report_export.finished', {
  object: 'report_export',
  description: 'A report was written to a file, which the person who asked for it can download.',
  payload: { report_export: id(), job: id(), report: text() },
});

export const exportFailed = feedItemKind('report_export.failed', {
  object: 'report_export',
  description: 'A report could not be written to a file.',
  payload: { report_export: id(), job: id(), report: text() },
});
