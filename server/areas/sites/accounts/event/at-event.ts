/**
 * An event, and what somebody can do about it, through the operations of the interface: the same eyes, the same rules
 * and refusals, the same audit and feed as when an application of the person asked.
 */
import { askAs, nowAt, type At, type Desk, type Member } from '../desk.ts';
import { eyesOf, type Person } from '../eyes.ts';
import { notFound, Problem } from '../../../../kernel/api/problem.ts';
import { sessionsOf } from './sessions.ts';
import { eventPath } from '../../../scheduling/schedule/index.ts';
import { isAboutTheTime, isCovered, offers, otherTimes, similarTo, type Offer, type OtherTime } from './instead.ts';
import { parseDecimal, type Money } from '../../../../kernel/values/money.ts';
import { REFUSALS } from '../../../memberships/customer-memberships/index.ts';
import { sql } from '../../../../kernel/db/sql.ts';
import type { Ask } from '../../../../kernel/api/calls.ts';
import type { Transaction } from '../../../../kernel/db/database.ts';
import type { Viewer } from '../../../../kernel/access/viewer.ts';

/** Somebody whom the person before the page acts for. */
export interface Participant {
  readonly id: number;
  /** null: the person before the page */
  readonly name: string | null;
  readonly status:
    | 'not_registered'
    | 'registered'
    | 'attended'
    | 'no_show'
    | 'late_cancelled'
    | 'on_waitlist'
    | 'spot_reserved';
  /** what fits now; null: nothing */
  readonly suggestion: 'register' | 'join_waitlist' | 'unregister' | 'leave_waitlist' | 'claim_spot' | null;
  /** the sentence of the first rule of booking that refuses; null: none does */
  readonly why: string | null;
  /** the code of that rule */
  readonly refusedBy: string | null;
  /** what booking costs, as people read it; null: nothing, or a membership pays */
  readonly price: string | null;
  /** on the waitlist, from 1 */
  readonly position: number | null;
  /** epoch ms, of a place that is kept */
  readonly keptUntil: number | null;
  /** from when on a cancellation counts as late, epoch ms */
  readonly lateFrom: number;
  /** what follows from cancelling now, when it is late; null: nothing more */
  readonly follows: LateCancellation | null;
}

/** As the dry run of the cancellation tells it. */
export interface LateCancellation {
  /** how many there are by then, of so many that are free, within so many days */
  readonly infractions: number;
  readonly free: number;
  readonly days: number;
  /** minor units, and the day on which it is owed; null: it is free */
  readonly penalty: { readonly amount: number; readonly dueOn: string } | null;
}

/** Another membership would help. */
export const lacksMembership = ({ refusedBy, price }: Participant): boolean =>
  price !== null || (REFUSALS as readonly (string | null)[]).includes(refusedBy);

/** Booking refuses with it what is to be paid first. */
export const TO_PAY = 'payment_required';

export interface Teacher {
  readonly id: number;
  readonly name: string;
  readonly description: string;
  /** of this service; null: none */
  readonly picture: string | null;
}

export interface EventPlace {
  readonly name: string;
  readonly description: string;
  readonly address: string;
  readonly lat: number | null;
  readonly lng: number | null;
  readonly online: boolean;
  /** of an online class, for those who booked it; null: others */
  readonly video: string | null;
}

/** A picture of what it is, in several sizes. */
export interface Picture {
  readonly url: string;
  readonly width: number;
  readonly height: number;
  readonly sources: readonly { readonly type: string; readonly width: number; readonly url: string }[];
}

export interface EventView {
  readonly id: number;
  readonly name: string;
  readonly description: string;
  readonly cancelled: boolean;
  readonly picture: Picture | null;
  /** of one visit; null: only a membership pays */
  readonly price: Money | null;
  readonly offering: number;
  /** the offering type, where it is an appointment or a rental: those who booked it can choose another time */
  readonly movable: number | null;
  /** epoch ms */
  readonly startsAt: number;
  readonly endsAt: number;
  /** as it was printed */
  readonly startsAtText: string;
  readonly endsAtText: string;
  /** of the venue */
  readonly zone: string;
  readonly place: EventPlace | null;
  readonly teachers: readonly Teacher[];
  /** when booking opens and closes for everybody, and from when on a cancellation counts as late; epoch ms */
  readonly opensAt: number;
  readonly closesAt: number;
  readonly lateFrom: number;
  readonly waiting: number;
  /** free places; null: without limit */
  readonly left: number | null;
  /** null: the person who looks is no customer here */
  readonly participants: readonly Participant[] | null;
  /** where somebody cannot book this one */
  readonly otherTimes: readonly OtherTime[];
  /** it takes place at the same time in other weeks; only told to customers */
  readonly repeats: boolean;
  /** of the same offering or category, without those */
  readonly similar: readonly OtherTime[];
  /** where somebody lacks a membership that pays for it */
  readonly offers: readonly Offer[];
}

