/**
 * An event and the actions on it, through the operations of the interface: the same view, rules, refusals, audit and
 * feed as for a request by one of the person's applications.
 */
import {
  agreementsWritten,
  effectsOf,
  numberIn,
  textIn,
  acting,
  nowAt,
  reading,
  type Asker,
  type At,
  type Desk,
  type Question,
  unlessMissing,
} from '../frame/index.ts';
import { eventPath, type Place } from '../../scheduling/schedule/index.ts';
import { addressIn, beginCheckout, pageOfCheckout, TO_PAY } from '../checkout/index.ts';
import { textFor } from '../../agreements/policies/index.ts';
import { notFound, Problem } from '../../../kernel/base/problem.ts';
import { offers } from './instead.ts';
import { standingsOf } from './standing.ts';
import { SINGLE } from './fields.ts';
import type { PaysWith } from './at-series.ts';
import { placeIn } from './place.ts';
import { readEvent } from './read-event.ts';
import type { EventView, LateCancellation, Participant } from './event-view.ts';

/**
 * Returns the address to which a checkout leads back: a page of the accounts, which a checkout recognizes and which
 * redirects.
 */
const pageUrl = ({ baseUrl, site }: At, id: number): string => `${baseUrl}${eventPath(site.id, id)}`;

type Act = 'register' | 'join_waitlist' | 'leave_waitlist' | 'unregister';

/** Details of the response, if there are any. */
interface Done {
  readonly late?: boolean;
  readonly position?: number;
}

/** A person at an event. */
export interface Booking {
  readonly event: number;
  readonly customer: number;
}

/** The results of several bookings, in the order in which they were chosen. */
export interface BookedAll {
  readonly booked: readonly Booking[];
  readonly toPay: readonly Booking[];
  readonly refused: readonly Refused[];
}

interface Refused extends Booking {
  readonly error: unknown;
}

const FORM =
  'id,fields.id,fields.label,fields.full_text,fields.type,fields.explanation_required_condition,fields.choices,fields.help,fields.is_required';

/** The cancellation would now count as late, although the page said otherwise. */
export class LateByNow extends Error {}

/** A waiver that a guest signs with a booking. */
export interface GuestWaiver {
  readonly id: number;
  readonly name: string;
  readonly text: string;
  readonly version: number;
  readonly signature_image_required: boolean;
}

export class AtEvent {
  readonly #desk: Desk;

  constructor(desk: Desk) {
    this.#desk = desk;
  }

  /** Returns the event; null if it doesn't exist for this person. */
  async read(turn: Asker, id: number): Promise<EventView | null> {
    const { visit } = turn;
    const { box } = this.#desk.installation;
    const view = await reading(this.#desk, turn, (present) => readEvent(visit, { ...present, box }, id)).catch(
      unlessMissing,
    );
    if (!view?.participants || nowAt(visit) >= view.startsAt) return view;
    const late = (one: Participant) =>
      one.status === 'registered' && one.suggestion === 'unregister' && nowAt(visit) >= one.lateFrom;
    const participants: Participant[] = [];
    for (const one of view.participants)
      participants.push(late(one) ? { ...one, follows: await this.#previewEffects(turn, id, one.id) } : one);
    return { ...view, participants };
  }

  /** Previews what a cancellation now would cost. */
  async #previewEffects(turn: Asker, id: number, customer: number): Promise<LateCancellation | null> {
    const preview = await acting(this.#desk, turn, ({ ask }) =>
      ask('POST /events/{id}/unregister', { params: { id }, query: { dry_run: true }, body: { customer } })
        // The page shows the refusal to people who can no longer cancel.
        .catch((error: unknown) => (error instanceof Problem ? { effects: [] } : Promise.reject(error))),
    );
    const [strike] = effectsOf(preview.effects, 'strike');
    const [penalty] = effectsOf(preview.effects, 'penalty');
    if (!strike) return null;
    return {
      infractions: numberIn(strike.detail, 'infractions'),
      free: numberIn(strike.detail, 'max_infractions'),
      days: numberIn(strike.detail, 'days'),
      penalty: penalty
        ? { amount: numberIn(penalty.detail, 'amount_minor'), dueOn: textIn(penalty.detail, 'due_date') }
        : null,
    };
  }

  /**
   * Acts for one of the people whom the member acts for. `saidInTime`: the page said that the cancellation is in time.
   * @throws Problem the refusal of the interface; 404 for anybody else's record
   * @throws LateByNow if the page said that the cancellation is in time and it would be late
   */
  act(
    turn: Asker,
    id: number,
    of: { act: Act; customer: number; body?: Record<string, unknown>; saidInTime?: boolean },
  ): Promise<Done> {
    const { act, customer, body, saidInTime } = of;
    return acting(this.#desk, turn, async ({ people, ask }) => {
      if (!people?.some((p) => p.id === customer)) throw notFound();
      const done: Done = (await ask(`POST /events/{id}/${act}`, { params: { id }, body: { customer, ...body } })) ?? {};
      if (saidInTime && done.late) throw new LateByNow();
      return done;
    });
  }

