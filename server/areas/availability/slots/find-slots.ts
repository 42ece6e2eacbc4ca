/** Searches for free times. */
import { addDays, daysBetween, wallAt } from '../../../kernel/base/values/zone.ts';
import { answer, paging, read, selecting } from '../../../kernel/api/endpoint.ts';
import { readAsker, lanesAround, offeredBy } from './take.ts';
import { boolean, date, id, integer, listOf, map, money, object, text } from '../../../kernel/base/fields/kinds.ts';
import { checkActsFor } from '../../people/customers/index.ts';
import { chooseAt, verdictsAt } from './at-time.ts';
import { dateAt } from './lanes.ts';
import { Field } from '../../../kernel/base/fields/field.ts';
import { findSlots } from './find.ts';
import { invalid } from '../../../kernel/base/problem.ts';
import { payers, readPlanned, whoSeesEvents } from '../../scheduling/schedule/index.ts';
import { printedBy, printSlots, slotShape } from './slot.ts';
import { sideFor, wordingFor } from '../../../kernel/base/values/wording.ts';
import { wireMoney } from '../../../kernel/base/values/money.ts';
import type { Work } from '../../../kernel/work/unit/work.ts';

/** As many days as the longest month. */
const MAX_DAYS = 31;
const USUAL_DAYS = 7;

export const MAX_PEOPLE = 100;

/** A list of ids, or `any`. */
const instructors = new Field<number[] | 'any'>({
  schema: { type: 'string', description: 'Comma-separated list of ids, or "any".' },
  read: (input, path, reading) => (input === 'any' ? 'any' : listOf(id()).spec.read(input, path, reading)),
});

export const dates = {
  from: date().optional().describe('The first day, by the clock of each venue. Default: today.'),
  to: date()
    .optional()
    .describe(`The last day, at most ${MAX_DAYS} days with the first. Default: ${USUAL_DAYS} days in all.`),
};

/**
 * The days before and after the requested ones are read too, so they must exist: the first and last years of the
 * calendar are refused.
 */
function checkYear(name: 'from' | 'to', day: string | undefined): void {
  if (day !== undefined && (day < '0002' || day >= '9999')) throw invalid(name, 'Must be in the years 0002 to 9998.');
}

/**
 * Returns the dates of a request. @throws Problem if the days are in the wrong order, too many, or at an end of the
 * calendar
 */
export function datesOf(work: Work, { from, to }: { from?: string; to?: string }): { from: string; to: string } {
  checkYear('from', from);
  checkYear('to', to);
  const first = from ?? wallAt(work.now, work.tenant.zone).date;
  const last = to ?? addDays(first, USUAL_DAYS - 1);
  if (last < first) throw invalid(to === undefined ? 'from' : 'to', 'Must not be before from.');
  if (daysBetween(first, last) >= MAX_DAYS)
    throw invalid('to', `The range can be at most ${MAX_DAYS} days: until ${addDays(first, MAX_DAYS - 1)}.`);
  return { from: first, to: last };
}

const people = () => integer({ min: 1, max: MAX_PEOPLE }).default(1).describe('Number of people.');

const customerField = id().optional().describe('For whom. Customers who ask for themselves can leave it out.');

/** Returns the customer in question; null if there is none in particular. */
async function customerOf(work: Work, given: number | undefined): Promise<number | null> {
  if (given === undefined) return work.viewer.customerId;
  if (work.viewer.mode === 'unregistered') throw invalid('customer', 'Log in to ask for a customer.');
  await checkActsFor(work, given);
  return given;
}

