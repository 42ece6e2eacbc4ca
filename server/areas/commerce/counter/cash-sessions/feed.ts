import { AMOUNTS, TOTALS } from '../shown.ts';
import { feedItemKind } from '../../../../kernel/work/feed/feed-item.ts';
import { MOVEMENTS } from './cash-session.ts';
import { oneOf, ref, text } from '../../../../kernel/base/fields/kinds.ts';

const of = { cash_session: ref('cash_session'), payment_processor: ref('payment_processor') };

export const sessionOpened = feedItemKind('cash_session.opened', {
  object: 'cash_session',
  description: 'A cash drawer was opened with a float.',
  payload: of,
});

export const sessionClosed = feedItemKind('cash_session.closed', {
  object: 'cash_session',
  description: 'A cash drawer was counted and closed. `difference` is below 0 if cash is missing.',
  payload: { ...of, counted: text(), difference: text() },
  shown: { counted: TOTALS, difference: TOTALS },
});

export const cashMoved = feedItemKind('cash_movement.created', {
  object: 'cash_movement',
  description: 'Cash came into a drawer or left it.',
  payload: { cash_movement: ref('cash_movement'), ...of, kind: oneOf(MOVEMENTS), amount: text() },
  shown: { amount: AMOUNTS },
});

export const CASH_FEED = [sessionOpened, sessionClosed, cashMoved];
