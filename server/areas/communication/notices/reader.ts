/** Turns changes of bookings, waitlists and events into notices. */
import { eventNotices, eventUrl, readEvents, type About } from './of-events.ts';
import type { EventFacts } from './event-facts.ts';
import { forgetReminders, moveReminders, planReminders } from './reminders.ts';
import { instant, sql } from '../../../kernel/base/db/sql.ts';
import { paidFor, returnedText } from '../../commerce/checkouts/index.ts';
import { paidSay, saying } from './messages.ts';
import { dayIn, momentIn, timesIn } from '../../../kernel/base/languages/times.ts';
import { REPLACED, notifyInstructors, toCustomers, type Replaced } from './teaching.ts';
import { sendNotices } from './write.ts';
import { BOOKING_NOTICES } from '../../scheduling/schedule/index.ts';
import { whoIs } from '../../people/customers/index.ts';
import type { Reader } from '../../../kernel/base/languages/languages.ts';
import { isImported, type FeedItem } from '../../../kernel/work/feed/items.ts';
import type { FeedReader } from '../../../kernel/work/unit/feed-reader.ts';
import type { Work } from '../../../kernel/work/unit/work.ts';

interface Concerned {
  readonly event: number;
  readonly customer: number;
}

type Payload = Concerned & {
  readonly from?: string;
  readonly reason?: string;
  readonly expires_at?: string;
  readonly notify?: string | null;
  readonly changed?: string[];
  readonly customers?: number[];
  readonly from_event?: number;
};

/** Older items notify nobody: after a long outage, people aren't flooded with old news. */
const STALE_MS = 24 * 3_600_000;

type Tells = (of: {
  work: Work;
  item: FeedItem;
  payload: Payload;
  event: EventFacts;
}) => Promise<Omit<About, 'key'>[]> | Omit<About, 'key'>[];

/** Says what came back to each person whose booking ended with its event. */
async function cancelledWithEvent(
  work: Work,
  event: number,
  customers: readonly number[],
  message: string,
): Promise<Omit<About, 'key'>[]> {
  const paid = await paidFor(work.tx, work.providerId, { event, customers, status: 'not_registered' });
  const { currency } = work.tenant;
  return customers.map((customer) => {
    const own = paid.get(customer);
    const values = (reader: Reader) => ({
      message,
      returned: own ? returnedText(own, 'came', { say: paidSay(work, reader), reader, currency }) : null,
    });
    return { type: BOOKING_NOTICES.eventCancelled, event, customer, values, entry: 'removed' as const };
  });
}

/** Says what the cancellation returned or lost, unless the person has booked again since. */
async function cancelled(
  work: Work,
  { event, customer }: Concerned,
  status: 'not_registered' | 'late_cancelled',
): Promise<Omit<About, 'key'>[]> {
  const paid = (await paidFor(work.tx, work.providerId, { event, customers: [customer], status })).get(customer);
  const { currency } = work.tenant;
  const values = (reader: Reader) => {
    const say = paidSay(work, reader);
    const [late, how] =
      status === 'late_cancelled' ? [say('cancelled.late'), 'went' as const] : [null, 'came' as const];
    const money = paid ? returnedText(paid, how, { say, reader, currency }) : null;
    return { returned: [late, money].filter((text) => text !== null).join(' ') || null };
  };
  return [{ type: BOOKING_NOTICES.cancelled, event, customer, values, entry: 'removed' }];
}

