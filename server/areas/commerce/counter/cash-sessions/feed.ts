import { AMOUNTS, TOTALS } from '../shown.ts';
import { feedKinds } from '../../../../kernel/work/feed/feed-item.ts';
import { MOVEMENTS } from './cash-session.ts';
import { oneOf, ref, text } from '../../../../kernel/base/fields/kinds.ts';

const of = { cash_session: ref('cash_session'), payment_processor: ref('payment_processor') };

export const cashSessionFeed = feedKinds('cash_session', of, {
  opened: 'A cash drawer was opened with a float.',
  closed: {
    description: 'A cash drawer was counted and closed. `difference` is below 0 if cash is missing.',
    payload: { counted: text(), difference: text() },
    shown: { counted: TOTALS, difference: TOTALS },
  },
});

export const cashMovementFeed = feedKinds(
  'cash_movement',
  { cash_movement: ref('cash_movement'), ...of, kind: oneOf(MOVEMENTS), amount: text() },
  {
    created: { description: 'Cash came into a drawer or left it.', shown: { amount: AMOUNTS } },
  },
);

export const CASH_FEED = [cashSessionFeed, cashMovementFeed];
