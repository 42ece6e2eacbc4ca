/** Courses: all remaining sessions, paid now or by a membership, or a single session if sessions are sold singly. */
import { one, say } from '../../../../kernel/base/values/words.ts';
import {
  checkJoins,
  sessionsText,
  enroll,
  noteInvoice,
  quoteSeries,
  readSeries,
  singleDates,
  type Offer,
  type Series,
} from '../../../availability/courses/index.ts';
import { bookHeld } from '../../../scheduling/schedule/index.ts';
import { checkMembership, extraPrices, productsOf } from './classes.ts';
import { dropInPayer } from '../drop-in/payer.ts';
import { factsOfEach, type Around, type Buying, type Got, type ItemKind, type Wanted } from './kind.ts';
import { factsOfSeries, factsOfSession } from '../drop-in/price.ts';
import { heldBy, SEATS } from '../reservations/seats.ts';
import { invalid } from '../../../../kernel/base/problem.ts';
import { isPaid } from '../drop-in/ledger.ts';
import type { Work } from '../../../../kernel/work/unit/work.ts';

const wantingOf = ({ course_date_series_id: series, customer_id: customer }: Wanted) => ({ series: series!, customer });

/** `Pottery: Autumn, 6 of 8 sessions` */
const describe = (work: Work, { name }: Series, { left, sessions }: Offer): string =>
  sessionsText(work, name, left.length, sessions);

/** Refuses a second place for the same customer at a session. */
async function checkOnce(work: Work, wanted: Wanted, { items }: Around): Promise<void> {
  const mine = items.filter((item) => item.customer_id === wanted.customer_id);
  const field = wanted.course_date_series_id === null ? 'course_date' : 'course_date_series';
  const twice = () =>
    invalid(field, {
      staff: 'A place at a session is already in the checkout for this customer.',
      customer: 'This is already in your purchase.',
    });
  const series = [wanted, ...mine].flatMap((item) => item.course_date_series_id ?? []);
  if (new Set(series).size < series.length) throw twice();
  const known = await readSeries(work, series);
  const events = [wanted, ...mine].flatMap(({ event_id: event, course_date_series_id: id }) =>
    id === null ? (event ?? []) : known.get(id)!.sessions.map((session) => session.event),
  );
  if (new Set(events).size < events.length) throw twice();
}

const common: Pick<ItemKind, 'rank' | 'holds' | 'billed'> = {
  rank: 3,
  holds: SEATS,
  billed: async (work, got, invoice) => void (await noteInvoice(work, got, invoice)),
};

/** Enrolls at the price that the payer agreed to: sessions that began or ended in the meantime change it. */
async function enrolled(
  work: Work,
  { item }: Buying,
  paid: { readonly paidBy: 'checkout' } | { readonly paidBy: 'membership'; readonly membership: number },
  price?: number,
): Promise<Got> {
  const id = await enroll(work, { ...wantingOf(item), ...paid, held: heldBy(item), price });
  return { object: 'course_enrollment', id, name: item.description };
}

export const DROP_IN_COURSE: ItemKind = {
  ...common,
  type: 'CRS_DRP',
  description: 'A course: every session of a date series that is left, for the price of the series or its part.',
  needs: ['course_date_series'],
  line: () => 'course',
  check: async (work, wanted, around) => {
    await checkOnce(work, wanted, around);
    await checkJoins(work, wantingOf(wanted));
  },
  facts: (work, items) =>
    factsOfEach(items, async (item) => {
      const { series, offer } = await quoteSeries(work, { ...wantingOf(item), held: heldBy(item) });
      return factsOfSeries(series, describe(work, series, offer), offer.price);
    }),
  fulfil: (work, buying) => enrolled(work, buying, { paidBy: 'checkout' }, buying.item.standard_unit_price_minor),
};

export const MEMBERSHIP_COURSE: ItemKind = {
  ...common,
  type: 'CRS_MEM',
  description:
    'A course that a membership pays for: each session takes a use. Its price is what the membership adds for each use.',
  needs: ['course_date_series'],
  takes: ['customer_membership', 'customer_membership_checkout_item'],
  checkedByTrial: true,
  line: () => 'course',
  check: async (work, wanted, around) => {
    checkMembership(wanted, around);
    await checkOnce(work, wanted, around);
    await checkJoins(work, wantingOf(wanted));
  },
  facts: async (work, items, { items: all }) => {
    const products = await productsOf(work, items, all);
    const prices = await extraPrices(work, [...products.values()]);
    return factsOfEach(items, async (item) => {
      const { series, offer } = await quoteSeries(work, { ...wantingOf(item), held: heldBy(item) });
      const each = prices.get(`${products.get(item.id)}:${series.offeringType}`) ?? 0;
      return factsOfSeries(series, describe(work, series, offer), each * offer.left.length);
    });
  },
  fulfil: (work, buying) => {
    const { customer_membership_id: has, customer_membership_item_id: buys } = buying.item;
    const membership = buys === null ? has! : buying.got.get(buys)!.id;
    return enrolled(work, buying, { paidBy: 'membership', membership });
  },
};

export const DROP_IN_SESSION: ItemKind = {
  rank: 3,
  holds: SEATS,
  type: 'CRS_DT_DRP',
  description: 'A single session of a course, if its date series sells them.',
  needs: ['course_date'],
  line: () => 'course_session',
  check: async (work, wanted, around) => {
    await checkOnce(work, wanted, around);
    const sold = (await singleDates(work, [wanted.event_id!])).get(wanted.event_id!);
    if (!sold || sold.price === null)
      throw invalid('course_date', {
        staff:
          'Single sessions of this series are not sold. Add the whole series with CRS_DRP, or set single_date_price.',
        customer: say`This ${one.course} is only sold as a whole.`,
      });
    if (await isPaid(work, { event: wanted.event_id!, customer: wanted.customer_id }))
      throw invalid('course_date', {
        staff:
          'The customer paid for a late cancellation, and that payment counts for this booking. Book them without a checkout.',
        customer: say`You have paid for this ${one.session} already. Book it without paying again.`,
      });
  },
  facts: async (work, items) => {
    const found = await singleDates(
      work,
      items.map((item) => item.event_id!),
    );
    return new Map(items.map((item) => [item.id, factsOfSession(work, found.get(item.event_id!)!)]));
  },
  fulfil: async (work, { item }) => ({
    object: 'attendance',
    id: await bookHeld(work, {
      event: item.event_id!,
      customer: item.customer_id,
      payer: { subject: dropInPayer.subject, id: item.id },
    }),
    name: item.description,
  }),
};
