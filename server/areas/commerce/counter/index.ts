import { alreadyOpen, closed, COUNTER_PROBLEMS, notEnough } from './problems.ts';
import { CASH_CHECKS } from './cash-sessions/ledger-checks.ts';
import { CASH_FEED } from './cash-sessions/feed.ts';
import { cashKeepers } from '../../money/payments/index.ts';
import { cashMovement, cashSession } from './cash-sessions/cash-session.ts';
import { cashSessions } from './cash-sessions/movements.ts';
import { changeSessions } from './cash-sessions/change-sessions.ts';
import { counterPayment, counterSale } from './sales/counter-sale.ts';
import { explainSession } from './cash-sessions/explain.ts';
import { findSales } from './sales/find-sales.ts';
import { findSessions } from './cash-sessions/find-sessions.ts';
import { ledgerChecks } from '../../money/ledger/index.ts';
import { makeSale } from './sales/make-sale.ts';
import { RECEIPT } from './sales/send-receipt.ts';
import { receiptEndpoints } from './sales/receipt-endpoints.ts';
import { refundSale } from './sales/refund-sale.ts';
import { SALES_FEED } from './sales/feed.ts';
import { salesCheck } from './sales/ledger-check.ts';
import { settingsEndpoints } from './settings.ts';
import { TABLES } from './tables.ts';
import type { Area } from '../../../kernel/api/area.ts';

export { sellAtCounter, type NewSale } from './sales/make-sale.ts';

const { cash_session_required, cash_not_enough } = COUNTER_PROBLEMS;
const CASH = [cash_session_required, cash_not_enough];

export const counter: Area = {
  name: 'counter',
  description:
    'Sales at the desk: walk-in customers, several payments, change, receipts, and cash drawers that are counted.',
  tables: TABLES,
  resources: [counterSale, counterPayment, cashSession, cashMovement],
  endpoints: [
    ...findSales,
    makeSale,
    refundSale,
    ...receiptEndpoints,
    ...findSessions,
    ...changeSessions,
    explainSession,
    ...settingsEndpoints,
  ],
  problems: COUNTER_PROBLEMS,
  // Cash also moves in these endpoints.
  refuses: {
    'POST /checkouts/{id}/pay': [cash_session_required],
    'POST /invoices/{id}/record_payment': [cash_session_required],
    'POST /invoices/{id}/credit': CASH,
    'POST /payments/{id}/refund': CASH,
  },
  constraints: {
    cash_session_open: alreadyOpen,
    cash_session_stays: closed,
    cash_session_never_below_zero: notEnough,
  },
  feed: [...SALES_FEED, ...CASH_FEED],
  notices: [RECEIPT],
  fills: [cashKeepers.with(cashSessions), ledgerChecks.with(...CASH_CHECKS, salesCheck)],
};
