/**
 * Records the outcome of a payment, from a response or a message. It may arrive twice, late, or in any order; the state
 * only ever rises (rules/states.ts), and each consequence happens once.
 */
import { at, lockPayment, toPaidPayment, payloadOf, readPayment, type PaymentRow } from './rows.ts';
import { instant } from '../../../kernel/base/db/sql.ts';
import { isSettled, paymentAfter, type PaymentState } from './rules/states.ts';
import { keepMethod } from './keep-method.ts';
import { notFound, type Problem } from '../../../kernel/base/problem.ts';
import { notTaken } from './postings.ts';
import { payeeOf, startRefund } from './start.ts';
import { paymentFeed } from './feed.ts';
import { post } from '../ledger/index.ts';
import { translate } from '../../../kernel/api/requests/refusals.ts';
import { updateRow, updateRowLater } from '../../../kernel/work/unit/row.ts';
import { lookAgainAfter, waitAfter } from './rules/next.ts';
import { Work } from '../../../kernel/work/unit/work.ts';
import type { Outcome } from './processor.ts';

const NO_REASON = 'The payment did not go through. Try again, or choose another way to pay.';
const STUCK =
  'The payment processor has not said for weeks what became of this payment. Check its dashboard, then ask again.';

interface Locked {
  readonly row: PaymentRow;
  /** return value of the payee's `lock` */
  readonly held: unknown;
}

/**
 * Locks the payment after the object that it pays for. `seen`: the row as it was read before, for the columns that
 * never change.
 */
export async function lockWithPayee(work: Work, id: number, seen?: PaymentRow): Promise<Locked> {
  const found = seen ?? (await readPayment(work, id));
  if (!found) throw notFound();
  // Sent together: they share a round trip, in this order.
  const [held, row] = await Promise.all([payeeOf(found.payee).lock?.(work, found.payee_id), lockPayment(work, id)]);
  return { row, held };
}

/** Records the outcome and returns the payment's current state. `seen`: the row as it was read before. */
export async function recordOutcome(
  work: Work,
  id: number,
  reported: Outcome,
  seen?: PaymentRow,
): Promise<PaymentState> {
  // The payment has already succeeded: another message that says so adds nothing.
  if (seen?.status === 'succeeded' && reported.state === 'succeeded' && seen.external !== null && seen.next_at === null)
    return seen.status;
  const { row: before, held } = await lockWithPayee(work, id, seen);
  const status = paymentAfter(before.status, reported.state);
  const external = before.external ?? reported.external;
  const changed = status !== before.status;
  if (changed || external !== before.external) work.touch('payment', id, before);
  const next_at = whenNext(work, before, status);
  if (isSettled(status) && !changed) {
    await updateRow(work, 'payment', id, { next_at, ...(external !== before.external && { external }) });
    return status;
  }
  const known = {
    status,
    external,
    // The newest response says what the customer has to do; a payment that has ended needs no action.
    action_url: status === 'action_required' ? (reported.url ?? before.action_url) : null,
    next_at,
    trouble: isSettled(status) || next_at !== null ? null : STUCK,
  };
  if (status === 'succeeded') await succeed(work, { row: before, held }, reported, known);
  else if (status === 'failed') await fail(work, before, reported.why ?? NO_REASON, known);
  else {
    await updateRow(work, 'payment', id, known);
    if (changed) work.record(paymentFeed.updated, id, { ...payloadOf(work, before), status });
  }
  return status;
}

/** Returns when to ask the processor again; null if we don't ask on our own. */
function whenNext(work: Work, { status, attempts, failed_at }: PaymentRow, after: PaymentState): string | null {
  if (after === 'succeeded') return null;
  const wait =
    after === 'failed' ? lookAgainAfter(status === 'failed' ? work.now - failed_at! : 0) : waitAfter(attempts);
  return wait === null ? null : instant(work.now + wait);
}

type Known = Record<string, unknown>;

async function succeed(work: Work, { row: before, held }: Locked, reported: Outcome, known: Known): Promise<void> {
  const { id } = before;
  work.record(paymentFeed.succeeded, id, payloadOf(work, before));
  if (reported.method && before.save_method) known.payment_method_id = await keepMethod(work, before, reported.method);
  const answer = await offer(work, before, held);
  updateRowLater(work, 'payment', id, { ...known, succeeded_at: at(work), taken: answer.taken, failure: null });
  if (answer.taken) return;
  await post(work, notTaken(before));
  await startRefund(work, { payment: id, amount: before.amount_minor, why: answer.why });
  await payeeOf(before.payee).notTaken?.(work, toPaidPayment(before), answer.why);
}

/**
 * Offers the money to the payee. A refusal by any rule means that the object is no longer available: the payee's writes
 * are rolled back, and the money is refunded. Any other error rolls back everything, and is retried.
 */
async function offer(
  work: Work,
  payment: PaymentRow,
  held: unknown,
): Promise<{ taken: true } | { taken: false; why: string }> {
  const { tx, registry, tenant, viewer, now, requestId, installation } = work;
  const payee = payeeOf(payment.payee);
  let taken: Work | undefined;
  try {
    const answer = await tx.attempt(async () => {
      // A `Work` of its own, so that the items of a refused attempt are not recorded.
      const own = new Work({ tx, registry, tenant, viewer, now, requestId, installation });
      const answer = await payee.paid(own, toPaidPayment(payment), held);
      if (!answer.taken) throw new NotTaken(answer.why);
      taken = own;
      return answer;
    });
    work.take(taken!);
    return answer;
  } catch (error) {
    if (error instanceof NotTaken) return { taken: false, why: error.message };
    const problem: Problem = translate(error, registry.constraints);
    if (problem.status >= 500) throw error;
    return { taken: false, why: problem.localizedFor('customer', tenant.words).message };
  }
}

/** Rolls back the writes of a payee that refused the money. */
class NotTaken extends Error {}

async function fail(work: Work, before: PaymentRow, why: string, known: Known): Promise<void> {
  const failure = why.slice(0, 500);
  await updateRow(work, 'payment', before.id, { ...known, failed_at: at(work), failure, attempts: 0 });
  work.record(paymentFeed.failed, before.id, payloadOf(work, before));
  await payeeOf(before.payee).failed(work, toPaidPayment(before), failure);
}
