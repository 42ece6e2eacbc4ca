/** Booking or moving an appointment: choose what, then with whom and when, then who comes and who pays. */
import { AtSlots, LateMove, SINGLE } from './at-slots.ts';
import { bookPage, noTimesPage, slotPage, timesPage, type SlotRefused } from './views/slots.ts';
import {
  hasSite,
  writtenWith,
  openPage,
  refusal,
  type At,
  type Desk,
  type Member,
  type Business,
  bookPath,
  timePath,
  timesPath,
  takeFields,
  valuesIn,
  type Turn,
} from '../frame/index.ts';
import { notFound, Problem } from '../../../kernel/base/problem.ts';
import { parseDate } from '../../../kernel/base/values/date.ts';
import { seeOther } from '../../../kernel/pages/visit.ts';
import { idOf, isId } from '../../../kernel/pages/path-id.ts';
import { TIMES, type TimesWritten } from './messages.ts';
import type { PageRoute } from '../../../kernel/pages/pages.ts';

const moveOf = ({ query }: At): number | null => idOf(query.get('move'));

const dayAsked = ({ query }: At): string | null => {
  const day = query.get('day');
  return day === null ? null : parseDate(day);
};

const SLOT = /^[\w-]{1,200}$/;

/** @throws Problem 404 if the value can't be a slot id */
function slotIn({ params: { slot_id: slot = '' } }: At): string {
  if (!SLOT.test(slot)) throw notFound();
  return slot;
}

/** Returns the pages below the booking site of a business: `/{slug}/book`. */
export const bookRoutes = (desk: Desk): PageRoute<Business>[] => timesRoutes(desk, '/{slug}/book');

/**
 * Returns the same pages below the account pages. They redirect to the booking site; only a business without one shows
 * its free times here.
 */
export const slotRoutes = (desk: Desk): PageRoute<Business>[] =>
  timesRoutes(desk, '/{provider_id}/slots').map(unlessOnSite);

const unlessOnSite = (route: PageRoute<Business>): PageRoute<Business> => ({
  ...route,
  get: async (visit) => (hasSite(visit.site) ? seeOther(newAddress(visit)) : route.get!(visit)),
});

const texts = (visit: At): TimesWritten => writtenWith(visit, TIMES);

/** Returns the current address of what was requested. */
function newAddress({ site, params, query }: At): string {
  const move = idOf(query.get('move'));
  const { slot_id: slot, offering_type: named } = params;
  if (slot !== undefined) return timePath(site, slot, move);
  const offering = idOf(named ?? query.get('offering_type'));
  if (offering !== null)
    return timesPath(site, { offering, day: query.get('day'), teacher: idOf(query.get('with')), move });
  return named !== undefined && SLOT.test(named) ? timePath(site, named, move) : bookPath(site);
}

const noTimes = ({ visit, written, member }: Turn<TimesWritten, Member | null>) =>
  noTimesPage(visit, written, { personal: member !== null });

const here = (visit: At): string => timePath(visit.site, slotIn(visit), moveOf(visit));

function timesRoutes(desk: Desk, prefix: string): PageRoute<Business>[] {
  const slots = new AtSlots(desk);
  return [
    ...openPage(desk, {
      path: prefix,
      texts,
      here: newAddress,
      show: async (turn) =>
        idOf(turn.visit.query.get('offering_type')) === null
          ? bookPage(turn.visit, turn.written, await slots.readList(turn))
          : seeOther(newAddress(turn.visit)),
    }),
    ...openPage(desk, {
      path: `${prefix}/{offering_type}`,
      texts,
      here: newAddress,
      show: async (turn) => {
        const { visit, written } = turn;
        const named = visit.params.offering_type;
        // Old addresses have a slot id here, from before each offering had an address.
        if (!isId(named) && SLOT.test(named)) return seeOther(newAddress(visit));
        const offering = idOf(named);
        if (offering === null) return noTimes(turn);
        const teacher = idOf(visit.query.get('with'));
        const view = await slots.readTimes(turn, { offering, day: dayAsked(visit), teacher }).catch(unlessMissing);
        return view === null ? noTimes(turn) : timesPage(visit, written, view, { move: moveOf(visit) });
      },
    }),
    ...openPage<TimesWritten, SlotRefused | null>(desk, {
      path: `${prefix}/time/{slot_id}`,
      texts,
      here,
      show: async (turn, problem = null) => {
        const { visit, written } = turn;
        const move = moveOf(visit);
        const view = await slots.readSlot(turn, slotIn(visit), move).catch(unlessMissing);
        return view === null ? noTimes(turn) : slotPage(visit, written, view, { move, problem });
      },
      forms: {
        book: async (turn) => {
          const { customer, pays } = valuesIn(takeFields, turn.visit);
          if (!isId(customer) || !(pays === '' || pays === SINGLE || isId(pays))) throw notFound();
          const payer = pays === '' || pays === SINGLE ? pays || null : Number(pays);
          return slots.book(turn, slotIn(turn.visit), { customer: Number(customer), pays: payer });
        },
        move: async (turn) => {
          const { late } = valuesIn(takeFields, turn.visit);
          const move = moveOf(turn.visit);
          if (move === null) throw notFound();
          return slots.move(turn, slotIn(turn.visit), move, late === 'yes');
        },
      },
      refused: ({ visit, written }, error) => ({
        code: error instanceof Problem ? error.code : null,
        text: error instanceof LateMove ? written.say('late_by_now') : refusal(desk, visit, error),
        status: 422,
      }),
    }),
  ];
}

/** Returns null for a missing or expired slot, which show the same page. */
function unlessMissing(error: unknown): null {
  if (error instanceof Problem && (error.status === 404 || error.code === 'slot_expired')) return null;
  throw error;
}
