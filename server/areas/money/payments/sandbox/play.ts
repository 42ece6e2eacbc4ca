/** Events at the sandbox after a payment has begun, triggered by staff or by the customer on its page. */
import { CANCELLED, dispute, NOT_SAVED, reportCharge, reportRefund, savesOnly } from './sandbox.ts';
import { inBook, type Book, type Charge } from './book.ts';
import { Problem } from '../../../../kernel/base/problem.ts';
import type { ProcessorContext } from '../processor.ts';

export const EVENTS = {
  succeed: 'The payment succeeds, even if it had failed or was cancelled.',
  fail: 'The payment fails. Only before it succeeded.',
  dispute: "The customer's bank takes the money back.",
  win_dispute: 'The dispute is decided for the business.',
  lose_dispute: 'The dispute is decided for the customer.',
  complete_refunds: 'Refunds that are pending succeed.',
  fail_refunds: 'Refunds fail, even those that had succeeded.',
} as const;

export type SandboxEvent = keyof typeof EVENTS;

const DECLINED = 'Your card was declined. Use another card, or ask your bank.';

/** Plays an event. @throws Problem `conflict` if it can't happen to the charge now */
export const play = (c: ProcessorContext, key: string, event: SandboxEvent, silently = false): Promise<void> =>
  inBook(c, async (book) => {
    if (silently) book.beSilent();
    const charge = await book.byKey(key);
    if (!charge) throw new Problem('conflict', 'The sandbox has not received this payment yet.');
    await PLAYS[event](c, book, charge);
  });

type Play = (c: ProcessorContext, book: Book, charge: Charge) => Promise<void>;

const PLAYS: Record<SandboxEvent, Play> = {
  succeed: async (c, book, charge) => {
    if (charge.state === 'succeeded') throw new Problem('conflict', 'The payment has already succeeded.');
    await reportCharge(c, book, await book.become(charge, 'succeeded', null));
  },
  fail: async (c, book, charge) => {
    if (charge.state === 'succeeded' || charge.state === 'failed')
      throw new Problem('conflict', `The payment has already ${charge.state}.`);
    await reportCharge(c, book, await book.become(charge, 'failed', DECLINED));
  },
  dispute: async (c, book, charge) => {
    checkSucceeded(charge);
    if (await book.isDisputed(charge)) throw new Problem('conflict', 'The payment is already disputed.');
    await dispute(c, book, charge, 'open');
  },
  win_dispute: (c, book, charge) => decide(c, book, charge, 'won'),
  lose_dispute: (c, book, charge) => decide(c, book, charge, 'lost'),
  complete_refunds: (_c, book, charge) => endRefunds(book, charge, 'succeeded'),
  fail_refunds: (_c, book, charge) => endRefunds(book, charge, 'failed'),
};

async function decide(c: ProcessorContext, book: Book, charge: Charge, state: 'won' | 'lost'): Promise<void> {
  if (!(await book.isDisputed(charge))) throw new Problem('conflict', 'The payment is not disputed.');
  await dispute(c, book, charge, state);
}

async function endRefunds(book: Book, charge: Charge, state: 'succeeded' | 'failed'): Promise<void> {
  const from = state === 'succeeded' ? ['pending'] : ['pending', 'succeeded'];
  const open = (await book.refunds(charge)).filter((refund) => from.includes(refund.state));
  if (open.length === 0) throw new Problem('conflict', 'The payment has no refunds to which this could happen.');
  for (const refund of open) reportRefund(book, charge, await book.refundBecomes(refund, state));
}

function checkSucceeded(charge: Charge): void {
  if (charge.state !== 'succeeded') throw new Problem('conflict', 'The payment has not succeeded.');
}

/** Applies the customer's decision on the page. A late decision changes nothing. */
export const answerOnPage = (c: ProcessorContext, id: number, pays: boolean): Promise<Charge | undefined> =>
  inBook(c, async (book) => {
    const charge = await book.byId(id);
    if (!charge || charge.state !== 'action_required') return charge;
    const why = savesOnly(charge) ? NOT_SAVED : CANCELLED;
    const after = await book.become(charge, pays ? 'succeeded' : 'failed', pays ? null : why);
    await reportCharge(c, book, after);
    return after;
  });

export const chargeOnPage = (c: ProcessorContext, id: number): Promise<Charge | undefined> =>
  inBook(c, (book) => book.byId(id));
