/**
 * Payment of a checkout: everything is reserved and priced once more, then it is completed immediately, or a payment
 * begins.
 */
import { accountCreditOf, checkCredit, holdCredit, readingAgain } from './credit.ts';
import { amountText } from '../../../../kernel/base/values/money.ts';
import { CHECKOUT, checkoutPayee } from './payee.ts';
import { checkAnswered } from '../items/questions.ts';
import { CHECKOUT_PROBLEMS } from '../problems.ts';
import { checkNotElsewhere } from '../reservations/elsewhere.ts';
import { checkOpen, amountDue, itemsOf, type CheckoutRow, type ItemRow } from '../rows.ts';
import { checkoutFeed } from '../feed.ts';
import { complete, tryItems } from '../complete.ts';
import { withDelivery } from '../items/delivery.ts';
import { extend, hold, lockHeld, startPaying } from '../reservations/held.ts';
import { holdCode } from '../settle.ts';
import { instant } from '../../../../kernel/base/db/sql.ts';
import { invalid, Problem, Refused } from '../../../../kernel/base/problem.ts';
import { keepPrice, priceNow, type Repriced } from '../pricing/reprice.ts';
import { lockAccounts } from '../../../money/ledger/index.ts';
import { PAYING_MS } from '../reservations/times.ts';
import { beginPayment } from '../../../money/payments/index.ts';
import { updateRowLater } from '../../../../kernel/work/unit/row.ts';
import { say } from '../../../../kernel/base/values/words.ts';
import type { Work } from '../../../../kernel/work/unit/work.ts';

interface Paying {
  /** total that the payer agreed to, in minor units; absent: the one that the checkout shows */
  readonly total?: number;
  /** id; required if anything is left to pay and it isn't paid later */
  readonly processor?: number | null;
  /** id of one of the payer's saved methods */
  readonly method?: number | null;
  readonly saveMethod?: boolean;
  /** outcome that the sandbox plays */
  readonly scenario?: string | null;
  /** the customer will pay at the desk, so the invoice stays unpaid */
  readonly later?: boolean;
  readonly returnTo: string;
  readonly cancelTo: string;
  /** act as if the payment had succeeded: for a preview, which is rolled back */
  readonly asIfPaid: boolean;
}

/**
 * Pays a locked checkout. Afterwards it is completed, or `pending`: then `syncPayment` continues after the commit. If
 * the price differs from the one that the payer saw, the new price is saved so that the payer can look again.
 */
export async function pay(work: Work, checkout: CheckoutRow, paying: Paying): Promise<Refused | void> {
  checkOpen(checkout, work.now);
  const stored = await itemsOf(work, checkout.id);
  if (stored.length === 0)
    throw new Problem(CHECKOUT_PROBLEMS.checkout_empty, 'Nothing is in the checkout. Add an item first.');
  const until = work.now + PAYING_MS;
  await holdAgain(work, stored, until);
  // The order's delivery method may have changed in the meantime.
  const items = await withDelivery(work, checkout, stored);
  const priced = await priceNow(work, checkout, items);
  const now = keepPrice(work, checkout, priced);
  await holdCode(work, checkout, priced);
  const { totals, due } = priced.price;
  if (totals.total !== (paying.total ?? checkout.total_minor) || due !== amountDue(checkout))
    return priceChanged(work, totals.total, due);
  await checkAnswered(work, now.items);
  await tryItems(work, now.checkout, now.items);
  await checkNotElsewhere(work, now.checkout, now.items);
  await readingAgain(async () => {
    if (due === 0 || paying.later) await complete(work, now.checkout, now.items, { payment: null, later: due > 0 });
    else await begin(work, now, paying, until);
  });
}

/** Reserves again, if possible, what another checkout has taken or what was lost. */
async function holdAgain(work: Work, items: readonly ItemRow[], until: number): Promise<void> {
  const [, ids] = await Promise.all([lockHeld(work, items), extend(work, items, { until })]);
  const lost = new Set(ids);
  await hold(
    work,
    items.filter(({ id }) => lost.has(id)),
    until,
  );
}

function priceChanged(work: Work, total: number, due: number): Refused {
  const amount = (minor: number) => amountText({ minor, currency: work.tenant.currency });
  return new Refused(
    new Problem(CHECKOUT_PROBLEMS.price_changed, {
      staff: `The total is ${amount(total)} now, of which ${amount(due)} is to be paid. Get the checkout again, and pay that.`,
      customer: say`The price has changed: the total is ${amount(total)} now. Please look again before you pay.`,
    }),
  );
}

async function begin(work: Work, now: Repriced, paying: Paying, until: number): Promise<void> {
  const { checkout, items } = now;
  if (!paying.processor)
    throw invalid('payment_processor', {
      staff: 'Set payment_processor or pay_later to cover the remaining amount.',
      customer: 'Choose how you want to pay.',
    });
  const { id: payment, paid } = await beginPayment(work, {
    processor: paying.processor,
    payer: checkout.customer_id,
    amount: amountDue(checkout),
    payee: { name: CHECKOUT, id: checkout.id },
    description: items.map((item) => item.description).join(', '),
    method: paying.method,
    saveMethod: paying.saveMethod,
    returnTo: paying.returnTo,
    cancelTo: paying.cancelTo,
    scenario: paying.scenario,
  });
  // A checkout paid at the desk is already completed here.
  if (paid) return;
  await wait(work, now, payment, until);
  if (paying.asIfPaid)
    await checkoutPayee.paid(work, {
      id: payment,
      processor: paying.processor,
      payer: checkout.customer_id,
      amount: amountDue(checkout),
      about: checkout.id,
    });
}

/** Makes a checkout wait: nothing about it changes until the result of the payment is known. */
async function wait(work: Work, { checkout, items }: Repriced, payment: number, until: number): Promise<void> {
  const customers = [checkout.customer_id, ...items.map((item) => item.customer_id)];
  // Reservations are already locked, so accounts come last here too.
  await Promise.all([extend(work, items, { until, paying: true }), lockAccounts(work, customers)]);
  await checkNotElsewhere(work, checkout, items);
  const credit = accountCreditOf(checkout, items);
  await checkCredit(work, checkout.customer_id, credit);
  await holdCredit(work, checkout, credit, payment);
  updateRowLater(work, 'checkout', checkout.id, {
    status: 'pending',
    payment_id: payment,
    payment_error: null,
    expires_at: instant(until),
  });
  await startPaying(work, items);
  work.record(checkoutFeed.pending, checkout.id, { checkout: checkout.id, customer: checkout.customer_id, payment });
}