/** Where a checkout leads back to; it knows the pages of accounts, and from there it goes on. */
const pageUrl = ({ baseUrl, site }: At, id: number): string => `${baseUrl}${eventPath(site.id, id)}`;

type Act = 'register' | 'join_waitlist' | 'leave_waitlist' | 'unregister';

const SHOWN =
  'name,description,status,starts_at,ends_at,timezone,registrations_open_at,registrations_close_at,late_cancel_deadline,waiting_count,category,offering_type,schedule_type,venue.id,venue.name,venue.description,venue.address,venue.lat,venue.lng,venue.is_online,venue.video_url,instructors.id,instructors.name,instructors.description,instructors.picture_url,active_registration_status';
const STATUS = 'active_registration_status,late_cancel_deadline';

/** Somebody at an event. */
export interface Booking {
  readonly event: number;
  readonly customer: number;
}

/** Of several bookings, in the order in which they were chosen. */
export interface BookedAll {
  readonly booked: readonly Booking[];
  readonly toPay: readonly Booking[];
  readonly refused: readonly Refused[];
}

interface Refused extends Booking {
  readonly error: unknown;
}

/** To cancel would count as late by now, though the page said otherwise. */
export class LateByNow extends Error {}

/** Whom the page sees before it: their eyes, whom they act for, and what they ask. */
interface Present {
  readonly viewer: Viewer;
  /** null: the person who looks is no customer here */
  readonly people: readonly Person[] | null;
  readonly ask: Ask;
}

export class AtEvent {
  readonly #desk: Desk;

  constructor(desk: Desk) {
    this.#desk = desk;
  }

  /** Null: there is no such event for this person. */
  async read(visit: At, member: Member | null, id: number): Promise<EventView | null> {
    const { db } = this.#desk.door;
    const view = await db
      .looking(visit.site.id, async (tx) => this.#look(visit, await this.#present(tx, visit, member), id, tx))
      .catch(unlessMissing);
    if (!view?.participants || nowAt(visit) >= view.startsAt) return view;
    const late = (one: Participant) =>
      one.status === 'registered' && one.suggestion === 'unregister' && nowAt(visit) >= one.lateFrom;
    const participants: Participant[] = [];
    for (const one of view.participants)
      participants.push(late(one) ? { ...one, follows: await this.#foretell(visit, member!, id, one.id) } : one);
    return { ...view, participants };
  }

  /** What would follow from cancelling now. */
  async #foretell(visit: At, member: Member, id: number, customer: number): Promise<LateCancellation | null> {
    const tried = await this.#desk.door.db.transaction(visit.site.id, async (tx) => {
      const { ask } = await this.#present(tx, visit, member);
      return (
        ask('POST /events/{id}/unregister', { params: { id }, query: { dry_run: true }, body: { customer } })
          // The page says so to people who can no longer cancel.
          .catch((error: unknown) => (error instanceof Problem ? { effects: [] } : Promise.reject(error)))
      );
    });
    const told = (effect: string): any => tried.effects.find((e: any) => e.effect === effect)?.detail;
    const [strike, penalty] = [told('strike'), told('penalty')];
    if (!strike) return null;
    return {
      infractions: strike.infractions,
      free: strike.max_infractions,
      days: strike.days,
      penalty: penalty ? { amount: penalty.amount_minor, dueOn: penalty.due_date } : null,
    };
  }

