/** Reading an event as the person who reads the page sees it, with the state of each person whom they act for. */
import { findWaitlistStep, type WaitlistStep } from '../../scheduling/schedule/index.ts';
import { revisionOf } from '../../availability/calendars/index.ts';
import { here } from '../../../kernel/pages/picture.ts';
import { pictureAt } from '../../platform/images/index.ts';
import { isAboutTheTime, isCovered, offers, otherTimes, similarTo } from './instead.ts';
import {
  type EventPlace,
  type EventView,
  lacksMembership,
  NO_CHOICES,
  type Participant,
  type PayChoices,
  type Payer,
  type Teacher,
} from './event-view.ts';
import { TO_PAY } from '../checkout/index.ts';
import {
  nowAt,
  type At,
  shownTo,
  unlessMissing,
  type Ask,
  type Entry,
  type EntryWhole,
  type Person,
} from '../frame/index.ts';
import { parseDecimal } from '../../../kernel/base/values/money.ts';
import { paidFor, type Paid } from '../../commerce/checkouts/index.ts';
import { standingsOf, type StandingOf } from './standing.ts';
import { sessionsOf } from './sessions.ts';
import { sql } from '../../../kernel/base/db/sql.ts';
import type { Transaction } from '../../../kernel/base/db/database.ts';

const SHOWN =
  'name,description,status,starts_at,ends_at,timezone,registrations_open_at,registrations_close_at,late_cancel_deadline,waiting_count,category,offering_type,schedule_type,venue.id,venue.name,venue.description,venue.address,venue.lat,venue.lng,venue.is_online,venue.video_url,instructors.id,instructors.name,instructors.description,instructors.picture_url,active_registration_status';
const STATUS = 'active_registration_status,late_cancel_deadline';

/** The people whom the reader acts for, and their access to the interface. */
export interface Present {
  /** null: the reader is not a customer here */
  readonly people: readonly Person[] | null;
  readonly ask: Ask;
  readonly tx: Transaction;
}

/** Returns an event as the reader sees it. @throws Problem 404 if they don't see it */
export async function readEvent(visit: At, { people, ask, tx }: Present, id: number): Promise<EventView> {
  const event = await ask('GET /events/{id}', {
    params: { id },
    query: { fields: SHOWN, expand: 'venue,instructors' },
  });
  const [startsAt, cancelled] = [Date.parse(event.starts_at), event.status === 'cancelled'];
  const { left, revision, steps } = await standingOf(tx, visit.site.id, id);
  const standings = people && (await standingsOf(tx, visit.site.id, { people, events: [id], now: nowAt(visit) }));
  const paid = people && (await paidFor(tx, visit.site.id, { event: id, customers: people.map((one) => one.id) }));
  const participants =
    people && (await readParticipants(ask, id, event, { people, standings: standings!, paid: paid! }));
  const over = cancelled || nowAt(visit) >= startsAt;
  const stuck =
    participants?.some(
      ({ status, refusedBy }) => ['not_registered', 'late_cancelled'].includes(status) && isAboutTheTime(refusedBy),
    ) ?? left === 0;
  const movable = ['appointment', 'room_rental'].includes(event.schedule_type);
  const around = {
    id,
    offering: event.offering_type,
    category: event.category,
    venue: event.venue?.id ?? null,
    startsAt,
    zone: event.timezone,
    now: nowAt(visit),
  };
  const shown = await offeringOf(ask, event.offering_type, visit.site.tenant.currency);
  // An event that memberships pay for is not free, even if a single visit has no price.
  const price = shown.price?.minor === 0 && (await isCovered(ask, id)) ? null : shown.price;
  const lacking = participants?.some((one) => one.status !== 'registered' && lacksMembership(one)) ?? price === null;
  const times = over || stuck ? await otherTimes(ask, around) : [];
  return {
    id,
    name: event.name,
    description: event.description,
    cancelled,
    picture: shown.picture,
    price,
    movable: movable ? event.offering_type : null,
    revision,
    startsAt,
    endsAt: Date.parse(event.ends_at),
    startsAtText: event.starts_at,
    endsAtText: event.ends_at,
    zone: event.timezone,
    place: event.venue && placeOf(event.venue),
    teachers: event.instructors.map((one) => teacherOf(one, visit.site.id)),
    opensAt: Date.parse(event.registrations_open_at),
    closesAt: Date.parse(event.registrations_close_at),
    lateFrom: Date.parse(event.late_cancel_deadline),
    waiting: event.waiting_count,
    waitlistStep: findWaitlistStep(steps, nowAt(visit), startsAt),
    left,
    participants,
    otherTimes: times,
    repeats: participants !== null && !movable && (await sessionsOf(ask, around)).some((one) => one.id !== id),
    similar: movable ? [] : await similarTo(ask, around, times),
    offers: !over && !movable && lacking ? await offers(ask, id) : [],
  };
}

