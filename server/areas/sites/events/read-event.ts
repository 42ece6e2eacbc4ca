/** Reading an event as the person who reads the page sees it, with the state of each person whom they act for. */
import {
  findWaitlistStep,
  onlinePath,
  TO_SETTLE,
  type Place,
  type WaitlistStep,
} from '../../scheduling/schedule/index.ts';
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
  type Teacher,
} from './event-view.ts';
import { TO_PAY } from '../checkout/index.ts';
import {
  nowAt,
  type At,
  type Business,
  shownTo,
  unlessMissing,
  usableMemberships,
  type Ask,
  type Entry,
  type EntryWhole,
  type Payer,
  type Person,
} from '../frame/index.ts';
import { parseDecimal, type Money } from '../../../kernel/base/values/money.ts';
import { paidFor, type Paid } from '../../commerce/checkouts/index.ts';
import { placeIn } from './place.ts';
import { standingsOf, type StandingOf } from './standing.ts';
import { sessionsOf } from './sessions.ts';
import { sql } from '../../../kernel/base/db/sql.ts';
import type { SecretBox } from '../../../kernel/base/secret-box.ts';
import type { Transaction } from '../../../kernel/base/db/database.ts';

const SHOWN =
  'name,description,status,starts_at,ends_at,timezone,registrations_open_at,registrations_close_at,late_cancel_deadline,waiting_count,online_waiting_count,online_venue.id,online_venue.name,online_venue.description,category,offering_type,schedule_type,venue.id,venue.name,venue.description,venue.address,venue.lat,venue.lng,venue.is_online,instructors.id,instructors.name,instructors.description,instructors.picture_url,active_registration_status';
const STATUS = 'active_registration_status,late_cancel_deadline';

/** The people whom the reader acts for, and their access to the interface. */
export interface Present {
  /** null: the reader is not a customer here */
  readonly people: readonly Person[] | null;
  readonly ask: Ask;
  readonly tx: Transaction;
  /** signs the link to an online event */
  readonly box: Pick<SecretBox, 'fingerprint'>;
}

