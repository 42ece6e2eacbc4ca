/** The payment of a booking that changes between the venue and online, where places may cost different amounts. */
import { atPlace, type CustomerAround, type EventAround } from './facts.ts';
import { many, one, say } from '../../../../kernel/base/values/words.ts';
import { payers } from './payer-port.ts';
import type { Payment } from './payers.ts';
import { Problem } from '../../../../kernel/base/problem.ts';
import { SCHEDULE_PROBLEMS } from '../problems.ts';
import type { Place } from '../rules/booking.ts';

/**
 * Returns true if the booking has a price and a place of this kind has another one. A membership, and staff who give
 * the booking away, pay for both kinds.
 */
export function costsOther(around: EventAround, { attendance, known }: CustomerAround, place: Place): boolean {
  if (attendance!.comped || payers.filled.isCovered(known)) return false;
  const priceAt = (kind: Place) => atPlace(around, kind).price?.listPrice ?? 0;
  return priceAt(attendance!.place) !== priceAt(place);
}

/** Returns that nothing has to be paid: what pays for the booking pays for either place. */
export const settledPayment = (known: CustomerAround['known']): Payment =>
  payers.filled.choose({ known, price: null }, { named: null, comped: true });

export const otherPrice = (): Problem =>
  new Problem(SCHEDULE_PROBLEMS.other_price, {
    staff:
      'The places at the venue and online have different prices. Switch the booking with ' +
      '`POST /attendances/{id}/switch_place`: the price is given back, and the other one is charged to the account.',
    customer: say`The prices of ${many.spot} in person and online differ. Ask the business to change this ${one.booking}.`,
  });
