/** Invoices as a purchase would issue them, for tests. */
import { issueInvoice, type Issued, type NewInvoice, type NewLine } from '../index.ts';
import { priceOf, readFees } from '../../../pricing/fees/index.ts';
import type { Work } from '../../../../kernel/work.ts';
import type { World } from '../../../../test/world.ts';

/** What differs from one ticket to an event for the payer, at a list price in minor units. */
export type Over = Partial<Omit<NewLine, 'price'>> & { readonly list?: number; readonly discount?: number };

export async function lineFor(work: Work, payer: number, over: Over = {}): Promise<NewLine> {
  const { list = 4000, discount = 0, ...more } = over;
  const fees = (await readFees(work.tx, work.providerId)).for('event', null);
  return {
    type: 'event_registration',
    description: 'Rowing on 12 July',
    billed: null,
    customer: payer,
    quantity: 1,
    price: priceOf(list, discount, fees),
    ...more,
  };
}

/** Issues an invoice to the payer with these lines, one if none is said. */
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

/** The same in a transaction of its own. */
export const billed = (
  world: World,
  payer: number,
  lines?: readonly Over[],
  more?: Partial<NewInvoice>,
  providerId = world.harbour,
): Promise<Issued> => world.work(providerId, (work) => bill(work, payer, lines, more));