interface Found {
  readonly people: readonly Person[];
  readonly standings: readonly StandingOf[];
  readonly paid: ReadonlyMap<number, Paid>;
}

async function readParticipants(
  ask: Ask,
  id: number,
  event: Entry<'GET /events/{id}', typeof STATUS>,
  { people, standings, paid }: Found,
): Promise<Participant[]> {
  const shown: Participant[] = [];
  for (const { id: customer, name, participating } of people) {
    const of = { params: { id }, query: { customer } };
    // The event was already read with the reader's own status.
    const about =
      name === null
        ? event
        : await ask('GET /events/{id}', { params: { id }, query: { fields: STATUS, active_customer: customer } });
    const { current_status: status, suggested_action: suggestion, ...said } = shownTo(about.active_registration_status);
    // Somebody who only manages a family is not asked to take part.
    if (!participating && status === 'not_registered' && people.length > 1) continue;
    const explained = isSettled(status, suggestion) ? null : await ask('GET /events/{id}/explain', of);
    const refusing = explained?.rules.filter(({ passed }) => !passed) ?? [];
    const own = standings.find((one) => one.customer === customer);
    // Paying is a step of booking, not a refusal.
    const [paying] = refusing.filter((rule) => rule.code === TO_PAY);
    const [refused] = refusing.filter((rule) => rule.code !== TO_PAY);
    shown.push({
      id: customer,
      name,
      status,
      suggestion,
      paid: paid.get(customer) ?? null,
      held: own?.kind === 'held' ? own : null,
      lateFrom: Date.parse(said.late_cancels_after ?? about.late_cancel_deadline),
      why: refused?.message ?? null,
      refusedBy: refused?.code ?? null,
      price: totalIn(paying),
      choices: explained?.can_book ? await choicesOf(ask, of, explained.rules) : NO_CHOICES,
      position: status === 'on_waitlist' ? (explained?.waitlist_position ?? null) : null,
      keptUntil: status === 'spot_reserved' ? await keptUntil(ask, id, customer) : null,
      follows: null,
    });
  }
  return shown;
}

type Rule = EntryWhole<'GET /events/{id}/explain'>['rules'][number];

const totalIn = (rule: Rule | undefined): string | null =>
  typeof rule?.facts.total_price === 'string' ? rule.facts.total_price : null;

/** Memberships beyond these are chosen in the account, or at the business. */
const MAX_PREVIEWS = 6;

const PAYER = 'id,name,expiration_date';