const TELLS: Record<string, Tells> = {
  // Covered by the notice of the promotion, the course, the restored event, the move, or the reservation that books a
  // series of events: one occasion is one notice.
  'event_registration.created': ({ payload: { event, customer, from } }) =>
    ['waitlist', 'course', 'recurring_reservation', 'reopened', 'moved'].includes(from ?? '')
      ? []
      : [{ type: BOOKING_NOTICES.confirmed, event, customer, entry: 'kept', ticket: true }],
  // Covered by the notice about the move, or about the end of the event or the course, if staff wanted one.
  'event_registration.cancelled': ({ work, payload: { event, customer, reason } }) =>
    ['event_cancelled', 'course', 'moved', 'import_undone'].includes(reason ?? '')
      ? []
      : cancelled(work, { event, customer }, 'not_registered'),
  'event_registration.late_cancelled': ({ work, payload: { event, customer } }) =>
    cancelled(work, { event, customer }, 'late_cancelled'),
  // It takes place somewhere else for them, so they get the confirmation and the entry of their calendar again.
  'event_registration.switched': ({ payload: { event, customer, from } }) =>
    from === 'waitlist' ? [] : [{ type: BOOKING_NOTICES.confirmed, event, customer, entry: 'kept', ticket: true }],
  'event_registration.moved': async ({ work, payload: { event, customer, from_event } }) => {
    const before = (await readEvents(work, [from_event!])).get(from_event!)!;
    return [
      {
        type: BOOKING_NOTICES.moved,
        event,
        customer,
        values: (reader) => ({
          'before.name': before.name,
          'before.date': dayIn(reader.locale, before.starts_at, before.timezone),
          'before.time': timesIn(reader.locale, before.starts_at, before.ends_at, before.timezone),
        }),
        entry: 'kept',
      },
    ];
  },
  'waitlist.joined': ({ payload: { event, customer } }) => [{ type: BOOKING_NOTICES.waitlistAdded, event, customer }],
  'waitlist.promoted': ({ payload: { event, customer } }) => [
    { type: BOOKING_NOTICES.waitlistPromoted, event, customer, entry: 'kept', ticket: true },
  ],
  'waitlist.offered': ({ work, payload: { event, customer, expires_at }, event: { timezone } }) => {
    const until = Date.parse(expires_at!);
    if (until <= work.now) return [];
    return [
      {
        type: BOOKING_NOTICES.spotAvailable,
        event,
        customer,
        values: (reader) => ({
          offer: saying(work, reader)('offer.kept', { until: momentIn(reader.locale, until, timezone) }),
          'claim.url': eventUrl(work, event),
        }),
        push: {
          text: (reader) => saying(work, reader)('push.kept', { until: momentIn(reader.locale, until, timezone) }),
          url: eventUrl(work, event),
          until,
        },
      },
    ];
  },
  'waitlist.broadcast': ({ work, payload: { event, customers }, event: { starts_at } }) =>
    (customers ?? []).map((customer) => ({
      type: BOOKING_NOTICES.spotAvailable,
      event,
      customer,
      values: (reader) => ({ offer: saying(work, reader)('offer.first'), 'claim.url': eventUrl(work, event) }),
      push: {
        text: (reader) => saying(work, reader)('push.first'),
        url: eventUrl(work, event),
        until: starts_at,
      },
    })),
  'waitlist.expired': ({ payload: { event, customer } }) => [{ type: BOOKING_NOTICES.spotExpired, event, customer }],
  'waitlist.rejected': ({ payload: { event, customer } }) => [
    { type: BOOKING_NOTICES.waitlistRemoved, event, customer },
  ],
  'event.changed': async ({ work, payload: { event, notify } }) => {
    if (typeof notify !== 'string') return [];
    const { booked, waiting } = await peopleOf(work, event);
    return [
      ...booked.map((customer) => ({
        type: BOOKING_NOTICES.eventChanged,
        event,
        customer,
        values: { message: notify },
        entry: 'kept' as const,
      })),
      ...waiting.map((customer) => ({
        type: BOOKING_NOTICES.eventChanged,
        event,
        customer,
        values: { message: notify },
      })),
    ];
  },
  'event.reopened': async ({ work, payload: { event, notify }, event: { reopened_at } }) => {
    if (typeof notify !== 'string' || reopened_at === null) return [];
    const { booked, waiting } = await peopleWhoCameBack(work, event, reopened_at);
    const values = { message: notify };
    return [
      ...booked.map((customer) => ({
        type: BOOKING_NOTICES.eventReopened,
        event,
        customer,
        values,
        entry: 'kept' as const,
      })),
      ...waiting.map((customer) => ({ type: BOOKING_NOTICES.waitlistReopened, event, customer, values })),
    ];
  },
  'event_registration.not_restored': ({ payload: { event, customer, notify } }) =>
    typeof notify === 'string'
      ? [{ type: BOOKING_NOTICES.notRestored, event, customer, values: { message: notify } }]
      : [],
  'event.cancelled': async ({ work, payload: { event, notify }, event: { cancelled_at } }) => {
    if (typeof notify !== 'string' || cancelled_at === null) return [];
    const { booked, waiting } = await peopleWhoLost(work, event, cancelled_at);
    return [
      ...(await cancelledWithEvent(work, event, booked, notify)),
      ...waiting.map((customer) => ({
        type: BOOKING_NOTICES.eventCancelled,
        event,
        customer,
        values: { message: notify, returned: null },
      })),
    ];
  },
};

type Person = Record<string, any>;

/** Returns each person once: somebody who is booked and waits for the other kind of place is booked. */
function peopleIn(booked: readonly Person[], waiting: readonly Person[]): { booked: number[]; waiting: number[] } {
  const ids = new Set(booked.map((one) => one.customer_id));
  return { booked: [...ids], waiting: waiting.map((one) => one.customer_id).filter((id) => !ids.has(id)) };
}

/** Returns customers who are booked, and those on the waitlist. */
async function peopleOf(work: Work, event: number): Promise<{ booked: number[]; waiting: number[] }> {
  const [booked, waiting] = await work.tx.all([
    sql`SELECT customer_id FROM attendance WHERE provider_id = ${work.providerId} AND event_id = ${event}
      AND status = 'registered' ORDER BY customer_id`,
    sql`SELECT customer_id FROM waitlist_spot
      WHERE provider_id = ${work.providerId} AND event_id = ${event} AND ended_at IS NULL ORDER BY customer_id`,
  ]);
  return peopleIn(booked, waiting);
}

