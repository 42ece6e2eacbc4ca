/**
 * Billing of several periods of a business in one transaction, with as many statements as a single period needs. Only
 * plain periods qualify: charged to a saved method, without a discount, account credit or open entries on an account.
 * `billPeriod` handles all others.
 */
import { storedTexts } from '../../../kernel/work/unit/stored-texts.ts';
import { addCollections } from './collections.ts';
import { addDays } from '../../../kernel/base/values/date.ts';
import { checkHeld, holdDue, settlePeriods, type BillsRead, type DuePeriod } from './bill.ts';
import { factsOfPlan } from './facts.ts';
import { issueAll, readyInvoices } from '../../money/invoices/index.ts';
import { planPeriod } from './plan.ts';
import { readyPayment, startAll, type KnownPayment } from '../../money/payments/index.ts';
import { todayOf } from './today.ts';
import type { Work } from '../../../kernel/work/unit/work.ts';

/** Returns whether a period is plain, as it was read. A period that has changed since is billed alone. */
export function isPlain(due: DuePeriod, { plans, parties, methods, settings }: BillsRead): boolean {
  const { method, payer, discounted, open, credit } = plans.get(due.membership)!;
  return (
    due.price > 0 &&
    method !== null &&
    methods.has(method) &&
    parties.has(payer) &&
    !discounted &&
    !open &&
    !(credit && settings.use_account_credit)
  );
}

/**
 * Returns the payments to continue after the commit. `all` are plain periods, each a different one.
 * @throws Error if something read about one of them has changed since, or one is no longer due: then the transaction
 * must be rolled back, and each period is billed alone
 */
export async function billTogether(work: Work, all: readonly DuePeriod[], read: BillsRead): Promise<KnownPayment[]> {
  const day = todayOf(work);
  // Neither call queries the database: the method and the absence of open entries are already known.
  const bills = await Promise.all(
    all.map(async (due) => {
      const facts = await factsOfPlan(work, due.membership, read);
      const plan = planPeriod(work, facts, due, day);
      const known = read.methods.get(facts.method!.id)!;
      const { id: method, processor } = facts.method!;
      const payment = await readyPayment(work, { processor, payer: facts.payer, amount: plan.due, method }, known);
      return { due, facts, plan, known, payment };
    }),
  );
  // Sent together, in one round trip.
  const [held, invoices] = await Promise.all([
    holdDue(
      work,
      bills.map(({ due, facts: { payer, method }, known }) => ({ id: due.id, payer, method: method!.id, known })),
    ),
    readyInvoices(
      work,
      bills.map(({ facts: { payer, subscription }, plan: { lines, dueOn } }) => ({
        invoice: {
          payer,
          about: { object: 'payment_subscription', id: subscription },
          dueOn,
          lines,
          discountCode: null,
          pending: true,
        },
        parties: read.parties.get(payer)!,
      })),
    ),
  ]);
  for (const { due, facts } of bills) {
    const one = held.get(due.id);
    if (one === undefined || one.mistake) throw new Error('a period is not to be billed like the others');
    checkHeld(one, due, facts);
  }
  const issued = await issueAll(work, invoices);
  const payments = await startAll(
    work,
    bills.map(({ facts, payment }, n) => ({
      ready: payment,
      what: {
        payee: { name: 'invoice', id: issued[n].id },
        description: storedTexts(work).say('invoice.of', { name: facts.name, number: issued[n].number }),
      },
    })),
  );
  addCollections(
    work,
    bills.map(({ due, plan }, n) => ({
      invoice: issued[n].id,
      customerMembership: due.membership,
      payment: payments[n].row.id,
      firstTryOn: addDays(plan.dueOn, 1),
    })),
  );
  settlePeriods(
    work,
    'billed',
    bills.map(({ due }, n) => ({ id: due.id, invoice: issued[n].id })),
  );
  return payments;
}