const list = read({
  path: '/slots',
  summary: 'List free times',
  description:
    'Returns the times at which an appointment or a room rental can be booked now, earliest first: within the hours, when nothing else is in the way. ' +
    'Each instructor has times of their own, unless `instructors` is `any`: then each time is listed once for a venue.',
  replica: true,
  who: whoSeesEvents,
  query: {
    offering_type: id().describe('An appointment or a room rental.'),
    instructors: instructors
      .optional()
      .describe('Ids of instructors, or `any` for anyone who is free. Default: each of them.'),
    venues: listOf(id()).optional().describe('Comma-separated list of ids.'),
    venue_rooms: listOf(id()).optional().describe('Comma-separated list of ids: only times in one of these rooms.'),
    ...dates,
    people: people(),
    customer: customerField,
    ...paging(),
  },
  returns: selecting.pageOf(slotShape),
  run: async ({ work, query }) => {
    const any = query.instructors === 'any';
    const found = await findSlots(work, {
      offeringType: query.offering_type,
      instructors: Array.isArray(query.instructors) ? query.instructors : undefined,
      anyInstructor: any,
      venues: query.venues,
      rooms: query.venue_rooms,
      ...datesOf(work, query),
      customer: await customerOf(work, query.customer),
    });
    const { page, page_size: size } = query;
    const shown = found.slots.slice((page - 1) * size, page * size);
    return { count: found.slots.length, results: await printSlots(work, found, shown, query.people) };
  },
});

const get = read({
  path: '/slots/{id}',
  summary: 'Get a free time',
  description: 'Shows whether it is still free, and what it costs with fees and taxes. Its id stays the same.',
  who: whoSeesEvents,
  textId: true,
  query: { people: people(), customer: customerField },
  returns: selecting.answer({
    ...slotShape,
    is_available: boolean(),
    total: money().nullable().describe('Total of drop-ins for all people, with fees and taxes.'),
  }),
  run: async ({ work, query, params }) => {
    const offered = offeredBy(work, params.id);
    const lanes = await lanesAround(work, offered);
    const chosen = chooseAt(lanes, offered, readAsker(work, lanes));
    const { offering } = lanes;
    const zone = offering.venues.get(offered.venue)?.zone ?? work.tenant.zone;
    const customer = await customerOf(work, query.customer);
    const plan = { ...offered, zone, endsAt: offered.startsAt + offering.offer.duration };
    const [planned] = customer === null ? [null] : await readPlanned(work, [plan], customer);
    const slot = { ...offered, zone, date: dateAt(offered.startsAt, zone) };
    const { price } = offering.facts;
    const quote = price && (await payers.filled.quote(work, { ...price, venue: offered.venue }));
    return {
      ...printedBy(work, { lanes }, query.people)(slot, planned),
      id: params.id,
      is_available: chosen !== null,
      total: quote && wireMoney({ minor: (quote.total ?? quote.listPrice) * query.people, currency: quote.currency }),
    };
  },
});

const withheld = (facts: object) => Object.fromEntries(Object.keys(facts).map((name) => [name, null]));

const ruleShape = object({ code: text(), passed: boolean(), message: text(), facts: map() });

const explain = read({
  path: '/slots/{id}/explain',
  summary: 'Explain why a time is offered or not',
  description:
    'Returns every rule with its verdict and the facts that it used, in the order in which they are checked. Only staff see what somebody is busy with.',
  who: whoSeesEvents,
  textId: true,
  returns: answer({
    slot: text({ max: 200 }),
    is_available: boolean(),
    rules: listOf(ruleShape),
  }),
  run: async ({ work, params }) => {
    const offered = offeredBy(work, params.id);
    const lanes = await lanesAround(work, offered);
    const asker = readAsker(work, lanes);
    const { mode } = work.viewer;
    return {
      slot: params.id,
      is_available: chooseAt(lanes, offered, asker) !== null,
      rules: verdictsAt(lanes, offered, asker).map(({ code, passed, message, facts, staffFacts }) => ({
        code,
        passed,
        message: wordingFor(sideFor(mode), message, work.tenant.words),
        facts: { ...facts, ...(mode === 'provider' ? staffFacts : withheld(staffFacts)) },
      })),
    };
  },
});

export const findSlotEndpoints = [list, get, explain];
