/** A slot on the wire. */
import { formatInstant, formatWall } from '../../../kernel/base/values/zone.ts';
import { instant, listOf, money, ref, refs, text } from '../../../kernel/base/fields/kinds.ts';
import { payers, registrationStatus, type PlannedFacts } from '../../scheduling/schedule/index.ts';
import { slotExpiry, slotId } from './slot-id.ts';
import { wireMoney } from '../../../kernel/base/values/money.ts';
import type { Found, Slot } from './find.ts';
import type { Work } from '../../../kernel/work/unit/work.ts';

export const slotShape = {
  id: text({ max: 200 }).describe(
    'Stands for this time until `expires_at`. It is not stored, and means nothing elsewhere.',
  ),
  object: text(),
  offering_type: ref('offering_type'),
  venue: ref('venue'),
  venue_room: ref('venue_room').nullable().describe('Null if no room is needed.'),
  instructors: refs('instructor').describe('Empty for a room rental.'),
  starts_at: instant(),
  ends_at: instant(),
  local_starts_at: text(),
  local_ends_at: text(),
  timezone: text(),
  price: money()
    .nullable()
    .describe('Price of a drop-in for one person, before fees and taxes. Null if it is free, or there is none.'),
  customer_membership: ref('customermembership').nullable().describe('The membership that would pay for the customer.'),
  restriction_codes: listOf(text()).describe('Rules that would refuse the booking of the customer.'),
  expires_at: instant(),
};

/** Returns the printer of slots. `box` is that of the installation. */
export const printedBy = (work: Work, { lanes: { offering } }: Pick<Found, 'lanes'>, people: number) => {
  const until = slotExpiry(work.now, offering.settings.slot_expires_after);
  const { price } = offering.facts;
  return (slot: Slot, planned: PlannedFacts | null) => {
    const { zone, startsAt } = slot;
    const endsAt = startsAt + offering.offer.duration;
    return {
      id: slotId(work.installation.box, work.providerId, slot, until),
      object: 'slot',
      offering_type: offering.id,
      venue: slot.venue,
      venue_room: slot.room,
      instructors: slot.instructor === null ? [] : [slot.instructor],
      starts_at: formatInstant(startsAt, zone),
      ends_at: formatInstant(endsAt, zone),
      local_starts_at: formatWall(startsAt, zone),
      local_ends_at: formatWall(endsAt, zone),
      timezone: zone,
      price: price && wireMoney({ minor: price.listPrice, currency: price.currency }),
      ...forCustomer(work, slot, endsAt, planned, people),
      expires_at: formatInstant(until, work.tenant.zone),
    };
  };
};

/** Previews a booking by the customer: the rules and the payers of every booking decide. */
function forCustomer(work: Work, { startsAt }: Slot, endsAt: number, planned: PlannedFacts | null, people: number) {
  if (!planned?.who) return { customer_membership: null, restriction_codes: [] };
  const { around: facts, who } = planned;
  const around = {
    ...facts,
    event: { ...facts.event, startsAt, endsAt, maxOccupancy: people },
    windowFacts: { ...facts.windowFacts, startsAt },
  };
  const payment = payers.filled.choose({ known: who.known, price: around.price }, { named: null, comped: false });
  return {
    customer_membership: payment.payer?.subject === 'customer_membership' ? payment.choice!.chosen : null,
    restriction_codes: registrationStatus(around, who, work.now).restriction_codes,
  };
}

/** Prints the slots of one page, with the customer's facts for their days. */
export async function printSlots(work: Work, found: Found, slots: readonly Slot[], people: number) {
  const planned = await found.plannedOn(slots);
  const print = printedBy(work, found, people);
  return slots.map((slot) => print(slot, planned(slot)));
}
