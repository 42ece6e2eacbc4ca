/** Cash movements, recorded in the session of their drawer. The database sums them. */
import { cashMovementFeed } from './feed.ts';
import { COUNTER_PROBLEMS, notEnough } from '../problems.ts';
import { decimal } from '../amounts.ts';
import { insertRow } from '../../../../kernel/work/unit/row.ts';
import { lockOpenSession, type SessionRow } from './rows.ts';
import { moved } from './postings.ts';
import { post } from '../../../money/ledger/index.ts';
import { Problem } from '../../../../kernel/base/problem.ts';
import { sessionsRequired } from '../settings.ts';
import type { CashKeeper } from '../../../money/payments/index.ts';
import type { MovementKind } from './cash-session.ts';
import type { Work } from '../../../../kernel/work/unit/work.ts';

interface NewMovement {
  readonly kind: MovementKind;
  /** minor units, more than 0 */
  readonly amount: number;
  readonly reason?: string;
  /** ids */
  readonly payment?: number;
  readonly refund?: number | null;
}

/** Records a movement in an open, locked session. Returns the id of the movement. */
export async function move(work: Work, session: SessionRow, movement: NewMovement): Promise<number> {
  const { kind, amount, reason, payment, refund } = movement;
  if ((kind === 'refund' || kind === 'paid_out') && amount > session.expected_minor) throw notEnough();
  work.touch('cash_session', session.id, session);
  const id = await insertRow(work, 'cash_movement', {
    cash_session_id: session.id,
    kind,
    amount_minor: amount,
    reason,
    payment_id: payment,
    payment_refund_id: refund,
    staff_id: work.viewer.staffId,
  });
  if (kind === 'paid_in' || kind === 'paid_out')
    await post(work, moved(session, { id, kind, amount, reason: reason! }));
  work.record(cashMovementFeed.created, id, {
    cash_movement: id,
    cash_session: session.id,
    payment_processor: session.payment_processor_id,
    kind,
    amount: decimal(work, amount),
  });
  const detail = { kind, amount: decimal(work, amount) };
  if (kind === 'payment' || kind === 'paid_in') work.effect('cash_in', 'cash_session', session.id, detail);
  else work.effect('cash_out', 'cash_session', session.id, detail);
  return id;
}

/** The accounting for every payment and refund in cash, wherever staff record it. */
export const cashSessions: CashKeeper = {
  name: 'cash_sessions',
  description: 'The cash sessions of the counter.',
  resource: 'cash_session',
  note: async (work, { processor, isDrawer, amount, payment, refund }) => {
    const session = await lockOpenSession(work, processor);
    if (session) {
      await move(work, session, { kind: refund === null ? 'payment' : 'refund', amount, payment, refund });
      return;
    }
    if (isDrawer && (await sessionsRequired(work)))
      throw new Problem(
        COUNTER_PROBLEMS.cash_session_required,
        'No cash session of this drawer is open. Open one first, or choose another payment processor.',
      );
  },
};
