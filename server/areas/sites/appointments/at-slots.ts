/**
 * Free times and the actions on them, through the operations of the interface, with the reader's own view and
 * permissions.
 */
import { addDays } from '../../../kernel/base/values/date.ts';
import {
  acting,
  nowAt,
  payerIn,
  reading,
  usableMemberships,
  type Asker,
  type At,
  type Desk,
  type Payer,
  type Person,
  timesPath,
  type Ask,
  type EntryWhole,
} from '../frame/index.ts';
import { eventPath } from '../../scheduling/schedule/index.ts';
import { addressIn, TO_PAY } from '../checkout/index.ts';
import { notFound, Problem } from '../../../kernel/base/problem.ts';
import { REFUSALS } from '../../memberships/customer-memberships/index.ts';
import { isByTheTime, ownTimesOf, type Offered } from './offered.ts';
import { moneyOf, type Money } from '../../../kernel/base/values/money.ts';
import { wallAt } from '../../../kernel/base/values/zone.ts';

/** Number of days that are searched for free times, and of days with free times that are shown together. */
const DAYS_AHEAD = 31;
const DAYS_SHOWN = 3;
const MAX_TIMES = 100;
/** Number of offers that show their next free time. */
const MAX_NEXT = 12;
const MAX_TEACHERS = 100;

/** Payment of the drop-in price, in place of the id of a membership. */
export const SINGLE = 'single';

type Slot = EntryWhole<'GET /slots'>;

export interface FreeTime {
  readonly slot: string;
  /** in epoch milliseconds */
  readonly startsAt: number;
  readonly endsAt: number;
  readonly zone: string;
  readonly venue: string;
  readonly instructors: readonly string[];
}

/** An offering that is booked by the time: an appointment or a rental. */
export interface Offer extends Offered {
  /** its next free time; null: none within a month, or it was not searched */
  readonly next: { readonly startsAt: number; readonly zone: string } | null;
}

export interface ListView {
  readonly offers: readonly Offer[];
  readonly personal: boolean;
}

export interface Day {
  /** YYYY-MM-DD, at the venue */
  readonly date: string;
  readonly times: readonly FreeTime[];
}

export interface TimesView {
  readonly offering: Omit<Offered, 'picture'>;
  /** drop-in price before fees and taxes; null: it is free, or there is none */
  readonly price: Money | null;
  /** instructors to choose from; `teacher`: the chosen one */
  readonly teachers: readonly { readonly id: number; readonly name: string }[];
  readonly teacher: number | null;
  /** first day that can be requested */
  readonly today: string;
  /** first day of the search */
  readonly asked: string;
  /** next days with free times; empty: none within a month */
  readonly days: readonly Day[];
  /** first day with more free times; null: none within a month */
  readonly later: string | null;
  readonly personal: boolean;
}

export interface Taker {
  readonly id: number;
  /** null: the person who reads the page */
  readonly name: string | null;
  /** one of their memberships pays */
  readonly covered: boolean;
  /** memberships that can pay, the default one first; empty: none, or the default one only */
  readonly payers: readonly Payer[];
  /** drop-in price with fees and taxes; null: it is free, or there is none */
  readonly price: Money | null;
  /** a membership is required, and none of theirs pays */
  readonly lacksMembership: boolean;
}

/** `pays`: id of the membership that pays by default; null: none does. */
type TakerRead = Omit<Taker, 'payers' | 'covered'> & { readonly pays: number | null };

export interface SlotView extends FreeTime {
  readonly offering: { readonly id: number; readonly name: string };
  readonly available: boolean;
  /** null: the reader is not a customer here */
  readonly takers: readonly Taker[] | null;
  /** moving an event to this time counts as a late cancellation */
  readonly late: boolean;
  readonly personal: boolean;
}

/** The move would now count as late, although the page said otherwise. */
export class LateMove extends Error {}

export class AtSlots {
  readonly #desk: Desk;

  constructor(desk: Desk) {
    this.#desk = desk;
  }

