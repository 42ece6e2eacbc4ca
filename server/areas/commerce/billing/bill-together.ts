/**
 * Bills several periods of a business in one transaction, with as many statements as one needs: those that are charged to a
 * saved method, without a discount, account credit or anything open on an account. Whatever else a period may be, `billPeriod` knows.
 */
import { addCollections } from './collections.ts';
import { addDays } from '../../../kernel/base/values/date.ts';
import { checkHeld, holdDue, settlePeriods, type BillsRead, type DuePeriod } from './bill.ts';
import { factsOfPlan } from './facts.ts';
import { issueAll, readyInvoices } from '../../money/invoices/index.ts';
import { planPeriod } from './plan.ts';
import { readyPayment, startAll, type KnownPayment } from '../../money/payments/index.ts';
import { todayOf } from './today.ts';
import type { Work } from '../../../kernel/work/unit/work.ts';

/** As it was read: it is billed alone where that has changed. */
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
 * Returns the payments to go on with when this is committed. `all` are plain, and each is of another period.
 * @throws Error where what was read of one has changed since, or it is no longer due: then nothing of this may be kept, and
 * each is billed alone
 */
export async function billTogether(work: Work, all: readonly DuePeriod[], read: BillsRead): Promise<KnownPayment[]> {
  const day = todayOf(work);
  // Neither asks the database: it is known that nothing is open, and of which method.
  const bills = await Promise.all(
    all.map(async (due) => {
      const facts = await factsOfPlan(work, due.membership, read);
      const plan = planPeriod(facts, due, day);
      const known = read.methods.get(facts.method!.id)!;
      const { id: method, processor } = facts.method!;
      const payment = await readyPayment(work, { processor, payer: facts.payer, amount: plan.due, method }, known);
      return { due, facts, plan, known, payment };
    }),
  );
  // Asked together: one round trip.
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
        description: `${facts.name}, invoice ${issued[n].number}`,
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
