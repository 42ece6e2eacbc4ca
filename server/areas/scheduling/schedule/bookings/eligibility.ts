/** Answers "Which of these people can book, and why not?" for a whole roster with the statements of one person. */
import { action, answer } from '../../../../kernel/api/endpoint.ts';
import { boolean, id, listOf, oneOf, ref, text, object } from '../../../../kernel/base/fields/kinds.ts';
import { atPlace, bookingFacts, placeFor, placeKinds } from './facts.ts';
import { CURRENT_STATUSES, registrationStatus, SUGGESTED_ACTIONS } from './registration-status.ts';
import { customerOf, whoBooks } from './booking-endpoints.ts';
import { explainBooking, PLACES, type Place } from '../rules/booking.ts';
import { noOnlinePlaces } from '../problems.ts';
import { invalid, notFound } from '../../../../kernel/base/problem.ts';
import { mayActForFamily } from '../../../people/customers/index.ts';
import { payers } from './payer-port.ts';
import type { DropInPrice } from './payer.ts';
import { readCustomers, readEvent } from './read-facts.ts';
import { sideFor, wordingFor } from '../../../../kernel/base/values/wording.ts';

const MAX_CUSTOMERS = 100;

const body = {
  event: ref('event'),
  customer: id().optional().describe('Customers who ask for themselves can leave it out.'),
  customers: listOf(id(), { min: 1, max: MAX_CUSTOMERS })
    .optional()
    .describe('Several customers, for example everybody on a roster. Send either this or `customer`.'),
  place: oneOf(PLACES).optional().describe('As in a booking.'),
};

const result = object({
  customer: id(),
  can_book: boolean(),
  code: text().nullable().describe('The first rule that refuses, as in the refusal of a booking.'),
  message: text().nullable().describe('The reason in words, with what to do about it.'),
  current_status: oneOf(CURRENT_STATUSES),
  suggested_action: oneOf(SUGGESTED_ACTIONS).nullable(),
});

export const checkEligibility = action({
  path: '/registration_eligibility/check',
  summary: 'Check who can book an event',
  description:
    'Answers by the same rules as a booking and as `GET /events/{id}/explain`, for one customer or for many in one ' +
    'call. It changes nothing.',
  who: whoBooks,
  silent: 'it only looks',
  changesNothing: true,
  body,
  returns: answer({ event: id(), results: listOf(result, { max: MAX_CUSTOMERS }) }),
  run: async ({ work, body: { event, customer, customers, place: asks } }) => {
    if (customer !== undefined && customers !== undefined)
      throw invalid('customers', 'Send either `customer` or `customers`.');
    const asked = [...new Set(customers ?? [customerOf(work, customer)])];
    const { mode, customerId: me } = work.viewer;
    const [around, known] = await Promise.all([
      readEvent(work, event),
      readCustomers(work, event, me === null ? asked : [...new Set([...asked, me])]),
    ]);
    if (!around) throw notFound();
    if (asks && !placeKinds(around).includes(asks)) throw noOnlinePlaces().about(around.event.kind);
    const prices = new Map<Place, DropInPrice | null>();
    for (const place of placeKinds(around))
      prices.set(place, await payers.filled.quote(work, atPlace(around, place).price));
    const results = asked.map((one) => {
      const who = known.get(one);
      if (!who) throw invalid(customers ? 'customers' : 'customer', `There is no customer with the id ${one}.`);
      const refused = me === null || me === one ? null : mayActForFamily(known.get(me)!, who);
      if (refused) throw refused;
      const place = placeFor(who, asks);
      const payment = payers.filled.choose(
        { known: who.known, price: prices.get(place) ?? null },
        { named: null, comped: false, onAccount: mode === 'provider' },
      );
      const rule = explainBooking(
        bookingFacts(atPlace(around, place), who, mode === 'provider', work.now, payment),
      ).find(({ passed }) => !passed);
      const { current_status, suggested_action } = registrationStatus(around, who, work.now, asks);
      return {
        customer: one,
        can_book: rule === undefined,
        code: rule?.code ?? null,
        message: rule ? wordingFor(sideFor(mode), rule.message, work.tenant.words) : null,
        current_status,
        suggested_action,
      };
    });
    return { event, results };
  },
});
