import { date, ref } from '../../../kernel/base/fields/kinds.ts';
import { feedKinds } from '../../../kernel/work/feed/feed-item.ts';

export const accountingPeriodFeed = feedKinds(
  'accounting_period',
  { accounting_period: ref('accounting_period'), start_date: date(), end_date: date() },
  {
    closed: 'The books of some days were closed.',
    reopened: 'The books of some days were reopened.',
  },
);

export const FEED = [accountingPeriodFeed];
