/** Charges for single places, on the accounts of customers whom staff book without a payment. */
import { addEntries, type AccountReason } from '../../../money/account-entries/index.ts';
import { chargedNow, priceLines, readFees } from '../../../pricing/fees/index.ts';
import { lockAccounts } from '../../../money/ledger/index.ts';
import { dueAfter } from './rules/drop-in.ts';
import { noteCharges } from './ledger.ts';
import { singlePlace } from './price.ts';
import { wallAt } from '../../../../kernel/base/values/zone.ts';
import type { Charge } from '../../../scheduling/schedule/index.ts';

/** Not `once`: staff can void the charge, and the place can then be charged again. */
export const DROP_IN: AccountReason = {
  name: 'drop_in',
  description: 'The price of a booking that staff made without a payment.',
  subject: 'attendance',
  // Each entry says whether it is for an event or a session of a course.
  revenue: 'event_registration',
};

/** Charges places at the price that a checkout would have at this moment. All charges must be for the same event. */
export async function charge(charges: readonly Charge[]): Promise<void> {
  const [{ work, event }] = charges;
  const { tx, providerId, tenant } = work;
  const places = [...new Set(charges.map(({ place }) => place))];
  const [book, ...singles] = await Promise.all([
    readFees(tx, providerId),
    ...places.map((place) => singlePlace(work, event, place)),
  ]);
  const chargeAt = ({ price }: (typeof singles)[number]) => {
    const { type, venue } = price.taxed!;
    const priced = priceLines([{ ...book.on(type, venue), listPrice: price.unitPrice }]).lines[0];
    return chargedNow(priced, tenant.currency);
  };
  const charged = new Map(places.map((place, i) => [place, chargeAt(singles[i])]));
  const [{ line, day, price }] = singles;
  const dueOn = dueAfter(day, wallAt(work.now, tenant.zone).date);
  if (charges.length > 1)
    await lockAccounts(
      work,
      charges.map(({ customer }) => customer),
    );
  for (const [own, theirs] of Map.groupBy(charges, (one) => one.work)) {
    const ids = await addEntries(
      own,
      theirs.map(({ customer, attendance, place }) => ({
        customer,
        kind: 'charge',
        amount: charged.get(place)!.amount,
        charged: charged.get(place)!,
        reason: DROP_IN,
        revenue: line,
        subject: attendance,
        customerMembership: null,
        explanation: price.description.slice(0, 1000),
        dueOn,
        period: null,
      })),
    );
    await noteCharges(
      own,
      theirs.map(({ attendance }, n) => ({ attendance, entry: ids[n] })),
    );
  }
}
