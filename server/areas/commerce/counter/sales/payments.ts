/** The payments of a sale: how callers name them, how they are taken, and the refusals if they can't be. */
import { storedTexts } from '../../../../kernel/work/unit/stored-texts.ts';
import { inOrderOf } from './in-order.ts';
import { instant, sql } from '../../../../kernel/base/db/sql.ts';
import { invalid } from '../../../../kernel/base/problem.ts';
import { minorOf } from '../../../../kernel/api/amount.ts';
import { moneyText, ref } from '../../../../kernel/base/fields/kinds.ts';
import { said } from '../amounts.ts';
import { startPayment } from '../../../money/payments/index.ts';
import { takePayments, type NotTaken, type Taken } from '../rules/tender.ts';
import type { ValueOf } from '../../../../kernel/base/fields/field.ts';
import type { Work } from '../../../../kernel/work/unit/work.ts';

export const MAX_PAYMENTS = 10;

export const SALE_PAYMENT = {
  payment_processor: ref('payment_processor').describe('One of the kind `offline`, for example a cash drawer.'),
  amount: moneyText()
    .optional()
    .describe('Amount to pay. If left out, the remaining amount, or as much of it as `tendered` covers.'),
  tendered: moneyText()
    .optional()
    .describe('Cash only: the amount that the customer handed over. The rest is their change.'),
};

type SentPayment = ValueOf<typeof SALE_PAYMENT>;

/** A payment with its final amounts. */
interface SalePayment extends Taken {
  /** id */
  readonly processor: number;
}

/** @throws Problem that names the error, under `payments` */
export async function paymentsOf(work: Work, due: number, sent: readonly SentPayment[]): Promise<SalePayment[]> {
  const desks = await desksOf(work, sent);
  const minor = (n: number, name: 'amount' | 'tendered'): number | null =>
    sent[n][name] === undefined ? null : minorOf(`payments.${n}.${name}`, sent[n][name], work.tenant.currency);
  const taken = takePayments(
    due,
    sent.map((one, n) => ({
      amount: minor(n, 'amount'),
      tendered: minor(n, 'tendered'),
      cash: desks.get(one.payment_processor)!,
    })),
  );
  if ('why' in taken) throw notTaken(work, taken);
  return taken.map((one, n) => ({ ...one, processor: sent[n].payment_processor }));
}

/** Returns whether each named processor is a cash drawer. */
async function desksOf({ tx, providerId }: Work, sent: readonly SentPayment[]): Promise<Map<number, boolean>> {
  const rows = await tx.rows<{ id: number; drawer: boolean }>(sql`
    SELECT id, coalesce(settings->>'cash_drawer' = 'yes', false) AS drawer FROM payment_processor
    WHERE provider_id = ${providerId} AND kind = 'offline' AND disabled_at IS NULL
      AND id = ANY(${sent.map((one) => one.payment_processor)}::bigint[])`);
  const desks = new Map(rows.map(({ id, drawer }) => [id, drawer]));
  for (const [n, { payment_processor }] of sent.entries())
    if (!desks.has(payment_processor))
      throw invalid(
        `payments.${n}.payment_processor`,
        'Must be a processor of the kind `offline` that is turned on: counter payments are immediate.',
      );
  return desks;
}

function notTaken(work: Work, { payment, why, left }: NotTaken) {
  const of = (name: string) => (payment === null ? 'payments' : `payments.${payment}.${name}`);
  const rest = said(work, left);
  switch (why) {
    case 'missing':
      return invalid('payments', `${rest} is left to pay. Add a payment.`);
    case 'nothing_left':
      return invalid(`payments.${payment}`, 'Nothing is left to pay. Leave it out.');
    case 'zero':
      return invalid(of('amount'), 'Must be more than 0.');
    case 'too_much':
      return invalid(of('amount'), `Must be at most ${rest}, which is what is left to pay. Send cash as \`tendered\`.`);
    case 'tendered_less':
      return invalid(of('tendered'), 'Must be at least the amount of this payment.');
    case 'tendered_not_cash':
      return invalid(of('tendered'), 'Only for a cash drawer. Leave it out.');
  }
}

interface OfSale {
  /** ids */
  readonly sale: number;
  readonly invoice: number;
  readonly payer: number;
}

/** Takes the payments for the sale's invoice, and records them. Drawers are locked in the order of their ids. */
export async function takeAll(
  work: Work,
  { sale, invoice, payer }: OfSale,
  all: readonly SalePayment[],
): Promise<void> {
  if (all.length === 0) return;
  const ids = await inOrderOf(
    all,
    ({ processor }) => processor,
    ({ processor, amount }) =>
      startPayment(work, {
        processor,
        payer,
        amount,
        payee: { name: 'invoice', id: invoice },
        description: storedTexts(work).say('sale', { number: String(sale) }),
        returnTo: '',
        cancelTo: '',
      }),
  );
  const now = instant(work.now);
  await work.tx.run(sql`
    INSERT INTO counter_payment (provider_id, counter_sale_id, payment_id, amount_minor, tendered_minor, created_at,
      updated_at)
    SELECT ${work.providerId}, ${sale}, payment, amount, tendered, ${now}, ${now}
    FROM unnest(${ids}::bigint[], ${all.map(({ amount }) => amount)}::bigint[],
      ${all.map(({ tendered }) => tendered)}::bigint[])
      WITH ORDINALITY AS p (payment, amount, tendered, nth) ORDER BY nth`);
}
