import { feedItemKind } from '../../../kernel/work/feed/feed-item.ts';
import { integer } from '../../../kernel/base/fields/kinds.ts';

export const reportsDiffered = feedItemKind('report_check.differed', {
  object: 'provider',
  description:
    'The nightly check found reports that don’t agree with the ledger, the bookings or each other. This should never happen: tell the people who run the service.',
  payload: { differences: integer({ min: 1 }) },
});
