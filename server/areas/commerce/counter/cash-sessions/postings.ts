/** What cash sessions mean for the ledger. Payments and refunds post themselves, to `clearing` of the drawer. */
import type { Posting } from '../../../money/ledger/index.ts';
import type { SessionRow } from './rows.ts';

const inDrawer = ({ payment_processor_id: drawer }: SessionRow, amount: number) => ({
  account: 'cash' as const,
  detail: String(drawer),
  amount,
});

/** Somebody put cash into the drawer, or took some out. */
export const moved = (
  session: SessionRow,
  { id, kind, amount, reason }: { id: number; kind: 'paid_in' | 'paid_out'; amount: number; reason: string },
): Posting => {
  const sign = kind === 'paid_in' ? 1 : -1;
  return {
    kind: `cash_${kind}`,
    about: { object: 'cash_movement', id },
    explanation: reason,
    lines: [inDrawer(session, sign * amount), { account: 'cash_transfer', amount: -sign * amount }],
  };
};

/** More or less was counted than was expected. */
export const differed = (session: SessionRow, difference: number, reason: string): Posting => ({
  kind: 'cash_difference',
  about: { object: 'cash_session', id: session.id },
  explanation: reason,
  lines: [inDrawer(session, difference), { account: 'cash_difference', amount: -difference }],
});