/** Returns an event as the reader sees it. @throws Problem 404 if they don't see it */
export async function readEvent(visit: At, present: Present, id: number): Promise<EventView> {
  const { people, ask, tx } = present;
  const event = await ask('GET /events/{id}', {
    params: { id },
    query: {
      fields: SHOWN,
      expand: 'venue,online_venue,instructors',
      ...(placeIn(visit) && { active_place: 'online' }),
    },
  });
  const [startsAt, cancelled] = [Date.parse(event.starts_at), event.status === 'cancelled'];
  const { left: leftThere, online_left: leftOnline, revision, steps } = await standingOf(tx, visit.site.id, id);
  const shown = await offeringOf(ask, event.offering_type, visit.site.tenant.currency);
  const both = event.online_venue && {
    samePrice: shown.price?.minor === shown.onlinePrice?.minor,
    venue: { left: leftThere, waiting: event.waiting_count },
    online: {
      left: leftOnline!,
      waiting: event.online_waiting_count,
      name: event.online_venue.name,
      description: event.online_venue.description ?? '',
    },
  };
  const chosen = both ? (placeIn(visit) ?? 'venue') : 'venue';
  const { left, waiting } = both?.[chosen] ?? { left: leftThere, waiting: event.waiting_count };
  const standings = people && (await standingsOf(tx, visit.site.id, { people, events: [id], now: nowAt(visit) }));
  const paid = people && (await paidFor(tx, visit.site.id, { event: id, customers: people.map((one) => one.id) }));
  const participants =
    people &&
    (await readParticipants(ask, id, event, {
      people,
      standings: standings!,
      paid: paid!,
      place: both ? placeIn(visit) : undefined,
      hasBoth: both !== null,
    }));
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
  const priced = chosen === 'online' ? shown.onlinePrice : shown.price;
  // An event that memberships pay for is not free, even if a single visit has no price.
  const price = priced?.minor === 0 && (await isCovered(ask, id)) ? null : priced;
  const lacking = participants?.some((one) => one.status !== 'registered' && lacksMembership(one)) ?? price === null;
  const times = over || stuck ? await otherTimes(ask, around) : [];
  return {
    id,
    chosen,
    both,
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
    join:
      cancelled || !participants
        ? null
        : event.online_venue
          ? await joinLink(present, visit.site, {
              event: id,
              venue: event.online_venue.id,
              participants: participants.filter(({ takesPart }) => takesPart === 'online'),
            })
          : event.venue?.is_online
            ? await joinLink(present, visit.site, { event: id, venue: event.venue.id, participants })
            : null,
    teachers: event.instructors.map((one) => teacherOf(one, visit.site.id)),
    opensAt: Date.parse(event.registrations_open_at),
    closesAt: Date.parse(event.registrations_close_at),
    lateFrom: Date.parse(event.late_cancel_deadline),
    waiting,
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
  /** the kind of place that is asked for; undefined: that of each person's booking or spot, or else the venue */
  readonly place: Place | undefined;
  /** the event has places of both kinds */
  readonly hasBoth: boolean;
}

async function readParticipants(
  ask: Ask,
  id: number,
  event: Entry<'GET /events/{id}', typeof STATUS>,
  { people, standings, paid, place, hasBoth }: Found,
): Promise<Participant[]> {
  const shown: Participant[] = [];
  const booked: Places = hasBoth ? await readPlaces(ask, id, people) : new Map();
  for (const { id: customer, name, participating } of people) {
    const of = { params: { id }, query: { customer, ...(place && { place }) } };
    // The event was already read with the reader's own status.
    const about =
      name === null
        ? event
        : await ask('GET /events/{id}', {
            params: { id },
            query: { fields: STATUS, active_customer: customer, ...(place && { active_place: place }) },
          });
    const { current_status: status, suggested_action: suggestion, ...said } = shownTo(about.active_registration_status);
    // Somebody who only manages a family is not asked to take part.
    if (!participating && status === 'not_registered' && people.length > 1) continue;
    const explained = isSettled(status, suggestion) ? null : await ask('GET /events/{id}/explain', of);
    const refusing = explained?.rules.filter(({ passed }) => !passed) ?? [];
    const own = standings.find((one) => one.customer === customer);
    // Paying and answering a form are steps of booking, not refusals.
    const [paying] = refusing.filter((rule) => rule.code === TO_PAY);
    const [refused] = refusing.filter((rule) => rule.code !== TO_PAY && rule.code !== TO_SETTLE);
    shown.push({
      id: customer,
      name,
      status,
      suggestion,
      takesPart: booked.get(customer)?.place ?? 'venue',
      waitsToo: booked.get(customer)?.waitsToo ?? null,
      paid: paid.get(customer) ?? null,
      held: own?.kind === 'held' ? own : null,
      lateFrom: Date.parse(said.late_cancels_after ?? about.late_cancel_deadline),
      why: refused?.message ?? null,
      refusedBy: refused?.code ?? null,
      asked: (explained?.requirements ?? []).filter((one) => one.before === 'booking').map((one) => one.title),
      price: totalIn(paying),
      choices: explained && canBook(explained) ? await choicesOf(ask, of, explained.rules) : NO_CHOICES,
      position: status === 'on_waitlist' ? (explained?.waitlist_position ?? null) : null,
      keptUntil: status === 'spot_reserved' ? await keptUntil(ask, id, customer) : null,
      follows: null,
    });
  }
  return shown;
}

type Places = ReadonlyMap<number | null, { readonly place: Place; readonly waitsToo: Participant['waitsToo'] }>;

const WAITS = 'waitlist_spot.status,waitlist_spot.position,waitlist_spot.reserved_spot_expires_at';

/** Reads where people take part, and whether they wait for the other kind of place. */
async function readPlaces(ask: Ask, event: number, people: readonly Person[]): Promise<Places> {
  const { results } = await ask('GET /attendances', {
    query: { event, customer: people.map(({ id }) => id).join(), fields: `customer,place,${WAITS}`, page_size: 50 },
  });
  return new Map(
    results.map(({ customer, place, waitlist_spot: spot }) => [customer, { place, waitsToo: waitIn(spot) }]),
  );
}

function waitIn(
  spot: { status: string; position: number | null; reserved_spot_expires_at: string | null } | null,
): Participant['waitsToo'] {
  if (spot?.status === 'on_waitlist') return { position: spot.position, keptUntil: null };
  return spot?.status === 'spot_reserved'
    ? { position: null, keptUntil: Date.parse(spot.reserved_spot_expires_at!) }
    : null;
}

/** Returns true if nothing refuses the booking once they have completed what is required. */
const canBook = ({ rules }: { readonly rules: readonly Rule[] }): boolean =>
  rules.every(({ passed, code }) => passed || code === TO_SETTLE);

type Rule = EntryWhole<'GET /events/{id}/explain'>['rules'][number];

function totalIn(rule: Rule | undefined): Money | null {
  const { total_amount: total, currency } = rule?.facts ?? {};
  return typeof total === 'string' && typeof currency === 'string'
    ? { minor: parseDecimal(total, currency)!, currency }
    : null;
}

const PAYER = 'id,name,expiration_date';

/** Returns the memberships that can pay, each of which is tried, and the price of a single visit. */
async function choicesOf(
  ask: Ask,
  { params, query }: { params: { id: number }; query: { customer: number; place?: Place } },
  rules: readonly Rule[],
): Promise<PayChoices> {
  const used = usedIn(rules);
  // Without a membership, the booking is free.
  if (used === null) return NO_CHOICES;
  const results = await usableMemberships(ask, query.customer);
  const first =
    results.find((one) => one.id === used.id) ??
    (await ask('GET /customer_memberships/{id}', { params: { id: used.id }, query: { fields: PAYER } }));
  const memberships: Payer[] = [payerOf(first, used.left)];
  for (const one of results) {
    if (one.id === used.id) continue;
    const preview = await ask('GET /events/{id}/explain', { params, query: { ...query, customer_membership: one.id } });
    if (canBook(preview)) memberships.push(payerOf(one, usedIn(preview.rules)?.left ?? null));
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
): Payer => ({ id, name, left, takes: 1, ends });

/** Returns true if no explanation is needed: a button does what fits, or nothing is left to do. */
const isSettled = (status: Participant['status'], suggestion: Participant['suggestion']): boolean =>
  status === 'attended' || (status !== 'on_waitlist' && suggestion === 'unregister');

interface ShownOffering extends Pick<EventView, 'picture' | 'price'> {
  /** the price of a place online */
  readonly onlinePrice: EventView['price'];
}

/** Returns the picture and prices of the offering as far as it is visible; nothing if only its participants see it. */
async function offeringOf(ask: Ask, id: number, currency: string): Promise<ShownOffering> {
  const offering = await ask('GET /offering_types/{id}', {
    params: { id },
    query: { fields: 'allows_dropins,dropin_price,online_dropin_price,image' },
  }).catch(unlessMissing);
  if (offering === null) return { picture: null, price: null, onlinePrice: null };
  const { allows_dropins: single, dropin_price: price, online_dropin_price: online, image } = offering;
  const shownPrice = (text: string) => (single ? { minor: parseDecimal(text, currency)!, currency } : null);
  return {
    price: shownPrice(price),
    onlinePrice: shownPrice(online ?? price),
    picture: image && here(image),
  };
}

type VenueOfEvent = NonNullable<Entry<'GET /events/{id}', typeof SHOWN, 'venue'>['venue']>;

const placeOf = ({ is_online: online, description, ...place }: VenueOfEvent): EventPlace => ({
  ...place,
  description: description ?? '',
  online,
});

/** Returns the link of the first person with a booking; null: nobody has one, or the call has no address. */
async function joinLink(
  { tx, box }: Present,
  site: Business,
  { event, venue, participants }: { event: number; venue: number; participants: readonly Participant[] },
): Promise<string | null> {
  const booked = participants.find(({ status }) => status === 'registered' || status === 'attended');
  if (!booked) return null;
  const call = await tx.one(
    sql`SELECT FROM venue WHERE provider_id = ${site.id} AND id = ${venue} AND video_url IS NOT NULL`,
  );
  return call ? onlinePath(box, site.id, { event, customer: booked.id }) : null;
}

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
): Promise<{
  left: number | null;
  online_left: number | null;
  revision: number;
  steps: readonly WaitlistStep[];
}> {
  const [[{ left, online_left, steps }], [{ revision }]] = await tx.all([
    sql`SELECT p.waitlist_policy AS steps, CASE WHEN e.max_occupancy IS NOT NULL
        THEN greatest(0, e.max_occupancy - e.attending_count - e.held_count) END AS left,
        greatest(0, e.online_max_occupancy - e.online_attending_count - e.online_held_count) AS online_left
      FROM event e JOIN provider p USING (provider_id) WHERE e.provider_id = ${providerId} AND e.id = ${event}`,
    revisionOf(providerId, event),
  ]);
  return { left, online_left, revision, steps };
}