/** Returns the memberships that can pay, each of which is tried, and the price of a single visit. */
async function choicesOf(
  ask: Ask,
  { params, query }: { params: { id: number }; query: { customer: number } },
  rules: readonly Rule[],
): Promise<PayChoices> {
  const used = usedIn(rules);
  // Without a membership, the booking is free.
  if (used === null) return NO_CHOICES;
  const { results } = await ask('GET /customer_memberships', {
    query: {
      owned_or_shared_with_customer: query.customer,
      status: 'active',
      fields: PAYER,
      page_size: MAX_PREVIEWS,
    },
  });
  const first =
    results.find((one) => one.id === used.id) ??
    (await ask('GET /customer_memberships/{id}', { params: { id: used.id }, query: { fields: PAYER } }));
  const memberships: Payer[] = [payerOf(first, used.left)];
  for (const one of results) {
    if (one.id === used.id) continue;
    const preview = await ask('GET /events/{id}/explain', { params, query: { ...query, customer_membership: one.id } });
    if (preview.can_book) memberships.push(payerOf(one, usedIn(preview.rules)?.left ?? null));
  }
  return { memberships, single: totalIn(rules.find(({ code }) => code === TO_PAY)) };
}

/** Returns the membership that would pay, with its uses before this one. */
function usedIn(rules: readonly Rule[]): { readonly id: number; readonly left: number | null } | null {
  for (const { facts } of rules)
    if (typeof facts.customer_membership === 'number')
      return { id: facts.customer_membership, left: typeof facts.uses_left === 'number' ? facts.uses_left : null };
  return null;
}

const payerOf = (
  { id, name, expiration_date: ends }: Entry<'GET /customer_memberships', typeof PAYER>,
  left: Payer['left'],
): Payer => ({ id, name, left, ends });

/** Returns true if no explanation is needed: a button does what fits, or nothing is left to do. */
const isSettled = (status: Participant['status'], suggestion: Participant['suggestion']): boolean =>
  status === 'attended' || (status !== 'on_waitlist' && suggestion === 'unregister');

/** Returns the picture and price of the offering as far as it is visible; nothing if only its participants see it. */
async function offeringOf(ask: Ask, id: number, currency: string): Promise<Pick<EventView, 'picture' | 'price'>> {
  const offering = await ask('GET /offering_types/{id}', {
    params: { id },
    query: { fields: 'allows_dropins,dropin_price,image' },
  }).catch(unlessMissing);
  if (offering === null) return { picture: null, price: null };
  const { allows_dropins: single, dropin_price: price, image } = offering;
  return {
    price: single ? { minor: parseDecimal(price, currency)!, currency } : null,
    picture: image && here(image),
  };
}

type VenueOfEvent = NonNullable<Entry<'GET /events/{id}', typeof SHOWN, 'venue'>['venue']>;

const placeOf = ({ is_online: online, video_url: video, description, ...place }: VenueOfEvent): EventPlace => ({
  ...place,
  description: description ?? '',
  online,
  video: video ?? null,
});

type TeacherOfEvent = Entry<'GET /events/{id}', typeof SHOWN, 'instructors'>['instructors'][number];

/** Returns the instructor without pictures from other hosts: pages load nothing from elsewhere. */
const teacherOf = ({ id, name, description, picture_url: url }: TeacherOfEvent, business: number): Teacher => ({
  id,
  name,
  description,
  picture: pictureAt(url, business),
});

async function keptUntil(ask: Ask, event: number, customer: number): Promise<number> {
  const { results } = await ask('GET /waitlist_spots', {
    query: { event, customer, active: true, fields: 'reserved_spot_expires_at' },
  });
  return Date.parse(results[0].reserved_spot_expires_at ?? '');
}

/** `left` is null: as many as come. The event was seen already. */
async function standingOf(
  tx: Transaction,
  providerId: number,
  event: number,
): Promise<{ left: number | null; revision: number; steps: readonly WaitlistStep[] }> {
  const [[{ left, steps }], [{ revision }]] = await tx.all([
    sql`SELECT p.waitlist_policy AS steps, CASE WHEN e.max_occupancy IS NOT NULL
        THEN greatest(0, e.max_occupancy - e.attending_count - e.held_count) END AS left
      FROM event e JOIN provider p USING (provider_id) WHERE e.provider_id = ${providerId} AND e.id = ${event}`,
    revisionOf(providerId, event),
  ]);
  return { left, revision, steps };
}
