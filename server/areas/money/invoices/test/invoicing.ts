/** Invoices for tests, as a purchase would issue them. */
import { applyPayment, issueInvoice, type Issued, type NewInvoice, type NewLine } from '../index.ts';
import { iso, row } from '../../../../test/schedule-world.ts';
import { priceOf, readFees } from '../../../pricing/fees/index.ts';
import type { Work } from '../../../../kernel/work/unit/work.ts';
import type { World } from '../../../../test/world.ts';

/** Differences from one ticket to an event for the payer, at a list price in minor units. */
export type Over = Partial<Omit<NewLine, 'price'>> & {
  readonly list?: number;
  readonly discount?: number;
  /** ids of its fees and taxes; absent: those of events */
  readonly fees?: readonly number[];
};

export async function lineFor(work: Work, payer: number, over: Over = {}): Promise<NewLine> {
  const { list = 4000, discount = 0, fees: only, ...more } = over;
  const book = await readFees(work.tx, work.providerId);
  const fees = only
    ? [...book.for('event', null), ...book.for('gift_card', null)].filter(({ id }) => only.includes(id))
    : book.for('event', null);
  return {
    type: 'event_registration',
    description: 'Rowing on 12 July',
    billed: null,
    customer: payer,
    quantity: 1,
    price: list < 0 ? takenOff(list) : priceOf(list, discount, fees),
    ...more,
  };
}

/** Returns the price of a credit, which has no fees or taxes. */
const takenOff = (total: number): NewLine['price'] => ({
  listPrice: total,
  discount: 0,
  includedTaxes: 0,
  preTax: total,
  lines: [],
  rounding: 0,
  total,
});

/** Issues an invoice to the payer with these lines; one line by default. */
export async function bill(
  work: Work,
  payer: number,
  lines: readonly Over[] = [{}],
  more: Partial<NewInvoice> = {},
): Promise<Issued> {
  const made: NewLine[] = [];
  for (const line of lines) made.push(await lineFor(work, payer, line));
  return issueInvoice(work, {
    payer,
    about: { object: 'customer', id: payer },
    dueOn: new Date(work.now).toISOString().slice(0, 10),
    lines: made,
    discountCode: null,
    ...more,
  });
}

/** Issues an invoice like `bill`, in a transaction of its own. */
export const billed = (
  world: World,
  payer: number,
  lines?: readonly Over[],
  more?: Partial<NewInvoice>,
  providerId = world.harbour,
): Promise<Issued> => world.work(providerId, (work) => bill(work, payer, lines, more));

/** Creates a successful payment as the area of payments stores it. Returns its id, and that of its processor. */
export async function paid(
  world: World,
  payer: number,
  amount: number,
  providerId = world.harbour,
): Promise<{ payment: number; processor: number }> {
  const processor = await row(world, 'payment_processor', { kind: 'offline', name: 'Cash' }, providerId);
  const payment = await row(
    world,
    'payment',
    {
      payment_processor_id: processor,
      customer_id: payer,
      amount_minor: amount,
      payee: 'invoice',
      payee_id: payer,
      description: 'Rowing',
      status: 'succeeded',
      return_to: '',
      cancel_to: '',
      succeeded_at: iso(world.now),
      taken: true,
    },
    providerId,
  );
  return { payment, processor };
}

/** Pays an amount of an invoice with a new payment. */
export async function payWith(
  world: World,
  payer: number,
  invoice: number,
  amount: number,
  providerId = world.harbour,
): Promise<number> {
  const by = await paid(world, payer, amount, providerId);
  await world.work(providerId, (work) => applyPayment(work, { invoice, ...by, amount, from: 'clearing' }));
  return by.payment;
}
