/** Ledger postings of cash sessions. Payments and refunds are posted separately, to the drawer's `clearing` account. */
import type { Posting } from '../../../money/ledger/index.ts';
import type { SessionRow } from './rows.ts';

const inDrawer = ({ payment_processor_id: drawer }: SessionRow, amount: number) => ({
  account: 'cash' as const,
  detail: String(drawer),
  amount,
});

/** Returns the posting for cash put into the drawer or taken out. */
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

/** Returns the posting for a counted amount that differs from the expected one. */
export const differed = (session: SessionRow, difference: number, reason: string): Posting => ({
  kind: 'cash_difference',
  about: { object: 'cash_session', id: session.id },
  explanation: reason,
  lines: [inDrawer(session, difference), { account: 'cash_difference', amount: -difference }],
});