  readList(turn: Asker): Promise<ListView> {
    return reading(this.#desk, turn, async ({ ask }) => {
      const from = this.#today(turn.visit);
      const offered = await ownTimesOf(ask);
      const offers = await Promise.all(
        offered.map(async (one, i) => ({ ...one, next: i < MAX_NEXT ? await nextOf(ask, one.id, from) : null })),
      );
      return { offers, personal: turn.member !== null };
    });
  }

  /** @throws Problem 404 if the offering is not visible, or has no free times of this kind */
  readTimes(
    turn: Asker,
    { offering, day, teacher }: { offering: number; day: string | null; teacher: number | null },
  ): Promise<TimesView> {
    return reading(this.#desk, turn, async ({ ask }) => {
      const about = await ask('GET /offering_types/{id}', {
        params: { id: offering },
        query: { fields: 'id,name,description,schedule_type' },
      });
      if (!isByTheTime(about.schedule_type)) throw notFound();
      const today = this.#today(turn.visit);
      const asked = day === null || day < today ? today : day;
      const [{ results: teachers }, { results, count }] = await Promise.all([
        ask('GET /instructors', { query: { offering_type: offering, fields: 'id,name', page_size: MAX_TEACHERS } }),
        ask('GET /slots', {
          query: {
            offering_type: offering,
            from: asked,
            to: addDays(asked, DAYS_AHEAD - 1),
            ...(teacher !== null && { instructors: String(teacher) }),
            page_size: MAX_TIMES,
          },
        }),
      ]);
      const all = daysOf(await named(ask, results), { cut: count > results.length });
      const days = all.slice(0, DAYS_SHOWN);
      return {
        offering: { id: about.id, name: about.name, description: about.description ?? '' },
        price: results[0]?.price ? moneyOf(results[0].price) : null,
        teachers,
        teacher,
        today,
        asked,
        days,
        later: all[DAYS_SHOWN]?.date ?? (count > results.length ? addDays(days.at(-1)!.date, 1) : null),
        personal: turn.member !== null,
      };
    });
  }

  #today(visit: At): string {
    return wallAt(nowAt(visit), visit.site.tenant.zone).date;
  }

  /** @throws Problem not_found, slot_expired */
  async readSlot(turn: Asker, slot: string, move: number | null): Promise<SlotView> {
    const { takers: found, ...view } = await reading(this.#desk, turn, async ({ people, ask }) => {
      const found = await ask('GET /slots/{id}', { params: { id: slot }, query: {} });
      const { name } = await ask('GET /offering_types/{id}', {
        params: { id: found.offering_type },
        query: { fields: 'name' },
      });
      const [time] = await named(ask, [found]);
      return {
        ...time,
        offering: { id: found.offering_type as number, name: name as string },
        available: found.is_available as boolean,
        takers: people && (await takersOf(ask, slot, people)),
        late: false,
        personal: turn.member !== null,
      };
    });
    const canBook = turn.member !== null && view.available && move === null;
    const takers = found && (await this.#withPayers(turn, slot, found, canBook));
    const late = turn.member !== null && move !== null && view.available && (await this.#isLate(turn, slot, move));
    return { ...view, takers, late };
  }

  /** Adds the memberships that can pay for each person, if they can book: each is tried. */
  async #withPayers(turn: Asker, slot: string, people: readonly TakerRead[], canBook: boolean): Promise<Taker[]> {
    if (!canBook || people.every(({ pays }) => pays === null))
      return people.map(({ pays, ...taker }) => ({ ...taker, covered: pays !== null, payers: [] }));
    return acting(this.#desk, turn, async ({ ask }) => {
      const all: Taker[] = [];
      for (const { pays, ...taker } of people) {
        const payers: Payer[] = [];
        for (const one of pays === null ? [] : await usableMemberships(ask, taker.id)) {
          const body = { customer: taker.id, customer_membership: one.id };
          const payer = await payerIn(
            one,
            ask('POST /slots/{id}/register', { params: { id: slot }, query: { dry_run: true }, body }),
          );
          if (payer) payers.push(payer);
        }
        const first = payers.filter(({ id }) => id === pays);
        const others = payers.filter(({ id }) => id !== pays);
        all.push({ ...taker, covered: pays !== null, payers: [...first, ...others] });
      }
      return all;
    });
  }

  /** Returns true if moving the event counts as a late cancellation. */
  #isLate(turn: Asker, slot: string, move: number): Promise<boolean> {
    return acting(this.#desk, turn, ({ ask }) =>
      ask('POST /events/{id}/reschedule', { params: { id: move }, query: { dry_run: true }, body: { slot } })
        .then(({ effects }) => effects.some((e) => e.effect === 'booking_cancelled_late'))
        // A refusal is shown when the button is pressed.
        .catch((error: unknown) => (error instanceof Problem ? false : Promise.reject(error))),
    );
  }

  /**
   * Books the time, or starts a checkout for it. Returns the address of the next page. `pays`: id of a membership, or
   * `SINGLE`; null: the default.
   */
  async book(
    turn: Asker,
    slot: string,
    { customer, pays }: { readonly customer: number; readonly pays: number | typeof SINGLE | null },
  ): Promise<string> {
    const { visit } = turn;
    return acting(this.#desk, turn, async ({ people, ask, tx }) => {
      if (!people?.some((p) => p.id === customer)) throw notFound();
      const of = { params: { id: slot } };
      const body = { customer, ...(typeof pays === 'number' && { customer_membership: pays }) };
      const booked =
        pays === SINGLE
          ? null
          : await tx
              .attempt(() => ask('POST /slots/{id}/register', { ...of, body }))
              .catch((error: unknown) => {
                if (error instanceof Problem && error.code === TO_PAY) return null;
                throw error;
              });
      if (booked) return `${eventPath(visit.site.id, booked.event)}?done=booked`;
      const { offering_type: offering } = await ask('GET /slots/{id}', { ...of, query: {} });
      const back = `${visit.baseUrl}${timesPath(visit.site, { offering })}`;
      const purchase = { return_to: back, customer, select_drop_in: pays === SINGLE };
      return addressIn(await ask('POST /slots/{id}/initiate_purchase', { ...of, body: purchase }));
    });
  }

  /**
   * Moves one of their events to this time. @throws LateMove if the page said that the move is in time and it would be
   * late
   */
  async move(turn: Asker, slot: string, event: number, saidLate: boolean): Promise<string> {
    return acting(this.#desk, turn, async ({ ask }) => {
      const { id } = await ask('POST /events/{id}/reschedule', { params: { id: event }, query: {}, body: { slot } });
      // Another event: the old time was given up as a late cancellation. The transaction is rolled back, so the answer
      // is about the same moment as the move.
      if (!saidLate && id !== event) throw new LateMove();
      return `${eventPath(turn.visit.site.id, id)}?done=rescheduled`;
    });
  }
}

