/** Several dates of the same class for one person: the result of booking each date, before anything is booked. */
import {
  askAs,
  effectsOf,
  hasRequirements,
  nowAt,
  payerIn,
  reading,
  refusal,
  unlessMissing,
  usableMemberships,
  type Ask,
  type Asker,
  type At,
  type Desk,
  type Effect,
  type Payer,
  type Person,
} from '../frame/index.ts';
import { SINGLE } from './fields.ts';
import { notFound, Problem } from '../../../kernel/base/problem.ts';
import { sessionsOf, type Session } from './sessions.ts';
import { TO_PAY } from '../checkout/index.ts';
import { parseDecimal, type Money } from '../../../kernel/base/values/money.ts';
import type { Viewer } from '../../../kernel/work/access/viewer.ts';

/** The payer of every date: the id of a membership, or `SINGLE`; null: the default of each date. */
export type PaysWith = number | typeof SINGLE | null;

export interface TriedSession extends Session {
  readonly outcome: 'booked' | 'waiting' | 'bookable' | 'to_pay' | 'refused';
  /** id of the membership that pays; null: none does */
  readonly membership: number | null;
  /** message of the refusal; null: none */
  readonly why: string | null;
  /** its code */
  readonly code: string | null;
}

export interface SeriesView {
  readonly id: number;
  readonly name: string;
  /** in epoch milliseconds */
  readonly startsAt: number;
  readonly zone: string;
  readonly who: Person;
  /** people for whom it can be booked */
  readonly people: readonly Person[];
  /** of a single visit, before fees; null: none is sold */
  readonly price: Money | null;
  /** memberships that can pay for the next date that can be booked, with what is left of each */
  readonly payers: readonly Payer[];
  readonly pays: PaysWith;
  readonly sessions: readonly TriedSession[];
}

const OUTCOMES: Readonly<Record<string, 'booked' | 'waiting'>> = {
  registered: 'booked',
  attended: 'booked',
  on_waitlist: 'waiting',
  spot_reserved: 'waiting',
};

export class AtSeries {
  readonly #desk: Desk;

  constructor(desk: Desk) {
    this.#desk = desk;
  }

  /**
   * Returns the dates for a person; null if the member is not a customer here. `who`: the id of the person; null: the
   * first one who takes part.
   * @throws Problem 404 if the member doesn't see the event, or doesn't act for the person
   */
  async read(
    turn: Asker,
    id: number,
    { who, pays }: { who: number | null; pays: PaysWith },
  ): Promise<SeriesView | null> {
    const found = await this.#find(turn, id, who);
    if (found === null) return null;
    const { about, viewer } = found;
    const customer = about.who.id;
    const sessions: TriedSession[] = [];
    for (const session of found.sessions) {
      const known = OUTCOMES[session.status ?? ''];
      const tried = known
        ? { outcome: known, membership: null, why: null, code: null }
        : await this.#try(turn.visit, viewer, session.id, { customer, pays });
      sessions.push({ ...session, ...tried });
    }
    return { ...about, pays, sessions, payers: await this.#payers(turn, viewer, customer, sessions) };
  }

  /** Tries the person's memberships with the next date that can be booked. */
  async #payers(turn: Asker, viewer: Viewer, customer: number, sessions: readonly TriedSession[]): Promise<Payer[]> {
    const next = sessions.find(
      ({ outcome }) => outcome === 'bookable' || outcome === 'to_pay' || outcome === 'refused',
    );
    if (!next) return [];
    const payers: Payer[] = [];
    for (const one of await reading(this.#desk, turn, ({ ask }) => usableMemberships(ask, customer))) {
      const payer = await payerIn(one, this.#register(turn.visit, viewer, next.id, { customer, pays: one.id }));
      if (payer) payers.push(payer);
    }
    return payers;
  }

  /** Returns true if the page lists all of these events for this person. @throws Problem as `read` */
  async lists(turn: Asker, id: number, who: number, events: readonly number[]): Promise<boolean> {
    const found = await this.#find(turn, id, who);
    return found !== null && events.every((event) => found.sessions.some((session) => session.id === event));
  }

  #find(turn: Asker, id: number, who: number | null) {
    return reading(this.#desk, turn, async ({ ask, viewer, people }) => {
      if (people === null) return null;
      const event = await ask('GET /events/{id}', {
        params: { id },
        query: { fields: 'name,starts_at,timezone,offering_type,schedule_type,venue' },
      });
      if (['appointment', 'room_rental'].includes(event.schedule_type)) throw notFound();
      const able = people.filter(({ participating }) => participating);
      const one = who === null ? (able[0] ?? people[0]) : people.find((person) => person.id === who);
      if (!one) throw notFound();
      const [startsAt, zone] = [Date.parse(event.starts_at), event.timezone as string];
      const repeated = {
        id,
        offering: event.offering_type,
        venue: event.venue,
        startsAt,
        zone,
        now: nowAt(turn.visit),
      };
      const about = { id, name: event.name as string, startsAt, zone, who: one, people: able };
      const price = await singlePrice(ask, event.offering_type, turn.visit.site.tenant.currency);
      return { viewer, about: { ...about, price }, sessions: await sessionsOf(ask, repeated, one.id) };
    });
  }

  async #try(
    visit: At,
    viewer: Viewer,
    id: number,
    of: { readonly customer: number; readonly pays: PaysWith },
  ): Promise<Pick<TriedSession, 'outcome' | 'membership' | 'why' | 'code'>> {
    try {
      const { effects } = await this.#register(visit, viewer, id, of);
      const [used] = effectsOf(effects, 'membership_used');
      // A date that a membership would pay for is paid singly, if the person chose so.
      const outcome = of.pays === SINGLE && used ? 'to_pay' : 'bookable';
      return { outcome, membership: used?.id ?? null, why: null, code: null };
    } catch (error) {
      // It is completed once, before the first booking.
      if (hasRequirements(error)) return { outcome: 'bookable', membership: null, why: null, code: null };
      const code = error instanceof Problem ? error.code : null;
      return code === TO_PAY
        ? { outcome: 'to_pay', membership: null, why: null, code: null }
        : { outcome: 'refused', membership: null, why: refusal(this.#desk, visit, error), code };
    }
  }

  /** Previews the booking in a transaction of its own, which ends before the next event is locked. */
  #register(
    visit: At,
    viewer: Viewer,
    id: number,
    { customer, pays }: { readonly customer: number; readonly pays: PaysWith },
  ): Promise<{ readonly effects: readonly Effect[] }> {
    return this.#desk.door.db.transaction(visit.site.id, (tx) =>
      askAs(
        this.#desk,
        visit,
        viewer,
        tx,
      )('POST /events/{id}/register', {
        params: { id },
        query: { dry_run: true },
        body: { customer, ...(typeof pays === 'number' && { customer_membership: pays }) },
      }),
    );
  }
}

/** Returns the price of a single visit before fees; null: none is sold, or it is free. */
async function singlePrice(ask: Ask, offering: number, currency: string): Promise<Money | null> {
  const found = await ask('GET /offering_types/{id}', {
    params: { id: offering },
    query: { fields: 'allows_dropins,dropin_price' },
  }).catch(unlessMissing);
  const minor = found?.allows_dropins ? parseDecimal(found.dropin_price, currency) : null;
  return minor ? { minor, currency } : null;
}