/** Returns customers whose booking, or wait, ended with the event. */
async function peopleWhoLost(work: Work, event: number, at: number): Promise<{ booked: number[]; waiting: number[] }> {
  const when = instant(at);
  const [booked, waiting] = await work.tx.all([
    sql`SELECT customer_id FROM attendance WHERE provider_id = ${work.providerId} AND event_id = ${event}
      AND status = 'not_registered' AND cancelled_at = ${when} ORDER BY customer_id`,
    sql`SELECT customer_id FROM waitlist_spot
      WHERE provider_id = ${work.providerId} AND event_id = ${event} AND end_reason = 'event_cancelled'
        AND ended_at = ${when} ORDER BY customer_id`,
  ]);
  return peopleIn(booked, waiting);
}

/** Returns customers whose booking, or wait, came back with the event. */
async function peopleWhoCameBack(
  work: Work,
  event: number,
  at: number,
): Promise<{ booked: number[]; waiting: number[] }> {
  const when = instant(at);
  const [booked, waiting] = await work.tx.all([
    sql`SELECT customer_id FROM attendance WHERE provider_id = ${work.providerId} AND event_id = ${event}
      AND status = 'registered' AND registered_at = ${when} ORDER BY customer_id`,
    sql`SELECT customer_id FROM waitlist_spot
      WHERE provider_id = ${work.providerId} AND event_id = ${event} AND ended_at IS NULL AND added_at < ${when}
      ORDER BY customer_id`,
  ]);
  return peopleIn(booked, waiting);
}

/** Replaces merged customers with the ones that remain; null: the item is about a deleted customer. */
async function ofThosePresent(work: Work, payloads: readonly Payload[]): Promise<(Payload | null)[]> {
  const present = await whoIs(
    work,
    payloads.flatMap((p) => [...(p.customer === undefined ? [] : [p.customer]), ...(p.customers ?? [])]),
  );
  return payloads.map((p) => {
    if (p.customer !== undefined && !present.has(p.customer)) return null;
    return {
      ...p,
      customer: present.get(p.customer)!,
      ...(p.customers && { customers: [...new Set(p.customers.flatMap((c) => present.get(c) ?? []))] }),
    };
  });
}

const BOOKED = new Set(['event_registration.created']);
const LEFT = new Set(['event_registration.cancelled', 'event_registration.late_cancelled']);

export const noticesReader = {
  name: 'notices',
  kinds: [...Object.keys(TELLS), REPLACED],
  read: (work, items) => notifyFromFeed(work, items),
} satisfies FeedReader;

/**
 * Notifies people of feed items. A preview writes neither reminders nor calendar entries: it holds the event, for which
 * the reader waits that has written the same rows.
 */
export async function notifyFromFeed(
  work: Work,
  items: Parameters<FeedReader['read']>[1],
  { preview = false }: { readonly preview?: boolean } = {},
): Promise<void> {
  const payloads = await ofThosePresent(
    work,
    items.map((item) => item.payload as unknown as Payload),
  );
  const those = (which: (payload: Payload, kind: string) => boolean): Payload[] =>
    payloads.filter((p, i): p is Payload => p !== null && which(p, items[i].kind));
  if (!preview) {
    await planReminders(
      work,
      those((_, kind) => BOOKED.has(kind)),
    );
    await forgetReminders(
      work,
      those((_, kind) => LEFT.has(kind)),
    );
    await moveReminders(
      work,
      those((p, kind) => kind === 'event.changed' && p.changed?.includes('starts_at') === true).map((p) => p.event),
    );
  }
  const events = await readEvents(work, [...new Set(those(() => true).map((p) => p.event))]);
  const about: About[] = [];
  const replaced: Replaced[] = [];
  for (const [i, item] of items.entries()) {
    const payload = payloads[i];
    const event = payload && events.get(payload.event);
    // An event that is over is no news, and neither is an old item, nor what people booked in another product.
    if (!event || event.ends_at <= work.now || item.occurredAt < work.now - STALE_MS || isImported(item)) continue;
    if (item.kind === REPLACED) {
      replaced.push({ ...(item.payload as unknown as Omit<Replaced, 'key'>), key: String(item.seq) });
      continue;
    }
    const notices = await TELLS[item.kind]({ work, item, payload, event });
    about.push(...notices.map((one) => ({ ...one, key: String(item.seq) })));
  }
  about.push(...(await toCustomers(work, replaced)));
  await sendNotices(work, await eventNotices(work, about, { preview }));
  await notifyInstructors(work, replaced, events);
}