  async #look(visit: At, { people, ask }: Present, id: number, tx: Transaction): Promise<EventView> {
    const event = await ask('GET /events/{id}', {
      params: { id },
      query: { fields: SHOWN, expand: 'venue,instructors' },
    });
    const [startsAt, cancelled] = [Date.parse(event.starts_at), event.status === 'cancelled'];
    const left = await freePlaces(tx, visit.site.id, id);
    const participants = people && (await this.#participants(ask, id, event, people));
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
    // What memberships are for is not free, although a single visit has no price.
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
      offering: event.offering_type,
      movable: movable ? event.offering_type : null,
      startsAt,
      endsAt: Date.parse(event.ends_at),
      startsAtText: event.starts_at,
      endsAtText: event.ends_at,
      zone: event.timezone,
      place: event.venue && placeOf(event.venue),
      teachers: event.instructors.map((one: Record<string, any>) => teacherOf(one, visit.baseUrl)),
      opensAt: Date.parse(event.registrations_open_at),
      closesAt: Date.parse(event.registrations_close_at),
      lateFrom: Date.parse(event.late_cancel_deadline),
      waiting: event.waiting_count,
      left,
      participants,
      otherTimes: times,
      repeats: participants !== null && !movable && (await sessionsOf(ask, around)).some((one) => one.id !== id),
      similar: movable ? [] : await similarTo(ask, around, times),
      offers: !over && !movable && lacking ? await offers(ask, id) : [],
    };
  }

  /**
   * Acts for one of the people whom the member acts for. `saidInTime`: the page said that cancelling is in time.
   * @throws Problem the refusal of the interface; 404 for anybody else's record
   * @throws LateByNow instead of cancelling late what was said to be in time
   */
  act(
    visit: At,
    member: Member,
    id: number,
    of: { act: Act; customer: number; body?: Record<string, unknown>; saidInTime?: boolean },
  ): Promise<Record<string, any>> {
    const { act, customer, body, saidInTime } = of;
    return this.#desk.door.db.transaction(visit.site.id, async (tx) => {
      const { people, ask } = await this.#present(tx, visit, member);
      if (!people?.some((p) => p.id === customer)) throw notFound();
      const done = await ask(`POST /events/{id}/${act}`, { params: { id }, body: { customer, ...body } });
      if (saidInTime && done.late) throw new LateByNow();
      return done;
    });
  }

  /**
   * Makes several bookings, each by itself: what one is refused is no reason for the others. Sent twice, each is made once.
   * @throws Problem 404 for anybody else's record, before anything is booked
   */
  async bookAll(visit: At, member: Member, wanted: readonly Booking[]): Promise<BookedAll> {
    const mine = await this.#desk.door.db.looking(visit.site.id, (tx) => eyesOf(tx, visit, member));
    if (!wanted.every(({ customer }) => mine.people?.some((one) => one.id === customer))) throw notFound();
    const [booked, toPay, refused]: [Booking[], Booking[], Refused[]] = [[], [], []];
    for (const booking of wanted) {
      const { event, customer } = booking;
      try {
        await this.act(visit, member, event, { act: 'register', customer });
        booked.push(booking);
      } catch (error) {
        if (error instanceof Problem && error.code === TO_PAY) toPay.push(booking);
        else refused.push({ ...booking, error });
      }
    }
    return { booked, toPay, refused };
  }

  /**
   * Begins to buy a membership for one of them, with which the event is booked where it has a place. Returns the
   * address of the page that goes on.
   * @throws Problem what is against it; 404 for what is not offered here
   */
  buy(
    visit: At,
    member: Member,
    id: number,
    { customer, membership, plan }: { customer: number; membership: number; plan: number | null },
  ): Promise<string> {
    return this.#desk.door.db.transaction(visit.site.id, async (tx) => {
      const { people, ask } = await this.#present(tx, visit, member);
      if (!people?.some((p) => p.id === customer)) throw notFound();
      const offered = await offers(ask, id);
      if (!offered.some((offer) => offer.membership === membership && offer.plan === plan)) throw notFound();
      const open = (event: number | null) =>
        ask('POST /memberships/{id}/initiate_purchase', {
          params: { id: membership },
          body: { return_to: pageUrl(visit, id), customer, payment_plan: plan, event },
        });
      // A full event still has a waitlist, which takes the membership too.
      const { next_url: next } = await tx
        .attempt(() => open(id))
        .catch((error: unknown) =>
          error instanceof Problem && error.code === 'event_full' ? open(null) : Promise.reject(error),
        );
      return next;
    });
  }

  /**
   * Holds a place for one of them, to be paid for the price of a drop-in. Returns the address of the page that goes on.
   * @throws Problem what is against it; 404 for anybody else's record
   */
  payFor(visit: At, member: Member, id: number, customer: number): Promise<string> {
    return this.#desk.door.db.transaction(visit.site.id, async (tx) => {
      const { people, ask } = await this.#present(tx, visit, member);
      if (!people?.some((p) => p.id === customer)) throw notFound();
      const { next_url: next } = await ask('POST /events/{id}/initiate_purchase', {
        params: { id },
        body: { return_to: pageUrl(visit, id), customer },
      });
      return next;
    });
  }

  /**
   * Holds a place for each booking, to be paid together. Returns the address of the page that goes on.
   * @throws Problem what is against one of them; then nothing is held
   */
  payForAll(visit: At, member: Member, wanted: readonly Booking[]): Promise<string> {
    return this.#desk.door.db.transaction(visit.site.id, async (tx) => {
      const { viewer, ask } = await this.#present(tx, visit, member);
      const { id: checkout } = await ask('POST /checkouts', {
        query: { fields: 'id' },
        body: { customer: viewer.customerId },
      });
      for (const { event, customer } of wanted)
        await ask('POST /checkouts/{id}/add_item', {
          params: { id: checkout },
          query: { fields: 'id' },
          body: { item_type: 'CLASS_DRP', customer, event },
        });
      const { next_url: next } = await ask('POST /checkouts/{id}/page', { params: { id: checkout } });
      return next;
    });
  }

  async #present(tx: Transaction, visit: At, member: Member | null): Promise<Present> {
    const { viewer, people } = await eyesOf(tx, visit, member);
    return { viewer, people, ask: askAs(this.#desk, visit, viewer, tx) };
  }

  async #participants(
    ask: Ask,
    id: number,
    event: Record<string, any>,
    people: readonly Person[],
  ): Promise<Participant[]> {
    const shown: Participant[] = [];
    for (const { id: customer, name, participating } of people) {
      const of = { params: { id }, query: { customer } };
      // What the event says of the person who looks is read with it.
      const about =
        name === null
          ? event
          : await ask('GET /events/{id}', { params: { id }, query: { fields: STATUS, active_customer: customer } });
      const { current_status: status, suggested_action: suggestion, ...said } = about.active_registration_status;
      // Who only manages a family is asked nothing.
      if (!participating && status === 'not_registered' && people.length > 1) continue;
      const explained = isSettled(status, suggestion) ? null : await ask('GET /events/{id}/explain', of);
      const refusing = explained?.rules.filter((rule: { passed: boolean }) => !rule.passed) ?? [];
      // Paying is a step of booking.
      const [paying] = refusing.filter((rule: { code: string }) => rule.code === TO_PAY);
      const [refused] = refusing.filter((rule: { code: string }) => rule.code !== TO_PAY);
      shown.push({
        id: customer,
        name,
        status,
        suggestion,
        lateFrom: Date.parse(said.late_cancels_after ?? about.late_cancel_deadline),
        why: refused?.message ?? null,
        refusedBy: refused?.code ?? null,
        price: paying?.facts.total_price ?? null,
        position: status === 'on_waitlist' ? explained.waitlist_position : null,
        keptUntil: status === 'spot_reserved' ? await keptUntil(ask, id, customer) : null,
        follows: null,
      });
    }
    return shown;
  }
}