  /** Returns the forms that are asked before the event, with their questions. */
  formsFor(turn: Asker, id: number): Promise<readonly { form: number; questions: readonly Question[] }[]> {
    return reading(this.#desk, turn, async ({ ask }) => {
      const event = await ask('GET /events/{id}', { params: { id }, query: { fields: 'offering_type' } });
      const { results } = await ask('GET /customer_forms', {
        query: {
          applicable_to_offering_types: String(event.offering_type),
          page_size: 20,
          expand: 'fields',
          fields: FORM,
        },
      });
      return results.flatMap(({ id: form, fields }) => (fields.length === 0 ? [] : { form, questions: fields }));
    });
  }

  /** Returns the waivers without which the event can't be booked, in the language of the person who reads. */
  waiversFor(turn: Asker, id: number): Promise<readonly GuestWaiver[]> {
    return reading(this.#desk, turn, async ({ ask }) => {
      const event = await ask('GET /events/{id}', { params: { id }, query: { fields: 'offering_type' } });
      const { results } = await ask('GET /waivers', {
        query: {
          applicable_to_offering_types: String(event.offering_type),
          page_size: 20,
          fields: 'id,name,text,translations,version,if_unsigned,signature_image_required',
        },
      });
      const { language } = agreementsWritten(turn.visit).reader;
      return results.flatMap(({ text, translations, if_unsigned: without, ...one }) =>
        without === 'refuse_booking' ? [{ ...one, text: textFor(text, translations as never, language) }] : [],
      );
    });
  }

  /** Returns the path of the page of what somebody has to complete first; null if nobody has to. */
  firstRequirement(turn: Asker, id: number, customers: readonly number[]): Promise<string | null> {
    return reading(this.#desk, turn, async ({ people, ask }) => {
      for (const customer of customers) {
        if (!people?.some((one) => one.id === customer)) throw notFound();
        const { requirements } = await ask('GET /events/{id}/explain', { params: { id }, query: { customer } });
        const missing = requirements.find(({ before }) => before === 'booking');
        if (missing) return missing.url;
      }
      return null;
    });
  }

  /**
   * Makes several bookings independently: the refusal of one doesn't affect the others. If a form is sent twice, each
   * booking is made once. `pays`: what pays for all of them.
   * @throws Problem 404 for anybody else's record, before anything is booked
   */
  async bookAll(turn: Asker, wanted: readonly Booking[], pays: PaysWith = null): Promise<BookedAll> {
    const mine = await reading(this.#desk, turn, async ({ people }) => people);
    if (!wanted.every(({ customer }) => mine?.some((one) => one.id === customer))) throw notFound();
    if (pays === SINGLE) return { booked: [], toPay: [...wanted], refused: [] };
    const body = { place: placeIn(turn.visit), ...(pays !== null && { customer_membership: pays }) };
    const [booked, toPay, refused]: [Booking[], Booking[], Refused[]] = [[], [], []];
    for (const booking of wanted) {
      const { event, customer } = booking;
      try {
        await this.act(turn, event, { act: 'register', customer, body });
        booked.push(booking);
      } catch (error) {
        if (error instanceof Problem && error.code === TO_PAY) toPay.push(booking);
        else refused.push({ ...booking, error });
      }
    }
    return { booked, toPay, refused };
  }

  /**
   * Starts a checkout of a membership for one of the people, which also books the event if it has a spot. Returns the
   * address of the next page.
   * @throws Problem the refusal; 404 for a membership that is not offered here
   */
  buy(
    turn: Asker,
    id: number,
    { customer, membership, plan }: { customer: number; membership: number; plan: number | null },
  ): Promise<string> {
    return acting(this.#desk, turn, async ({ people, ask, tx }) => {
      if (!people?.some((p) => p.id === customer)) throw notFound();
      const offered = await offers(ask, id);
      if (!offered.some((offer) => offer.membership === membership && offer.plan === plan)) throw notFound();
      const open = (event: number | null) =>
        ask('POST /memberships/{id}/initiate_purchase', {
          params: { id: membership },
          body: {
            return_to: pageUrl(turn.visit, id),
            customer,
            payment_plan: plan,
            event,
            ...(event !== null && { place: placeIn(turn.visit) }),
          },
        });
      // A full event still has a waitlist, which accepts the membership too.
      return addressIn(
        await tx
          .attempt(() => open(id))
          .catch((error: unknown) =>
            error instanceof Problem && error.code === 'event_full' ? open(null) : Promise.reject(error),
          ),
      );
    });
  }

  /**
   * Returns the address where the checkout that holds a spot for one of the people is paid.
   * @throws Problem the refusal; 404 if nothing is held for them
   */
  finish(turn: Asker, id: number, customer: number): Promise<string> {
    const { site } = turn.visit;
    return acting(this.#desk, turn, async ({ people, ask, tx }) => {
      const who = people?.filter((one) => one.id === customer) ?? [];
      const [held] = await standingsOf(tx, site.id, { people: who, events: [id], now: nowAt(turn.visit) });
      if (held?.kind !== 'held' || held.checkout === null) throw notFound();
      return pageOfCheckout(ask, String(held.checkout));
    });
  }

  /**
   * Switches the booking of one of the people between the venue and online.
   * @throws Problem the refusal; 404 if they have no booking
   */
  async switchTo(turn: Asker, id: number, customer: number, place: Place): Promise<void> {
    await acting(this.#desk, turn, async ({ people, ask }) => {
      if (!people?.some((p) => p.id === customer)) throw notFound();
      const { results } = await ask('GET /attendances', { query: { event: id, customer, fields: 'id' } });
      if (results.length === 0) throw notFound();
      await ask('POST /attendances/{id}/switch_place', { params: { id: results[0].id }, body: { place } });
    });
  }

  /**
   * Reserves a spot for one of the people, to be paid at the drop-in price; `single`: even if a membership could pay.
   * Returns the address of the next page.
   * @throws Problem the refusal; 404 for anybody else's record
   */
  payFor(turn: Asker, id: number, customer: number, single = false): Promise<string> {
    return acting(this.#desk, turn, async ({ people, ask }) => {
      if (!people?.some((p) => p.id === customer)) throw notFound();
      return addressIn(
        await ask('POST /events/{id}/initiate_purchase', {
          params: { id },
          body: {
            return_to: pageUrl(turn.visit, id),
            customer,
            place: placeIn(turn.visit),
            select_drop_in: single,
          },
        }),
      );
    });
  }

  /**
   * Reserves a spot for each booking, to be paid together. Returns the address of the next page.
   * @throws Problem the refusal of one of them; nothing is reserved then
   */
  payForAll(turn: Asker, wanted: readonly Booking[]): Promise<string> {
    return acting(this.#desk, turn, async ({ viewer, ask }) => {
      return beginCheckout(
        ask,
        viewer.customerId,
        wanted.map(({ event, customer }) => ({
          item_type: 'CLASS_DRP',
          customer,
          event,
          place: placeIn(turn.visit),
        })),
      );
    });
  }
}
