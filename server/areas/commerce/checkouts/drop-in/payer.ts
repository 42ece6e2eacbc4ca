/** Drop-ins as a payer of bookings: implements the schedule's port `payers`. A checkout item pays. */
import { chooseDropIn, NO_OBJECTION, type Choice } from './rules/drop-in.ts';
import { dropInColumn, dropInFactsOf, type DropInFacts } from './facts.ts';
import { charge } from './charge.ts';
import { carry, credit, debit, gaveBack, isCarried } from './ledger.ts';
import { defineProblems } from '../../../../kernel/base/problem.ts';
import { priceLines, readFees } from '../../../pricing/fees/index.ts';
import type { Payer } from '../../../scheduling/schedule/index.ts';

export const DROP_IN_PROBLEMS = defineProblems({
  payment_required: {
    status: 400,
    type: 'event_check_failure',
    means:
      'The booking costs something. The message says how much. Pay with a checkout. Staff are not refused: the price is charged to the account, or they book it `comped`.',
  },
});

/** Refusals of drop-ins. Callers can't name a checkout item for a booking: checkouts do so when they are paid. */
export const DROP_IN_REFUSES = {
  'POST /events/{id}/register': [DROP_IN_PROBLEMS.payment_required],
  'POST /slots/{id}/register': [DROP_IN_PROBLEMS.payment_required],
  'POST /attendances/{id}/move': [DROP_IN_PROBLEMS.payment_required],
};

export const dropInPayer: Payer<DropInFacts, Choice> = {
  name: 'drop_in',
  description: 'The payment of a drop-in.',
  resource: 'checkout_item',
  subject: 'checkout_item',
  notComped: 'A comped booking is not paid for. Leave out one of the two.',
  refuseUnknown: () => null,
  refusals: [{ kind: DROP_IN_PROBLEMS.payment_required, passed: NO_OBJECTION, payable: true, owed: true }],
  facts: dropInColumn,
  read: dropInFactsOf,
  paid: ({ paid }) => paid,
  choose: ({ session }, { wanted, price, ...asked }) =>
    chooseDropIn({ ...asked, price: session ? null : price, paidBy: wanted }),
  total: async ({ tx, providerId }, { listPrice, venue }) => {
    const fees = await readFees(tx, providerId);
    return priceLines([{ listPrice, ...fees.on('event', venue) }]).totals.total;
  },
  charge,
  debit,
  credit,
  gaveBack,
  carries: { possible: isCarried, carry },
  paysOnce: 'The price was given back to their account. They can book again and pay with it.',
  // An absence forfeits the price.
  givenBackFor: async () => null,
};