/** Nothing needs to be explained: what fits is done by a button, or there is nothing left to do. */
const isSettled = (status: Participant['status'], suggestion: Participant['suggestion']): boolean =>
  status === 'attended' || (status !== 'on_waitlist' && suggestion === 'unregister');

/** What is seen of its offering; nothing, if only those who booked see it. */
async function offeringOf(ask: Ask, id: number, currency: string): Promise<Pick<EventView, 'picture' | 'price'>> {
  const offering = await ask('GET /offering_types/{id}', {
    params: { id },
    query: { fields: 'allows_dropins,dropin_price,image' },
  }).catch(unlessMissing);
  if (offering === null) return { picture: null, price: null };
  const { allows_dropins: single, dropin_price: price, image } = offering;
  return {
    price: single ? { minor: parseDecimal(price, currency)!, currency } : null,
    picture: image && {
      url: image.url,
      width: image.original_width,
      height: image.original_height,
      sources: image.sources,
    },
  };
}

const placeOf = ({ is_online: online, video_url: video, description, ...place }: Record<string, any>): EventPlace => ({
  ...(place as Pick<EventPlace, 'name' | 'address' | 'lat' | 'lng'>),
  description: description ?? '',
  online,
  video: video ?? null,
});

/** Pages load nothing from elsewhere: of a picture at another address nothing is shown. */
const teacherOf = ({ id, name, description, picture_url: url }: Record<string, any>, baseUrl: string): Teacher => ({
  id,
  name,
  description,
  picture: url.startsWith(`${baseUrl}/images/`) ? url : null,
});

async function keptUntil(ask: Ask, event: number, customer: number): Promise<number> {
  const { results } = await ask('GET /waitlist_spots', {
    query: { event, customer, active: true, fields: 'reserved_spot_expires_at' },
  });
  return Date.parse(results[0].reserved_spot_expires_at);
}

/** Null: as many as come. The event was seen already. */
async function freePlaces(tx: Transaction, providerId: number, event: number): Promise<number | null> {
  const row = await tx.one<{ left: number | null }>(
    sql`SELECT greatest(0, max_occupancy - attending_count - held_count) AS left FROM event WHERE provider_id = ${providerId} AND id = ${event} AND max_occupancy IS NOT NULL`,
  );
  return row?.left ?? null;
}

function unlessMissing(error: unknown): null {
  if (error instanceof Problem && error.status === 404) return null;
  throw error;
}
