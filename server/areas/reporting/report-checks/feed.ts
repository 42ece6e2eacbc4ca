import { feedKinds } from '../../../kernel/work/feed/feed-item.ts';
import { integer } from '../../../kernel/base/fields/kinds.ts';

export const reportCheckFeed = feedKinds(
  'report_check',
  { differences: integer({ min: 1 }) },
  {
    differed:
      'The nightly check found reports that don’t agree with the ledger, the bookings or each other. This should never happen: tell the people who run the service.',
  },
  { object: 'provider' },
);