async function nextOf(ask: Ask, offering: number, from: string): Promise<Offer['next']> {
  const { results } = await ask('GET /slots', {
    query: { offering_type: offering, from, to: addDays(from, DAYS_AHEAD - 1), instructors: 'any', page_size: 1 },
  });
  const [next] = results;
  return next ? { startsAt: Date.parse(next.starts_at), zone: next.timezone } : null;
}

/**
 * Groups times by their day at the venue. `cut`: not all times were listed, so the last day may be incomplete and is
 * dropped.
 */
function daysOf(times: readonly FreeTime[], { cut }: { cut: boolean }): Day[] {
  const days = [...Map.groupBy(times, ({ startsAt, zone }) => wallAt(startsAt, zone).date)]
    .map(([date, those]) => ({ date, times: those }))
    .toSorted((a, b) => (a.date < b.date ? -1 : 1));
  return cut && days.length > 1 ? days.slice(0, -1) : days;
}

/** Adds the names of venues and instructors, each requested once. */
async function named(ask: Ask, slots: readonly Slot[]): Promise<FreeTime[]> {
  const ids = (of: (slot: Slot) => readonly number[]) => [...new Set(slots.flatMap(of))];
  const names = new Map<string, string>();
  for (const id of ids((slot) => [slot.venue])) {
    const { name } = await ask('GET /venues/{id}', { params: { id }, query: { fields: 'name' } });
    names.set(`venue ${id}`, name);
  }
  for (const id of ids((slot) => slot.instructors)) {
    const { name } = await ask('GET /instructors/{id}', { params: { id }, query: { fields: 'name' } });
    names.set(`instructor ${id}`, name);
  }
  return slots.map((slot) => ({
    slot: slot.id,
    startsAt: Date.parse(slot.starts_at),
    endsAt: Date.parse(slot.ends_at),
    zone: slot.timezone,
    venue: names.get(`venue ${slot.venue}`)!,
    instructors: slot.instructors.map((id) => names.get(`instructor ${id}`)!),
  }));
}

async function takersOf(ask: Ask, slot: string, people: readonly Person[]): Promise<TakerRead[]> {
  const takers: TakerRead[] = [];
  for (const { id, name, participating } of people) {
    if (!participating && people.length > 1) continue;
    const found = await ask('GET /slots/{id}', { params: { id: slot }, query: { customer: id } });
    const pays: number | null = found.customer_membership;
    const codes: readonly string[] = found.restriction_codes;
    takers.push({
      id,
      name,
      pays,
      price: found.total && moneyOf(found.total),
      lacksMembership: pays === null && codes.some((code) => (REFUSALS as readonly string[]).includes(code)),
    });
  }
  return takers;
}
