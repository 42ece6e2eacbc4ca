/** Reads of the booking site's pages through the interface, as the person who looks or as a stranger. */
import { addDays } from '../../../kernel/base/values/date.ts';
import { addressIn } from '../checkout/index.ts';
import { nowAt, type Desk, type Person, type Ask, acting, type Asker } from '../frame/index.ts';
import { ownTimesOf } from '../appointments/index.ts';
import { listedCourses } from './courses/read.ts';
import { openedBy, type Named } from './library/read.ts';
import { cardsOf } from './shop/cards.ts';
import { sellsProducts } from './shop/read.ts';
import { looking, type Present } from './look.ts';
import { filtersOf, loadIntroductions } from './read/choices.ts';
import { comingUp, coveredBy, eventsOf, withStandings, type Narrowed } from './read/events.ts';
import { notFound } from '../../../kernel/base/problem.ts';
import { bestOf } from './read/best.ts';
import { compared, type Offer } from './read/compared.ts';
import { askedBefore, soldMembership, soldMemberships } from './read/memberships.ts';
import { readParts } from '../../../kernel/pages/parts.ts';
import { startOfDay, wallAt } from '../../../kernel/base/values/zone.ts';
import type { MembershipsView } from './views/memberships.ts';
import type { TimetableParts, TimetableRead } from './views/timetable.ts';
import type { At } from './site.ts';
import type { HomeParts, HomeView } from './views/home.ts';

/** Length of the timetable, from today. */
export const FURTHEST_DAYS = 400;

/** Events on the home page. */
const NEXT = 6;

export interface Asked {
  /** null: the current day or week */
  readonly from: string | null;
  readonly days: 1 | 7;
  readonly narrowed: Narrowed;
}

interface Looking extends Present {
  readonly ask: Ask;
}

export class AtSite {
  readonly #desk: Desk;

  constructor(desk: Desk) {
    this.#desk = desk;
  }

  async home(visit: At): Promise<HomeView> {
    const { currency, zone } = visit.site.tenant;
    const now = nowAt(visit);
    const parts = await readParts<Looking, HomeParts>(visit, (read) => this.#parts(visit, read), {
      choices: ({ ask }) => loadIntroductions(ask, { business: visit.site.id, currency }),
      next: async (read) => withStandings(visit, read, now, await comingUp(read.ask, now, NEXT)),
      ownTimes: ({ ask }) => ownTimesOf(ask),
      courses: ({ ask }) => listedCourses(ask, zone),
      memberships: ({ ask }) => soldMemberships(ask),
      sells: async ({ ask }) => ({
        products: await sellsProducts(ask),
        cards: (await cardsOf(this.#desk, visit)) !== null,
      }),
      personal: async ({ personal }) => personal,
    });
    return { ...parts, now };
  }

  async timetable(visit: At, asked: Asked): Promise<TimetableRead> {
    const { zone, currency } = visit.site.tenant;
    const now = nowAt(visit);
    const today = wallAt(now, zone).date;
    const { days, narrowed } = asked;
    const until = addDays(today, FURTHEST_DAYS);
    // The limit stops crawlers that follow the links to the next week.
    if (asked.from !== null && (asked.from > until || asked.from < addDays(today, -FURTHEST_DAYS))) throw notFound();
    const from = asked.from ?? today;
    const parts = await readParts<Looking, TimetableParts>(visit, (read) => this.#parts(visit, read), {
      choices: ({ ask }) => filtersOf(ask, currency),
      listed: async (read) => {
        const { ask } = read;
        const covered = narrowed.membership === null ? null : await coveredBy(read, visit.site.id, narrowed.membership);
        const wanted = { ...narrowed, covered };
        const { events, more } = await eventsOf(ask, { from, days }, wanted);
        const [next = null] =
          events.length > 0 ? [] : await comingUp(ask, Math.max(now, startOfDay(from, zone)), 1, wanted);
        return { events: await withStandings(visit, read, now, events), more, next };
      },
      personal: async ({ personal }) => personal,
    });
    return { ...parts, from, days, today, until, narrowed, now };
  }

  /** Reads the memberships for sale; `asksBest`: compared by the reader's own visits too, if they are a customer. */
  memberships(visit: At, asksBest: boolean): Promise<MembershipsView> {
    return this.#look(visit, async (ask, present) => {
      const sold = await compared(present, visit.site.id, await soldMemberships(ask));
      const customer = present.people?.[0]?.id ?? null;
      return {
        sold,
        personal: present.personal,
        mayAskBest: customer !== null && sold.length > 1,
        best:
          customer === null || !asksBest
            ? null
            : await bestOf(present, visit.site.tenant, { customer, now: nowAt(visit), sold }),
      };
    });
  }

  /** @throws Problem 404 */
  membership(
    visit: At,
    id: number,
  ): Promise<{
    readonly sold: Offer;
    readonly opens: readonly Named[];
    readonly asks: readonly string[];
    readonly buyers: readonly Person[] | null;
  }> {
    return this.#look(visit, async (ask, present) => {
      const [sold] = await compared(present, visit.site.id, [await soldMembership(ask, id)]);
      const opens = await openedBy(ask, id);
      const buyers = present.personal ? (present.people ?? []) : null;
      const at = { tx: present.tx, providerId: visit.site.id, now: nowAt(visit) };
      return { sold, opens, asks: await askedBefore(at, id, buyers), buyers };
    });
  }

  /**
   * Starts the purchase of a membership, and returns the address of the page on which it is paid.
   * @throws Problem the refusal of the interface; 404 for anybody else's record
   */
  buy(
    turn: Asker,
    id: number,
    { customer, plan }: { readonly customer: number; readonly plan: number | null },
  ): Promise<string> {
    const { baseUrl, site } = turn.visit;
    return acting(this.#desk, turn, async ({ ask, people }) => {
      if (!people?.some((one) => one.id === customer)) throw notFound();
      return addressIn(
        await ask('POST /memberships/{id}/initiate_purchase', {
          params: { id },
          body: { return_to: `${baseUrl}${site.home}`, customer, payment_plan: plan },
        }),
      );
    });
  }

  #parts<T>(visit: At, read: (asking: Looking) => Promise<T>): Promise<T> {
    return this.#look(visit, (ask, present) => read({ ...present, ask }));
  }

  #look<T>(visit: At, read: (ask: Ask, present: Present) => Promise<T>): Promise<T> {
    return looking(this.#desk, visit, read);
  }
}
