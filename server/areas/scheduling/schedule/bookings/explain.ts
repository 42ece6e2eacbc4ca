import { answer, read } from '../../../../kernel/api/endpoint.ts';
import {
  boolean,
  id,
  instant,
  integer,
  listOf,
  map,
  oneOf,
  text,
  object,
} from '../../../../kernel/base/fields/kinds.ts';
import { formatInstant } from '../../../../kernel/base/values/zone.ts';
import { invalid, notFound } from '../../../../kernel/base/problem.ts';
import { atPlace, toAsker, bookingFacts, missingFor, placeFor, placeKinds } from './facts.ts';
import { payers } from './payer-port.ts';
import { checkActsFor } from '../../../people/customers/index.ts';
import { CURRENT_STATUSES, registrationStatus, SUGGESTED_ACTIONS } from './registration-status.ts';
import { customerOf, whoBooks } from './booking-endpoints.ts';
import { event } from '../events/event.ts';
import { explainBooking, PLACES } from '../rules/booking.ts';
import { noOnlinePlaces } from '../problems.ts';
import { readCustomers, readEvent } from './read-facts.ts';
import { requirementOn, requirementShape } from './requirements.ts';
import { sideFor, wordingFor } from '../../../../kernel/base/values/wording.ts';
import { ANYBODY, resolveWindow } from '../rules/window.ts';
import { whoSeesEvents } from '../events/find-events.ts';

const rule = object({
  code: text(),
  passed: boolean(),
  message: text(),
  facts: map(),
});

/** Answers "Why can't this person book?" */
const explain = read({
  path: '/events/{id}/explain',
  summary: 'Explain why a customer can or cannot book',
  description: 'Returns every booking rule with its verdict and the facts that it used, in the order of booking.',
  who: whoBooks,
  target: event,
  query: {
    customer: id().optional().describe('Customers who ask for themselves can leave it out.'),
    place: oneOf(PLACES).optional().describe('As in a booking.'),
  },
  returns: answer({
    event: id(),
    customer: id(),
    can_book: boolean(),
    current_status: oneOf(CURRENT_STATUSES),
    suggested_action: oneOf(SUGGESTED_ACTIONS).nullable(),
    waitlist_position: integer({ min: 1 }).nullable(),
    rules: listOf(rule),
    requirements: listOf(requirementShape).describe('What the customer has not completed yet.'),
  }),
  run: async ({ work, query, target, pagesUrl }) => {
    const customer = customerOf(work, query.customer);
    await checkActsFor(work, customer);
    const read = (await readEvent(work, target.id))!;
    const who = (await readCustomers(work, target.id, [customer])).get(customer);
    if (!who)
      throw work.viewer.mode === 'provider'
        ? invalid('customer', `There is no customer with the id ${customer}.`)
        : notFound();
    const place = placeFor(who, query.place);
    if (!placeKinds(read).includes(place)) throw noOnlinePlaces().about(read.event.kind);
    const around = atPlace(read, place);
    const named = payers.filled.named(query);
    const unknown = payers.filled.refuseUnknown(who.known, named);
    if (unknown) throw unknown;
    const price = await payers.filled.quote(work, around.price);
    const { mode } = work.viewer;
    const onAccount = mode === 'provider';
    const payment = payers.filled.choose({ known: who.known, price }, { named, comped: false, onAccount });
    const words = work.tenant.words;
    const rules = explainBooking(bookingFacts(around, who, mode === 'provider', work.now, payment)).map((rule) => ({
      ...rule,
      message: wordingFor(sideFor(mode), rule.message, words),
    }));
    const { current_status, suggested_action } = registrationStatus(read, who, work.now, query.place);
    return {
      event: target.id,
      customer,
      can_book: rules.every((r) => r.passed),
      current_status,
      suggested_action,
      waitlist_position: who.spot ? who.spot.ahead + 1 : null,
      rules,
      requirements: missingFor(around, who, work.now).map((one) => requirementOn(pagesUrl, one)),
    };
  },
});

const timelineShape = object({ id: id(), object: text(), name: text().nullable(), audience_type: text() }).nullable();

const resolved = read({
  path: '/events/{id}/registration_timelines/resolved',
  summary: 'Get the booking times of an event',
  who: whoSeesEvents,
  target: event,
  returns: answer({
    registration_timeline: timelineShape,
    calendar_opens_at: instant(),
    registrations_open_at: instant(),
    registrations_close_at: instant(),
    late_cancels_after: instant(),
  }),
  run: async ({ work, target }) => {
    const { event: facts, windowFacts } = (await readEvent(work, target.id))!;
    const { customerId } = work.viewer;
    const who = customerId === null ? null : (await readCustomers(work, target.id, [customerId])).get(customerId);
    const asker = who ? toAsker(who) : ANYBODY;
    const window = resolveWindow(windowFacts, asker) ?? resolveWindow({ ...windowFacts, timelines: [] }, asker)!;
    const at = (epochMs: number) => formatInstant(epochMs, facts.zone);
    const { timeline } = window;
    return {
      registration_timeline: timeline && {
        id: timeline.id,
        object: 'registration_timeline',
        name: timeline.name,
        audience_type: timeline.audience,
      },
      calendar_opens_at: at(window.calendarOpensAt),
      registrations_open_at: at(window.opensAt),
      registrations_close_at: at(window.closesAt),
      late_cancels_after: at(window.lateCancelsAfter),
    };
  },
});

export const explanations = [explain, resolved];
