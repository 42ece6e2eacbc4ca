import { date, ref } from '../../../kernel/base/fields/kinds.ts';
import { feedItemKind } from '../../../kernel/work/feed/feed-item.ts';

const payload = { accounting_period: ref('accounting_period'), start_date: date(), end_date: date() };

export const periodClosed = feedItemKind('accounting_period.closed', {
  object: 'accounting_period',
  description: 'The books of some days were closed.',
  payload,
});

export const periodReopened = feedItemKind('accounting_period.reopened', {
  object: 'accounting_period',
  description: 'The books of some days were reopened.',
  payload,
});

export const FEED = [periodClosed, periodReopened];
